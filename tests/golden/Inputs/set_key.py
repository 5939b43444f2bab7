"""set_key.py CASE COPY KEY JSON: copies a case folder with another value for one key of its case file."""

import json
import os
import shutil
import sys

source, copy, key, value = sys.argv[1:]
os.makedirs(copy)
shutil.copy(f"{source}/data.safetensors", copy)
with open(f"{source}/case.json") as file:
    case = json.load(file)
case[key] = json.loads(value)
with open(f"{copy}/case.json", "w") as file:
    json.dump(case, file)
