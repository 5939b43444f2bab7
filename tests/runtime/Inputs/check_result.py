"""Checks that the numbers of a result.json follow from its matrix: check_result.py RESULT.json TASKS"""

import json
import math
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    result = json.load(file)
tasks = int(sys.argv[2])
matrix = result["task_accuracy"]
assert len(matrix) == tasks and all(len(row) == tasks for row in matrix)
for i, row in enumerate(matrix):
    assert all(0 <= value <= 1 for value in row[: i + 1]), row
    assert all(value is None for value in row[i + 1 :]), row
assert math.isclose(result["average_accuracy"], sum(matrix[-1]) / tasks)
drops = [max(matrix[i][j] for i in range(j, tasks - 1)) - matrix[-1][j] for j in range(tasks - 1)]
assert math.isclose(result["forgetting"], sum(drops) / (tasks - 1), abs_tol=1e-12)
classes = [id for task in result["tasks"] for id in task["classes"]]
assert classes == result["order"] and sorted(classes) == list(range(len(classes)))
for field in ("schema", "model", "spec_hash", "seed", "scenario", "versions", "threads", "precision"):
    assert field in result, field
for name, setting in result["settings"].items():
    print(name, setting["value"], setting["origin"])
