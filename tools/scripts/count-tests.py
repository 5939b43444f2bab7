"""Counts the tests in lit's XML report, names the skipped and the failed ones, and ends with the line that says it all.

    count-tests.py REPORT STATUS     STATUS: the exit status of lit

The report is the XML one because lit's JSON report leaves out the GoogleTest cases that skipped themselves. Exits with 1 if
a test failed, if none passed, or if lit itself failed without a failed test to show for it.
"""

import sys
import xml.etree.ElementTree as ElementTree


def full_name(case):
    """`suite :: folder/file`, as lit prints it."""
    suite, _, folder = case.get("classname").partition(".")
    path = "/".join(part for part in (folder, case.get("name")) if part != suite)
    return f"{suite} :: {path.lstrip('/')}"


def main(report, status):
    passed, failed, skipped = [], [], []
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except FileNotFoundError:
        cases = []
    for case in cases:
        if case.find("failure") is not None:
            failed.append(full_name(case))
        elif case.find("skipped") is not None:
            reason = case.find("skipped").get("message")
            # lit knows one reason for a skip that is not its own, and names a GoogleTest case's skip by it.
            reason = "skipped itself" if reason == "User interrupt" else reason
            skipped.append(f"{full_name(case)} ({reason})")
        else:
            passed.append(full_name(case))
    for name in sorted(skipped):
        print(f"skipped: {name}")
    for name in sorted(failed):
        print(f"failed: {name}")
    if status != 0 and not failed:
        print(f"failed: lit itself (exit status {status}), see above")
        failed.append("lit")
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
