"""The C++ side of the package; import tilewright instead."""

from collections.abc import Mapping as _Mapping, Sequence
import os
from typing import Any, Self


class Tensor:
    """One operand of a workload."""

    @property
    def name(self) -> str: ...

    @property
    def role(self) -> str:
        """`input`, `weight` or `output`."""

    @property
    def bits(self) -> int:
        """The width of an element."""

    @property
    def partial_bits(self) -> int | None:
        """The width of a partial sum, if it differs."""

    def __repr__(self) -> str: ...

class Workload:
    """An einsum with sizes: what is computed."""

    @staticmethod
    def from_yaml(text: str, name: str = 'workload.yaml') -> Workload:
        """
        The value in a YAML text; `name` stands for the file in findings.

        Raises InputError with every finding.
        """

    def to_yaml(self) -> str:
        """The value as a YAML text that `from_yaml` reads back."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[str]: ...

    def __setstate__(self, arg: tuple[str], /) -> None: ...

    def __copy__(self) -> Workload: ...

    def __deepcopy__(self, memo: dict[int, object], /) -> Self: ...

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def einsum(self) -> str: ...

    @property
    def dims(self) -> dict[str, int]:
        """The size of every dim."""

    @property
    def tensors(self) -> list[Tensor]: ...

    @property
    def macs(self) -> int:
        """Multiply-accumulates: the product of all dims."""

    def with_bits(self, **widths: int | tuple[int, int]) -> Workload:
        """
        The same workload with elements of other widths, by tensor or role:
        `gemm.with_bits(input=8, weight=8, output=(8, 32))`; the second number of a pair is the width of partial sums.

        Raises InputError.
        """

    def __repr__(self) -> str: ...

class Memory:
    """A storage level; figures are per instance."""

    @property
    def name(self) -> str: ...

    @property
    def capacity_bits(self) -> int | None:
        """None: unlimited."""

    @property
    def buffering(self) -> int:
        """2: double buffering."""

    @property
    def width_bits(self) -> int | None:
        """What one access moves; None: one element."""

    @property
    def read_bandwidth(self) -> float | None:
        """Bits per cycle; None: unlimited."""

    @property
    def write_bandwidth(self) -> float | None: ...

    @property
    def shared_bandwidth(self) -> float | None: ...

    @property
    def read_pj(self) -> float | None: ...

    @property
    def fill_pj(self) -> float | None: ...

    @property
    def update_pj(self) -> float | None: ...

    def __repr__(self) -> str: ...

class Fanout:
    """Replicates everything inside it."""

    @property
    def name(self) -> str: ...

    @property
    def axes(self) -> dict[str, int]:
        """The size of every axis."""

    @property
    def multicast(self) -> str: ...

    @property
    def reduction(self) -> bool: ...

    def __repr__(self) -> str: ...

class Arch:
    """An accelerator: memories, fan-outs and compute units."""

    @staticmethod
    def from_yaml(text: str, name: str = 'arch.yaml') -> Arch:
        """
        The value in a YAML text; `name` stands for the file in findings.

        Raises InputError with every finding.
        """

    def to_yaml(self) -> str:
        """The value as a YAML text that `from_yaml` reads back."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[str]: ...

    def __setstate__(self, arg: tuple[str], /) -> None: ...

    def __copy__(self) -> Arch: ...

    def __deepcopy__(self, memo: dict[int, object], /) -> Self: ...

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def note(self) -> str:
        """What it models, and its source."""

    @property
    def clock_hz(self) -> float | None: ...

    @property
    def memories(self) -> list[Memory]:
        """Outermost first."""

    @property
    def fanouts(self) -> list[Fanout]:
        """Outermost first."""

    @property
    def compute_units(self) -> int: ...

    def instances(self, node: str) -> int:
        """Copies of a memory or a fan-out."""

    def with_(self, **changes: object) -> Arch:
        """
        The same accelerator with other figures, written as in its file:
        `arch.with_(GLB={"capacity": "64 KiB"}, clock="200 MHz")`.

        Raises InputError with every finding.
        """

    def __repr__(self) -> str: ...

