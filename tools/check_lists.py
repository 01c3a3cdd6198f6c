#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every C++ file is built: it is named in the CMakeLists.txt of its module, or of its test folder."""

import sys

import project


def listing(path):
    """CMakeLists.txt files that may name `path`, nearest first, not the top one."""
    for folder in path.parents:
        if folder.parts and (project.ROOT / folder / "CMakeLists.txt").is_file():
            yield folder


def is_listed(path):
    for folder in listing(path):
        words = project.cmake_words(folder / "CMakeLists.txt")
        if "GLOB" in words or str(path.relative_to(folder)) in words:
            return True
    return False


def main():
    findings = []
    for path in project.tracked_files():
        wanted = {"tilewright": (".h", ".cpp"), "tests": (".cpp",), "bench": (".cpp",), "experiments": (".cpp",)}
        if path.suffix not in wanted.get(path.parts[0], ()):
            continue
        if not is_listed(path):
            findings.append(f"{path}: in no CMakeLists.txt")
    return project.report("check_lists", findings)


if __name__ == "__main__":
    sys.exit(main())
