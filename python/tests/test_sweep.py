# SPDX-License-Identifier: Apache-2.0
"""Sweeps: plans, stores, executors that break, and problems that do."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

import tilewright as tw

PARTS: dict[str, Any] = {
    "arch": "eyeriss",
    "parameters": {"x": [2, 3, 4], "glb": ["1 KiB", "2 KiB", "3 KiB"]},
    "set": {"PE.axes.X": "x", "PE.axes.Y": 2, "GLB.capacity": "glb"},
    "workloads": ["gemm 4 6 8", "gemm 5 5 5"],
    "spaces": ["pfm", "ruby-s"],
}


def rows_of(path: pathlib.Path) -> list[dict[str, Any]]:
    """All that is stored but for the times."""
    with tw.Store(path) as store:
        assert store.check() == []
        return [{key: value for key, value in row.items() if key != "seconds"}
                for row in store.rows()]


@pytest.fixture(scope="module")
def plan() -> tw.SweepPlan:
    return tw.sweep_plan(**PARTS)


@pytest.fixture(scope="module")
def calm(plan: tw.SweepPlan, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What an undisturbed sweep stores."""
    path = tmp_path_factory.mktemp("calm") / "calm.db"
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        progress = tw.sweep(plan, path, executor=threads)
    assert progress.solved == progress.settled == plan.problems == 36
    return rows_of(path)


def test_a_plan_comes_from_parts_a_text_or_a_file(plan: tw.SweepPlan, tmp_path: pathlib.Path) -> None:
    assert plan.designs == 9 and plan.problems == 36
    assert plan.parameters == {"x": ["2", "3", "4"], "glb": ["1 KiB", "2 KiB", "3 KiB"]}
    assert plan.values(5) == {"x": "3", "glb": "3 KiB"}
    assert plan.design(5).compute_units == 6
    text = "sweep:\n  arch: eyeriss\n  workloads: [gemm 4 6 8]\n"
    file = tmp_path / "s.yaml"
    file.write_text(text)
    assert tw.sweep_plan(text).problems == tw.sweep_plan(file).problems == 1
    again = pickle.loads(pickle.dumps(plan))
    assert again.to_json() == plan.to_json()
    with pytest.raises(IndexError):
        plan.design(9)
    with pytest.raises(TypeError):
        tw.sweep_plan(text, arch="eyeriss")
    with pytest.raises(tw.InputError, match="no section `sweep`"):
        tw.sweep_plan("arch: {}\nworkload: {}\n")


def test_values_stand_in_for_names(tmp_path: pathlib.Path) -> None:
    network = tw.Network.from_yaml(
        "network: {name: mine, layers: [{name: a, gemm: {m: 4, n: 4, k: 4}}]}")
    arch = tw.arch("eyeriss").with_(GLB={"capacity": "4 KiB"})
    plan = tw.sweep_plan(arch=arch, networks=[network], name="own")
    assert plan.workloads == ["mine/a"]
    assert plan.design(0) == arch


