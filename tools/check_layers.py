#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes go down only: a module includes just the modules in its DEPENDS, which form no cycle; and
rooms inside a module include one another in one direction."""

import re
import sys

import project

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](tilewright|tests|bench|experiments)/([^/"<>]+)/', re.MULTILINE)

# By module: the rooms (folders) that each of its rooms may include; "" is the module's own folder.
SHARED = ("optimal/shared", "")
ROOMS = {
    "search": {
        "": (),
        "local": ("",),
        "questions": ("",),
        "sampling": ("",),
        "optimal/shared": ("",),
        "optimal/bounds": SHARED,
        "optimal/roots": ("optimal/bounds", *SHARED),
        "optimal/tree": ("optimal/bounds", *SHARED),
        "optimal": ("optimal/roots", "optimal/tree", "optimal/bounds", *SHARED),
    },
}
IN_MODULE = re.compile(r'^\s*#\s*include\s*"tilewright/([^/"]+)/(?:([^"]+)/)?[^/"]+"', re.MULTILINE)


def room_findings(path, text):
    """Includes of one file that lead to a room which its own room may not include."""
    module = path.parts[1]
    rooms = ROOMS.get(module)
    if rooms is None or path.name.endswith(("_test.cpp", "_test_support.h")):
        return []
    room = "/".join(path.parts[2:-1])
    if room not in rooms:
        return [f"{path}: `{room}` is no room of `{module}` in tools/check_layers.py"]
    findings = []
    for match in IN_MODULE.finditer(text):
        target = match.group(2) or ""
        if match.group(1) == module and target != room and target not in rooms[room]:
            line = text.count("\n", 0, match.start()) + 1
            findings.append(f"{path}:{line}: room `{room}` of `{module}` includes room `{target}`")
    return findings


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
    for module, rooms in ROOMS.items():
        down = {name: list(below) for name, below in rooms.items()}
        findings += [f"rooms of `{module}` form a cycle" for n in down if cycle_from(n, down, [])]
    cycles = {frozenset(c): c for n in depends if (c := cycle_from(n, depends, []))}
    findings += [f"DEPENDS form a cycle: {' -> '.join(c)}" for c in cycles.values()]

    for path in project.tracked_files():
        if path.parts[0] != "tilewright" or path.suffix not in (".h", ".cpp") or len(path.parts) < 3:
            continue
        module = path.parts[1]
        if module not in depends:
            continue  # check_lists.py says so
        text = project.read(path) or ""
        findings += room_findings(path, text)
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