class Layer:
    """One operator of a network."""

    @property
    def name(self) -> str: ...

    @property
    def op(self) -> str:
        """As its source calls it."""

    @property
    def kind(self) -> str:
        """
        `mapped`: an einsum; `traffic`: only moves data; `nothing`: costs nothing.
        """

    @property
    def count(self) -> int:
        """How often it runs."""

    @property
    def parameters(self) -> int:
        """Learned elements in one run."""

    @property
    def workload(self) -> Workload | None: ...

    @property
    def macs(self) -> int:
        """Multiply-accumulates of one run."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __repr__(self) -> str: ...

class Network:
    """Layers in the order in which they run, and their edges."""

    @staticmethod
    def from_yaml(text: str, name: str = 'network.yaml') -> Network:
        """
        The value in a YAML text; `name` stands for the file in findings.

        Raises InputError with every finding.
        """

    def to_yaml(self) -> str:
        """The value as a YAML text that `from_yaml` reads back."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[str]: ...

    def __setstate__(self, arg: tuple[str], /) -> None: ...

    def __copy__(self) -> Network: ...

    def __deepcopy__(self, memo: dict[int, object], /) -> Self: ...

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def layers(self) -> list[Layer]: ...

    @property
    def macs(self) -> int:
        """Multiply-accumulates of all runs of all layers."""

    @property
    def parameters(self) -> int: ...

    def __repr__(self) -> str: ...

class Mapping:
    """How a workload runs on an accelerator: a nest."""

    @staticmethod
    def from_text(arch: Arch, workload: Workload, text: str, name: str = 'mapping.nest', *, holes_are_data: bool = False, drains_are_reads: bool = False) -> Mapping:
        """
        The mapping in a text in the form of `.nest` files, or in YAML if `name` ends in `.yaml`.

        Raises InputError with every finding.
        """

    @property
    def arch(self) -> Arch: ...

    @property
    def workload(self) -> Workload: ...

    def to_nest(self) -> str:
        """The text form, as in `.nest` files."""

    def to_yaml(self) -> str: ...

    def tiles(self) -> list[dict[str, str | int]]:
        """The tile sizes by level and dim: what to write into a schedule."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[str, str, bool, bool, str]: ...

    def __setstate__(self, arg: tuple[str, str, bool, bool, str], /) -> None: ...

    def __copy__(self) -> Mapping: ...

    def __deepcopy__(self, memo: dict[int, object], /) -> Self: ...

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

def gemm(m: int, n: int, k: int) -> Workload:
    """Z[m,n] += A[m,k] * B[k,n]."""

def bmm(b: int, m: int, n: int, k: int) -> Workload:
    """Z[b,m,n] += A[b,m,k] * B[b,k,n]."""

def conv(*, n: int, m: int, c: int, p: int, q: int, r: int, s: int, o: int | None, t: int, stride: Sequence[int], dilation: Sequence[int], groups: int, depthwise: bool, transposed: bool) -> Workload: ...

def einsum(text: str, sizes: _Mapping[str, int]) -> Workload: ...

def workload_from_words(words: str) -> Workload: ...

def library_arch(name: str) -> Arch: ...

def library_network(name: str) -> Network: ...

def arch_names() -> list[str]:
    """The accelerators of the library."""

def network_names() -> list[str]:
    """The networks of the library."""

def space_names() -> list[str]:
    """The mapspaces that `map` can search."""

def mapper_names() -> list[str]:
    """The ways in which `map` can search."""

def objective_names() -> list[str]:
    """
    Objectives that have a name; products such as `energy^1*latency^2` work, too.
    """

class TensorCost:
    """What one tensor costs at one memory, in elements."""

    @property
    def memory(self) -> str: ...

    @property
    def tensor(self) -> str: ...

    @property
    def tile(self) -> int: ...

    @property
    def reads(self) -> int: ...

    @property
    def fills(self) -> int: ...

    @property
    def updates(self) -> int: ...

    @property
    def energy_pj(self) -> float: ...

    def __repr__(self) -> str: ...

class Evaluation:
    """What a mapping costs, exactly."""

    @property
    def mapping(self) -> Mapping: ...

    @property
    def arch(self) -> Arch: ...

    @property
    def workload(self) -> Workload: ...

    @property
    def energy_pj(self) -> float: ...

    @property
    def cycles(self) -> int: ...

    @property
    def edp(self) -> float:
        """Energy x cycles, in pJ * cycles."""

    @property
    def latency_s(self) -> float | None:
        """Seconds; None if the accelerator has no clock."""

    @property
    def utilization(self) -> float:
        """Multiply-accumulates / (cycles x compute units)."""

    @property
    def bottleneck(self) -> str:
        """The memory that sets the cycles, or the compute units."""

    @property
    def counts(self) -> list[TensorCost]:
        """By memory and tensor, outermost first."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[Mapping, str, bool]: ...

    def __setstate__(self, arg: tuple[Mapping, str, bool], /) -> None: ...

    def __copy__(self) -> Evaluation: ...

    def __deepcopy__(self, memo: dict[int, object], /) -> Self: ...

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def to_json(self) -> str:
        """The same bytes as `tilewright evaluate --json`."""

    def to_dict(self) -> dict[str, Any]: ...

    def to_pandas(self) -> Any:
        """The counts by memory and tensor as a pandas.DataFrame; needs pandas."""

    def to_polars(self) -> Any:
        """The same with polars."""

    def to_csv(self) -> str:
        """The tile sizes by level and dim."""

    def tiles(self) -> list[dict[str, str | int]]:
        """The tile sizes by level and dim."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON, which `tilewright diff` and `rerun` read."""

    def html(self) -> str:
        """A page to look at: one HTML file that needs nothing else."""

    def text(self, width: int = 80) -> str:
        """The report that the command prints."""

    def explain(self, path: str) -> str:
        """
        Where a figure comes from: `DRAM.Weights.reads`, `cycles`, `energy`, ...
        """

