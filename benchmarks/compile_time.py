"""Compile time of a spec from text to callable functions, cold and from the object cache; time to the first training step;
size of the installed tools.

    python3 benchmarks/compile_time.py BUILD_FOLDER [--runs 7]
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MEASURE = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.clm_benchmark_compile.restype = ctypes.c_double
print(library.clm_benchmark_compile(sys.argv[2].encode()))
"""


def compile_seconds(build, spec, cache):
    """In a process of its own, so that nothing is warm but the cache asked for."""
    command = [sys.executable, "-c", MEASURE, f"{build}/lib/libclm_benchmark.so", spec]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "CLM_OBJECT_CACHE": cache})
    return float(result.stdout)


def first_step_seconds(build, spec, cache):
    """The life of a process that compiles, starts a session and makes one training step."""
    start = time.perf_counter()
    subprocess.run([f"{build}/bin/clm_first_step", spec], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "CLM_OBJECT_CACHE": cache})
    return time.perf_counter() - start


def row(name, values):
    print(f"| {name} | {statistics.median(values):.3f} | {min(values):.3f} .. {max(values):.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build folder")
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    build, runs = os.path.abspath(arguments.build), range(arguments.runs)
    subprocess.run(["ninja", "-C", build, "clm_benchmark", "clm_first_step"], check=True, stdout=subprocess.DEVNULL)
    spec = f"{HERE}/../examples/hat_digits.clm"

    print("| what | median s | range |")
    print("|---|---|---|")
    cold = []
    for _ in runs:
        with tempfile.TemporaryDirectory() as cache:
            cold.append(compile_seconds(build, spec, cache))
    row("compile, cold", cold)
    started = []
    for _ in runs:
        with tempfile.TemporaryDirectory() as cache:
            started.append(first_step_seconds(build, spec, cache))
    row("process start to the end of the first training step, cold", started)
    with tempfile.TemporaryDirectory() as cache:
        compile_seconds(build, spec, cache)
        row("compile, from the object cache", [compile_seconds(build, spec, cache) for _ in runs])
        row("process start to the end of the first training step, from the cache", [first_step_seconds(build, spec, cache) for _ in runs])

    total = 0
    for name in ("bin/clmc", "bin/clmrun", "bin/clm-opt", "bin/clm-golden", "lib/libclm_runtime.so", "lib/libclm_compiler.so"):
        size = os.path.getsize(f"{build}/{name}")
        total += size
        print(f"| size of {name} | {size / 1e6:.1f} MB | |")
    print(f"| size together | {total / 1e6:.1f} MB | |")


if __name__ == "__main__":
    main()
