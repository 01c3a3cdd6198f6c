# SPDX-License-Identifier: Apache-2.0
"""Shown output renewed: the same lines of the real one, elided where they were elided."""

import difflib

from page import ELISION, agree, is_elision, segments


def similarity(a, b):
    return difflib.SequenceMatcher(None, "\n".join(a), "\n".join(b), autojunk=False).ratio()


def place_of(part, real, begin, end):
    """Where in real[begin:end] the lines that resemble the part most begin."""
    places = range(begin, end - len(part) + 1)
    return max(places, key=lambda at: similarity(part, real[at:at + len(part)]), default=None)


def renewed(shown, real):
    """The real output with the elisions of the shown one; all of it if they have no place any more."""
    head, *rest = segments(shown)
    if not rest:
        return real
    *middle, tail = rest
    dots = next(line for line in shown if is_elision(line)).replace(ELISION, "") + ELISION
    end = len(real) - len(tail)
    lines, at = real[:len(head)], len(head)
    for part in middle:
        place = place_of(part, real, at + 1, end)
        if place is None:
            return real
        lines += [dots, *real[place:place + len(part)]]
        at = place + len(part)
    if at >= end:
        return real
    return lines + [dots, *real[end:]]


def updated(page, results):
    """The page's text with the outputs that the commands really have, but for those that failed."""
    lines = list(page.lines)
    for command, code, real in reversed(results):
        if command.shown is not None and code == command.code and not agree(command.shown, real):
            lines[command.shown_at:command.shown_at + len(command.shown)] = renewed(command.shown, real)
    return "\n".join(lines)
