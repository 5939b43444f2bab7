"""How the tests are run: every .mlir, .clm and .test file below this folder, by its RUN lines.

tools/check and `ninja check` run this suite, the GoogleTest programs (unit/lit.cfg.py) and, once more with
`--verify-roundtrip`, every test that calls clm-opt. A test may use these words in its RUN lines:

    clmc, clmrun, clm-opt, ...   the programs of this build; FileCheck, not and split-file are LLVM's
    %stdlib, %examples, %source_root, %build_root   folders of the project
    %data_dir, %golden_dir       data sets and golden numbers; only with REQUIRES: shared-data or shared-golden
    %python                      the interpreter that runs lit

Features for REQUIRES: shared-data, shared-golden, git (a checkout with history), long (tools/check --long).
"""

import os
import subprocess

import lit.formats

config.name = "clm-roundtrip" if config.verify_roundtrip else "clm"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"] if config.verify_roundtrip else [".mlir", ".clm", ".test"]
config.excludes = ["Inputs", "specs", "unit"]  # specs: read by the golden tests
config.test_source_root = os.path.join(config.source_root, "tests")
config.test_exec_root = os.path.join(config.build_root, "roundtrip-tests" if config.verify_roundtrip else "tests")


def add_folder(substitution, feature, variable, *default):
    """Offers a folder of test inputs that lies beside the checkout, or where an environment variable says."""
    folder = os.environ.get(variable) or os.path.abspath(os.path.join(config.source_root, "..", *default))
    config.substitutions.append((substitution, folder))
    if os.path.isdir(folder):
        config.available_features.add(feature)
        config.environment[variable] = folder


config.substitutions += [
    ("%stdlib", os.path.join(config.source_root, "stdlib")),
    ("%examples", os.path.join(config.source_root, "examples")),
    ("%source_root", config.source_root),
    ("%build_root", config.build_root),
    ("%python", config.python),
]
add_folder("%data_dir", "shared-data", "CLM_TEST_DATA", "shared", "data")
add_folder("%golden_dir", "shared-golden", "CLM_TEST_GOLDEN", "shared", "golden")

# A word `clm-opt` at the place of a command, not a part of a file name.
if config.verify_roundtrip or os.environ.get("CLM_VERIFY_ROUNDTRIP") == "1":
    config.substitutions.append((r"(?<![\w./-])clm-opt(?![\w./-])", "clm-opt --verify-roundtrip"))

if lit_config.params.get("long") == "1":
    config.available_features.add("long")
if subprocess.run(["git", "-C", config.source_root, "rev-parse", "HEAD"], capture_output=True).returncode == 0:
    config.available_features.add("git")

config.environment.update(
    PATH=os.pathsep.join([os.path.join(config.build_root, "bin"), config.llvm_bin, os.environ["PATH"]]),
    # Nothing that a test does may depend on the user's files or change them.
    HOME=config.test_exec_root,
    CLM_OBJECT_CACHE=os.path.join(config.test_exec_root, "object-cache"),
    # lit runs a test on each core; a test of threads says how many it wants.
    OMP_NUM_THREADS="1",
)