def evaluate(arch: Arch, workload: Workload, mapping: Mapping, objective: str, anyway: bool, holes_are_data: bool, drains_are_reads: bool) -> Evaluation: ...

class SpaceSize:
    """How many mappings a space has, exactly."""

    @property
    def name(self) -> str: ...

    @property
    def counted(self) -> bool:
        """False: too many sub-spaces to count them at once."""

    @property
    def tilings(self) -> int:
        """Ways to split the dims."""

    @property
    def assignments(self) -> int: ...

    @property
    def keeps(self) -> int:
        """Choices of what is kept where."""

    @property
    def mappings(self) -> int:
        """All of it."""

    def __repr__(self) -> str: ...

class Count:
    """The sizes of mapspaces."""

    @property
    def spaces(self) -> list[SpaceSize]: ...

    def to_json(self) -> str:
        """The same bytes as `tilewright count --json`."""

    def to_dict(self) -> dict[str, Any]: ...

    def text(self, exact: bool = False, width: int = 80) -> str: ...

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

def count(arch: Arch, workload: Workload, space: str, constraints: str) -> Count: ...

class NoMappingError(LookupError):
    pass

class MapProgress:
    """How a search is getting on."""

    @property
    def stage(self) -> str:
        """`search`, or a further question: `simpler`, `why`."""

    @property
    def seconds(self) -> float: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seen(self) -> int: ...

    @property
    def best(self) -> float | None:
        """The best score so far."""

    @property
    def bound(self) -> float | None:
        """No mapping scores less."""

    @property
    def gap(self) -> float | None: ...

