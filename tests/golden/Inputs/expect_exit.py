"""Runs a command and checks its exit status: expect_exit.py STATUS COMMAND ARGUMENT..."""

import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    sys.exit(f"exit status {status}, expected {sys.argv[1]}")
