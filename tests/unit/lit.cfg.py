"""The GoogleTest programs: each case of a program in unit/ of the build tree is one test."""

import os

import lit.formats

config.name = "unit"
config.test_format = lit.formats.GoogleTest("", "Tests")
config.test_source_root = os.path.join(config.build_root, "unit")
config.test_exec_root = config.test_source_root
config.environment.update(
    PATH=os.environ["PATH"],
    HOME=config.test_exec_root,
    CLM_OBJECT_CACHE=os.path.join(config.test_exec_root, "object-cache"),
    OMP_NUM_THREADS="1",
)
for variable, folder in (("CLM_TEST_DATA", "data"), ("CLM_TEST_GOLDEN", "golden")):
    path = os.environ.get(variable) or os.path.abspath(os.path.join(config.source_root, "..", "shared", folder))
    if os.path.isdir(path):
        config.environment[variable] = path
