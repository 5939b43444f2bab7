"""Compiles each spec of a folder, which must fail: check_failures.py FOLDER OUTPUT."""

import os
import subprocess
import sys

folder, output = sys.argv[1:]
specs = sorted(name for name in os.listdir(folder) if name.endswith(".clm"))
faults = []
for name in specs:
    for arguments in (["--emit=clm"], ["-o", output]):
        done = subprocess.run(["clmc", os.path.join(folder, name), *arguments], capture_output=True, text=True)
        if done.returncode != 1 or done.stdout or "error: " not in done.stderr or os.path.exists(output):
            faults.append(f"{name}: exit status {done.returncode}, output {done.stdout[:80]!r}")
if faults or not specs:
    sys.exit("\n".join(faults) or "no specs")
print(len(specs), "specs fail as they shall")
