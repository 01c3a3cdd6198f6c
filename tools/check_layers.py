#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes go down only: a module includes just the modules in its DEPENDS, which form no cycle."""

import re
import sys

import project

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](tilewright|tests|bench|experiments)/([^/"<>]+)/', re.MULTILINE)


def cycle_from(name, depends, path):
    """A cycle through DEPENDS that starts at `name`, or None."""
    if name in path:
        return path[path.index(name):] + [name]
    for dep in depends.get(name, []):
        cycle = cycle_from(dep, depends, path + [name])
        if cycle:
            return cycle
    return None


def main():
    depends = project.modules()
    findings = []
    for name, deps in depends.items():
        for dep in deps:
            if dep not in depends:
                findings.append(f"tilewright/{name}/CMakeLists.txt: DEPENDS names `{dep}`, which is no module")
    cycles = {frozenset(c): c for n in depends if (c := cycle_from(n, depends, []))}
    findings += [f"DEPENDS form a cycle: {' -> '.join(c)}" for c in cycles.values()]

    for path in project.tracked_files():
        if path.parts[0] != "tilewright" or path.suffix not in (".h", ".cpp") or len(path.parts) < 3:
            continue
        module = path.parts[1]
        if module not in depends:
            continue  # check_lists.py says so
        text = project.read(path) or ""
        for match in INCLUDE.finditer(text):
            top, target = match.groups()
            line = text.count("\n", 0, match.start()) + 1
            if top != "tilewright":
                if not path.name.endswith(("_test.cpp", "_test_support.h")):
                    findings.append(f"{path}:{line}: `{module}` includes from {top}/")
            elif target != module and target not in depends[module]:
                findings.append(f"{path}:{line}: `{module}` includes `{target}`, not in its DEPENDS")
    return project.report("check_layers", findings)


if __name__ == "__main__":
    sys.exit(main())
