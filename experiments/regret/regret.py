# SPDX-License-Identifier: Apache-2.0
"""How far black-box searches are from the proved best design, after how many evaluations.

  regret.py --out FOLDER            three spaces, 10 seeds, up to 200 evaluations
  regret.py --out FOLDER --only simba
  regret.py --out FOLDER --quick    a small space, 2 seeds, up to 20 evaluations

Every design of a space is solved first, into FOLDER/NAME.db; what is there is not solved again.
Tables and pictures are written into FOLDER.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import math
import pathlib
import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any

import searchers
from searchers import SEARCHERS, Point

import tilewright as tw

HERE = pathlib.Path(__file__).resolve().parent
SPACES = ["eyeriss", "gemmini", "simba"]


def figure_of(cost: dict[str, Any]) -> float:
    """EDP times area: without the area, the largest design would win."""
    return math.inf if cost["edp"] is None else float(cost["edp"]) * float(cost["area_um2"])


class Space:
    """A plan as a function of points, answered from its store."""

    def __init__(self, plan: tw.SweepPlan, path: pathlib.Path) -> None:
        self.designs = tw.Designs(plan, path)
        self.values = list(plan.parameters.items())
        self.sizes = [len(values) for _, values in self.values]
        self._known: dict[Point, float] = {}

    def value_of(self, point: Point) -> float:
        if point not in self._known:
            self._known[point] = self._ask(point)
        return self._known[point]

    def _ask(self, point: Point) -> float:
        chosen = {name: texts[i] for (name, texts), i in zip(self.values, point, strict=True)}
        number = self.designs.number(chosen)
        return math.inf if number is None else figure_of(self.designs.cost(number))

    def trace(self, name: str, seed: int, evaluations: int) -> tuple[list[float], int]:
        return searchers.search(SEARCHERS[name](self.sizes, seed), self.value_of, evaluations)

    def close(self) -> None:
        self.designs.close()


@dataclass
class Study:
    """All runs on one space."""

    plan: tw.SweepPlan
    seconds: float  # of all searches for mappings
    best: float
    best_design: str
    values: dict[str, list[list[float]]] = field(default_factory=dict)  # by searcher and seed
    regrets: dict[str, list[list[float]]] = field(default_factory=dict)  # the same over the best
    asks: dict[str, list[int]] = field(default_factory=dict)


def solve_all(plan: tw.SweepPlan, path: pathlib.Path, failures: list[str]) -> Study:
    """Every design, and the best of them."""
    now = tw.sweep(plan, path)
    print(f"{plan}: {now.known} stored before, {now.solved} solved now", flush=True)
    with tw.Store(path) as store:
        designs = store.designs(plan)
        problems = csv.DictReader(io.StringIO(store.to_csv(plan)))
        seconds = sum(float(problem["seconds"]) for problem in problems)
    unproved = [one["design"] for one in designs if one["standing"] != "proved"]
    if unproved:
        failures.append(f"{plan.name}: {len(unproved)} designs are not proved")
    best = min(designs, key=figure_of)
    texts = ", ".join(f"{name} {text}" for name, text in best["parameters"].items())
    return Study(plan, seconds, figure_of(best), texts)


def run_all(study: Study, path: pathlib.Path, seeds: int, evaluations: int,
            failures: list[str]) -> None:
    """Every searcher with every seed; then the first seed of each once more."""
    name = study.plan.name
    with contextlib.closing(Space(study.plan, path)) as space:
        for searcher in SEARCHERS:
            runs = [space.trace(searcher, seed, evaluations) for seed in range(seeds)]
            study.values[searcher] = [values for values, _ in runs]
            study.asks[searcher] = [asks for _, asks in runs]
            study.regrets[searcher] = [[v / study.best - 1 for v in values] for values, _ in runs]
            for seed, regrets in enumerate(study.regrets[searcher]):
                if min(regrets) < 0 or regrets != sorted(regrets, reverse=True):
                    failures.append(f"{name}, {searcher}, seed {seed}: a regret below 0, or rising")
    with contextlib.closing(Space(study.plan, path)) as space:
        for searcher, values in study.values.items():
            if space.trace(searcher, 0, evaluations)[0] != values[0]:
                failures.append(f"{name}, {searcher}: the same seed gave another trace")
        if space.designs.solved:
            failures.append(f"{name}: {space.designs.solved} stored problems were solved again")


def resume(study: Study, expected: list[float], failures: list[str]) -> str:
    """A search into an empty store that ends halfway, and is then begun anew."""
    half = len(expected) // 2
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "resumed.db"
        with contextlib.closing(Space(study.plan, path)) as space:
            space.trace("TPE", 0, half)
            first = space.designs.solved
        with contextlib.closing(Space(study.plan, path)) as space:
            trace, _ = space.trace("TPE", 0, 2 * half)
            second = space.designs.solved
    each = study.plan.problems // study.plan.designs
    if first != half * each or second != half * each:
        failures.append(f"{first} and {second} problems solved, not {half * each} each")
    if trace != expected[: 2 * half]:
        failures.append("a search that was begun anew gave another trace")
    return f"ended after {half} of {2 * half} designs and begun anew: {first} + {second} solved"


# Tables and pictures ----------------------------------------------------------------------------


def percent(regret: float) -> str:
    share = 100 * regret
    return "0" if share == 0 else f"{share:.2g} %" if share < 9.95 else f"{share:.0f} %"


def table_of(study: Study, marks: list[int]) -> str:
    """Markdown: the median and the worst regret over the seeds."""
    plan = study.plan
    lines = [
        f"`{plan.name}`: {plan.designs} designs, {plan.problems:,} problems, all solved in "
        f"{study.seconds:.0f} s of CPU time; the best: {study.best_design}.", "",
        "| searcher | " + " | ".join(map(str, marks)) + " | best found | questions |",
        "|---" * (len(marks) + 3) + "|"]
    for name, runs in study.regrets.items():
        cells = []
        for mark in marks:
            after = [run[mark - 1] for run in runs]
            cells.append(f"{percent(statistics.median(after))} / {percent(max(after))}")
        found = sum(run[-1] == 0 for run in runs)
        asks = statistics.median(study.asks[name])
        lines.append(f"| {name} | {' | '.join(cells)} | {found} of {len(runs)} | {asks:.0f} |")
    return "\n".join([*lines, ""])


def csv_of(studies: list[Study], marks: list[int]) -> str:
    lines = ["space,searcher,evaluations,median,worst,found"]
    for study in studies:
        for name, runs in study.regrets.items():
            for mark in marks:
                after = [run[mark - 1] for run in runs]
                figures = f"{statistics.median(after):.6g},{max(after):.6g}"
                found = sum(value == 0 for value in after)
                lines.append(f"{study.plan.name},{name},{mark},{figures},{found}")
    return "\n".join([*lines, ""])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=SPACES)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    names = ["quick"] if options.quick else [options.only] if options.only else SPACES
    marks = [5, 10, 20] if options.quick else [10, 20, 50, 100, 200]
    seeds = 2 if options.quick else 10
    options.out.mkdir(parents=True, exist_ok=True)
    failures: list[str] = []
    studies = []
    for name in names:
        store = options.out / f"{name}.db"
        study = solve_all(tw.sweep_plan(HERE / f"{name}.yaml"), store, failures)
        run_all(study, store, seeds, marks[-1], failures)
        studies.append(study)
        print(f"\n{table_of(study, marks)}", flush=True)
        title = f"EDP x area over the proved best of {study.plan.designs} designs, {name}"
        tw.plot.regret(study.values, study.best, title).save(options.out / f"{name}.svg")
    (options.out / "regret.csv").write_text(csv_of(studies, marks), "utf-8")
    print(resume(studies[0], studies[0].values["TPE"][0][:20], failures))
    for failure in failures:
        print(f"failed: {failure}")
    runs = len(names) * len(SEARCHERS) * seeds
    problems = sum(study.plan.problems for study in studies)
    print(f"regret: {sum(study.plan.designs for study in studies)} designs ({problems:,} problems) "
          f"proved, {runs} runs of {len(SEARCHERS)} searchers, the first seed of each repeated "
          f"from the store alike; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
