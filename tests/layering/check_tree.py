"""Checks of the source tree that no compiler makes. Each prints `file:line: what is wrong` and exits with 1 if it found any.

    check_tree.py includes ROOT       who may include whose headers
    check_tree.py text ROOT           no unfinished work, no paths of somebody's machine, no unknown web hosts
    check_tree.py sizes ROOT          no source file beyond 600 lines
    check_tree.py diagnostics ROOT    each kind in Diagnostics.def is named by a test
    check_tree.py asserts ROOT        no lit test without a check
    check_tree.py format ROOT         the C++ sources are formatted
    check_tree.py flags BUILD         nothing but runtime/aten is compiled with libtorch's include folders
"""

import json
import os
import re
import subprocess
import sys

# Include lines that match the second pattern, in files whose path matches the first, are an error.
INCLUDE_RULES = [
    (r"(compiler|tools|runtime/(?!aten/))", r"[<\"](ATen|torch|c10)/", "libtorch is seen by runtime/aten only"),
    (r"runtime/(?!jit/)", r"[<\"](mlir|llvm)(-c)?/", "the runtime sees LLVM and MLIR in runtime/jit only"),
    (r"compiler/(support|syntax|sema)/", r"[<\"](mlir|llvm)(-c)?/", "the front end does not see LLVM and MLIR"),
    (r"(compiler/(?!syntax/)|runtime|tools)", r"(antlr4|Clm(Lexer|Parser)\.h)", "ANTLR is seen by compiler/syntax only"),
    (r"runtime/aten/", r"[<\"]fmt/", "libtorch's include folder has a fmt of its own, which hides the installed one"),
    (r"runtime/", r"\"(support|syntax|sema|clm|ten|exec|conversion|codegen|driver)/", "the runtime does not see the compiler"),
]

# The parts of the compiler and what each may include besides itself.
FRONT_END = {"support", "syntax", "sema"}
DIALECTS = {"clm", "ten", "exec"}
COMPILER_LAYERS = {
    "support": set(),
    "syntax": {"support"},
    "sema": {"support", "syntax"},
    "clm": {"support"} | DIALECTS,
    "ten": {"support"} | DIALECTS,
    "exec": {"support"} | DIALECTS,
    "conversion": FRONT_END | DIALECTS,
    "codegen": FRONT_END | DIALECTS | {"conversion"},
    "driver": FRONT_END | DIALECTS | {"conversion", "codegen"},
}

TEXT_RULES = [
    (r"\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b", "work left undone"),
    (r"(?<![\w.$}~%-])/(home|root|work|tmp|Users)/\w", "a path of somebody's machine"),
    (r"(?i)\bissue #?\d+", "a number that only its author can look up"),
]
# Where the texts may point: the sources of methods and data, and the licences.
KNOWN_HOSTS = {"arxiv.org", "archive.ics.uci.edu", "creativecommons.org", "doi.org", "github.com", "openreview.net"}

TEXT_SUFFIXES = (".h", ".cpp", ".td", ".def", ".g4", ".clm", ".mlir", ".py", ".md", ".txt", ".cmake", ".in", ".test", "")
MAXIMUM_LINES = 600


def files_below(root, suffixes=TEXT_SUFFIXES):
    """Paths of the project's own files: what git knows or would add, or all but build folders where `root` is no checkout."""
    if os.path.exists(os.path.join(root, ".git")):
        command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"]
        paths = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    else:
        paths = []
        for folder, subfolders, names in os.walk(root):
            subfolders[:] = [name for name in subfolders if not name.startswith((".", "build"))]
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(
        path for path in paths if os.path.splitext(path)[1] in suffixes and os.path.isfile(os.path.join(root, path))
    )


def lines_below(root, suffixes=TEXT_SUFFIXES):
    for path in files_below(root, suffixes):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                yield path, number, line


def check_includes(root):
    for path, number, line in lines_below(root, (".h", ".cpp")):
        if not re.match(r"\s*#\s*include\b", line):
            continue
        for where, header, message in INCLUDE_RULES:
            if re.match(where, path) and re.search(header, line):
                yield f"{path}:{number}: {message}"
        part = re.match(r"compiler/(\w+)/", path)
        other = re.search(r"\"(\w+)/", line)
        if part and other and other[1] in COMPILER_LAYERS and other[1] != part[1]:
            if other[1] not in COMPILER_LAYERS[part[1]]:
                yield f"{path}:{number}: compiler/{part[1]} does not see compiler/{other[1]}"


def check_text(root):
    for path, number, line in lines_below(root):
        for pattern, message in TEXT_RULES:
            if re.search(pattern, line):
                yield f"{path}:{number}: {message}: {line.strip()[:80]}"
        for host in re.findall(r"https?://([\w.-]+)", line):
            if host.removeprefix("www.") not in KNOWN_HOSTS:
                yield f"{path}:{number}: a link to an unknown host: {host}"


def check_sizes(root):
    lengths = {}
    for path, number, _ in lines_below(root, (".h", ".cpp", ".td", ".g4", ".py")):
        lengths[path] = number
    for path, length in lengths.items():
        if length > MAXIMUM_LINES:
            yield f"{path}:{length}: the file is longer than {MAXIMUM_LINES} lines; split it along a seam"


def check_diagnostics(root):
    tested = set()
    for path, _, line in lines_below(root, (".clm", ".mlir", ".test", ".cpp")):
        if path.startswith("tests/"):
            tested.update(re.findall(r"\w+", line))
    definitions = "compiler/support/Diagnostics.def"
    for path, number, line in lines_below(root, (".def",)):
        kind = re.match(r"CLM_DIAGNOSTIC\((\w+)\)", line)
        if path == definitions and kind and kind[1] not in tested:
            yield f"{path}:{number}: no test names the diagnostic {kind[1]}"


def check_asserts(root):
    for path in files_below(root, (".clm", ".mlir")):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if path.startswith("tests/") and "RUN:" in text:
            if not re.search(r"FileCheck|expected-(error|note|warning|remark)|\b(not|diff|cmp) ", text):
                yield f"{path}:1: no RUN line checks anything but the exit status"


def check_format(root):
    sources = [path for path in files_below(root, (".h", ".cpp")) if "/Inputs/" not in path]
    command = ["clang-format-19", "--dry-run", "--ferror-limit=1", "-Werror", *sources]
    errors = subprocess.run(command, cwd=root, capture_output=True, text=True).stderr
    for place in re.findall(r"(?m)^(\S+:\d+):\d+: error:", errors):
        yield f"{place}: not as clang-format-19 writes it"


def check_flags(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    for entry in commands:
        if "/torch/include" in entry["command"] and "/runtime/aten/" not in entry["file"]:
            yield f"{entry['file']}:1: compiled with libtorch's include folders"


def main(check, root):
    findings = list(globals()[f"check_{check}"](root))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
