# SPDX-License-Identifier: Apache-2.0
"""The functions of the package: the options of the command, as Python says them."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Mapping as Dictionary, Sequence
from typing import Any, NamedTuple

from . import _core, _progress
from ._core import (
    Arch,
    Count,
    Evaluation,
    MapProgress,
    MapResult,
    Mapping,
    Model,
    Network,
    PlanProgress,
    PlanResult,
    Verdict,
    Workload,
)

#: `constraints=`: a YAML text with the key `constraints`, or the list under it as Python values.
Constraints = str | Sequence[Dictionary[str, Any]] | None
#: `gap=`, `within=`: `"1%"` or 0.01.
Share = str | float | None


def _share(value: Share) -> str:
    """A share as the command line has it; empty: not given."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(f'a share is a text such as "1%" or a number, not {type(value).__name__}')
    return value if isinstance(value, str) else repr(value)


#: How to come by a value of each kind.
_MADE_BY: dict[type, str] = {
    Arch: 'tw.arch("eyeriss")',
    Workload: "tw.gemm(512, 768, 3072)",
    Network: 'tw.network("resnet50")',
}


def _expect(name: str, value: object, kind: type) -> None:
    """Raises a TypeError that says more than that of the C++ side."""
    if not isinstance(value, kind):
        raise TypeError(
            f"`{name}` is {'an' if kind is Arch else 'a'} {kind.__name__}, such as "
            f"{_MADE_BY[kind]}, not {type(value).__name__}"
        )


def _texts(value: str | Sequence[str] | None) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


