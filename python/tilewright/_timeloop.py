# SPDX-License-Identifier: Apache-2.0
"""Timeloop's files as values."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Mapping as Dictionary
from typing import NamedTuple

from ._api import command
from ._core import Arch, Mapping, Workload
from ._errors import Finding, InputError, Place


class TimeloopInputs(NamedTuple):
    """What a set of Timeloop's files describes; None where they do not say."""

    arch: Arch | None
    workload: Workload | None
    #: As `map` takes them.
    constraints: str | None
    mapping: Mapping | None
    #: To be given to `map` and `evaluate`: Timeloop counts the holes of a stride as data.
    holes_are_data: bool
    #: What was left out because the model does not have it, a line each.
    left_out: tuple[str, ...]


def _findings(text: str) -> tuple[Finding, ...]:
    """What `--error-format json` printed; nothing for what is wrong with the command line."""
    if not text.startswith("{"):
        return ()
    return tuple(
        Finding(
            found["severity"],
            found["code"],
            found["message"],
            tuple(Place(**label) for label in found["labels"]),
            tuple(found["notes"]),
            tuple(found["helps"]),
        )
        for found in json.loads(text)["diagnostics"]
    )


def read_timeloop(
    *files: str | os.PathLike[str],
    define: Dictionary[str, str] | None = None,
    ignore_unsupported: bool = False,
) -> TimeloopInputs:
    """Architecture, workload, constraints and mapping from files of Timeloop's, v0.2 to v0.4.

    Files and folders as for `tilewright import`; energies come from the `ERT.yaml` of an earlier
    run. `define` has the names that templates use, `ignore_unsupported` goes on without what the
    model does not have.

    >>> inputs = read_timeloop("arch.yaml", "problem.yaml")  # doctest: +SKIP
    >>> map(inputs.arch, inputs.workload, constraints=inputs.constraints)  # doctest: +SKIP
    """
    if not files:
        raise TypeError("read_timeloop needs at least one file or folder")
    words = [os.fspath(file) for file in files]
    for name, value in dict(define or {}).items():
        words += ["--define", f"{name}={value}"]
    if ignore_unsupported:
        words.append("--ignore-unsupported")
    with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
        done = command("import", *words, "-o", folder)
        if done.returncode != 0:
            found = command("import", *words, "-o", folder, "--error-format", "json")
            raise InputError(done.stderr, _findings(found.stderr))
        texts = {path.name: path.read_text(encoding="utf-8") for path in pathlib.Path(folder).iterdir()}
    arch = Arch.from_yaml(texts["arch.yaml"]) if "arch.yaml" in texts else None
    workload = Workload.from_yaml(texts["workload.yaml"]) if "workload.yaml" in texts else None
    holes_are_data = "--holes-are-data" in done.stdout
    mapping = None
    if arch is not None and workload is not None and "mapping.nest" in texts:
        mapping = Mapping.from_text(arch, workload, texts["mapping.nest"], holes_are_data=holes_are_data)
    lines = done.stdout.partition("left out, because the model does not have it:\n")[2].splitlines()
    return TimeloopInputs(arch, workload, texts.get("constraints.yaml"), mapping, holes_are_data,
                          tuple(line.strip() for line in lines))
