# SPDX-License-Identifier: Apache-2.0
"""Draws a chart with matplotlib, which is loaded only when it is needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._chart import DARK, Axis, Bars, Chart, Curve, Curves, Row, Span, Spans
from ._scale import Placed, place, place_labels, text_width, ticks, with_room

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import LayoutEngine
    from matplotlib.transforms import Transform

_FONT = 9.0  # in points, as all lengths here
_LINE = 14.0
_GRID = "#E3E3E3"
_FAINT = "#595959"
_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D"}


def draw(chart: Chart, ax: Axes | None) -> Axes:
    """Draws into `ax`, by default into that of a new figure of pyplot."""
    _need_matplotlib()
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=_size(chart), layout=_layout()).subplots()
    lanes = 0
    if isinstance(chart.body, Bars):
        _draw_bars(chart.body, ax)
    elif isinstance(chart.body, Spans):
        lanes = _draw_spans(chart.body, ax)
    else:
        _draw_curves(chart.body, ax)
    _write_titles(chart, ax, lanes)
    return ax


def save(chart: Chart, path: Path) -> None:
    """Writes a file whose kind follows from its name, without touching the figures of pyplot."""
    _need_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_size(chart), layout=_layout())
    FigureCanvasAgg(figure)
    draw(chart, figure.subplots())
    figure.savefig(path, dpi=150)


def _need_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "this needs matplotlib: pip install tilewright[plot]; "
            "chart.svg() and .svg files work without it"
        ) from error


def _layout() -> LayoutEngine:
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    return ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)


def _size(chart: Chart) -> tuple[float, float]:
    """In inches."""
    if isinstance(chart.body, Bars):
        groups = len({row.group for row in chart.body.rows if row.group})
        return 7.5, 1.6 + 0.29 * len(chart.body.rows) + 0.25 * groups
    return (7.5, 4.3) if isinstance(chart.body, Spans) else (7.5, 4.6)


def _write_titles(chart: Chart, ax: Axes, lanes: int) -> None:
    """From the top: title, subtitle, legend, labels."""
    below = 4 + lanes * _LINE
    lines = _write_legend(chart, ax, below)
    below += lines * _LINE + 4
    at: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate(
        chart.subtitle, (0, 1), (0, below), **at, fontsize=_FONT, color=_FAINT,
        annotation_clip=False,
    )
    ax.set_title(
        chart.title, loc="left", fontsize=11, fontweight="bold", pad=below + _LINE, y=1.0
    )


def _write_legend(chart: Chart, ax: Axes, below: float) -> int:
    """Returns how many lines it takes."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    signs: list[Any] = []
    if isinstance(chart.body, Curves):
        for curve in chart.body.curves:
            if curve.name:
                signs.append(Line2D([], [], label=curve.name, **_style(curve, 5)))
    elif isinstance(chart.body, Spans) or chart.body.legend:
        signs = [Patch(color=series.colour, label=series.name) for series in chart.body.series]
    if not signs:
        return 0
    widest = max(text_width(str(sign.get_label()), _FONT) for sign in signs) + 36
    columns = min(len(signs), max(1, int(_width(ax) / widest)))
    ax.legend(
        handles=signs, loc="lower left", ncols=columns, frameon=False, fontsize=_FONT,
        bbox_to_anchor=(0, 1), borderpad=0, borderaxespad=0, handlelength=1.4, labelspacing=0.35,
        bbox_transform=_above(ax, below),
    )
    return math.ceil(len(signs) / columns)


def _width(ax: Axes) -> float:
    return ax.get_window_extent().width / ax.figure.dpi * 72


def _above(ax: Axes, points: float) -> Transform:
    """The coordinates of the axes, so much higher."""
    from matplotlib.transforms import ScaledTranslation

    return ax.transAxes + ScaledTranslation(0, points / 72, _figure(ax).dpi_scale_trans)


def _figure(ax: Axes) -> Figure:
    return ax.figure.figure  # also if the axes are in a figure inside another


def _set_axis(target: Any, axis: Axis, most: int) -> None:
    """`target` is ax.xaxis or ax.yaxis."""
    name = target.axis_name
    getattr(target.axes, f"set_{name}scale")("log" if axis.log else "linear")
    getattr(target.axes, f"set_{name}lim")(axis.low, axis.high)
    found = ticks(axis, most)
    target.set_ticks([value for value, _ in found], [label for _, label in found], fontsize=_FONT)
    target.set_ticks([], minor=True)
    target.set_label_text(axis.title, fontsize=_FONT)


def _clean(ax: Axes, grid: str) -> None:
    ax.set_axisbelow(True)
    ax.grid(True, axis=grid, color=_GRID)  # type: ignore[arg-type]
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=0, pad=5, labelcolor=_FAINT)


