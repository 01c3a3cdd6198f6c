# SPDX-License-Identifier: Apache-2.0
"""Ray as an executor: `tw.sweep(plan, store, executor=tilewright.ray.executor)`.

Needs the package `ray`. A cluster that the program has joined (`ray.init`) is used; otherwise one
is started on this machine.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

#: Its types differ from version to version, and it need not be there when this is checked.
ray: Any = importlib.import_module("ray")

_Result = TypeVar("_Result")


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return function(*arguments)


class RayExecutor(Executor):
    """Tasks of one processor each. Retries are the business of whoever waits for the results."""

    def __init__(self, **options: Any) -> None:
        if not ray.is_initialized():
            # Not one that somebody left running.
            ray.init(address="local", include_dashboard=False, log_to_driver=False)
        self._task = ray.remote(**{"num_cpus": 1, "max_retries": 0, **options})(_call)
        self._refs: set[Any] = set()

    @property
    def workers(self) -> int:
        """How many tasks the cluster runs at the same time."""
        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(
        self, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any
    ) -> Future[_Result]:
        if kwargs:
            raise TypeError("only positional arguments are sent to Ray")
        ref = self._task.remote(fn, args)
        self._refs.add(ref)
        future: Future[_Result] = ref.future()
        future.add_done_callback(lambda _: self._refs.discard(ref))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        refs = list(self._refs)
        if cancel_futures:
            # Future.cancel does not reach the worker.
            for ref in refs:
                ray.cancel(ref, force=True)
        elif wait and refs:
            ray.wait(refs, num_returns=len(refs))


def executor(**options: Any) -> RayExecutor:
    """An executor on the cluster; `options` are those of `ray.remote`."""
    return RayExecutor(**options)