def _constraints(value: Constraints) -> str:
    """The YAML text of constraints; empty: none."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not isinstance(value, Sequence):
        raise TypeError(f"constraints are a YAML text or a list, not {type(value).__name__}")
    # A line for each, so that findings point at the one that is meant.
    return "constraints:\n" + "".join(f"  - {json.dumps(one)}\n" for one in value)


def conv(
    *,
    n: int = 1,
    m: int = 1,
    c: int = 1,
    p: int = 1,
    q: int = 1,
    r: int = 1,
    s: int = 1,
    o: int | None = None,
    t: int = 1,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    depthwise: bool = False,
    transposed: bool = False,
) -> Workload:
    """A convolution: `n` images, `m` filters, `c` channels, `p` x `q` outputs, `r` x `s` filters.

    `stride` and `dilation` are one number, or one for each axis; with a third axis, `o` is its
    output size and `t` its filter size. `m` and `c` are totals over the groups.

    >>> conv(m=64, c=3, p=112, q=112, r=7, s=7, stride=2).macs
    118013952
    """
    return _core.conv(
        n=n,
        m=m,
        c=c,
        p=p,
        q=q,
        r=r,
        s=s,
        o=o,
        t=t,
        stride=[stride] if isinstance(stride, int) else list(stride),
        dilation=[dilation] if isinstance(dilation, int) else list(dilation),
        groups=groups,
        depthwise=depthwise,
        transposed=transposed,
    )


def _text_of(name: str | os.PathLike[str]) -> str | None:
    """The text of a YAML file; None for other names: those of the library have no suffix."""
    path = pathlib.Path(name)
    return path.read_text(encoding="utf-8") if path.suffix in (".yaml", ".yml") else None


def einsum(text: str, /, **sizes: int) -> Workload:
    """Any einsum with affine subscripts, and the size of every dim.

    >>> einsum("Z[m,n] += A[m,k] * B[k,n]", m=4, n=5, k=6).dims
    {'m': 4, 'n': 5, 'k': 6}
    """
    return _core.einsum(text, sizes)


def workload(words: str | os.PathLike[str]) -> Workload:
    """A layer of a network of the library, an operator as on the command line, or a YAML file.

    >>> workload("gemm 512 768 3072").macs
    1207959552
    >>> workload("resnet50/conv1").dims["m"]
    64
    """
    if (text := _text_of(words)) is not None:
        return Workload.from_yaml(text, os.fspath(words))
    return _core.workload_from_words(os.fspath(words))


def arch(name: str | os.PathLike[str]) -> Arch:
    """An accelerator of the library (`arch_names()` lists them), or of a YAML file.

    >>> arch("eyeriss").compute_units
    168
    """
    if (text := _text_of(name)) is not None:
        return Arch.from_yaml(text, os.fspath(name))
    return _core.library_arch(os.fspath(name))


def network(name: str | os.PathLike[str]) -> Network:
    """A network of the library (`network_names()` lists them), or of a YAML file.

    >>> len(network("resnet50").layers)
    72
    """
    if (text := _text_of(name)) is not None:
        return Network.from_yaml(text, os.fspath(name))
    return _core.library_network(os.fspath(name))


def map(
    arch: Arch,
    workload: Workload,
    *,
    space: str = "ruby-s",
    placement: str = "even",
    mapper: str = "optimal",
    objective: str = "edp",
    cap: str | Sequence[str] | None = None,
    budget: str | None = None,
    memory: str | None = None,
    gap: Share = None,
    top: int = 1,
    front: bool = False,
    within: Share = None,
    why: bool = False,
    proof: bool = False,
    trace: bool = False,
    seed: int | None = None,
    patience: int | None = None,
    threads: int = 0,
    constraints: Constraints = None,
    holes_are_data: bool = False,
    drains_are_reads: bool = False,
    progress: bool | Callable[[MapProgress], object] | None = None,
) -> MapResult:
    """The best mapping of a workload on an accelerator, proved best in the space searched.

    The options are those of `tilewright map`: `space` says which loops may leave a remainder,
    `placement` which memories may keep their tensors at different points of the nest,
    `objective` what to minimize, `cap` what may not be exceeded (`"latency <= 2 ms"`), `budget`
    when to stop (`"10s"`, `"1e6 nodes"`), `memory` how much the process may occupy before the
    search ends (`"4 GiB"`), `gap` how good is good enough (`"1%"`). `top`, `front`, `within`,
    `why` and `proof` ask for more than the best mapping.

    Ctrl-C ends the search, and the best so far is returned; if there is none yet, or Ctrl-C is
    pressed again, KeyboardInterrupt is raised. A result without a mapping is false, and says why
    in `why_not`.

    >>> result = map(arch("eyeriss"), gemm(64, 64, 64))
    >>> result.status, result.cycles
    ('proved', 2048)
    """
    _expect("arch", arch, Arch)
    _expect("workload", workload, Workload)
    with _progress.showing(progress) as show:
        return _core.map(
            arch,
            workload,
            space=space,
            placement=placement,
            mapper=mapper,
            objective=objective,
            cap=_texts(cap),
            budget=budget or "",
            memory=memory or "",
            gap=_share(gap),
            top=top,
            front=front,
            within=_share(within),
            why=why,
            proof=proof,
            trace=trace,
            seed=seed,
            patience=patience,
            threads=threads,
            constraints=_constraints(constraints),
            holes_are_data=holes_are_data,
            drains_are_reads=drains_are_reads,
            progress=show,
        )


def plan(
    arch: Arch,
    network: Network,
    *,
    space: str = "ruby-s",
    placement: str = "even",
    mapper: str = "optimal",
    objective: str = "edp",
    budget: str | None = None,
    memory: str | None = None,
    gap: Share = None,
    seed: int | None = None,
    threads: int = 0,
    keep_on_chip: bool = False,
    strict: bool = False,
    constraints: Constraints = None,
    holes_are_data: bool = False,
    drains_are_reads: bool = False,
    progress: bool | Callable[[PlanProgress], object] | None = None,
) -> PlanResult:
    """The best mapping of every layer of a network, and the totals.

    The options are those of `tilewright net`; `budget` is for each layer. Ctrl-C works as in
    `map`.

    >>> plan(arch("eyeriss"), network("alexnet")).status
    'proved'
    """
    _expect("arch", arch, Arch)
    _expect("network", network, Network)
    with _progress.showing(progress) as show:
        return _core.plan(
            arch,
            network,
            space=space,
            placement=placement,
            mapper=mapper,
            objective=objective,
            budget=budget or "",
            memory=memory or "",
            gap=_share(gap),
            seed=seed,
            threads=threads,
            keep_on_chip=keep_on_chip,
            strict=strict,
            constraints=_constraints(constraints),
            holes_are_data=holes_are_data,
            drains_are_reads=drains_are_reads,
            progress=show,
        )


def evaluate(
    arch: Arch,
    workload: Workload,
    mapping: Mapping | str,
    *,
    objective: str = "",
    anyway: bool = False,
    holes_are_data: bool = False,
    drains_are_reads: bool = False,
) -> Evaluation:
    """What a mapping costs: a `Mapping`, or a text in the form of `.nest` files.

    Raises InputError if the mapping makes no sense, or does not fit (unless `anyway`).

    >>> best = map(arch("eyeriss"), gemm(64, 64, 64))
    >>> evaluate(arch("eyeriss"), gemm(64, 64, 64), best.mapping).cycles
    2048
    """
    _expect("arch", arch, Arch)
    _expect("workload", workload, Workload)
    if isinstance(mapping, str):
        mapping = Mapping.from_text(arch, workload, mapping)
    return _core.evaluate(
        arch, workload, mapping, objective, anyway, holes_are_data, drains_are_reads
    )


def count(
    arch: Arch, workload: Workload, space: str | None = None, constraints: Constraints = None
) -> Count:
    """How many mappings there are, exactly: in one space, or in every one.

    >>> count(arch("eyeriss"), gemm(64, 64, 64), "pfm").spaces[0].name
    'pfm'
    """
    _expect("arch", arch, Arch)
    _expect("workload", workload, Workload)
    return _core.count(arch, workload, space or "", _constraints(constraints))


def explain(result: Evaluation | MapResult, path: str) -> str:
    """Where a figure comes from: `DRAM.A.reads`, `GLB.energy`, `cycles`, `edp`, ...

    >>> best = map(arch("eyeriss"), gemm(64, 64, 64))
    >>> explain(best, "DRAM.A.reads").splitlines()[0]
    'DRAM.A.reads = 4,096'
    """
    return result.explain(path)


def read_onnx(
    source: str | os.PathLike[str] | bytes,
    *,
    sizes: Dictionary[str, int] | None = None,
    bits: int | None = None,
    strict: bool = False,
    fuse: bool = True,
) -> Model:
    """The network of an ONNX model: a file, or its bytes.

    `sizes` names the dims that the model leaves open (`{"batch": 1}`), `bits` the width of every
    element; `fuse` runs activations and the like as part of the operator before them.
    """
    name = "model.onnx"
    if not isinstance(source, bytes):
        name = os.fspath(source)
        source = pathlib.Path(source).read_bytes()
    return _core.read_onnx(source, name, dict(sizes or {}), bits, strict, fuse)


def verify(
    proof: str,
    arch: Arch | None = None,
    workload: Workload | None = None,
    constraints: Constraints = None,
) -> Verdict:
    """Checks a proof by code that shares nothing with the search.

    With an accelerator, a workload or constraints, the proof must be about these.

    >>> best = map(arch("eyeriss"), gemm(16, 16, 16), proof=True)
    >>> bool(verify(best.proof, arch("eyeriss"), gemm(16, 16, 16)))
    True
    """
    return _core.verify(proof, arch, workload, _constraints(constraints))


def demo() -> MapResult:
    """A first result that needs no files: a small matrix product on Eyeriss.

    >>> demo()
    <MapResult gemm on eyeriss: proved, 2.02187e+06 pJ, 2048 cycles>
    """
    return map(_core.library_arch("eyeriss"), _core.gemm(64, 64, 64))


class Completed(NamedTuple):
    """What a command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def command(*args: str, stdin: str = "") -> Completed:
    """Runs a command line of `tilewright` in this process.

    >>> command("--version").stdout.startswith("tilewright ")
    True
    """
    return Completed(*_core.run_command(list(args), stdin))


gemm = _core.gemm
bmm = _core.bmm
