# SPDX-License-Identifier: Apache-2.0
"""Sweeps: many designs, solved by any executor, kept in a store."""

from __future__ import annotations

import concurrent.futures
import functools
import importlib
import io
import json
import multiprocessing
import os
import pathlib
import sys
import time
from collections.abc import Callable, Mapping as Dictionary, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from . import _core
from ._core import Arch, Network, SweepPlan, SweepProgress

#: An executor, or a function that makes one whenever the last one is broken.
Engine = Executor | Callable[[], Executor]
_Chunk = list[int]

#: Answers are stored this often.
_STORE_EVERY = 0.5


class Store:
    """The file that keeps the answers of sweeps.

    Without `write` it is only read, which is possible while a sweep writes to it.
    """

    def __init__(self, path: str | os.PathLike[str], write: bool = False) -> None:
        self._handle = _core.StoreHandle(os.fspath(path), write)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._handle.close()

    def __len__(self) -> int:
        return len(self._handle)

    def __repr__(self) -> str:
        return f"<Store {self._handle.path}: {len(self)} answers>"

    def statuses(self) -> dict[str, int]:
        """How many answers have each status."""
        return self._handle.statuses()

    def check(self) -> list[str]:
        """What is wrong with the file, one sentence each."""
        return self._handle.find_faults()

    def rows(self) -> list[dict[str, Any]]:
        """Every answer, in the order of the keys; `body` is the mapping as text."""
        return self._handle.rows()

    def merge(self, other: Store) -> tuple[int, int, list[str]]:
        """Adds the answers of another store.

        Returns how many were new, how many were known, and the keys whose answers differ.
        """
        return self._handle.merge(other._handle)

    def plan(self) -> SweepPlan:
        """The plan that it was last used for."""
        plans = self._handle.plans()
        if not plans:
            raise ValueError("this store has no plan")
        return SweepPlan.from_json(plans[-1])

    def designs(
        self, plan: SweepPlan | None = None, front: Sequence[str] = ("area", "edp")
    ) -> list[dict[str, Any]]:
        """What every design costs, and whether it is on the front of these figures."""
        text = self._handle.table_json(plan or self.plan(), list(front))
        designs: list[dict[str, Any]] = json.loads(text)["designs"]
        return designs

    def to_csv(self, plan: SweepPlan | None = None) -> str:
        """A line for every problem that has an answer, with its parameters."""
        return self._handle.problems_csv(plan or self.plan())

    def to_pandas(self, plan: SweepPlan | None = None) -> Any:
        """The same as a pandas.DataFrame; needs pandas."""
        return importlib.import_module("pandas").read_csv(io.StringIO(self.to_csv(plan)))

    def to_polars(self, plan: SweepPlan | None = None) -> Any:
        """The same with polars, which also writes Parquet: `to_polars().write_parquet(path)`."""
        text = io.StringIO(self.to_csv(plan))
        return importlib.import_module("polars").read_csv(text, infer_schema_length=None)


def sweep_plan(
    source: str | os.PathLike[str] | None = None,
    *,
    arch: Arch | str | None = None,
    networks: Sequence[Network | str] = (),
    constraints: Sequence[Dictionary[str, Any]] = (),
    **sections: Any,
) -> SweepPlan:
    """A plan from a file with `sweep:`, from such a text, or from its parts.

    Parts are those of the file (docs/sweeps.md), with values in place of names where you have
    them: `arch`, `networks`, `workloads`, `parameters`, `set`, `where`, `spaces`, `placements`,
    `objectives`, `budget`, `gap`, `name`. `constraints` are entries of that section of a file.

    >>> sweep_plan(arch="eyeriss", parameters={"x": [7, 14]}, set={"PE.axes.X": "x"},
    ...            workloads=["gemm 64 96 100"])
    <SweepPlan sweep: 2 designs x 1 workload x 1 request = 2 problems>
    """
    if source is not None:
        if arch is not None or networks or constraints or sections:
            raise TypeError("a plan comes from a file or from parts, not from both")
        text = os.fspath(source)
        if "\n" in text:
            return _core.make_sweep_plan(text, "sweep.yaml", ".", {}, {})
        path = pathlib.Path(text)
        return _core.make_sweep_plan(path.read_text("utf-8"), text, str(path.parent), {}, {})
    archs: dict[str, str] = {}
    models: dict[str, str] = {}
    parts: dict[str, Any] = dict(sections)
    if isinstance(arch, Arch):
        archs[arch.name or "arch"] = arch.to_yaml()
        parts["arch"] = arch.name or "arch"
    elif arch is not None:
        parts["arch"] = arch
    names = []
    for network in networks:
        if isinstance(network, Network):
            models[network.name] = network.to_yaml()
            names.append(network.name)
        else:
            names.append(network)
    if names:
        parts["networks"] = names
    # A line for each part, so that findings point at the one that is meant.
    lines = ["sweep:", *(f"  {key}: {_yaml(value)}" for key, value in parts.items())]
    if constraints:
        lines += ["constraints:", *(f"  - {_yaml(one)}" for one in constraints)]
    return _core.make_sweep_plan("\n".join(lines) + "\n", "sweep", ".", archs, models)


