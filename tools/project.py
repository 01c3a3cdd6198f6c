# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the repository's files and its modules."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEYWORDS = {"HEADERS", "SOURCES", "TESTS", "DEPENDS", "LIBS"}  # of tilewright_module
SKIPPED_FOLDERS = {".git", "build", "__pycache__"}


def tracked_files():
    """Paths relative to ROOT of all files that are, or could be, committed; sorted."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
        names = {name for name in listed.decode().split("\0") if name}
    except (OSError, subprocess.CalledProcessError):  # not a git checkout: a source archive
        names = {str(p.relative_to(ROOT)) for p in ROOT.rglob("*")
                 if not SKIPPED_FOLDERS & set(p.relative_to(ROOT).parts)}
    return sorted(pathlib.PurePosixPath(n) for n in names if (ROOT / n).is_file())


def read(path):
    """The file's text, or None if it is not text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def cmake_words(path):
    """The words of a CMake file, comments left out."""
    text = re.sub(r"#.*", "", read(path))
    return re.findall(r'[^\s()"]+', text)


def modules():
    """Module name -> list of the modules in its DEPENDS."""
    found = {}
    for path in sorted((ROOT / "tilewright").glob("*/CMakeLists.txt")):
        text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
        for body in re.findall(r"\btilewright_module\s*\(([^)]*)\)", text):
            name, *words = body.split()
            section = None
            found[name] = []
            for word in words:
                if word in KEYWORDS:
                    section = word
                elif section == "DEPENDS":
                    found[name].append(word)
    return found


def built_program(build, name):
    """The program of that name somewhere below a build folder, of which there must be one."""
    found = [p for p in build.rglob(name) if p.is_file() and os.access(p, os.X_OK)]
    if len(found) != 1:
        raise FileNotFoundError(f"{len(found)} programs named {name}")
    return found[0]


def report(check, findings):
    """Prints the findings and returns the exit code."""
    for finding in findings:
        print(f"{check}: {finding}")
    return 1 if findings else 0