def _draw_bars(bars: Bars, ax: Axes) -> None:
    colour = {series.name: series.colour for series in bars.series}
    ys = _places(bars.rows)
    for y, row in zip(ys, bars.rows, strict=True):
        left = 0.0
        for name, value in row.parts:
            ax.barh(y, value, left=left, height=0.68, color=colour[name])
            left += value
        ax.annotate(
            row.note, (left, y), (4, 0), textcoords="offset points", va="center",
            fontsize=_FONT, color=_FAINT,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    labels = max(text_width(row.label, _FONT) for row in bars.rows)
    width = min(_width(ax), 72 * _figure(ax).get_figwidth() - labels - 30)
    _set_axis(ax.xaxis, with_room(bars.axis, bars.rows, width, _FONT), 7)
    _clean(ax, "x")
    _write_row_labels(bars.rows, ys, ax)
    if bars.mark is not None:
        ax.axvline(bars.mark, color=DARK, linestyle="--", linewidth=1, zorder=0.9)


def _places(rows: Sequence[Row]) -> list[float]:
    """Where bars lie, counted downwards; a heading takes the room of most of a bar."""
    ys, y, group = [], 0.0, ""
    for row in rows:
        if row.group != group:
            y, group = y + 0.85, row.group
        ys.append(y)
        y += 1
    return ys


def _write_row_labels(rows: Sequence[Row], ys: Sequence[float], ax: Axes) -> None:
    headings = [(y - 0.9, row.group) for i, (y, row) in enumerate(zip(ys, rows, strict=True))
                if row.group and (i == 0 or rows[i - 1].group != row.group)]
    ax.set_yticks(
        [*ys, *(y for y, _ in headings)],
        [*(row.label for row in rows), *(group for _, group in headings)], fontsize=_FONT,
    )
    for label in ax.get_yticklabels()[: len(rows)]:
        label.set_color("black")
    for label in ax.get_yticklabels()[len(rows) :]:
        label.set_fontweight("bold")
        label.set_color("black")
    ax.set_ylim(ys[-1] + 0.6, min([ys[0], *(y for y, _ in headings)]) - 0.6)


def _draw_spans(spans: Spans, ax: Axes) -> int:
    """Returns how many lines of labels there are above the axes."""
    colour = {series.name: series.colour for series in spans.series}
    lefts = [span.start for span in spans.spans]
    widths = [span.end - span.start for span in spans.spans]
    heights = [span.height for span in spans.spans]
    fills = [colour[span.series] for span in spans.spans]
    ax.bar(lefts, heights, widths, align="edge", color=fills, edgecolor="white", linewidth=0.5)
    _set_axis(ax.xaxis, spans.x, 8)
    _set_axis(ax.yaxis, spans.y, 6)
    _clean(ax, "y")
    named = [span for span in spans.spans if span.label]
    width = _width(ax) * 0.93  # the axes shrink once their labels are there
    middles = [(span.start + span.end) / 2 for span in named]
    where = [(place(spans.x, x) * width, text_width(span.label, _FONT))
             for x, span in zip(middles, named, strict=True)]
    placed = place_labels(where, width)
    for label in placed:
        span, x = named[label.index], middles[label.index]
        _write_label(ax, span, x, label)
    return max((label.lane for label in placed), default=-1) + 1


def _write_label(ax: Axes, span: Span, x: float, label: Placed) -> None:
    """The text above the axes, and a line from there down to the block."""
    side = 3 if label.left > label.x else -3
    offset: dict[str, Any] = {"xycoords": ax.get_xaxis_transform(), "textcoords": "offset points"}
    ax.annotate(
        span.label, (x, 1), (side, (label.lane + 0.4) * _LINE), **offset,
        ha="left" if side > 0 else "right", fontsize=_FONT, annotation_clip=False,
    )
    line = {"arrowstyle": "-", "color": _FAINT, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
    ax.annotate(
        "", (x, 1), (0, (label.lane + 1) * _LINE), **offset, arrowprops=line,
        annotation_clip=False,
    )
    ax.vlines(x, span.height, 1, color=_FAINT, linewidth=0.8)


def _style(curve: Curve, size: float) -> dict[str, Any]:
    line = "none" if not curve.join else "--" if curve.dashed else "-"
    return {
        "color": curve.colour, "linestyle": line, "linewidth": curve.width,
        "marker": _MARKERS.get(curve.marker, "none"), "markersize": 1.6 * size,
        "markeredgecolor": "white", "markeredgewidth": 0.8,
    }


def _draw_curves(curves: Curves, ax: Axes) -> None:
    _set_axis(ax.xaxis, curves.x, 7)
    _set_axis(ax.yaxis, curves.y, 7)
    _clean(ax, "both")
    for curve in curves.curves:
        xs, ys = zip(*curve.points, strict=True)
        steps = "steps-post" if curve.join == "step" else "default"
        ax.plot(xs, ys, drawstyle=steps, **_style(curve, curve.size))
