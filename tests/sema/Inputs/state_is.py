"""Checks a state of a checkpoint that is one number: state_is.py FILE NAME VALUE."""

import json
import struct
import sys

path, name, expected = sys.argv[1:]
with open(path, "rb") as file:
    data = file.read()
(length,) = struct.unpack("<Q", data[:8])
begin, end = json.loads(data[8 : 8 + length])[name]["data_offsets"]
(value,) = struct.unpack("<f", data[8 + length + begin : 8 + length + end])
if not abs(value - float(expected)) <= 1e-6:
    sys.exit(f"{name} is {value}, not {expected}")
