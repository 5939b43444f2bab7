"""Copies a golden case and damages the copy.

    change_case.py CASE COPY number TENSOR INDEX VALUE   one number of a tensor (VALUE may be nan)
    change_case.py CASE COPY rename TENSOR NAME          another name for a tensor
    change_case.py CASE COPY key KEY JSON                a value of case.json
    change_case.py CASE COPY tolerance TENSOR JSON       the tolerance of a tensor or group
    change_case.py CASE COPY cut FILE BYTES              the first BYTES bytes of a file
"""

import json
import os
import shutil
import struct
import sys


def read_tensors(path):
    with open(path, "rb") as file:
        content = file.read()
    length = struct.unpack("<Q", content[:8])[0]
    return json.loads(content[8 : 8 + length]), bytearray(content[8 + length :])


def write_tensors(path, header, data):
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def change_settings(copy, change):
    path = os.path.join(copy, "case.json")
    with open(path, encoding="utf-8") as file:
        settings = json.load(file)
    change(settings)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(settings, file)


def main(case, copy, what, *arguments):
    shutil.rmtree(copy, ignore_errors=True)
    os.makedirs(copy)
    for name in ("case.json", "data.safetensors"):
        shutil.copyfile(os.path.join(case, name), os.path.join(copy, name))
    tensors = os.path.join(copy, "data.safetensors")
    if what == "number":
        name, index, value = arguments
        header, data = read_tensors(tensors)
        struct.pack_into("<f", data, header[name]["data_offsets"][0] + 4 * int(index), float(value))
        write_tensors(tensors, header, data)
    elif what == "rename":
        header, data = read_tensors(tensors)
        header[arguments[1]] = header.pop(arguments[0])
        write_tensors(tensors, header, data)
    elif what == "key":
        change_settings(copy, lambda settings: settings.update({arguments[0]: json.loads(arguments[1])}))
    elif what == "tolerance":
        change_settings(copy, lambda settings: settings["tolerance"].update({arguments[0]: json.loads(arguments[1])}))
    elif what == "cut":
        os.truncate(os.path.join(copy, arguments[0]), int(arguments[1]))
    else:
        sys.exit(__doc__)


main(*sys.argv[1:])
