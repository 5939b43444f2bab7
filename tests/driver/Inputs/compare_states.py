"""compare_states.py TOLERANCE A B: the tensors of two safetensors files differ by at most TOLERANCE, relative to each
tensor's largest value (and 1e-30, so that what single precision cannot hold counts as 0). Exits 1 and names the tensor otherwise."""

import json
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + length]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            kind = {"F32": "f", "F64": "d"}[entry["dtype"]]
            raw = data[8 + length + begin : 8 + length + end]
            tensors[name] = struct.unpack(f"<{len(raw) // struct.calcsize(kind)}{kind}", raw)
    return tensors


tolerance, first, second = float(sys.argv[1]), read(sys.argv[2]), read(sys.argv[3])
if not first or first.keys() != second.keys():
    sys.exit(f"different tensors: {sorted(first)} and {sorted(second)}")
for name, values in first.items():
    deviation = max(abs(a - b) for a, b in zip(values, second[name], strict=True))
    # Written so that NaN fails.
    if not deviation <= tolerance * max(abs(value) for value in values) + 1e-30:
        sys.exit(f"{name} deviates by {deviation}")