def _yaml(value: Any) -> str:
    """JSON, which is YAML; tuples, ranges and the like are lists."""
    if isinstance(value, Dictionary):
        return "{" + ", ".join(f"{json.dumps(k)}: {_yaml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (str, int, float)) or value is None:
        return json.dumps(value)
    return "[" + ", ".join(_yaml(one) for one in value) + "]"


@functools.lru_cache(maxsize=4)
def _read_plan(text: str) -> SweepPlan:
    return SweepPlan.from_json(text)


def solve_chunk(plan: str, numbers: _Chunk) -> bytes:
    """What executors run: the answers to some problems of a plan, in their order."""
    return _core.solve_chunk(_read_plan(plan), numbers)


#: Every worker imports the script that started it.
_GUARD = (
    "the processes of a sweep end as soon as they start: a script must call `tw.sweep` under "
    '`if __name__ == "__main__":`, because every process imports it'
)


def _processes() -> Executor:
    # Not `fork`: the process may have threads.
    pool = concurrent.futures.ProcessPoolExecutor(
        mp_context=multiprocessing.get_context("forkserver")
    )
    try:
        pool.submit(os.getpid).result()
    except BrokenExecutor:
        raise RuntimeError(_GUARD) from None
    return pool


def _workers_of(executor: Executor) -> int:
    """How many tasks it runs at the same time."""
    count = getattr(executor, "workers", None) or getattr(executor, "_max_workers", None)
    return count if isinstance(count, int) and count > 0 else os.cpu_count() or 1


def _shut_down(executor: Executor) -> None:
    try:
        executor.shutdown(wait=False, cancel_futures=True)
    except TypeError:
        # Dask's takes no such option.
        executor.shutdown(wait=False)


class _Run:
    """One sweep on one executor, which is made again when it breaks."""

    def __init__(self, plan: SweepPlan, engine: Engine) -> None:
        self._text = plan.to_json()
        self._engine = engine
        self._pending: dict[Future[bytes], _Chunk] = {}
        self._executor = engine if isinstance(engine, Executor) else engine()
        self.workers = _workers_of(self._executor)

    def close(self) -> None:
        for future in self._pending:
            future.cancel()
        if not isinstance(self._engine, Executor):
            _shut_down(self._executor)

    def drive(
        self, dispatcher: _core.Dispatcher, report: Callable[[SweepProgress], object]
    ) -> None:
        stored = time.monotonic()
        try:
            while not dispatcher.finished:
                self._submit(dispatcher)
                self._collect(dispatcher)
                if time.monotonic() - stored >= _STORE_EVERY:
                    dispatcher.flush()
                    report(dispatcher.progress())
                    stored = time.monotonic()
        finally:
            # Also after Ctrl-C: what has been solved is kept.
            dispatcher.flush()
            report(dispatcher.progress())

    def _submit(self, dispatcher: _core.Dispatcher) -> None:
        while len(self._pending) < 2 * self.workers:
            chunk = dispatcher.next()
            if not chunk:
                return
            try:
                future = self._executor.submit(solve_chunk, self._text, chunk)
            except (BrokenExecutor, RuntimeError) as error:
                self._replace(dispatcher, [chunk], error)
                return
            self._pending[future] = chunk

    def _collect(self, dispatcher: _core.Dispatcher) -> None:
        if not self._pending:
            return
        done, _ = concurrent.futures.wait(
            self._pending, _STORE_EVERY, concurrent.futures.FIRST_COMPLETED
        )
        lost: list[_Chunk] = []
        reason: BaseException | None = None
        for future in done:
            chunk = self._pending.pop(future)
            error = future.exception()
            if error is None:
                dispatcher.answer(chunk, future.result())
            else:
                lost.append(chunk)
                reason = error
        if isinstance(reason, BrokenExecutor):
            self._replace(dispatcher, lost, reason)
        elif reason is not None:
            dispatcher.lost(lost, _text_of(reason))

    def _replace(
        self, dispatcher: _core.Dispatcher, lost: list[_Chunk], reason: BaseException
    ) -> None:
        """The executor is broken: all that it had is lost, but for what it had finished."""
        for future, chunk in self._pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                dispatcher.answer(chunk, future.result())
            else:
                future.cancel()
                lost.append(chunk)
        self._pending.clear()
        dispatcher.lost(lost, _text_of(reason))
        if isinstance(self._engine, Executor):
            raise reason
        _shut_down(self._executor)
        self._executor = self._engine()


def _text_of(error: BaseException) -> str:
    """The first line of an error: those of engines have whole pages."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def sweep(
    plan: SweepPlan | str | os.PathLike[str],
    store: str | os.PathLike[str],
    *,
    executor: Engine | None = None,
    shard: str = "",
    chunk_seconds: float = 1.0,
    progress: bool | Callable[[SweepProgress], object] = False,
) -> SweepProgress:
    """Solves what is left of a plan, and keeps every answer in the store.

    `executor` is any `concurrent.futures.Executor`, or a function that makes one, which is called
    again if the executor breaks; by default a pool of processes, one for each processor. Problems
    travel in chunks of about `chunk_seconds`. What is in the store is never solved again, so the
    same call goes on after Ctrl-C or a crash. `shard` is `"3/8"`, or `"auto/8"` in a job array.
    """
    if not isinstance(plan, SweepPlan):
        plan = sweep_plan(plan)
    if not chunk_seconds > 0:
        raise ValueError("`chunk_seconds` is a time above 0")
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        # This is such a process, and it is only importing the script.
        raise RuntimeError(_GUARD)
    begun = time.monotonic()

    def show(now: SweepProgress) -> None:
        if callable(progress):
            progress(now)
        elif progress:
            print(f"\r{now.to_text(time.monotonic() - begun)}\x1b[K", end="", file=sys.stderr)

    with Store(store, write=True) as opened:
        run = _Run(plan, executor if executor is not None else _processes)
        dispatcher = _core.Dispatcher(plan, opened._handle, shard, run.workers, chunk_seconds)
        try:
            run.drive(dispatcher, show)
        finally:
            run.close()
            if progress is True:
                print(file=sys.stderr)
        result = dispatcher.progress()
        del dispatcher
    return result


def best_designs(
    plan: SweepPlan | str | os.PathLike[str],
    store: str | os.PathLike[str],
    *,
    front: Sequence[str] = ("edp",),
    threads: int = 0,
) -> dict[str, Any]:
    """The best design of a plan, or its Pareto front, without solving every design.

    `front` has the figures in which no other design may be better; one of them gives the best
    design. The result is what `tilewright sweep best --json` writes: for every request, the designs
    on the front with their costs, and those that were ruled out, with the bounds that did it.
    Raises `KeyboardInterrupt` after Ctrl-C; what has been solved is in the store.
    """
    if not isinstance(plan, SweepPlan):
        plan = sweep_plan(plan)
    with Store(store, write=True) as opened:
        text, interrupted = _core.best_designs(plan, opened._handle, list(front), threads)
    if interrupted:
        raise KeyboardInterrupt
    result: dict[str, Any] = json.loads(text)
    return result
