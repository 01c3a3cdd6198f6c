#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rooms: no folder below tilewright/ has more than 25 files of its own (README.md not
counted), and each says what it is for.

  tools/check_rooms.py          what is wrong; with --figure also a line that counts
  tools/check_rooms.py --full   also tools/lint for the whole tree: layers, rooms, clang-tidy

A folder says what it is for in its README.md, or in the comment at the top of the header that has its
name (arch/arch.h).
"""

import collections
import subprocess
import sys

import project

MOST_FILES = 25
# Folders that are still to be cut, or to say what they are for; a line goes when its folder is done.
TOO_LARGE = ()
SILENT = ()


def folders():
    """Folder below tilewright/ -> its own files."""
    own = collections.defaultdict(list)
    for path in project.tracked_files():
        if path.parts[0] == "tilewright" and len(path.parts) > 2:
            own[path.parent].append(path)
            for above in path.parent.parents:
                if len(above.parts) > 1:
                    own.setdefault(above, [])
    return own


def count(files):
    return sum(path.name != "README.md" for path in files)


def has_comment(path):
    """Whether a header begins with a comment behind its SPDX line."""
    lines = (project.read(path) or "").splitlines()
    return len(lines) > 1 and lines[0].startswith("// SPDX") and lines[1].startswith("// ")


def says_what_it_is_for(folder, files):
    if any(f.name == "README.md" for f in files):
        return True
    named = folder / (folder.name + ".h")
    return named in files and has_comment(named)


def main():
    own = folders()
    findings = []
    for folder, files in sorted(own.items()):
        if count(files) > MOST_FILES and str(folder) not in TOO_LARGE:
            findings.append(f"{folder}: {count(files)} files of its own, more than {MOST_FILES}")
        if not says_what_it_is_for(folder, files) and str(folder) not in SILENT:
            findings.append(f"{folder}: no README.md, and no {folder.name}.h that says what it is for")
    for listed in (*TOO_LARGE, *SILENT):
        if not any(str(folder) == listed for folder in own):
            findings.append(f"{listed}: listed as an exception, and not there")
    code = project.report("check_rooms", findings)
    if "--full" in sys.argv[1:]:
        code = max(code, subprocess.run([project.ROOT / "tools/lint"], check=False).returncode)
    if {"--full", "--figure"} & set(sys.argv[1:]):
        largest = max(own.items(), key=lambda item: count(item[1]))
        print(f"rooms: {len(own)} folders, the largest has {count(largest[1])} files ({largest[0]}); "
              f"{len(TOO_LARGE) + len(SILENT)} exceptions, {len(findings)} findings")
    return code


if __name__ == "__main__":
    sys.exit(main())
