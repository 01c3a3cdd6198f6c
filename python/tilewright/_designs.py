# SPDX-License-Identifier: Apache-2.0
"""The designs of a sweep as a function of their parameters, for searches of any kind."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import _core
from ._core import SweepPlan
from ._sweep import Store, sweep_plan


class Designs:
    """From the parameters of a design to what it costs, with a store in between.

    A design that is in the store is looked up; any other one is solved here and now, and stored.
    So whatever asks, Optuna for example, can be ended and started again: the same questions get
    the same answers, and nothing is solved twice. The store is open for writing until `close`.

    >>> import tempfile
    >>> plan = sweep_plan(arch="eyeriss", parameters={"x": [2, 3]},
    ...                   set={"PE.axes.X": "x", "PE.axes.Y": 2}, workloads=["gemm 4 6 8"])
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Designs(plan, folder.name + "/a.db") as designs:
    ...     number = designs.number({"x": 3})
    ...     cost = designs.cost(number)
    >>> number, cost["standing"], designs.solved
    (1, 'proved', 1)
    >>> folder.cleanup()
    """

    #: How many problems were solved since it was opened; those from the store do not count.
    solved: int

    def __init__(
        self, plan: SweepPlan | str | os.PathLike[str], store: str | os.PathLike[str]
    ) -> None:
        self.plan = plan if isinstance(plan, SweepPlan) else sweep_plan(plan)
        self.solved = 0
        self._store = Store(store, write=True)
        self._store._handle.add_plan(self.plan)
        self._numbers: dict[tuple[str, ...], int] = {}

    def __enter__(self) -> Designs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._store.close()

    def __len__(self) -> int:
        return self.plan.designs

    def number(self, values: Mapping[str, object]) -> int | None:
        """The number of a design, or None if the plan's conditions rule it out.

        Each parameter has one of the texts in `plan.parameters`, or the number that it spells.
        """
        parameters = self.plan.parameters
        if values.keys() != parameters.keys():
            raise ValueError(
                f"a design has the parameters {', '.join(parameters)}, not {', '.join(values)}"
            )
        point = tuple(str(values[name]) for name in parameters)
        for (name, known), value in zip(parameters.items(), point, strict=True):
            if value not in known:
                raise ValueError(f"`{name}` is one of {', '.join(known)}, not {value}")
        if not self._numbers:
            texts = (tuple(self.plan.values(i).values()) for i in range(len(self)))
            self._numbers = {text: number for number, text in enumerate(texts)}
        return self._numbers.get(point)

    def costs(self, number: int) -> list[dict[str, Any]]:
        """What a design costs, once for each space and objective, as in `Store.designs`."""
        handle = self._store._handle
        missing = handle.missing(self.plan, number)
        if missing:
            handle.add(_core.solve_chunk(self.plan, missing))
            self.solved += len(missing)
        found: list[dict[str, Any]] = json.loads(handle.design_json(self.plan, number))["designs"]
        for one in found:
            del one["on_front"]  # of a single design
        return found

    def cost(self, number: int) -> dict[str, Any]:
        """The same for a plan with one space and one objective."""
        found = self.costs(number)
        if len(found) != 1:
            raise ValueError(f"this plan has {len(found)} requests: use `costs`")
        return found[0]
