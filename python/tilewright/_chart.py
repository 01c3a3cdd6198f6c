# SPDX-License-Identifier: Apache-2.0
"""What a chart consists of, whoever draws it: _svg.py or _matplotlib.py."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which the colour-blind can tell apart, without its yellow and black.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6D1F")
GREY = "#9A9A9A"
DARK = "#404040"


@dataclass(frozen=True)
class Axis:
    """A scale from `low` to `high`."""

    title: str
    low: float
    high: float
    log: bool = False
    percent: bool = False


@dataclass(frozen=True)
class Series:
    """What a colour means."""

    name: str
    colour: str


@dataclass(frozen=True)
class Row:
    """A horizontal bar: its parts from left to right as (series, value), and a note at its end."""

    label: str
    parts: tuple[tuple[str, float], ...]
    note: str = ""
    group: str = ""

    @property
    def total(self) -> float:
        return sum(value for _, value in self.parts)


@dataclass(frozen=True)
class Bars:
    """Horizontal bars, the first on top; equal groups lie together under a heading."""

    axis: Axis
    rows: tuple[Row, ...]
    series: tuple[Series, ...]
    mark: float | None = None  # a vertical line across all bars
    legend: bool = True


@dataclass(frozen=True)
class Span:
    """A block from `start` to `end`; only some blocks have a label."""

    start: float
    end: float
    height: float
    series: str
    name: str
    label: str = ""


@dataclass(frozen=True)
class Spans:
    """Blocks side by side."""

    x: Axis
    y: Axis
    spans: tuple[Span, ...]
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Curve:
    """Points, joined or not. A step keeps its value until the next point."""

    points: tuple[tuple[float, float], ...]
    colour: str
    name: str = ""  # without a name: not in the legend
    join: str = "line"  # or "step", or "" for points that are not joined
    marker: str = ""  # "circle", "square", "triangle", "diamond"
    size: float = 5
    width: float = 2
    dashed: bool = False


@dataclass(frozen=True)
class Curves:
    """Curves in one pair of axes; later ones lie on top."""

    x: Axis
    y: Axis
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Chart:
    """A picture of a result. Notebooks show it; `svg`, `plot` and `save` draw it elsewhere."""

    title: str
    subtitle: str
    body: Bars | Spans | Curves

    def svg(self, width: int = 720, height: int | None = None) -> str:
        """The chart as a complete SVG file. Equal charts give equal text."""
        from . import _svg

        return _svg.draw(self, width, height)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws into the axes of matplotlib, by default into those of a new figure."""
        from . import _matplotlib

        return _matplotlib.draw(self, ax)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes .svg (needs nothing else), or .png or .pdf with matplotlib."""
        file = Path(path)
        kind = file.suffix.lower()
        if kind == ".svg":
            file.write_text(self.svg(), encoding="utf-8")
        elif kind in (".png", ".pdf"):
            from . import _matplotlib

            _matplotlib.save(self, file)
        else:
            raise ValueError(f"cannot save a chart as `{file.name}`: use .svg, .png or .pdf")

    def _repr_svg_(self) -> str:
        return self.svg()


def colours(names: Iterable[str]) -> tuple[Series, ...]:
    """One colour per name, in order; the eighth name has the colour of the first again."""
    unique = dict.fromkeys(names)
    return tuple(Series(name, PALETTE[i % len(PALETTE)]) for i, name in enumerate(unique))
