# SPDX-License-Identifier: Apache-2.0
"""Draws a chart as a standalone SVG file, without any other package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from ._chart import DARK, Axis, Bars, Chart, Curve, Curves, Row, Spans
from ._scale import fitted, place, place_labels, text_width, ticks, with_room

_EDGE = 16.0  # around everything
_FONT = 12.0
_LINE = 18.0  # from one line of text to the next
_GRID = "#E3E3E3"
_INK = "#1F1F1F"
_FAINT = "#595959"
_BAR = 18.0  # a bar is so thick,
_PITCH = 27.0  # and the next begins so far below

Point = tuple[float, float]


def draw(chart: Chart, width: int, height: int | None) -> str:
    """The text of the file."""
    if width < 240:
        raise ValueError(f"a chart needs a width of 240 or more, not {width}")
    if isinstance(chart.body, Bars):
        return _draw_bars(chart, chart.body, width, height)
    if isinstance(chart.body, Spans):
        return _draw_spans(chart, chart.body, width, height)
    return _draw_curves(chart, chart.body, width, height)


# The page ---------------------------------------------------------------------------------------


def _text_of(value: float) -> str:
    """A coordinate, always written in the same way."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class _Page:
    """Collects elements from top to bottom."""

    def __init__(self, chart: Chart, width: float) -> None:
        self.chart = chart
        self.width = width
        self.top = 0.0  # nothing is drawn above this any more
        self.lines: list[str] = []
        self._write_titles()

    def _write_titles(self) -> None:
        width = self.width - 2 * _EDGE
        self.text((_EDGE, 28), fitted(self.chart.title, width, 15), size=15, weight="bold")
        self.top = 36
        if self.chart.subtitle:
            self.text((_EDGE, 47), fitted(self.chart.subtitle, width, _FONT), fill=_FAINT)
            self.top = 56

    def add(self, name: str, attributes: dict[str, float | str], hint: str = "") -> None:
        written = []
        for key, value in attributes.items():
            text = value if isinstance(value, str) else _text_of(value)
            written.append(f"{key.replace('_', '-')}={quoteattr(text)}")
        inside = f"<title>{escape(hint)}</title></{name}>" if hint else ""
        end = f">{inside}" if hint else "/>"
        self.lines.append(f"<{name} {' '.join(written)}{end}")

    def text(
        self, at: Point, words: str, anchor: str = "start", size: float = _FONT,
        fill: str = _INK, weight: str = "normal", turned: bool = False,
    ) -> None:
        x, y = _text_of(at[0]), _text_of(at[1])
        turn = f' transform="rotate(-90 {x} {y})"' if turned else ""
        style = f'text-anchor="{anchor}" font-size="{_text_of(size)}" fill="{fill}"'
        if weight == "bold":
            style += ' font-weight="bold"'
        self.lines.append(f'<text x="{x}" y="{y}" {style}{turn}>{escape(words)}</text>')

    def line(
        self, a: Point, b: Point, stroke: str = _GRID, width: float = 1, dashed: bool = False
    ) -> None:
        where = {"x1": a[0], "y1": a[1], "x2": b[0], "y2": b[1]}
        style: dict[str, float | str] = {**where, "stroke": stroke, "stroke_width": width}
        self.add("line", {**style, "stroke_dasharray": "5 4"} if dashed else style)

    def rect(self, at: Point, width: float, height: float, fill: str, hint: str = "") -> None:
        where = {"x": at[0], "y": at[1], "width": width, "height": height}
        self.add("rect", {**where, "fill": fill}, hint)

    def finish(self, height: float) -> str:
        w, h = _text_of(self.width), _text_of(height)
        words = f"{self.chart.title}: {self.chart.subtitle}" if self.chart.subtitle else ""
        head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
            f'viewBox="0 0 {w} {h}" role="img" font-family="Helvetica, Arial, sans-serif">',
            f"<title>{escape(self.chart.title)}</title>",
            f"<desc>{escape(words or self.chart.title)}</desc>",
            f'<rect x="0.5" y="0.5" width="{_text_of(self.width - 1)}" '
            f'height="{_text_of(height - 1)}" rx="6" fill="#FFFFFF" stroke="#D0D0D0"/>',
        ]
        return "\n".join([*head, *self.lines, "</svg>", ""])


@dataclass(frozen=True)
class _Frame:
    """The rectangle in which the data lie."""

    left: float
    top: float
    right: float
    bottom: float

    def x(self, axis: Axis, value: float) -> float:
        return self.left + place(axis, value) * (self.right - self.left)

    def y(self, axis: Axis, value: float) -> float:
        return self.bottom - place(axis, value) * (self.bottom - self.top)


