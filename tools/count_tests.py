#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums CTest's JUnit files into one line: `412 passed, 0 failed, 2 skipped`.

  tools/count_tests.py [--failed N] FILE...      N: failures outside the tests

Exit 1 if anything failed. A file that is missing or holds no test counts as one failure.
"""

import sys
import xml.etree.ElementTree as ElementTree


def count(name):
    """(passed, failed, skipped) of one file."""
    try:
        cases = ElementTree.parse(name).getroot().findall("testcase")
    except (OSError, ElementTree.ParseError):
        cases = []
    if not cases:
        return 0, 1, 0
    passed = failed = skipped = 0
    for case in cases:
        status = case.get("status")
        skip = case.find("skipped")
        # CTest also says "notrun" of a test whose program is missing: that is a failure.
        meant = skip is not None and skip.get("message", "").startswith("SKIP_")
        if status == "run":
            passed += 1
        elif status == "disabled" or meant:
            skipped += 1
        else:
            failed += 1
    return passed, failed, skipped


def main(words):
    others = 0
    if words[:1] == ["--failed"]:
        others = int(words[1])
        words = words[2:]
    passed, failed, skipped = (sum(c) for c in zip((0, others, 0), *map(count, words)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
