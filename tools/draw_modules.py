#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the modules and what they include into docs/architecture.md, from the DEPENDS lists.

  tools/draw_modules.py            fails if the picture is out of date, or the table there misses a module
  tools/draw_modules.py --update   draws it again
"""

import re
import sys

import project

PAGE = "docs/architecture.md"
BEGIN = "<!-- drawn by tools/draw_modules.py -->\n```\n"
END = "```\n<!-- end -->\n"


def reach(name, depends):
    """All modules below `name`."""
    below = set()
    for dep in depends[name]:
        below |= {dep} | reach(dep, depends)
    return below


def level(name, depends):
    """0 for what depends on nothing; else one more than the highest that it depends on."""
    return 1 + max((level(dep, depends) for dep in depends[name]), default=-1)


def layers(depends):
    """The modules of each level in a line, the highest first: each includes only what is below it."""
    levels = {}
    for name in sorted(depends):
        levels.setdefault(level(name, depends), []).append(name)
    lines = ["   ".join(levels[number]) for number in sorted(levels, reverse=True)]
    width = max(len(line) for line in lines)
    return "".join(line.center(width).rstrip() + "\n" for line in lines)


def chart(depends):
    """A line for each module: a mark below each of those that it needs, then its own name."""
    names = sorted(depends, key=lambda name: (level(name, depends), name))
    lines = []
    for row, name in enumerate(names):
        below = reach(name, depends)
        marks = ("o" if other in depends[name] else "." if other in below else " " for other in names[:row])
        lines.append("".join(f"{mark}  " for mark in marks) + name + "\n")
    return "".join(lines)


def table_faults(page, depends):
    """Modules that the table misses or has twice, and rows that are none."""
    rows = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    for name in depends:
        if rows.count(name) != 1:
            yield f"{PAGE}: the table has {rows.count(name)} rows for module `{name}`, not 1"
    for name in sorted(set(rows) - set(depends)):
        yield f"{PAGE}: the table has a row for `{name}`, which is no module"


def main(arguments):
    if arguments not in ([], ["--update"]):
        print(__doc__, file=sys.stderr)
        return 2
    depends = project.modules()
    page = project.read(PAGE)
    begin = page.find(BEGIN)
    end = page.find(END, begin)
    if begin < 0 or end < 0:
        return project.report("draw_modules", [f"{PAGE}: the picture's marks are gone"])
    drawn = page[:begin + len(BEGIN)] + layers(depends) + "\n" + chart(depends) + page[end:]
    if arguments:
        (project.ROOT / PAGE).write_text(drawn, encoding="utf-8")
        page = drawn
    findings = [] if page == drawn else [f"{PAGE}: the picture is out of date (tools/draw_modules.py --update)"]
    return project.report("draw_modules", findings + list(table_faults(page, depends)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
