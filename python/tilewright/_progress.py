# SPDX-License-Identifier: Apache-2.0
"""Progress of a search for people: a tqdm bar if tqdm is installed, else one line on stderr."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from ._core import MapProgress, PlanProgress

Progress = MapProgress | PlanProgress
Show = Callable[[Any], object]

#: Nothing is shown for work that ends sooner, or more often than that.
FIRST_S = 0.5
STEP_S = 0.1


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    kernel = shell.get_ipython() if shell is not None else None
    return kernel is not None and kernel.__class__.__name__ == "ZMQInteractiveShell"


def _text(progress: Progress) -> str:
    """`12.3 s, best 1.23e+08, gap 2.8 %`"""
    parts = [f"{progress.seconds:.1f} s"]
    if isinstance(progress, PlanProgress):
        parts.insert(0, f"{progress.done}/{progress.all} {progress.layer}")
    if progress.best is not None:
        parts.append(f"best {progress.best:.4g}")
        if progress.bound is not None and progress.best > 0:
            parts.append(f"gap {max(0.0, 1 - progress.bound / progress.best):.1%}")
    return ", ".join(parts)


class _Line:
    """Rewrites one line of stderr, and clears it at the end."""

    def __init__(self) -> None:
        self._width = 0

    def show(self, progress: Progress) -> None:
        text = _text(progress)[:79]
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class _Bar:
    """A tqdm bar: problems solved of a plan, or how much of the gap is closed."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None

    def show(self, progress: Progress) -> None:
        if self._bar is None:
            self._bar = self._tqdm(bar_format="{desc} |{bar:20}|", leave=False, total=1.0)
        if isinstance(progress, PlanProgress):
            done = progress.done / progress.all if progress.all else 0.0
        else:
            done = 1 - progress.gap if progress.gap is not None else 0.0
        self._bar.set_description_str(_text(progress), refresh=False)
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _display() -> _Line | _Bar:
    # Without ipywidgets, tqdm cannot draw in a notebook; a line that is rewritten can.
    needed = ("tqdm", "ipywidgets") if _in_notebook() else ("tqdm",)
    if any(importlib.util.find_spec(name) is None for name in needed):
        return _Line()
    return _Bar(importlib.import_module("tqdm.auto").tqdm)


@contextlib.contextmanager
def showing(wanted: bool | Show | None) -> Iterator[Show | None]:
    """What `progress=` asks for, as a callable for the C++ side.

    None: shown if a person looks on, that is in a notebook or on a terminal.
    """
    if callable(wanted):
        yield wanted
        return
    if wanted is None:
        wanted = _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())
    if not wanted:
        yield None
        return
    display = _display()
    due = time.monotonic() + FIRST_S

    def show(progress: Progress) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = now + STEP_S
            display.show(progress)

    try:
        yield show
    finally:
        display.close()
