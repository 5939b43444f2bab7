"""Runs a command, presses Ctrl-C once it has shown progress, and checks that it ends with 130: interrupt.py COMMAND..."""

import signal
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, text=True)
print(process.stderr.readline(), end="")
process.send_signal(signal.SIGINT)
_, rest = process.communicate(timeout=60)
print(rest, end="")
if process.returncode != 130:
    sys.exit(f"exit status {process.returncode}, expected 130")
