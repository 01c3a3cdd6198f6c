#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Maps one matrix product with FactorFlow and writes its answer as a nest in our notation.

  factorflow_run.py problem.json answer.json        FACTORFLOW: the folder of its checkout

FactorFlow maps matrix products only. Bypasses are part of its architecture, not of its search: here every
memory keeps everything. Each axis of the array may carry any of the three dims. It maximizes its own figure of
merit (operations per energy and time, times the share of the array that works), not energy or EDP; the settings
are its defaults, except that it runs in one process. It halves every bandwidth between reads and writes.
"""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.environ["FACTORFLOW"])
import answers  # noqa: E402

import arch as ff_arch  # noqa: E402
import engine  # noqa: E402
import factors  # noqa: E402
import levels  # noqa: E402
from settings import Settings  # noqa: E402

#: Its names: Out[M,N] += W[M,K] * In[K,N].
DIMS = {"m": "M", "k": "K", "n": "N"}
UNLIMITED = 2**62


def architecture(problem):
    """The problem's nodes in FactorFlow's classes; an axis of the array is a level of its own."""
    built = []
    for node in problem["nodes"]:
        if "memory" in node:
            built.append(levels.MemLevel(
                name=node["memory"], size=node["words"] or UNLIMITED, value_access_energy=node["energy"],
                bandwidth=node["bandwidth"] or UNLIMITED, dataflow_constraints=[], factors_constraints={},
                bypasses=[]))
        elif "fanout" in node:
            built += [levels.FanoutLevel(name=name, dims=list(DIMS.values()), mesh=size, factors_constraints={})
                      for name, size in node["axes"].items()]
        else:
            built.append(levels.ComputeLevel(name=node["compute"], dim="N", mesh=1, cycles=1,
                                             compute_energy=node["energy"], factors_constraints={"N": 1}))
    return ff_arch.Arch(built, name="array")


def nest(problem, mapped):
    fanout = next(node["fanout"] for node in problem["nodes"] if "fanout" in node)
    names = {theirs: ours for ours, theirs in DIMS.items()}
    text = answers.Nest(problem)
    for level in mapped:
        is_memory = isinstance(level, levels.MemLevel)
        if is_memory:
            text.keep(level.name, list(problem["tensors"]))
        for dim in level.dataflow:
            factor = level.factors.dimProduct(dim)
            if is_memory:
                text.loop(names[dim], factor)
            elif factor > 1:
                text.unroll(fanout, names[dim], factor, level.name)
    return text.finish()


def commit():
    """Which FactorFlow it is; it has no version."""
    return subprocess.run(["git", "-C", os.environ["FACTORFLOW"], "rev-parse", "--short=7", "HEAD"], text=True,
                          stdout=subprocess.PIPE, check=True).stdout.strip()


def main():
    answers.quiet()
    problem = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if problem["tensors"] != {"Z": ["m", "n"], "A": ["m", "k"], "B": ["k", "n"]}:
        answers.write(sys.argv[2], error="it maps matrix products only")
        return
    start = answers.cpu()
    arch = architecture(problem)
    Settings.MULTITHREADED = False
    Settings.VERBOSE = False
    Settings.forcedSettingsUpdate(arch, verbose=False)
    shape = factors.Shape(**{DIMS[dim]: size for dim, size in problem["dims"].items()})
    arch.fitConstraintsToComp(shape, enforce=True)
    _, _, energy, cycles, _, _, mapped = engine.run_engine(arch, shape, False, verbose=False)
    answers.write(sys.argv[2], nest=nest(problem, mapped), energy=energy * 1e6, cycles=cycles,
                  version=commit(), start_cpu=start)


if __name__ == "__main__":
    main()
