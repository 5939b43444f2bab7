"""Runs a command that must fail cleanly: fails_once.py OUTPUT COMMAND... Exit status 1, nothing on standard output, one
error, and neither OUTPUT nor a temporary file beside it. Prints the error."""

import os
import subprocess
import sys

output, *command = sys.argv[1:]
before = sorted(os.listdir(os.path.dirname(output)))
done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
errors = [line for line in done.stderr.splitlines() if "error: " in line]
after = sorted(os.listdir(os.path.dirname(output)))
if done.returncode != 1 or done.stdout or len(errors) != 1 or after != before:
    sys.exit(f"exit status {done.returncode}, output {done.stdout[:80]!r}, errors {errors}, new files {set(after) - set(before)}")
print(errors[0])
