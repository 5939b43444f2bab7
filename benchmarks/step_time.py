"""Time of a training step: a compiled module against PyTorch eager and torch.compile, in one process, in turn.

    python3 benchmarks/step_time.py BUILD_FOLDER [--rounds 40] [--threads 1 2]

Needs a Python with torch (any that the module's runtime can be loaded beside). Prints medians over interleaved rounds and
the ratio of each peer to the compiled module; the spread is the interquartile range.
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
BATCH, PIXELS, HIDDEN, CLASSES = 64, 784, 800, 10


def compile_module(build, folder):
    module = os.path.join(folder, "hat_mnist.so")
    subprocess.run([f"{build}/bin/clmc", f"{HERE}/hat_mnist.clm", "-o", module], check=True)
    return module


def load_library(build):
    library = ctypes.CDLL(f"{build}/lib/libclm_benchmark.so")
    library.clm_benchmark_open.restype = ctypes.c_void_p
    library.clm_benchmark_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    library.clm_benchmark_step.restype = ctypes.c_double
    library.clm_benchmark_step.argtypes = [
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_double,
        ctypes.c_double,
    ]
    return library


def measure(build, threads, rounds, steps):
    import torch

    import peer

    torch.set_num_threads(threads)
    for compiled in (False, True):
        deviation = peer.check(f"{HERE}/../tests/golden/hat/mlp_step_t1", compiled)
        if not deviation <= 5e-6:
            sys.exit(f"the PyTorch peer deviates by {deviation} from the recorded step and is not worth timing")

    with tempfile.TemporaryDirectory() as folder:
        library = load_library(build)
        session = library.clm_benchmark_open(compile_module(build, folder).encode(), threads, 1, CLASSES)
        if not session:
            sys.exit(1)
        x, y = torch.randn(BATCH, 1, 28, 28), torch.randint(0, CLASSES, (BATCH,))
        rates = [0.2, 0.5]
        peers = {
            name: peer.Peer(PIXELS, HIDDEN, CLASSES, rates, 0.75, 400.0, 10000.0, compiled)
            for name, compiled in (("PyTorch eager", False), ("torch.compile", True))
        }

        def clm_step(progress):
            return library.clm_benchmark_step(session, x.data_ptr(), y.data_ptr(), BATCH, PIXELS, progress, 0.05)

        def peer_step(name):
            return lambda progress: peers[name].step(x, y, 1 / 400 + (400 - 1 / 400) * progress, 0.05)

        contenders = {"clm": clm_step, **{name: peer_step(name) for name in peers}}
        times = {name: [] for name in contenders}
        for warmup in range(5):
            for step in contenders.values():
                step(warmup / 100)
        for round_number in range(rounds):
            for name, step in contenders.items():
                start = time.perf_counter()
                for index in range(steps):
                    step((round_number * steps + index) / (rounds * steps))
                times[name].append((time.perf_counter() - start) / steps * 1e3)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build folder")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--steps", type=int, default=5, help="steps of each contender in a round")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    subprocess.run(["ninja", "-C", build, "clm_benchmark"], check=True, stdout=subprocess.DEVNULL)

    print("| threads | contender | median ms | quartiles | ratio to clm |")
    print("|---|---|---|---|---|")
    for threads in arguments.threads:
        times = measure(build, threads, arguments.rounds, arguments.steps)
        base = statistics.median(times["clm"])
        for name, values in times.items():
            low, median, high = statistics.quantiles(values, n=4)
            ratios = statistics.median(value / clm for value, clm in zip(values, times["clm"]))
            print(f"| {threads} | {name} | {median:.2f} | {low:.2f} .. {high:.2f} | {ratios:.2f} |", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, HERE)
    main()
