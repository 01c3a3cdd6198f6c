# SPDX-License-Identifier: Apache-2.0
"""Answers of commands that take long, kept in files."""

import subprocess
import time


def kept(path, command):
    """What a command prints, from an earlier run if there is one. `.seconds` says how long it took."""
    if not path.is_file():
        begun = time.monotonic()
        done = subprocess.run(list(map(str, command)), check=True, text=True, capture_output=True)
        path.with_suffix(".seconds").write_text(f"{time.monotonic() - begun:.3f}\n")
        aside = path.with_suffix(".part")
        aside.write_text(done.stdout)
        aside.rename(path)
    return path.read_text()


def seconds_in(folder):
    """How long all answers took that are kept there."""
    return sum(float(path.read_text()) for path in folder.rglob("*.seconds"))