class MapResult:
    """The best mapping, and what is known about it."""

    @property
    def status(self) -> str:
        """
        `proved`, `within-gap`, `not-proved`, `not-found`, `infeasible` or `contradictory`.
        """

    @property
    def proved(self) -> bool:
        """True if no mapping of the space is better."""

    def __bool__(self) -> bool: ...

    @property
    def why_not(self) -> str | None:
        """Why there is no mapping; None if there is one."""

    @property
    def interrupted(self) -> bool:
        """True if Ctrl-C ended the search."""

    @property
    def energy_pj(self) -> float: ...

    @property
    def cycles(self) -> int: ...

    @property
    def edp(self) -> float:
        """Energy x cycles, in pJ * cycles."""

    @property
    def utilization(self) -> float: ...

    @property
    def score(self) -> float:
        """The value of the objective."""

    @property
    def bound(self) -> float | None:
        """No mapping scores less; None if no bound is known."""

    @property
    def gap(self) -> float | None:
        """How much less than the best any mapping may score."""

    @property
    def nodes(self) -> int:
        """Partial mappings that the optimal search examined."""

    @property
    def seconds(self) -> float: ...

    @property
    def space_size(self) -> int | None:
        """How many mappings the space has, exactly."""

    @property
    def mapping(self) -> Mapping: ...

    @property
    def evaluation(self) -> Evaluation: ...

    @property
    def alternatives(self) -> list[Evaluation]:
        """With `top`: the best mappings; with `front`: the Pareto front."""

    @property
    def arch(self) -> Arch: ...

    @property
    def workload(self) -> Workload: ...

    @property
    def proof(self) -> str | None:
        """For tilewright.verify; None unless asked for and proved."""

    @property
    def trace(self) -> list[tuple[float, float | None, float | None]]:
        """(seconds, best, bound), if asked for."""

    def tiles(self) -> list[dict[str, str | int]]:
        """The tile sizes by level and dim."""

    def to_json(self) -> str:
        """The same bytes as `tilewright map --json`."""

    def to_dict(self) -> dict[str, Any]: ...

    def to_csv(self) -> str:
        """
        The tile sizes by level and dim, as `tilewright map --csv` writes them.
        """

    def to_pandas(self) -> Any:
        """The counts by memory and tensor as a pandas.DataFrame; needs pandas."""

    def to_polars(self) -> Any:
        """The same with polars."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON, which `tilewright diff` and `rerun` read."""

    def html(self) -> str:
        """A page to look at: one HTML file that needs nothing else."""

    def text(self, width: int = 80) -> str:
        """The report that the command prints."""

    def explain(self, path: str) -> str:
        """Where a figure of the best mapping comes from."""

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def __copy__(self) -> MapResult: ...

    def __deepcopy__(self, memo: dict[int, object], /) -> Self: ...

def map(arch: Arch, workload: Workload, *, space: str, placement: str, mapper: str, objective: str, cap: Sequence[str], budget: str, memory: str, gap: str, top: int, front: bool, within: str, why: bool, proof: bool, trace: bool, seed: int | None, patience: int | None, threads: int, constraints: str, holes_are_data: bool, drains_are_reads: bool, progress: object | None) -> MapResult: ...

class PlannedLayer:
    """A layer and its best mapping; figures of one run."""

    @property
    def name(self) -> str: ...

    @property
    def layer(self) -> Layer: ...

    @property
    def count(self) -> int:
        """How often it runs."""

    @property
    def energy_pj(self) -> float: ...

    @property
    def cycles(self) -> float: ...

    @property
    def utilization(self) -> float: ...

    @property
    def bottleneck(self) -> str: ...

    @property
    def status(self) -> str | None:
        """As MapResult.status; None for a layer that only moves data."""

    @property
    def mapping(self) -> Mapping | None: ...

    def __repr__(self) -> str: ...

class PlanProgress:
    """How a plan is getting on."""

    @property
    def done(self) -> int:
        """Problems solved."""

    @property
    def all(self) -> int: ...

    @property
    def layer(self) -> str: ...

    @property
    def seconds(self) -> float: ...

    @property
    def best(self) -> float | None: ...

    @property
    def bound(self) -> float | None: ...

