# SPDX-License-Identifier: Apache-2.0
"""What the scripts that run a peer have in common: a nest in our notation, and the file of the answer."""

import importlib.metadata
import json
import logging
import pathlib
import resource
import warnings


def quiet():
    """Warnings and logs of the peer are not ours to show."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)


def cpu():
    """CPU seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def version(package):
    return importlib.metadata.version(package)


def write(path, **answer):
    pathlib.Path(path).write_text(json.dumps(answer) + "\n")


class Nest:
    """Builds the text of a mapping from the outside in."""

    def __init__(self, problem):
        self._lines = []
        self._head, self._loops = "", []  # of the line being written
        self._compute = next(node["compute"] for node in problem["nodes"] if "compute" in node)

    def keep(self, memory, tensors):
        self._end_line()
        head = f"{memory}: keep "
        if self._lines and self._lines[-1].startswith(head):
            self._lines[-1] += " " + " ".join(tensors)
        elif tensors:
            self._lines.append(head + " ".join(tensors))

    def loop(self, dim, factor):
        self._add("  for ", factor, f"{dim} {factor}")

    def unroll(self, fanout, dim, factor, axis):
        self._add(f"{fanout}: parfor ", factor, f"{dim} {factor} on {axis}")

    def finish(self):
        self._end_line()
        return "\n".join([*self._lines, self._compute]) + "\n"

    def _add(self, head, factor, words):
        if factor == 1:
            return
        if head != self._head:
            self._end_line()
        self._head = head
        self._loops.append(words)

    def _end_line(self):
        if self._loops:
            self._lines.append(self._head + ", ".join(self._loops))
        self._loops = []
