# SPDX-License-Identifier: Apache-2.0
"""Charts, drawn from results of the command that are stored in data/."""

from __future__ import annotations

import copy
import json
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilewright import plot
from tilewright._chart import Axis, Bars, Chart, Curves, Spans
from tilewright._scale import number, place_labels, shorten, text_width, ticks

DATA = Path(__file__).parent / "data"
SVG = "{http://www.w3.org/2000/svg}"
Trace = list[tuple[float, float | None, float | None]]
TRACE: Trace = [(0.0, None, 1e9), (0.1, 9e9, 3e9), (0.3, 5e9, 5e9)]


class Result:
    """Stands in for a result."""

    def __init__(self, found: dict[str, Any], trace: Trace | None = None) -> None:
        self._found = found
        self.trace: Trace = trace or []

    def to_dict(self) -> dict[str, Any]:
        return copy.deepcopy(self._found)


def load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def gemm(trace: Trace | None = None) -> Result:
    return Result(load("gemm-front"), trace)


def simba() -> Result:
    return Result(load("conv-simba"))


def alexnet() -> Result:
    return Result(load("alexnet"))


CHARTS: dict[str, Callable[[], Chart]] = {
    "energy": lambda: plot.energy(gemm()),
    "energy with leakage": lambda: plot.energy(simba()),
    "energy of a network": lambda: plot.energy(alexnet()),
    "roofline": lambda: plot.roofline(gemm()),
    "front": lambda: plot.front(gemm()),
    "convergence": lambda: plot.convergence(gemm(TRACE)),
    "timeline": lambda: plot.timeline(alexnet()),
    "compare": lambda: plot.compare(gemm(), simba()),
    "compare networks": lambda: plot.compare(alexnet(), alexnet(), names=["a", "b"]),
}
every_chart = pytest.mark.parametrize("name", CHARTS)


def parsed(chart: Chart, width: int = 720) -> ElementTree.Element:
    return ElementTree.fromstring(chart.svg(width))


def texts(chart: Chart) -> list[str]:
    return [element.text or "" for element in parsed(chart).iter(f"{SVG}text")]


def blocks(chart: Chart) -> list[ElementTree.Element]:
    """The rectangles that stand for data: those with a hint."""
    rects = parsed(chart).iter(f"{SVG}rect")
    return [rect for rect in rects if rect.find(f"{SVG}title") is not None]


def bars_of(chart: Chart) -> Bars:
    assert isinstance(chart.body, Bars)
    return chart.body


# All charts -------------------------------------------------------------------------------------


@every_chart
def test_svg_is_standalone_and_accessible(name: str) -> None:
    root = parsed(CHARTS[name]())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title" and root[0].text
    assert "http" not in CHARTS[name]().svg().replace("http://www.w3.org/2000/svg", "")


@every_chart
def test_svg_is_deterministic(name: str) -> None:
    assert CHARTS[name]().svg() == CHARTS[name]().svg()
    assert CHARTS[name]() == CHARTS[name]()


@every_chart
@pytest.mark.parametrize("width", [360, 720, 1400])
def test_everything_lies_inside(name: str, width: int) -> None:
    root = parsed(CHARTS[name](), width)
    height = float(root.get("height", "0"))
    for element in root.iter():
        x, y = float(element.get("x", "0")), float(element.get("y", "0"))
        assert 0 <= x <= width and 0 <= y <= height
        if element.tag == f"{SVG}rect":
            assert float(element.get("width", "-1")) >= 0
            assert x + float(element.get("width", "0")) <= width + 0.01
            assert y + float(element.get("height", "0")) <= height + 0.01


