# SPDX-License-Identifier: Apache-2.0
"""A page of Markdown as the check of the guides sees it: files, commands with their output, prose.

  ```console        lines that begin with `$ ` are commands; what follows is their output. A line of
                    three dots stands for one or more lines. `# exit 3` behind a command: its code
  ```yaml           if the first line is `# NAME.yaml` (or another file name), the block is that file
  ```sh             lines that begin with `tilewright` are commands that succeed; output is not shown
  `tilewright ...`  in the prose: a command that succeeds; its output is not shown
"""

import dataclasses
import re

ELISION = "..."
FENCE = re.compile(r"^```(\w*)\s*$")
FILE_NAME = re.compile(r"^# ([\w.-]+\.(?:yaml|nest|json))$")
EXIT_CODE = re.compile(r"\s# exit (\d+)$")
INLINE = re.compile(r"`(tilewright(?:-verify)? [^`]+)`")
PROGRAM = re.compile(r"^(?:\$ )?tilewright(?:-verify)?\b")


@dataclasses.dataclass
class File:
    name: str
    text: str


@dataclasses.dataclass
class Command:
    line: int  # counted from 0: where it begins
    text: str
    code: int = 0
    shown: list | None = None  # the lines of output; None if the page shows none
    shown_at: int = 0  # the line of the first of them


class Mistake(Exception):
    """The page breaks a rule of its form."""


class Page:
    """One Markdown text, cut into what has to be done and what is said."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.steps = []  # files and commands in the order of the page
        self.prose = []  # (line number, text)
        self.blocks = []  # all text in fences
        at = 0
        while at < len(self.lines):
            fence = FENCE.match(self.lines[at])
            if not fence:
                self._read_prose(at)
                at += 1
                continue
            end = next((i for i in range(at + 1, len(self.lines)) if self.lines[i] == "```"), None)
            if end is None:
                raise Mistake(f"line {at + 1}: the block has no end")
            self._read_block(fence.group(1), at + 1, end)
            at = end + 1

    @property
    def commands(self):
        return [step for step in self.steps if isinstance(step, Command)]

    def _read_prose(self, at):
        self.prose.append((at, self.lines[at]))
        self.steps += [Command(at, text) for text in INLINE.findall(self.lines[at])]

    def _read_block(self, language, begin, end):
        lines = self.lines[begin:end]
        self.blocks.append("\n".join(lines))
        if language == "console":
            self._read_console(begin, end)
            return
        if language == "sh":
            self.steps += [Command(begin + i, line) for i, line in enumerate(lines) if PROGRAM.match(line)]
            return
        wild = [i for i, line in enumerate(lines) if PROGRAM.match(line)]
        if wild:
            raise Mistake(f"line {begin + wild[0] + 1}: a command outside of `console` and `sh` is never run")
        name = FILE_NAME.match(lines[0]) if lines else None
        if name:
            self.steps.append(File(name.group(1), "\n".join(lines) + "\n"))

    def _read_console(self, begin, end):
        if not self.lines[begin].startswith("$ "):
            raise Mistake(f"line {begin + 1}: a `console` block begins with a command: $ ...")
        at = begin
        while at < end:
            command = Command(at, self.lines[at][2:])
            while command.text.endswith("\\"):
                at += 1
                command.text = command.text[:-1] + self.lines[at].strip()
            at += 1
            code = EXIT_CODE.search(command.text)
            command.code = int(code.group(1)) if code else 0
            command.shown_at = at
            while at < end and not self.lines[at].startswith("$ "):
                at += 1
            command.shown = self.lines[command.shown_at:at]
            self.steps.append(command)


def is_elision(line):
    return line.strip() == ELISION


def segments(shown):
    """The shown lines between elisions."""
    parts = [[]]
    for line in shown:
        if is_elision(line):
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def agree(shown, real):
    """Whether the real output is the shown one, each elision standing for one or more lines."""
    parts = segments(shown)
    if len(parts) == 1:
        return shown == real
    head, *middle, tail = parts
    if real[:len(head)] != head:
        return False
    at = len(head) + 1
    for part in middle:
        while real[at:at + len(part)] != part:
            at += 1
            if at > len(real):
                return False
        at += len(part) + 1
    return len(real) - len(tail) >= at and real[len(real) - len(tail):] == tail