class PlanResult:
    """The best mapping of every layer, and the totals."""

    @property
    def status(self) -> str:
        """What holds for every layer, as MapResult.status."""

    @property
    def proved(self) -> bool: ...

    @property
    def interrupted(self) -> bool: ...

    @property
    def energy_pj(self) -> float: ...

    @property
    def cycles(self) -> float: ...

    @property
    def edp(self) -> float:
        """Energy x cycles, in pJ * cycles."""

    @property
    def utilization(self) -> float: ...

    @property
    def seconds(self) -> float: ...

    @property
    def arch(self) -> Arch: ...

    @property
    def network(self) -> Network: ...

    @property
    def layers(self) -> list[PlannedLayer]: ...

    def to_json(self) -> str:
        """The same bytes as `tilewright net --json`."""

    def to_dict(self) -> dict[str, Any]: ...

    def to_csv(self) -> str:
        """A line for each layer, as `tilewright net --csv` writes them."""

    def to_pandas(self) -> Any:
        """A row for each layer as a pandas.DataFrame; needs pandas."""

    def to_polars(self) -> Any:
        """The same with polars."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON, which `tilewright diff` and `rerun` read."""

    def html(self) -> str:
        """A page to look at: one HTML file that needs nothing else."""

    def text(self, width: int = 80) -> str:
        """The report that the command prints."""

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def __copy__(self) -> PlanResult: ...

    def __deepcopy__(self, memo: dict[int, object], /) -> Self: ...

def plan(arch: Arch, network: Network, *, space: str, placement: str, mapper: str, objective: str, budget: str, memory: str, gap: str, seed: int | None, threads: int, keep_on_chip: bool, strict: bool, constraints: str, holes_are_data: bool, drains_are_reads: bool, progress: object | None) -> PlanResult: ...

class Model:
    """An ONNX model as a network, and what became of it."""

    @property
    def network(self) -> Network: ...

    def to_json(self) -> str:
        """The same bytes as `tilewright onnx --json`."""

    def to_dict(self) -> dict[str, Any]: ...

    def text(self, width: int = 80) -> str:
        """How much of the model is counted, and its layers."""

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

def read_onnx(bytes: bytes, name: str, sizes: _Mapping[str, int], bits: int | None, strict: bool, fuse: bool) -> Model: ...

class Verdict:
    """Whether a proof holds."""

    @property
    def ok(self) -> bool: ...

    @property
    def why(self) -> str:
        """If it does not: one sentence."""

    @property
    def score(self) -> float:
        """Of the mapping."""

    def __bool__(self) -> bool: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

def verify(proof: str, arch: Arch | None, workload: Workload | None, constraints: str) -> Verdict: ...

def run_command(args: Sequence[str], input: str) -> tuple[int, str, str]: ...

def main(args: Sequence[str]) -> int: ...

def version() -> str: ...

class SweepPlan:
    """Every design of a sweep with every workload and request."""

    @property
    def name(self) -> str: ...

    @property
    def designs(self) -> int:
        """How many designs there are."""

    @property
    def problems(self) -> int:
        """How many problems there are."""

    @property
    def parameters(self) -> dict[str, list[str]]:
        """Their values, as texts."""

    @property
    def workloads(self) -> list[str]:
        """Names of the different workloads."""

    def design(self, number: int) -> Arch:
        """The accelerator of that number, from 0."""

    def values(self, number: int) -> dict[str, str]:
        """The parameters of a design, as texts."""

    def keys(self, first: int, count: int) -> bytes:
        """The keys of some problems in a store, 32 bytes each."""

    def to_json(self) -> str:
        """
        The plan with all that it names, as a text that `from_json` reads back.
        """

    @staticmethod
    def from_json(text: str) -> SweepPlan: ...

    def __getstate__(self) -> tuple[str]: ...

    def __setstate__(self, arg: tuple[str], /) -> None: ...

    def __repr__(self) -> str: ...

