"""set_tolerance.py CASE COPY NAME JSON: copies a case folder with another tolerance for one name; NAME `*` replaces all."""

import json
import os
import shutil
import sys

source, copy, name, value = sys.argv[1:]
os.makedirs(copy, exist_ok=True)
shutil.copy(f"{source}/data.safetensors", copy)
with open(f"{source}/case.json") as file:
    case = json.load(file)
if name == "*":
    case["tolerance"] = json.loads(value)
else:
    case["tolerance"][name] = json.loads(value)
with open(f"{copy}/case.json", "w") as file:
    json.dump(case, file)
