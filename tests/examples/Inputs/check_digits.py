"""check_digits.py FOLDER: the bounds that the examples on the digits promise, from the result files of five seeds."""

import json
import sys


def read(method, seed):
    with open(f"{sys.argv[1]}/{method}-{seed}/result.json") as file:
        return json.load(file)


forgetting = {"hat": 0.0, "finetune": 0.0}
for seed in range(5):
    for method in forgetting:
        result = read(method, seed)
        forgetting[method] += result["forgetting"] / 5
        print(method, seed, result["average_accuracy"], result["forgetting"])
        if method == "hat" and not (result["average_accuracy"] >= 0.97 and result["forgetting"] <= 0.01):
            sys.exit("HAT misses its bounds")
        matrix = result["task_accuracy"]
        if len(matrix) != 5 or any(value is not None for row, values in enumerate(matrix) for value in values[row + 1 :]):
            sys.exit("the accuracy matrix is not lower triangular")
if not forgetting["finetune"] >= forgetting["hat"] + 0.02:
    sys.exit(f"plain training does not forget visibly more: {forgetting}")
