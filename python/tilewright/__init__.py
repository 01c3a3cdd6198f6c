# SPDX-License-Identifier: Apache-2.0
"""Tilewright: optimal mappings of tensor operations onto accelerators.

    import tilewright as tw
    result = tw.map(tw.arch("eyeriss"), tw.gemm(512, 768, 3072))
    print(result.status, result.energy_pj, result.cycles)
    print(result.mapping)

Workloads, accelerators, networks and mappings are values; `map`, `plan`, `evaluate`, `count`,
`explain`, `read_onnx` and `verify` do what the commands of the same names do, and results give the
same JSON; `read_timeloop` takes Timeloop's files. docs/python.md is the guide.
"""

from . import _core, plot
from ._api import (
    Completed,
    arch,
    bmm,
    command,
    conv,
    count,
    demo,
    einsum,
    evaluate,
    explain,
    gemm,
    map,
    network,
    plan,
    read_onnx,
    verify,
    workload,
)
from ._core import (
    Arch,
    Count,
    Evaluation,
    Fanout,
    FlexMarket,
    FlexResult,
    Layer,
    MapProgress,
    MapResult,
    Mapping,
    Memory,
    Model,
    Network,
    NoMappingError,
    PlannedLayer,
    PlanProgress,
    PlanResult,
    SpaceSize,
    SweepPlan,
    SweepProgress,
    Tensor,
    TensorCost,
    Verdict,
    Workload,
    arch_names,
    mapper_names,
    network_names,
    objective_names,
    space_names,
)
from ._designs import Designs
from ._errors import Finding, InputError, Place, StoreError
from ._flex import buy_flexibility, flex
from ._sweep import Store, best_designs, sweep, sweep_plan
from ._timeloop import TimeloopInputs, read_timeloop

__version__ = _core.version()

__all__ = [
    "Arch",
    "Completed",
    "Count",
    "Designs",
    "Evaluation",
    "Fanout",
    "Finding",
    "FlexMarket",
    "FlexResult",
    "InputError",
    "Layer",
    "MapProgress",
    "MapResult",
    "Mapping",
    "Memory",
    "Model",
    "Network",
    "NoMappingError",
    "Place",
    "PlanProgress",
    "PlanResult",
    "PlannedLayer",
    "SpaceSize",
    "Store",
    "StoreError",
    "SweepPlan",
    "SweepProgress",
    "Tensor",
    "TensorCost",
    "TimeloopInputs",
    "Verdict",
    "Workload",
    "__version__",
    "arch",
    "arch_names",
    "best_designs",
    "bmm",
    "buy_flexibility",
    "command",
    "conv",
    "count",
    "demo",
    "einsum",
    "evaluate",
    "explain",
    "flex",
    "gemm",
    "map",
    "mapper_names",
    "network",
    "network_names",
    "objective_names",
    "plan",
    "plot",
    "read_onnx",
    "read_timeloop",
    "space_names",
    "sweep",
    "sweep_plan",
    "verify",
    "workload",
]
