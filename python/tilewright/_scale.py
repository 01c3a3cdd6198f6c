# SPDX-License-Identifier: Apache-2.0
"""Numbers and axes as text: units, ticks, lengths of words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ._chart import Axis, Row

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Unit:
    """A unit in which a quantity has few digits: `value * factor` is shown."""

    name: str
    factor: float


def energy_unit(pj: float) -> Unit:
    """The unit for energies of up to this many pJ."""
    names = ("fJ", "pJ", "nJ", "uJ", "mJ", "J", "kJ")
    step = math.floor(math.log10(pj) / 3) if pj > 0 else 0
    step = min(max(step, -1), 5)
    return Unit(names[step + 1], 1000.0**-step)


def cycles_unit(cycles: float) -> Unit:
    """The unit for up to this many cycles."""
    for name, size in (("billion ", 1e9), ("million ", 1e6), ("thousand ", 1e3)):
        if cycles >= 10 * size:
            return Unit(f"{name}cycles", 1 / size)
    return Unit("cycles", 1)


def time_unit(seconds: float) -> Unit:
    """The unit for up to this many seconds."""
    for name, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return Unit(name, 1 / size)
    return Unit("ns", 1e9)


def number(value: float, digits: int = 4) -> str:
    """With so many significant digits, and commas between thousands: 1,234 or 0.01234."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, decimals):,.{max(0, decimals)}f}"


def energy_text(pj: float) -> str:
    unit = energy_unit(pj)
    return f"{number(pj * unit.factor)} {unit.name}"


def percent_text(share: float) -> str:
    return f"{number(100 * share, 3)} %"


def shorten(text: str, most: int) -> str:
    """Leaves out the middle of a long text."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a sans serif font; rather too wide than too narrow."""
    narrow = sum(letter in "fijlrtI.,:;|!'() /" for letter in text)
    wide = sum(letter in "mwMW%@…" for letter in text)
    return size * (0.36 * narrow + 0.92 * wide + 0.61 * (len(text) - narrow - wide))


def fitted(text: str, width: float, size: float) -> str:
    """The text, shortened if it is wider than this."""
    most = len(text)
    while most > 3 and text_width(shorten(text, most), size) > width:
        most -= 1
    return shorten(text, most)


def padded(title: str, values: Sequence[float], log: bool = False, room: float = 0.08) -> Axis:
    """An axis that holds the values with some room on both sides."""
    low, high = min(values), max(values)
    if log:
        factor = max(1.15, (high / low) ** room)
        return Axis(title, low / factor, high * factor, log=True)
    space = (high - low) * room or abs(high) * room or 1.0
    return Axis(title, low - space, high + space)


def with_room(axis: Axis, rows: Sequence[Row], width: float, size: float) -> Axis:
    """The axis, extended until the notes at the ends of bars fit."""
    high = axis.high
    for row in rows:
        share = 1 - (text_width(row.note, size) + 8) / width
        high = max(high, (row.total - axis.low) / max(share, 0.2) + axis.low)
    return replace(axis, high=high)


def place(axis: Axis, value: float) -> float:
    """Where a value lies: 0 at the low end, 1 at the high one."""
    if axis.log:
        return math.log(value / axis.low) / math.log(axis.high / axis.low)
    return (value - axis.low) / (axis.high - axis.low)


def ticks(axis: Axis, most: int = 7) -> list[tuple[float, str]]:
    """At most about so many round values with their labels."""
    if axis.log and math.log10(axis.high / axis.low) > 0.7:
        return _log_ticks(axis, most)
    step = _round_step((axis.high - axis.low) / max(1, most - 1))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first = math.ceil(axis.low / step - 1e-9)
    last = math.floor(axis.high / step + 1e-9)
    values = [index * step for index in range(first, last + 1)]
    return [(value, _tick_text(axis, value, decimals)) for value in values]


def _tick_text(axis: Axis, value: float, decimals: int) -> str:
    return f"{100 * value:.0f} %" if axis.percent else f"{value:,.{decimals}f}"


def _round_step(least: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(power * f for f in (1, 2, 5, 10, 20) if power * f >= least * (1 - 1e-9))


def _log_ticks(axis: Axis, most: int) -> list[tuple[float, str]]:
    first = math.floor(math.log10(axis.low))
    last = math.ceil(math.log10(axis.high))
    if axis.high / axis.low <= 1e3:
        values = [f * 10.0**e for e in range(first, last + 1) for f in (1, 2, 5)]
    else:
        every = math.ceil((last - first) / most)
        values = [10.0**e for e in range(first, last + 1) if e % every == 0]
    return [(v, _power_text(v)) for v in values if axis.low <= v <= axis.high]


def superscript(exponent: int) -> str:
    return str(exponent).translate(_SUPERSCRIPT)


def _power_text(value: float) -> str:
    if 1e-3 <= value < 1e6:
        return f"{value:,.0f}" if value >= 1 else f"{value:g}"
    exponent = math.floor(math.log10(value) + 1e-9)
    power = f"10{superscript(exponent)}"
    first = round(value / 10.0**exponent)
    return power if first == 1 else f"{first}·{power}"


@dataclass(frozen=True)
class Placed:
    """A label next to the line that leads down to its block, at x."""

    index: int
    lane: int  # 0 is the lowest
    x: float
    left: float
    right: float


def place_labels(where: Sequence[tuple[float, float]], width: float) -> list[Placed]:
    """Where labels go, given as (x of the line, width of the text): none meets another."""
    placed: list[Placed] = []
    for index in sorted(range(len(where)), key=lambda i: -where[i][0]):
        fits = (c for c in _choices(index, *where[index], lanes=len(where))
                if c.left >= 0 and c.right <= width and _is_free(c, placed))
        if (choice := next(fits, None)) is not None:
            placed.append(choice)
    lanes = sorted({label.lane for label in placed})
    return [replace(label, lane=lanes.index(label.lane)) for label in placed]


def _choices(index: int, x: float, length: float, lanes: int) -> list[Placed]:
    """To the right of the line as low as possible, or else to its left as high as possible, out
    of the way of the lines that come next."""
    right = [Placed(index, lane, x, x + 3, x + 3 + length) for lane in range(lanes)]
    left = [Placed(index, lane, x, x - 3 - length, x - 3) for lane in range(lanes)]
    return right + left[::-1]


def _is_free(label: Placed, others: Sequence[Placed]) -> bool:
    return not any(_meet(label, other) for other in others)


def _meet(a: Placed, b: Placed) -> bool:
    if a.lane == b.lane:
        return a.left < b.right + 8 and b.left < a.right + 8
    low, high = (a, b) if a.lane < b.lane else (b, a)
    return low.left - 3 < high.x < low.right + 3
