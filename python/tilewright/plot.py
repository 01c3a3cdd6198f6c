# SPDX-License-Identifier: Apache-2.0
"""Pictures of results.

Every function returns a Chart, which notebooks show as it is. `chart.svg()` and
`chart.save("x.svg")` need no other package; `chart.plot()` and .png files need matplotlib
(`pip install tilewright[plot]`).
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol

from ._chart import (
    DARK, GREY, PALETTE, Axis, Bars, Chart, Curve, Curves, Row, Series, Span, Spans, colours,
)
from ._scale import (
    cycles_unit, energy_text, energy_unit, number, padded, percent_text, shorten, superscript,
    time_unit,
)

__all__ = [
    "Chart", "compare", "convergence", "energy", "front", "regret", "roofline", "timeline",
]

_MARKERS = ("circle", "square", "triangle", "diamond")
_LEAKAGE = "leakage"
_COMPUTE = "compute"
_MOVED = "only moves data"
#: In percent. The axis is logarithmic, and a regret may be 0.
_LEAST_REGRET = 0.1


class Result(Protocol):
    """What most charts need: a MapResult, an Evaluation or a PlanResult."""

    def to_dict(self) -> dict[str, Any]: ...


class Traced(Result, Protocol):
    """What `convergence` needs: a MapResult."""

    @property
    def trace(self) -> Sequence[tuple[float, float | None, float | None]]: ...


def energy(result: Result, most: int = 12) -> Chart:
    """Where the energy goes: a bar per level, outermost first, split by tensor.

    For a plan: a bar for each kind of layer, split by level, for the `most` largest.
    """
    found = result.to_dict()
    if "layers" in found:
        return _energy_of_plan(found, most)
    _need_mapping(found)
    bars = {memory["name"]: _memory_parts(memory) for memory in found["memories"]}
    bars[found["compute"]["name"]] = {_COMPUTE: float(found["compute"]["energy_pj"])}
    total = float(found["energy_pj"])
    per_mac = total / max(1, found["computes"])
    subtitle = f"{energy_text(total)}, {number(per_mac)} pJ per MAC"
    return Chart(f"Energy of {_name(found)}", subtitle, _energy_bars(bars, total))


def roofline(result: Result) -> Chart:
    """Speed against data reuse, for each memory with a bandwidth, and the roof of all units.

    A slope is the bandwidth that a memory reaches with the reads and writes of this mapping, over
    all instances that work. A point on its slope means that the memory is the bottleneck.
    """
    found = result.to_dict()
    if "layers" in found:
        raise ValueError("a roofline shows one mapping: pass the result of tw.map, not a plan")
    _need_mapping(found)
    busy = [memory for memory in found["memories"] if memory["cycles"] > 0 and _bytes(memory) > 0]
    if not busy:
        raise ValueError("no memory of this architecture has a bandwidth: give one a `bandwidth`")
    units, reached = float(found["compute"]["units"]), found["computes"] / found["cycles"]
    subtitle = (
        f"{number(reached, 3)} of {units:,.0f} MACs per cycle; "
        f"bottleneck: {found['bottleneck']}"
    )
    return Chart(f"Roofline of {_name(found)}", subtitle, _roofline(found, busy, units, reached))


def front(result: Result) -> Chart:
    """The Pareto front: energy against cycles of all mappings that no other beats in both."""
    found = result.to_dict()
    search = found.get("search", {})
    if not search.get("front"):
        raise ValueError("this result has no Pareto front; pass front=True to tw.map")
    entries = sorted(search["front"], key=lambda entry: float(entry["cycles"]))
    x = cycles_unit(entries[-1]["cycles"])
    y = energy_unit(max(entry["energy_pj"] for entry in entries))
    points = [(e["cycles"] * x.factor, e["energy_pj"] * y.factor) for e in entries]
    best = min(range(len(entries)), key=lambda i: float(entries[i]["score"]))
    least = f"least {_title(search['objective'])}"
    curves = (
        Curve(tuple(points), PALETTE[0], "no mapping is better in both", "step", "circle"),
        Curve((points[best],), PALETTE[5], least, "", "diamond", 7),
    )
    across = _axis(x.name, [point[0] for point in points])
    up = _axis(f"energy, {y.name}", [point[1] for point in points])
    body = Curves(across, up, curves if len(points) > 1 else curves[1:])
    subtitle = f"{len(points)} mappings; left and down is better"
    if len(points) == 1:
        subtitle = "one mapping has both the least energy and the fewest cycles"
    return Chart(f"Pareto front of {_name(found)}", subtitle, body)


def convergence(result: Traced) -> Chart:
    """The best mapping found so far and the bound below which none exists, over time."""
    trace = list(result.trace or ())
    if not trace:
        raise ValueError("this result has no trace; pass trace=True to tw.map")
    found = result.to_dict()
    unit = time_unit(trace[-1][0])
    objective = str(found.get("search", {}).get("objective", "score"))
    scores = [value for entry in trace for value in entry[1:] if value is not None]
    title, factor = _score_unit(objective, max(scores, default=0.0))
    best = _known(trace, 1, unit.factor, factor)
    bound = _known(trace, 2, unit.factor, factor)
    if not best and not bound:
        raise ValueError("the trace has neither a mapping nor a bound: the search was too short")
    curves = (
        Curve(bound, PALETTE[1], "bound: no mapping is below", "step", _dots(bound), 6),
        Curve(best, PALETTE[0], "best so far", "step", _dots(best), 3),
    )
    end = max(trace[-1][0] * unit.factor, 1e-9)
    y = _axis(title, [value for _, value in best + bound])
    x = Axis(f"time, {unit.name}", 0, 1.03 * end)
    body = Curves(x, y, tuple(curve for curve in curves if curve.points))
    return Chart(f"Search for {_name(found)}", _ending(best, bound), body)


def regret(
    runs: Mapping[str, Sequence[Sequence[float]]], best: float, title: str = "Regret"
) -> Chart:
    """How far searches are from the best value, after each evaluation.

    `runs` has what each searcher found: a list of values for every run of it, in the order of
    evaluation. Regret is the least value so far, over `best`, minus 1.
    """
    if not best > 0:
        raise ValueError("regret is relative to a best value above 0")
    if not runs or not all(runs.values()) or not all(run for name in runs for run in runs[name]):
        raise ValueError("every searcher needs a run, and every run a value")
    curves: list[Curve] = []
    for (name, found), series in zip(runs.items(), colours(runs), strict=True):
        shares = [[100 * (value / best - 1) for value in accumulate(run, min)] for run in found]
        curves.append(_regret_curve(shares, statistics.median, series.colour, name))
        if len(found) > 1:
            curves.append(_regret_curve(shares, max, series.colour))
    most = max(len(found) for found in runs.values())
    subtitle = f"{most} runs: median solid, worst dashed; " if most > 1 else ""
    subtitle += f"{_LEAST_REGRET} % also stands for less"
    across = Axis("evaluations", 0, max(curve.points[-1][0] for curve in curves))
    high = max((y for curve in curves for _, y in curve.points), default=1.0)
    up = Axis("regret, %", 0.8 * _LEAST_REGRET, max(1.15 * high, 10 * _LEAST_REGRET), log=True)
    return Chart(title, subtitle, Curves(across, up, tuple(curves)))


def timeline(plan: Result, labels: int = 6) -> Chart:
    """The layers of a network side by side: width is time, height is utilization.

    The colour tells what limits a layer. The `labels` kinds of layers that take the most time are
    named, each at its first layer, with the time of all its runs.
    """
    found = plan.to_dict()
    if "layers" not in found:
        raise ValueError("a timeline shows a network: pass the result of tw.plan")
    layers = [layer for layer in found["layers"] if _layer_cycles(layer) > 0]
    if not layers:
        raise ValueError("no layer of this plan takes any time: there is nothing to draw")
    body = _timeline(found, layers, labels)
    return Chart(f"Time of {_name(found)}", _timeline_subtitle(found, len(layers)), body)


def compare(*results: Result, names: Sequence[str] | None = None) -> Chart:
    """Energy, cycles and their product of several results, relative to those of the first."""
    if not results:
        raise ValueError("nothing to compare: pass one result or more")
    found = [result.to_dict() for result in results]
    if names is None:
        names = _default_names(found)
    if len(names) != len(results):
        raise ValueError(f"{len(results)} results, but {len(names)} names")
    sums = [_sums(entry) for entry in found]
    if min(sums[0]) <= 0:
        raise ValueError("the first result has no energy or no cycles to compare with")
    rows = [row for metric in range(3) for row in _compare_rows(metric, sums, names)]
    axis = Axis(f"relative to {shorten(names[0], 40)}", 0, max(row.total for row in rows))
    series = colours(str(i) for i in range(len(results)))
    body = Bars(axis, tuple(rows), series, mark=1, legend=False)
    return Chart("Energy, cycles and EDP", "shorter is better", body)


# One mapping ------------------------------------------------------------------------------------


def _need_mapping(found: Mapping[str, Any]) -> None:
    if "memories" not in found:
        raise ValueError("this result has no mapping: there is nothing to draw")


def _name(found: Mapping[str, Any]) -> str:
    workload, arch = _names_of(found)
    return f"{shorten(workload, 40)} on {shorten(arch, 30)}"


def _names_of(found: Mapping[str, Any]) -> tuple[str, str]:
    if "layers" in found:  # a plan holds the text of its architecture
        name = re.search(r"^\s*name:\s*(.+?)\s*$", found["arch"], re.MULTILINE)
        return str(found["network"]), name.group(1).strip("\"'") if name else "arch"
    workload, arch = found.get("workload", {}), found.get("arch", {})
    return str(workload.get("name", "workload")), str(arch.get("name", "arch"))


def _memory_parts(memory: Mapping[str, Any]) -> dict[str, float]:
    parts = {tensor["name"]: float(tensor["energy_pj"]) for tensor in memory["tensors"]}
    return {**parts, _LEAKAGE: float(memory["leakage_pj"])}


def _energy_bars(bars: Mapping[str, Mapping[str, float]], total: float) -> Bars:
    """Bars of energies in pJ, by label and then by series."""
    sums = {label: sum(parts.values()) for label, parts in bars.items()}
    unit = energy_unit(max(sums.values()))
    rows = []
    for label, parts in bars.items():
        share = f" ({percent_text(sums[label] / total)})" if total > 0 and sums[label] > 0 else ""
        scaled = tuple((name, value * unit.factor) for name, value in parts.items() if value > 0)
        rows.append(Row(label, scaled, f"{number(sums[label] * unit.factor)} {unit.name}{share}"))
    used = dict.fromkeys(name for row in rows for name, _ in row.parts)
    high = max(sums.values()) * unit.factor or 1.0
    return Bars(Axis(f"energy, {unit.name}", 0, high), tuple(rows), _with_greys(used))


def _with_greys(names: Mapping[str, Any]) -> tuple[Series, ...]:
    greys = {_LEAKAGE: GREY, _COMPUTE: DARK, _MOVED: "#C8C8C8"}
    coloured = colours(name for name in names if name not in greys)
    return coloured + tuple(Series(name, greys[name]) for name in greys if name in names)


def _bytes(memory: Mapping[str, Any]) -> float:
    """What the first instance moves, times all that work."""
    bits = sum((t["peak_reads"] + t["peak_writes"]) * t["bits"] for t in memory["tensors"])
    return float(bits * memory["working"] / 8)


def _roofline(
    found: Mapping[str, Any], busy: Sequence[Mapping[str, Any]], units: float, reached: float
) -> Curves:
    reuse = [found["computes"] / _bytes(memory) for memory in busy]
    slopes = [_bytes(memory) / memory["cycles"] for memory in busy]
    ridges = [units / slope for slope in slopes]
    x = padded("MACs per byte", reuse + ridges, log=True, room=0.12)
    lowest = min(reached, units / 10)
    y = Axis("MACs per cycle", lowest / 2, units * 1.6, log=True)
    lines, points = [], []
    for i, memory in enumerate(busy):
        colour = PALETTE[i % len(PALETTE)]
        start = max(x.low, y.low / slopes[i])
        lines.append(Curve(((start, slopes[i] * start), (ridges[i], units)), colour))
        ceiling = min(units, slopes[i] * reuse[i])
        lines.append(_reaching((reuse[i], reached), ceiling, colour))
        share = percent_text(memory["cycles"] / found["cycles"])
        name = f"{shorten(memory['name'], 24)}: {number(reuse[i], 3)} MACs per byte, {share} busy"
        # The first are larger, so that points in the same place can be told apart.
        size = 5.0 + 0.8 * (len(busy) - 1 - i)
        marker = _MARKERS[i % len(_MARKERS)]
        points.append(Curve(((reuse[i], reached),), colour, name, "", marker, size))
    roof = Curve(((min(ridges), units), (x.high, units)), DARK, f"all {units:,.0f} units")
    return Curves(x, y, (roof, *lines, *points))


def _reaching(point: tuple[float, float], ceiling: float, colour: str) -> Curve:
    """From a point up to the roof above it."""
    return Curve((point, (point[0], ceiling)), colour, width=1.2, dashed=True)


def _axis(title: str, values: Sequence[float]) -> Axis:
    """Logarithmic if the values differ much."""
    log = min(values) > 0 and max(values) > 20 * min(values)
    return padded(title, values, log)


def _title(objective: str) -> str:
    return objective.upper() if objective in ("edp", "ed2p") else objective


def _score_unit(objective: str, most: float) -> tuple[str, float]:
    """The title of an axis for scores up to `most`, and the factor by which they are shown."""
    unit = {"edp": "pJ*cycles", "energy": "pJ", "latency": "cycles"}.get(objective, "")
    step = 3 * math.floor(math.log10(most) / 3) if most >= 1e5 and math.isfinite(most) else 0
    power = f"10{superscript(step)} " if step else ""
    return ", ".join(filter(None, [_title(objective), (power + unit).strip()])), 10.0**-step


def _known(
    trace: Sequence[tuple[float, float | None, float | None]],
    column: int, factor: float, score_factor: float,
) -> tuple[tuple[float, float], ...]:
    """The points of a trace that have a value, the last one also at its end."""
    points = []
    for entry in trace:
        value = entry[column]
        if value is not None and math.isfinite(value) and value > 0:
            points.append((entry[0] * factor, value * score_factor))
    if points and points[-1][0] < trace[-1][0] * factor:
        points.append((trace[-1][0] * factor, points[-1][1]))
    return tuple(points)


def _dots(points: Sequence[tuple[float, float]]) -> str:
    """A few points are marked, and a single one would be invisible otherwise."""
    return "circle" if len(points) <= 12 else ""


def _regret_curve(
    runs: Sequence[Sequence[float]], pick: Callable[[list[float]], float], colour: str,
    name: str = "",
) -> Curve:
    """Of all runs that are long enough; without a name: a thin one."""
    points = []
    for index in range(min(map(len, runs))):
        points.append((index + 1.0, max(_LEAST_REGRET, pick([run[index] for run in runs]))))
    return Curve(tuple(points), colour, name, "step", width=2 if name else 1, dashed=not name)


def _ending(best: Sequence[tuple[float, float]], bound: Sequence[tuple[float, float]]) -> str:
    if not best:
        return "no mapping found yet"
    if not bound:
        return "without a bound"
    gap = 1 - min(bound[-1][1], best[-1][1]) / best[-1][1]
    return "proved: best and bound meet" if gap < 1e-9 else f"gap at the end: {percent_text(gap)}"


# Networks ---------------------------------------------------------------------------------------


def _layer_cycles(layer: Mapping[str, Any]) -> float:
    return float((layer.get("cycles") or 0) * layer["count"])


def _kinds(layers: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Equal layers together: those that are one problem. What only moves data stays alone."""
    kinds: dict[object, list[Mapping[str, Any]]] = {}
    for index, layer in enumerate(layers):
        problem = layer["problem"]
        kinds.setdefault(("alone", index) if problem is None else problem, []).append(layer)
    return list(kinds.values())


