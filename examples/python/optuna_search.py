# SPDX-License-Identifier: Apache-2.0
"""Optuna looks for a design (pip install optuna), and we know how far it is from the best one."""

from __future__ import annotations

import pathlib
import tempfile

import optuna

import tilewright as tw


def figure(cost: dict[str, object]) -> float | None:
    """EDP times area; nothing if a layer has no mapping."""
    edp, area = cost["edp"], cost["area_um2"]
    return edp * area if isinstance(edp, float) and isinstance(area, float) else None


def search(plan: tw.SweepPlan, path: pathlib.Path, trials: int) -> float:
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    with tw.Designs(plan, path) as designs:
        for _ in range(trials):
            trial = study.ask()
            number = designs.number({
                name: values[trial.suggest_int(name, 0, len(values) - 1)]
                for name, values in plan.parameters.items()
            })
            # Solved if it is not in the store; None if the plan's conditions rule it out.
            found = None if number is None else figure(designs.cost(number))
            failed = optuna.trial.TrialState.FAIL
            study.tell(trial, found, state=failed if found is None else None)
        print(f"{trials} trials, {designs.solved} problems solved, {study.best_params}")
    return study.best_value


def main() -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    plan = tw.sweep_plan(
        arch="eyeriss",
        parameters={"x": "2..12:+2", "y": [2, 4, 8], "glb": ["2 KiB", "8 KiB", "32 KiB"]},
        set={"PE.axes.X": "x", "PE.axes.Y": "y", "GLB.capacity": "glb"},
        where=["x * y <= 64"],
        workloads=["gemm 24 20 16", "gemm 12 30 16"],
        spaces=["pfm"],
    )
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "designs.db"
        search(plan, path, 15)
        best = search(plan, path, 30)  # the first 15 are the same again, and come from the store
        tw.sweep(plan, path)  # solves the designs that nobody asked for
        with tw.Store(path) as store:
            proved = min(value for cost in store.designs() if (value := figure(cost)))
        print(f"regret: {best / proved - 1:.2%}")


if __name__ == "__main__":
    main()
