# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of pages, each page in a folder of its own."""

import pathlib
import re
import subprocess
import tempfile

from page import Command

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60  # that one command may take

# What a search says about its own speed, on standard error: another every time.
TIMING = re.compile(r"(?:optimal|local|random|exhaustive) search: .*\d s(?: \(.*\))?")


class Runner:
    """Runs the steps of pages in folders of their own."""

    def __init__(self, bin_folder):
        self.environment = {"PATH": f"{bin_folder}:/usr/bin:/bin", "COLUMNS": "80",
                            "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}

    def run(self, page):
        """Each command with its exit code and the lines that a terminal would show."""
        results = []
        with tempfile.TemporaryDirectory(prefix="guide-") as name:
            folder = pathlib.Path(name)
            subprocess.run(["cp", "-r", ROOT / "examples", folder], check=True)
            for step in page.steps:
                if isinstance(step, Command):
                    results.append((step, *self._run_command(step, folder)))
                else:
                    (folder / step.name).write_text(step.text, encoding="utf-8")
        return results

    def _run_command(self, command, folder):
        done = subprocess.run(["bash", "-c", command.text], cwd=folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, check=False)
        text = done.stdout.decode(errors="replace")
        lines = [line for line in text.split("\n") if not TIMING.fullmatch(line)]
        if lines[-1] == "":
            lines.pop()
        return done.returncode, lines