def _kind_name(kind: Sequence[Mapping[str, Any]]) -> str:
    runs = sum(layer["count"] for layer in kind)
    return shorten(kind[0]["name"], 28) + (f" x{runs}" if runs > 1 else "")


def _evaluation(found: Mapping[str, Any], layer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if layer["problem"] is None:
        return None
    evaluation: Mapping[str, Any] | None = found["problems"][layer["problem"]].get("evaluation")
    return evaluation


def _energy_of_plan(found: Mapping[str, Any], most: int) -> Chart:
    kinds = _kinds(layer for layer in found["layers"] if layer["energy_pj"] > 0)
    if not kinds:
        raise ValueError("no layer of this plan takes any energy: there is nothing to draw")
    bars: dict[str, dict[str, float]] = {}
    for kind in sorted(kinds, key=_kind_energy, reverse=True)[:most]:
        label = _kind_name(kind)
        while label in bars:  # two kinds of one name
            label += "'"
        bars[label] = {}
        for layer in kind:
            _add(bars[label], _layer_parts(found, layer))
    total = float(found["totals"]["energy_pj"])
    shown = percent_text(sum(sum(parts.values()) for parts in bars.values()) / total)
    subtitle = f"{energy_text(total)}; equal layers in one bar"
    if len(bars) < len(kinds):
        subtitle += f"; the {len(bars)} largest of {len(kinds)} kinds: {shown}"
    return Chart(f"Energy of {_name(found)}", subtitle, _energy_bars(bars, total))


def _kind_energy(kind: Sequence[Mapping[str, Any]]) -> float:
    return sum(float(layer["energy_pj"] * layer["count"]) for layer in kind)


def _layer_parts(found: Mapping[str, Any], layer: Mapping[str, Any]) -> dict[str, float]:
    evaluation = _evaluation(found, layer)
    if evaluation is None:
        return {_MOVED: float(layer["energy_pj"] * layer["count"])}
    parts = {memory["name"]: memory["energy_pj"] for memory in evaluation["memories"]}
    parts[_COMPUTE] = evaluation["compute"]["energy_pj"]
    return {name: float(value * layer["count"]) for name, value in parts.items()}


def _add(sums: dict[str, float], parts: Mapping[str, float]) -> None:
    for name, value in parts.items():
        sums[name] = sums.get(name, 0.0) + value


def _timeline_subtitle(found: Mapping[str, Any], drawn: int) -> str:
    totals = found["totals"]
    text = f"{totals['cycles']:,.0f} cycles, utilization {percent_text(totals['utilization'])}"
    unmapped = totals.get("unmapped", 0)
    free = len(found["layers"]) - drawn - unmapped
    if free > 0:
        text += f"; {free} layer{'s take' if free > 1 else ' takes'} no time"
    if unmapped > 0:
        text += f"; {unmapped} without a mapping are left out"
    return text


def _timeline(
    found: Mapping[str, Any], layers: Sequence[Mapping[str, Any]], most: int
) -> Spans:
    cycles = sum(map(_layer_cycles, layers))
    title, scale = _time_scale(found["totals"], cycles)
    labels = _time_labels(layers, cycles, most)
    spans, start = [], 0.0
    for layer in layers:
        end = start + _layer_cycles(layer) * scale
        evaluation = _evaluation(found, layer)
        height = float(evaluation["utilization"]["total"]) if evaluation else 1.0
        series = str(layer["bottleneck"]) if evaluation else _MOVED
        name = f"{layer['name']}: {percent_text(_layer_cycles(layer) / cycles)}"
        spans.append(Span(start, end, height, series, name, labels.get(id(layer), "")))
        start = end
    series_of = _with_greys(dict.fromkeys(span.series for span in spans))
    y = Axis("utilization", 0, 1, percent=True)
    return Spans(Axis(title, 0, start), y, tuple(spans), series_of)


def _time_scale(totals: Mapping[str, Any], cycles: float) -> tuple[str, float]:
    """The title of the axis, and its units per cycle."""
    if "seconds" not in totals:
        unit = cycles_unit(cycles)
        return unit.name, unit.factor
    unit = time_unit(totals["seconds"])
    return f"time, {unit.name}", totals["seconds"] / totals["cycles"] * unit.factor


def _time_labels(
    layers: Sequence[Mapping[str, Any]], cycles: float, most: int
) -> dict[int, str]:
    """Labels of the kinds that take the most time, each at its longest layer, by its identity."""
    labels = {}
    kinds = sorted(_kinds(layers), key=_kind_cycles, reverse=True)
    for kind in kinds[:most]:
        share = _kind_cycles(kind) / cycles
        if share >= 0.01:
            longest = max(kind, key=_layer_cycles)
            labels[id(longest)] = f"{_kind_name(kind)}: {percent_text(share)}"
    return labels


def _kind_cycles(kind: Sequence[Mapping[str, Any]]) -> float:
    return sum(map(_layer_cycles, kind))


# Comparisons ------------------------------------------------------------------------------------


def _sums(found: Mapping[str, Any]) -> tuple[float, float, float]:
    totals = found["totals"] if "layers" in found else found
    if "energy_pj" not in totals:
        raise ValueError("one of these results has no mapping: there is nothing to compare")
    return float(totals["energy_pj"]), float(totals["cycles"]), float(totals["edp_pj_cycles"])


def _compare_rows(
    metric: int, sums: Sequence[tuple[float, float, float]], names: Sequence[str]
) -> list[Row]:
    group = ("energy", "cycles", "EDP")[metric]
    rows = []
    for i, name in enumerate(names):
        value = sums[i][metric]
        text = (energy_text(value), f"{value:,.0f}", f"{number(value * 1e-12)} J*cycle")[metric]
        share = value / sums[0][metric]
        rows.append(Row(shorten(name, 36), ((str(i), share),), f"{share:.3f} ({text})", group))
    return rows


def _default_names(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """Made of what differs: workload, architecture, space, mapper."""
    parts = []
    for entry in found:
        search = entry.get("search", {})
        parts.append((*_names_of(entry), search.get("space", ""), search.get("mapper", "")))
    differ = [i for i in range(4) if len({part[i] for part in parts}) > 1]
    names = [", ".join(str(part[i]) for i in differ if part[i]) for part in parts]
    if len(set(names)) == len(names) and all(names):
        return names
    return [f"{i + 1}. {name}" if name else f"result {i + 1}" for i, name in enumerate(names)]
