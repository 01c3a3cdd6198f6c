# SPDX-License-Identifier: Apache-2.0
"""The program as the edges use it: command lines in an empty folder."""

import json
import os
import pathlib
import subprocess


class Ran:
    """What one command line gave."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def text(self):
        return self.out + self.err

    @property
    def json(self):
        return json.loads(self.out)


class Program:
    """`tilewright` and `tilewright-verify` of one build, run in a folder of their own."""

    def __init__(self, bin_folder, folder, root):
        self.bin, self.folder, self.root = pathlib.Path(bin_folder), folder, root

    def file(self, name, text):
        """Writes a file into the folder and gives its name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def run(self, *words, program="tilewright", seconds=60, **environment):
        """Runs a command line; its code, output and errors. More than `seconds` is a failure."""
        command = [str(self.bin / program), *(str(word) for word in words)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=seconds,
                              env={**os.environ, "COLUMNS": "80", **environment}, check=False)
        return Ran(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def verify(self, *words, seconds=60):
        return self.run(*words, program="tilewright-verify", seconds=seconds)