def test_what_is_stored_is_not_solved_again(
    plan: tw.SweepPlan, calm: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "a.db"
    assert tw.sweep(plan, path).solved == 36
    assert rows_of(path) == calm
    again = tw.sweep(plan, path)
    assert (again.known, again.solved) == (36, 0)
    with tw.Store(path) as store:
        assert store.statuses() == {"proved": 36} and len(store) == 36
        designs = store.designs(front=["energy", "area"])
        assert len(designs) == 18 and any(one["on_front"] for one in designs)
        assert store.to_csv().count("\n") == 37
        with pytest.raises(tw.InputError, match="`colour` is no figure"):
            store.designs(front=["colour"])


def test_frames(plan: tw.SweepPlan, tmp_path: pathlib.Path) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    path = tmp_path / "a.db"
    tw.sweep(plan, path, shard="0/3")
    with tw.Store(path) as store:
        frame = store.to_polars()
        assert isinstance(store.to_pandas(), pandas.DataFrame)
        assert len(store.to_pandas()) == len(frame) == len(store) > 0
    frame.write_parquet(tmp_path / "a.parquet")
    assert polars.read_parquet(tmp_path / "a.parquet").equals(frame)


def test_a_script_without_a_guard_is_told_so(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import tilewright as tw\n"
        "plan = tw.sweep_plan(arch='eyeriss', workloads=['gemm 2 2 2'])\n"
        "tw.sweep(plan, 'a.db')\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert '`if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
    with tw.Store(tmp_path / "a.db") as store:
        assert len(store) == 0


def test_shards_are_merged(
    plan: tw.SweepPlan, calm: list[dict[str, Any]], tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch
) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        tw.sweep(plan, tmp_path / "0.db", executor=threads, shard="0/2")
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "1")
        tw.sweep(plan, tmp_path / "1.db", executor=threads, shard="auto/2")
        with pytest.raises(tw.InputError, match="no shard 7 of 2"):
            tw.sweep(plan, tmp_path / "2.db", executor=threads, shard="7/2")
    with tw.Store(tmp_path / "all.db", write=True) as store:
        for part in ("0.db", "1.db"):
            with tw.Store(tmp_path / part) as other:
                assert store.merge(other)[2] == []
                assert store.merge(other)[0] == 0
    assert rows_of(tmp_path / "all.db") == calm


def test_one_writer_at_a_time(plan: tw.SweepPlan, tmp_path: pathlib.Path) -> None:
    with tw.Store(tmp_path / "a.db", write=True):
        with pytest.raises(tw.StoreError, match="another process is writing"):
            tw.sweep(plan, tmp_path / "a.db")
    with pytest.raises(tw.StoreError, match="no such file"):
        tw.Store(tmp_path / "absent.db")
    store = tw.Store(tmp_path / "a.db")
    store.close()
    with pytest.raises(tw.StoreError, match="closed"):
        len(store)


class Flaky(Executor):
    """Runs at once, and fails whenever a chunk has one of these problems."""

    def __init__(self, bad: set[int]) -> None:
        self.workers = 2
        self.bad = bad
        self.calls = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        if self.bad & set(args[1]):
            future.set_exception(RuntimeError("the worker is gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_problem_that_fails_costs_itself_only(
    plan: tw.SweepPlan, calm: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "a.db"
    progress = tw.sweep(plan, path, executor=Flaky({7, 20}))
    assert (progress.solved, progress.failed) == (36, 2)
    rows = rows_of(path)
    failed = [row for row in rows if row["status"] == "failed"]
    assert [row["body"] for row in failed] == ["3 tries: RuntimeError: the worker is gone"] * 2
    assert [row for row in rows if row["status"] != "failed"] == [
        row for row in calm if row["key"] not in {one["key"] for one in failed}]


def test_a_pool_whose_workers_are_killed_is_made_again(tmp_path: pathlib.Path) -> None:
    plan = tw.sweep_plan(
        arch="eyeriss", parameters={"x": "2..11", "y": "2..7"},
        set={"PE.axes.X": "x", "PE.axes.Y": "y"}, workloads=["gemm 24 20 16"])
    pools: list[concurrent.futures.ProcessPoolExecutor] = []

    def make() -> Executor:
        context = multiprocessing.get_context("forkserver")
        pools.append(concurrent.futures.ProcessPoolExecutor(2, mp_context=context))
        return pools[-1]

    ended = threading.Event()

    def kill() -> None:
        while not ended.wait(0.4) and len(pools) < 4:
            for process in list((pools[-1]._processes or {}).values())[:1]:
                if process.pid:
                    os.kill(process.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        progress = tw.sweep(plan, tmp_path / "wild.db", executor=make, chunk_seconds=0.1)
    finally:
        ended.set()
        killer.join()
    assert (progress.solved, progress.failed) == (60, 0)
    tw.sweep(plan, tmp_path / "calm.db")
    assert rows_of(tmp_path / "wild.db") == rows_of(tmp_path / "calm.db")


def test_progress_is_reported(plan: tw.SweepPlan, tmp_path: pathlib.Path) -> None:
    seen: list[tw.SweepProgress] = []
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        tw.sweep(plan, tmp_path / "a.db", executor=threads, progress=seen.append)
    assert seen and seen[-1].solved == 36
    assert "36 of 36 (100 %)" in seen[-1].to_text(1)
    with pytest.raises(ValueError):
        tw.sweep(plan, tmp_path / "b.db", chunk_seconds=0)


def test_an_interrupted_sweep_goes_on(
    plan: tw.SweepPlan, calm: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    class Enough(Exception):
        pass

    def stop(now: tw.SweepProgress) -> None:
        raise Enough

    path = tmp_path / "a.db"
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        with pytest.raises(Enough):
            tw.sweep(plan, path, executor=threads, progress=stop, chunk_seconds=0.001)
        time.sleep(0.1)
        tw.sweep(plan, path, executor=threads)
    assert rows_of(path) == calm


def test_the_best_design_is_that_of_all(plan: tw.SweepPlan, tmp_path: pathlib.Path) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        tw.sweep(plan, tmp_path / "all.db", executor=threads)
    with tw.Store(tmp_path / "all.db") as store:
        front = [design for design in store.designs() if design["on_front"]]
    best = tw.best_designs(plan, tmp_path / "best.db", front=["area", "edp"])
    found = [design for request in best["requests"] for design in request["front"]]
    assert sorted(found, key=str) == sorted(front, key=str)
    for request in best["requests"]:
        assert request["complete"]
        assert request["solved"] + len(request["ruled_out"]) == request["designs"] == plan.designs
    with pytest.raises(tw.InputError, match="do not bound the energy"):
        tw.best_designs(plan, tmp_path / "best.db", front=["energy"])


def test_constraints_are_part_of_a_plan() -> None:
    limited = tw.sweep_plan(**PARTS, constraints=[{"at": "PE", "factors": ["m = all on X"]}])
    assert limited.problems == 36
    assert limited.keys(0, 1) != tw.sweep_plan(**PARTS).keys(0, 1)
    with pytest.raises(tw.InputError, match="unknown dim"):
        tw.sweep_plan(**PARTS, constraints=[{"at": "PE", "factors": ["w = 1 on X"]}])


def test_designs_are_solved_when_they_are_asked_for(
    plan: tw.SweepPlan, calm: list[dict[str, Any]], tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "a.db"
    with tw.Designs(plan, path) as designs:
        assert len(designs) == 9
        number = designs.number({"glb": "3 KiB", "x": 3})
        assert number == 5
        first = designs.costs(number)
        assert [cost["space"] for cost in first] == ["pfm", "ruby-s"]
        assert designs.solved == 4
        assert designs.costs(number) == first and designs.solved == 4
        with pytest.raises(ValueError, match="2 requests"):
            designs.cost(number)
        with pytest.raises(ValueError, match="`x` is one of 2, 3, 4, not 5"):
            designs.number({"x": 5, "glb": "3 KiB"})
        with pytest.raises(ValueError, match="the parameters x, glb, not x"):
            designs.number({"x": 3})
        with pytest.raises(IndexError):
            designs.costs(9)
    with tw.Designs(plan, path) as designs:
        assert designs.costs(5) == first and designs.solved == 0
        for number in range(9):
            designs.costs(number)
    assert rows_of(path) == calm
    with tw.Store(path) as store:
        for one in store.designs():
            one.pop("on_front")
            assert one in first or one["design"] != 5


def test_conditions_rule_designs_out(tmp_path: pathlib.Path) -> None:
    plan = tw.sweep_plan(**{**PARTS, "where": ["x <= 3"]})
    with tw.Designs(plan, tmp_path / "a.db") as designs:
        assert designs.number({"x": 4, "glb": "1 KiB"}) is None
        assert designs.number({"x": 3, "glb": "1 KiB"}) == 3