@every_chart
def test_matplotlib_draws_it(name: str, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    _, ax = pyplot.subplots()
    chart = CHARTS[name]()
    assert chart.plot(ax) is ax
    assert ax.get_title(loc="left") == chart.title
    new = chart.plot()
    assert new is not ax
    pyplot.close("all")
    chart.save(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    assert not pyplot.get_fignums()


def test_size_is_as_asked_for() -> None:
    root = ElementTree.fromstring(plot.energy(gemm()).svg(500, 400))
    assert (root.get("width"), root.get("height")) == ("500", "400")
    with pytest.raises(ValueError, match="height of 60 is too small"):
        plot.energy(gemm()).svg(500, 60)
    with pytest.raises(ValueError, match="width of 240 or more"):
        plot.energy(gemm()).svg(100)


def test_notebooks_and_files_show_the_same(tmp_path: Path) -> None:
    chart = plot.energy(gemm())
    chart.save(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8") == chart.svg()
    assert chart._repr_svg_() == chart.svg()
    with pytest.raises(ValueError, match=r"use .svg, .png or .pdf"):
        chart.save(tmp_path / "chart.gif")


def test_names_are_escaped() -> None:
    found = load("gemm-front")
    found["workload"]["name"] = 'a < b & "c"'
    found["memories"][0]["name"] = "<DRAM>"
    chart = plot.energy(Result(found))
    assert "<DRAM>" in texts(chart)
    assert 'Energy of a < b & "c" on eyeriss' in texts(chart)


def test_long_names_are_shortened() -> None:
    chart = plot.compare(gemm(), gemm(), names=["short", "a name that goes " + "on and " * 20])
    assert max(map(len, texts(chart))) < 60
    assert any("…" in text for text in texts(chart))


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    chart = plot.energy(gemm())
    assert chart.svg()
    with pytest.raises(ImportError, match=r"pip install tilewright\[plot\]"):
        chart.plot()


# Each chart -------------------------------------------------------------------------------------


def test_energy_has_a_bar_per_level_and_a_part_per_tensor() -> None:
    chart = plot.energy(gemm())
    labels = [row.label for row in bars_of(chart).rows]
    assert labels == ["DRAM", "GLB", "ifmap_spad", "weights_spad", "psum_spad", "mac"]
    parts = [len(row.parts) for row in bars_of(chart).rows]
    assert parts == [3, 1, 1, 0, 1, 1]
    assert len(blocks(chart)) == sum(parts)
    assert bars_of(chart).axis.title == "energy, uJ"
    assert sum(row.total for row in bars_of(chart).rows) == pytest.approx(2.021871730688)


def test_leakage_is_part_of_the_bar() -> None:
    found = load("conv-simba")
    bars = bars_of(plot.energy(simba()))
    assert "leakage" in [series.name for series in bars.series]
    assert sum(row.total for row in bars.rows) == pytest.approx(found["energy_pj"] * 1e-6)


def test_energy_of_a_network_adds_up() -> None:
    found = load("alexnet")
    bars = bars_of(plot.energy(alexnet(), most=100))
    assert sum(row.total for row in bars.rows) == pytest.approx(
        found["totals"]["energy_pj"] * 1e-9
    )
    totals = [row.total for row in bars.rows]
    assert totals == sorted(totals, reverse=True)
    chart = plot.energy(alexnet(), most=3)
    assert len(bars_of(chart).rows) == 3
    assert "the 3 largest of 11 kinds" in chart.subtitle


def test_roofline_points_are_below_their_roofs() -> None:
    chart = plot.roofline(gemm())
    assert isinstance(chart.body, Curves)
    named = [curve.name.split(":")[0] for curve in chart.body.curves if curve.name]
    assert named == ["all 168 units", "GLB", "ifmap_spad", "psum_spad"]
    dashed = [curve for curve in chart.body.curves if curve.dashed]
    assert len(dashed) == 3
    assert all(curve.points[0][1] <= curve.points[1][1] for curve in dashed)
    assert "128 of 168 MACs per cycle" in chart.subtitle


def test_bottleneck_touches_its_roof() -> None:
    found = load("gemm-front")
    found["memories"][1]["cycles"] = found["cycles"]
    chart = plot.roofline(Result(found))
    assert isinstance(chart.body, Curves)
    low, high = next(curve for curve in chart.body.curves if curve.dashed).points
    assert low[1] == pytest.approx(high[1])


def test_front_is_sorted_and_marks_the_best() -> None:
    chart = plot.front(gemm())
    assert isinstance(chart.body, Curves)
    front, best = chart.body.curves
    assert [x for x, _ in front.points] == [1760, 1920, 2048]
    assert best.points == (front.points[2],)
    assert best.name == "least EDP"


def test_front_of_one_mapping() -> None:
    found = load("gemm-front")
    del found["search"]["front"][1:]
    assert "one mapping" in plot.front(Result(found)).subtitle


def test_convergence_leaves_out_what_is_not_known() -> None:
    chart = plot.convergence(gemm(TRACE))
    assert isinstance(chart.body, Curves)
    bound, best = chart.body.curves
    assert (len(bound.points), len(best.points)) == (3, 2)
    assert chart.subtitle == "proved: best and bound meet"
    assert chart.body.y.title == "EDP, 10⁹ pJ*cycles"


def test_convergence_tells_the_gap() -> None:
    assert plot.convergence(gemm([(1.0, 4e9, 3e9)])).subtitle == "gap at the end: 25.0 %"
    assert plot.convergence(gemm([(1.0, 4e9, None)])).subtitle == "without a bound"
    assert plot.convergence(gemm([(1.0, None, 3e9)])).subtitle == "no mapping found yet"


def test_timeline_has_a_block_per_layer_that_takes_time() -> None:
    found = load("alexnet")
    chart = plot.timeline(alexnet(), labels=2)
    assert isinstance(chart.body, Spans)
    timed = [layer for layer in found["layers"] if layer["cycles"] > 0]
    assert len(blocks(chart)) == len(chart.body.spans) == len(timed)
    assert chart.body.x.high == pytest.approx(found["totals"]["cycles"] * 1e-3)
    assert sum(bool(span.label) for span in chart.body.spans) == 2


def test_timeline_in_seconds() -> None:
    found = load("alexnet")
    found["totals"]["seconds"] = 0.02
    chart = plot.timeline(Result(found))
    assert isinstance(chart.body, Spans)
    assert chart.body.x.title == "time, ms"
    assert chart.body.x.high == pytest.approx(20)


def test_compare_is_relative_to_the_first() -> None:
    slower = load("gemm-front")
    slower["cycles"] *= 2
    slower["edp_pj_cycles"] *= 2
    rows = bars_of(plot.compare(gemm(), Result(slower))).rows
    assert [row.group for row in rows] == ["energy"] * 2 + ["cycles"] * 2 + ["EDP"] * 2
    assert [row.total for row in rows] == [1, 1, 1, 2, 1, 2]


def test_compare_names_what_differs() -> None:
    rows = bars_of(plot.compare(gemm(), simba())).rows
    assert [row.label for row in rows[:2]] == ["gemm, eyeriss", "conv2_1.conv2, simba"]
    assert [row.label for row in bars_of(plot.compare(gemm(), gemm())).rows[:2]] == [
        "result 1", "result 2",
    ]


# Mistakes ---------------------------------------------------------------------------------------


def test_mistakes_are_explained() -> None:
    with pytest.raises(ValueError, match="pass trace=True to tw.map"):
        plot.convergence(gemm())
    with pytest.raises(ValueError, match="pass front=True to tw.map"):
        plot.front(simba())
    with pytest.raises(ValueError, match="pass the result of tw.plan"):
        plot.timeline(gemm())
    with pytest.raises(ValueError, match="pass the result of tw.map, not a plan"):
        plot.roofline(alexnet())
    with pytest.raises(ValueError, match="has a bandwidth"):
        plot.roofline(simba())
    with pytest.raises(ValueError, match="nothing to compare"):
        plot.compare()
    with pytest.raises(ValueError, match="2 results, but 1 names"):
        plot.compare(gemm(), gemm(), names=["one"])


@pytest.mark.parametrize("draw", [plot.energy, plot.roofline, plot.compare])
def test_no_mapping_no_chart(draw: Callable[[Result], Chart]) -> None:
    with pytest.raises(ValueError, match="no mapping"):
        draw(Result({"workload": {"name": "w"}, "arch": {"name": "a"}, "search": {}}))



def test_regret() -> None:
    runs = {"a": [[3.0, 4.0, 1.0], [1.5, 1.2, 1.3]], "b": [[2.0, 1.0]]}
    chart = plot.regret(runs, 1.0)
    assert isinstance(chart.body, Curves)
    median, worst, alone = chart.body.curves
    assert [round(y, 9) for _, y in median.points] == [125, 110, 10]
    assert [round(y, 9) for _, y in worst.points] == [200, 200, 20]
    assert [y for _, y in alone.points] == [100, 0.1] and not alone.dashed
    ElementTree.fromstring(chart.svg())
    with pytest.raises(ValueError, match="above 0"):
        plot.regret(runs, 0)
    with pytest.raises(ValueError, match="every run a value"):
        plot.regret({"a": [[]]}, 1)


# Text and axes ----------------------------------------------------------------------------------


def test_numbers() -> None:
    assert [number(x) for x in (0, 1, 12.3456, 123456, 0.0012345)] == [
        "0", "1.000", "12.35", "123,500", "0.001234",
    ]
    assert shorten("abcdefghij", 5) == "ab…ij"
    assert text_width("mm", 10) > text_width("ii", 10)


def test_ticks_are_round() -> None:
    assert [label for _, label in ticks(Axis("", 0, 1, percent=True), 6)][-1] == "100 %"
    assert [label for _, label in ticks(Axis("", 0, 2.3), 6)] == ["0.0", "0.5", "1.0", "1.5", "2.0"]
    assert [v for v, _ in ticks(Axis("", 0.7, 120, log=True))] == [1, 2, 5, 10, 20, 50, 100]
    assert "10⁹" in [label for _, label in ticks(Axis("", 1, 1e12, log=True), 13)]
    assert len(ticks(Axis("", 1e8, 1.1e8, log=True))) >= 3


def test_labels_do_not_meet() -> None:
    where = [(10.0 * i, 80.0) for i in range(20)]
    placed = place_labels(where, 200)
    assert len(placed) >= 12
    for a in placed:
        assert 0 <= a.left and a.right <= 200
        for b in placed:
            if a is not b and a.lane == b.lane:
                assert a.right < b.left or b.right < a.left