def make_sweep_plan(text: str, name: str, folder: str, archs: _Mapping[str, str], networks: _Mapping[str, str]) -> SweepPlan: ...

def solve_chunk(plan: SweepPlan, numbers: Sequence[int]) -> bytes: ...

class StoreHandle:
    def __init__(self, path: str, write: bool) -> None: ...

    def close(self) -> None: ...

    @property
    def path(self) -> str: ...

    def __len__(self) -> int: ...

    def statuses(self) -> dict[str, int]: ...

    def plans(self) -> list[str]: ...

    def find_faults(self) -> list[str]: ...

    def rows(self) -> list[dict[str, Any]]: ...

    def merge(self, other: StoreHandle) -> tuple[int, int, list[str]]: ...

    def table_json(self, plan: SweepPlan, front: Sequence[str]) -> str: ...

    def design_json(self, plan: SweepPlan, design: int) -> str: ...

    def missing(self, plan: SweepPlan, design: int) -> list[int]: ...

    def add(self, rows: bytes) -> int: ...

    def add_plan(self, plan: SweepPlan) -> None: ...

    def problems_csv(self, plan: SweepPlan) -> str: ...

def best_designs(plan: SweepPlan, store: StoreHandle, front: Sequence[str], threads: int) -> tuple[str, bool]: ...

class SweepProgress:
    """How far a sweep has come."""

    @property
    def planned(self) -> int:
        """Problems of the plan, in all shards."""

    @property
    def elsewhere(self) -> int:
        """Problems of other shards."""

    @property
    def known(self) -> int:
        """Stored before, or equal to an earlier one."""

    @property
    def solved(self) -> int:
        """In this run, failed ones included."""

    @property
    def settled(self) -> int:
        """Of these: proved, or proved to have no mapping."""

    @property
    def failed(self) -> int:
        """Of these."""

    @property
    def busy_seconds(self) -> float:
        """CPU time of the searches."""

    def to_text(self, seconds: float) -> str: ...

    def __repr__(self) -> str: ...

class Dispatcher:
    def __init__(self, plan: SweepPlan, store: StoreHandle, shard: str, workers: int, chunk_seconds: float) -> None: ...

    def next(self) -> list[int]: ...

    @property
    def finished(self) -> bool: ...

    def answer(self, numbers: Sequence[int], rows: bytes) -> None: ...

    def flush(self) -> None: ...

    def lost(self, chunks: Sequence[Sequence[int]], reason: str) -> None: ...

    def progress(self) -> SweepProgress: ...

class FlexResult:
    """How flexible an accelerator is on a network, and what that is worth."""

    @property
    def flex_class(self) -> str:
        """
        A digit for each of tile, order, parallelism and shape: 1 if it is flexible.
        """

    @property
    def verdict(self) -> str:
        """What freeing each axis is worth, in a sentence."""

    def to_json(self) -> str:
        """The same bytes as `tilewright flex --json`."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON as Python values."""

    def text(self, layers: bool = False, width: int = 80) -> str:
        """The report that the command prints."""

    def html(self) -> str:
        """A page to look at: one HTML file that needs nothing else."""

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

class FlexMarket:
    """Which flexibility to buy within an area budget."""

    @property
    def proved(self) -> bool:
        """Whether the front is proved."""

    @property
    def verdict(self) -> str:
        """What to buy, in a sentence."""

    def to_json(self) -> str:
        """The same bytes as `tilewright flex --buy --json`."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON as Python values."""

    def text(self, width: int = 80) -> str:
        """The report that the command prints."""

    def html(self) -> str:
        """A page to look at: one HTML file that needs nothing else."""

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def __repr__(self) -> str: ...

def flex(arch: Arch, network: Network, flexibility: str, objective: str, space: str, classes: bool, threads: int) -> FlexResult: ...

def buy_flexibility(arch: Arch, networks: Sequence[Network], flexibility: str, area: str, objective: str, space: str, threads: int) -> FlexMarket: ...
