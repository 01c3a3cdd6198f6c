# SPDX-License-Identifier: Apache-2.0
"""What is wrong with an input, as values."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Place:
    """A stretch of one line of a text; line 0 is the text as a whole."""

    file: str
    line: int
    column: int
    length: int
    text: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that is wrong, where it stands, and what would help."""

    severity: str
    code: str
    message: str
    places: tuple[Place, ...]
    notes: tuple[str, ...]
    helps: tuple[str, ...]


class InputError(ValueError):
    """Something that was passed in makes no sense.

    The text is what the command prints: every finding with its line and a caret. The same as
    values is in `findings`, which is empty where no text is to blame.
    """

    findings: tuple[Finding, ...]

    def __init__(self, text: str, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(text, findings)
        self.findings = findings

    def __str__(self) -> str:
        return str(self.args[0])


class StoreError(OSError):
    """A file that is no store, is being written by another process, or cannot be read or written."""


# As users know them: in messages, and in pickles.
for _value in (Place, Finding, InputError, StoreError):
    _value.__module__ = "tilewright"
