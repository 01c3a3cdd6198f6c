#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Maps one problem with AccelForge and writes its answer as a nest in our notation.

  accelforge_run.py problem.json answer.json

The problem's memories may keep or bypass any tensor, except for the outermost one, which keeps all of them;
every axis may carry any loops and reuses every tensor. AccelForge searches perfect factors and any point of
the nest for every tensor in every memory, which are its defaults, for energy. Its costs are given per bit, in pJ.
"""

import json
import pathlib
import sys
import tempfile

import accelforge
from accelforge.mapper.FFM.main import map_workload_to_arch
from accelforge.util.parallel import set_n_parallel_jobs

import answers


def memory(node, bits, outermost, spatial):
    """A memory in AccelForge's words; one after the fan-out carries its axes."""
    lines = ["  - !Memory", f"    name: {node['memory']}",
             f"    size: {node['words'] * bits if node['words'] else 'inf'}",
             "    leak_power: 0", "    area: 0",
             "    tensors: " + ("{keep: All}" if outermost else "{keep: Nothing, may_keep: All}"),
             *spatial, "    actions:"]
    speed = node["bandwidth"] * bits if node["bandwidth"] else "inf"
    for action in ("read", "write"):
        lines.append(f"    - {{name: {action}, energy: {node['energy'] / bits!r}, throughput: {speed}}}")
    return lines


def specification(problem):
    """The whole problem as AccelForge's YAML."""
    lines, spatial = ["arch:", "  nodes:"], []
    for i, node in enumerate(problem["nodes"]):
        if "memory" in node:
            lines += memory(node, problem["bits"], i == 0, spatial)
        elif "fanout" in node:
            spatial = ["    spatial:"]
            spatial += [f"    - {{name: {name}, fanout: {size}}}" for name, size in node["axes"].items()]
            continue
        else:
            lines += ["  - !Compute", f"    name: {node['compute']}", "    leak_power: 0", "    area: 0",
                      *spatial, "    actions:",
                      f"    - {{name: compute, energy: {node['energy']}, throughput: 1}}"]
        spatial = []
    lines += ["workload:", "  iteration_space_shape:"]
    lines += [f"    {dim}: 0 <= {dim} < {size}" for dim, size in problem["dims"].items()]
    lines += [f"  bits_per_value: {{All: {problem['bits']}}}", "  einsums:", "  - name: E", "    tensor_accesses:"]
    for tensor, indices in problem["tensors"].items():
        ranks = ", ".join(f"{tensor}{i}: {index.replace('*', ' * ').replace('+', ' + ')}"
                          for i, index in enumerate(indices))
        output = ", output: True" if tensor == problem["output"] else ""
        lines.append(f"    - {{name: {tensor}, projection: {{{ranks}}}{output}}}")
    lines.append("    renames: {input: A, weight: B, output: Z}")
    return "\n".join(lines) + "\n"


def nest(problem, mapping):
    """Its mapping as lines of ours: a loop's factor is the tile around it over its own tile."""
    tile = dict(problem["dims"])
    fanout = next(node["fanout"] for node in problem["nodes"] if "fanout" in node)
    text = answers.Nest(problem)
    for node in mapping.nodes:
        kind = type(node).__name__
        if kind == "Storage":
            text.keep(node.component, list(node.tensors))
        elif kind in ("Temporal", "Spatial"):
            dim = str(node.rank_variable)
            inner = int(node.tile_shape)
            factor, rest = divmod(tile[dim], inner)
            if rest:
                raise ValueError(f"{dim} {tile[dim]} is cut into tiles of {inner}")
            tile[dim] = inner
            if kind == "Temporal":
                text.loop(dim, factor)
            else:
                text.unroll(fanout, dim, factor, str(node.name))
    return text.finish()


def main():
    answers.quiet()
    set_n_parallel_jobs(1)
    problem = json.loads(pathlib.Path(sys.argv[1]).read_text())
    start = answers.cpu()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "problem.yaml"
        file.write_text(specification(problem))
        spec = accelforge.Spec.from_yaml(str(file))
    # Without its detailed evaluation of the chosen mappings, which needs Graphviz and is no search.
    found = map_workload_to_arch(spec, eval_in_detail=False, print_progress=False)
    best = min((row for _, row in found.data.iterrows()), key=lambda row: row["Total<SEP>energy"])
    answers.write(sys.argv[2], nest=nest(problem, best["Total<SEP>mapping"]()), energy=float(best["Total<SEP>energy"]),
                  cycles=None, version=answers.version("accelforge"), start_cpu=start)


if __name__ == "__main__":
    main()
