"""run_seeds.py FOLDER: trains the modules hat.so and finetune.so of the folder with seeds 0 to 4."""

import subprocess
import sys

for seed in range(5):
    for method in ("hat", "finetune"):
        folder = sys.argv[1]
        subprocess.run(
            ["clmrun", f"{folder}/{method}.so", "--seed", str(seed), "--quiet", "--out", f"{folder}/{method}-{seed}"],
            check=True, stdout=subprocess.DEVNULL,
        )