def _write_legend(page: _Page, entries: Sequence[tuple[str, Curve | str]]) -> None:
    """Names with their colours, as many in a line as fit."""
    x, y = _EDGE, page.top + 14
    for name, sign in entries:
        length = 22 + text_width(name, _FONT)
        if x > _EDGE and x + length > page.width - _EDGE:
            x, y = _EDGE, y + _LINE
        if isinstance(sign, str):
            page.rect((x, y - 10), 12, 12, sign)
        else:
            _write_sign(page, sign, (x, y - 4))
        page.text((x + 19, y), fitted(name, page.width - 2 * _EDGE - 19, _FONT))
        x += length + 14
    page.top = y + 8


def _write_sign(page: _Page, curve: Curve, at: Point) -> None:
    if curve.join:
        page.line(at, (at[0] + 14, at[1]), curve.colour, curve.width, curve.dashed)
    if curve.marker:
        _write_marker(page, curve.marker, (at[0] + 7, at[1]), 5, curve.colour, "")


def _write_marker(
    page: _Page, marker: str, at: Point, size: float, colour: str, hint: str
) -> None:
    x, y = at
    style: dict[str, float | str] = {"fill": colour, "stroke": "#FFFFFF", "stroke_width": 1}
    if marker == "circle":
        page.add("circle", {"cx": x, "cy": y, "r": size, **style}, hint)
        return
    corners = {
        "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        "triangle": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    }[marker]
    points = " ".join(f"{_text_of(x + dx * size)},{_text_of(y + dy * size)}" for dx, dy in corners)
    page.add("polygon", {"points": points, **style}, hint)


def _write_x_axis(page: _Page, frame: _Frame, axis: Axis) -> None:
    for value, label in _thin(axis, frame.right - frame.left):
        x = frame.x(axis, value)
        page.line((x, frame.top), (x, frame.bottom))
        page.text((x, frame.bottom + 16), label, "middle", fill=_FAINT)
    page.text(((frame.left + frame.right) / 2, frame.bottom + 35), axis.title, "middle")


def _thin(axis: Axis, length: float) -> list[tuple[float, str]]:
    """As many ticks as have room side by side."""
    for most in (8, 6, 5, 4, 3):
        found = ticks(axis, most)
        ends = [
            (place(axis, value) * length, text_width(label, _FONT) / 2 + 5)
            for value, label in found
        ]
        if all(b[0] - b[1] >= a[0] + a[1] for a, b in pairwise(ends)):
            break
    return found


def _y_ticks(axis: Axis, height: float) -> list[tuple[float, str]]:
    return ticks(axis, max(3, min(7, int(height / 40))))


def _write_y_axis(page: _Page, frame: _Frame, axis: Axis) -> None:
    for value, label in _y_ticks(axis, frame.bottom - frame.top):
        y = frame.y(axis, value)
        page.line((frame.left, y), (frame.right, y))
        page.text((frame.left - 7, y + 4), label, "end", fill=_FAINT)
    page.text((_EDGE + 10, (frame.top + frame.bottom) / 2), axis.title, "middle", turned=True)


def _frame_with_axes(page: _Page, x: Axis, y: Axis, height: float, above: float) -> _Frame:
    top, bottom = page.top + above, height - _EDGE - 40
    if bottom - top < 40:
        raise ValueError(f"a height of {_text_of(height)} is too small for this chart")
    widest = max((text_width(t, _FONT) for _, t in _y_ticks(y, bottom - top)), default=0.0)
    frame = _Frame(_EDGE + 24 + widest + 5, top, page.width - _EDGE - 12, bottom)
    _write_y_axis(page, frame, y)
    _write_x_axis(page, frame, x)
    return frame


def _write_base(page: _Page, frame: _Frame) -> None:
    page.line((frame.left, frame.bottom), (frame.right, frame.bottom), _FAINT)
    page.line((frame.left, frame.top), (frame.left, frame.bottom), _FAINT)


# Bars -------------------------------------------------------------------------------------------


def _draw_bars(chart: Chart, bars: Bars, width: int, height: int | None) -> str:
    page = _Page(chart, width)
    if bars.legend:
        _write_legend(page, [(series.name, series.colour) for series in bars.series])
    labels = max(text_width(row.label, _FONT) for row in bars.rows)
    left = min(_EDGE + labels + 10, width * 0.42)
    rooms = _rooms(bars.rows)
    needed = page.top + 10 + rooms + 40 + _EDGE
    whole = needed if height is None else float(height)
    stretch = (whole - needed + rooms) / rooms
    if stretch < 0.6:
        raise ValueError(f"a height of {height} is too small for {len(bars.rows)} bars")
    top = page.top + 10
    frame = _Frame(left, top, width - _EDGE - 6, top + rooms * stretch)
    axis = with_room(bars.axis, bars.rows, frame.right - frame.left, _FONT)
    _write_x_axis(page, frame, axis)
    if bars.mark is not None:
        x = frame.x(axis, bars.mark)
        page.line((x, frame.top), (x, frame.bottom), DARK, 1, dashed=True)
    _write_rows(page, frame, replace(bars, axis=axis), stretch)
    page.line((frame.left, frame.top), (frame.left, frame.bottom), _FAINT)
    return page.finish(whole)


def _rooms(rows: Sequence[Row]) -> float:
    groups = len({row.group for row in rows if row.group})
    return _PITCH * len(rows) + 22 * groups + 4


def _write_rows(page: _Page, frame: _Frame, bars: Bars, stretch: float) -> None:
    colour = {series.name: series.colour for series in bars.series}
    y, group = frame.top + 4 * stretch, ""
    for row in bars.rows:
        if row.group != group:
            group = row.group
            page.text((_EDGE, y + 14 * stretch), group, weight="bold")
            y += 22 * stretch
        middle = y + _BAR * stretch / 2 + 4
        page.text((frame.left - 8, middle), fitted(row.label, frame.left - _EDGE - 8, _FONT), "end")
        x = frame.left
        for name, value in row.parts:
            length = frame.x(bars.axis, value) - frame.left
            what = f"{name}: {value:.4g}" if bars.legend else row.note
            page.rect((x, y), length, _BAR * stretch, colour[name], f"{row.label}, {what}")
            x += length
        if row.note:
            length = text_width(row.note, _FONT)
            page.rect((x + 3, middle - 12), length + 3, 16, "#FFFFFF")  # hides the lines below
            page.text((x + 6, middle), row.note, fill=_FAINT)
        y += _PITCH * stretch


# Blocks side by side ----------------------------------------------------------------------------


def _draw_spans(chart: Chart, spans: Spans, width: int, height: int | None) -> str:
    page = _Page(chart, width)
    _write_legend(page, [(series.name, series.colour) for series in spans.series])
    named = [span for span in spans.spans if span.label]
    inside = width - 2 * _EDGE - 12 - 24 - 45  # about; the frame is laid out below
    where = [(_middle(spans, i) * inside, text_width(span.label, _FONT)) for i, span in
             enumerate(named)]
    placed = place_labels(where, inside)
    lanes = max((label.lane for label in placed), default=-1) + 1
    whole = page.top + lanes * _LINE + 270 if height is None else float(height)
    frame = _frame_with_axes(page, spans.x, spans.y, whole, lanes * _LINE + 12)
    colour = {series.name: series.colour for series in spans.series}
    for span in spans.spans:
        left, right = frame.x(spans.x, span.start), frame.x(spans.x, span.end)
        y = frame.y(spans.y, span.height)
        gap = 0.8 if right - left > 3 else 0.0
        page.rect((left, y), right - left - gap, frame.bottom - y, colour[span.series], span.name)
    scale = (frame.right - frame.left) / inside
    for label in placed:
        x, y = frame.left + label.x * scale, frame.top - 9 - label.lane * _LINE
        span = named[label.index]
        page.line((x, y - 8), (x, frame.y(spans.y, span.height)), _FAINT)
        at_right = label.left > label.x
        page.text((x + 4 if at_right else x - 4, y), span.label, "start" if at_right else "end")
    _write_base(page, frame)
    return page.finish(whole)


def _middle(spans: Spans, index: int) -> float:
    span = [span for span in spans.spans if span.label][index]
    return place(spans.x, (span.start + span.end) / 2)


# Curves -----------------------------------------------------------------------------------------


def _draw_curves(chart: Chart, curves: Curves, width: int, height: int | None) -> str:
    page = _Page(chart, width)
    _write_legend(page, [(curve.name, curve) for curve in curves.curves if curve.name])
    whole = page.top + 360 if height is None else float(height)
    frame = _frame_with_axes(page, curves.x, curves.y, whole, 12)
    for curve in curves.curves:
        points = [(frame.x(curves.x, x), frame.y(curves.y, y)) for x, y in curve.points]
        if curve.join and len(points) > 1:
            _write_path(page, curve, points)
        if curve.marker:
            for at, (x, y) in zip(points, curve.points, strict=True):
                hint = f"{curve.name}: {x:.4g}, {y:.4g}"
                _write_marker(page, curve.marker, at, curve.size, curve.colour, hint)
    _write_base(page, frame)
    return page.finish(whole)


def _write_path(page: _Page, curve: Curve, points: Sequence[Point]) -> None:
    corners = list(points)
    if curve.join == "step":
        corners = [points[0]]
        for before, after in pairwise(points):
            corners += [(after[0], before[1]), after]
    path = " ".join(f"{_text_of(x)},{_text_of(y)}" for x, y in corners)
    style: dict[str, float | str] = {
        "points": path, "fill": "none", "stroke": curve.colour, "stroke_width": curve.width,
        "stroke_linejoin": "round",
    }
    page.add("polyline", {**style, "stroke_dasharray": "5 4"} if curve.dashed else style)
