"""Runs a command that must fail as a user's mistake does: exit status 1, nothing on standard output, one line of error.
Prints that line."""

import subprocess
import sys

done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
lines = done.stderr.splitlines()
if done.returncode != 1 or done.stdout or len(lines) != 1:
    sys.exit(f"exit status {done.returncode}, output {done.stdout!r}, errors {lines}")
print(lines[0])
