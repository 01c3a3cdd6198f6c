#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No two types of a namespace have one name: the linker would mix up their functions, silently."""

import collections
import re
import sys

import project

OPEN = re.compile(r"^namespace ?([\w:]*) ?\{")
CLOSE = re.compile(r"^\}  // namespace")
TYPE = re.compile(r"^(?:struct|class|enum class|union) (\w+)(?: final)?(?: :.*)?\s*\{")


def types_of(text):
    """The types that a file defines outside anonymous namespaces, with these."""
    inside = []
    for line in text.splitlines():
        if opened := OPEN.match(line):
            inside.append(opened[1])
        elif CLOSE.match(line):
            inside.pop()
        elif (found := TYPE.match(line)) and "" not in inside:
            yield "::".join([*inside, found[1]])


def main():
    places = collections.defaultdict(list)
    for path in project.tracked_files():
        if path.parts[0] == "tilewright" and path.suffix in (".h", ".cpp"):
            for name in types_of(project.read(path)):
                places[name].append(str(path))
    findings = [f"{name} is defined in {' and '.join(found)}"
                for name, found in sorted(places.items()) if len(found) > 1]
    return project.report("check_names", findings)


if __name__ == "__main__":
    sys.exit(main())
