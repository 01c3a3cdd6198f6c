# SPDX-License-Identifier: Apache-2.0
"""What the acceptance tests share."""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
import package  # noqa: E402


LEFT_OUT = 77  # exit code of what the quick form does not try


class Failed(Exception):
    """The claim does not hold; the text says where."""


class LeftOut(Exception):
    """The quick form does not try it; the text says what does."""


def expect(holds, text):
    if not holds:
        raise Failed(text)


split = shlex.split  # a command line in words


program = package.program


def call(*words, folder=None, code=0):
    """The output of a command; it must end with that exit code."""
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, capture_output=True)
    command = " ".join(str(word) for word in words[1:])
    expect(done.returncode == code,
           f"`{command}` ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def figures(*words, folder=None):
    """The JSON that a command prints."""
    return json.loads(call(*words, "--json", folder=folder))


def main(prove):
    """Runs `prove(quick)`, which returns the figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer cases")
    name = pathlib.Path(sys.argv[0]).name
    try:
        print(f"{name}: {prove(parser.parse_args().quick)}")
        return 0
    except LeftOut as left_out:
        print(f"{name}: {left_out}")
        return LEFT_OUT
    except Failed as failure:
        print(f"{name}: FAILED: {failure}")
        return 1


def main_by_shows(*names):
    """A claim that shows of the project prove, each in full; without them nothing is claimed."""
    def prove(quick):
        if quick:
            raise LeftOut(f"left to {', '.join(names)}")
        lines = []
        for name in names:
            done = subprocess.run([ROOT / "tools/show", name], text=True, stdout=subprocess.PIPE)
            line = (done.stdout.strip().splitlines() or [""])[-1]
            expect(done.returncode == 0 and "SKIPPED" not in line, line)
            lines.append(line)
        return "; ".join(lines)

    return main(prove)
