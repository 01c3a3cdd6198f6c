#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the mapper of ZigZag on one problem and writes its answer: zigzag_run.py PROBLEM.json ANSWER.json.

The problem (sizes in words, energies in pJ per word, bandwidths in words per cycle) is rewritten as ZigZag's
accelerator, workload and mapping inputs, ZigZag searches, and its best mapping is written as a nest of
tilewright, with ZigZag's own energy and latency beside it. Nothing is printed, and files are made only in a
temporary folder.

How the two models are made equal:

- A word costs the same everywhere. ZigZag charges `r_cost` per access as wide as the port and counts parts of
  an access in steps of `bandwidth_min`: the cost is energy * words per cycle, and the step is at most a word.
- Each memory has one port for everything that it reads and writes.
- Operands, partial sums and results all have `bits` bits.
- The innermost memory is read in every cycle. ZigZag's default is that an operand which stays the same from
  one cycle to the next is read once and waits at the output pins of the memory, which is a free register that
  the problem does not have; access_same_data_considered_as_no_access=False turns that off. Thus a buffer can
  feed the array directly, and no registers need to be made up for ZigZag.

What remains different in ZigZag's own figures: the first partial sum of an element is read back too (as zero)
wherever sums are unfinished; halos of a convolution are fetched again for every tile; spatial factors that do
not divide a dim are fractions; latency includes loading before, and unloading after, the computation, and a
memory that is more than half full cannot be filled ahead.

What ZigZag does not search: every tensor is kept in every memory (no bypass), and the factors of temporal
loops come from the prime factors of ceil(size / spatial factor), merged until `lpf_limit` of them are left.
"""

import contextlib
import json
import math
import os
import re
import sys
import tempfile
import types

try:
    import six  # noqa: F401
except ModuleNotFoundError:
    # ZigZag 3.9.1 imports six, which its package does not ask for; all that it calls is six.u, a no-op.
    sys.modules["six"] = types.ModuleType("six")
    sys.modules["six"].u = str

from zigzag.mapping.temporal_mapping import TemporalMappingType
from zigzag.opt.loma.engine import NoValidLoopOrderingFoundException
from zigzag.stages.evaluation.cost_model_evaluation import CostModelStage
from zigzag.stages.main import MainStage
from zigzag.stages.mapping.spatial_mapping_generation import SpatialMappingGeneratorStage
from zigzag.stages.mapping.temporal_mapping_generator_stage import TemporalMappingGeneratorStage
from zigzag.stages.parser.accelerator_parser import AcceleratorParserStage
from zigzag.stages.parser.workload_parser import WorkloadParserStage
from zigzag.stages.results.reduce_stages import MinimalEnergyStage
from zigzag.stages.stage import Stage
from zigzag.stages.workload_iterator import WorkloadStage

import answers

START_CPU = answers.cpu()

# Settings of the search. The numbers are ZigZag's defaults.
# One spatial mapping takes up to 720 orders of 6 loops, about 5 CPU seconds; 7 loops take up to 7 times that.
# ZigZag's default is one dim per axis; `mixed` lets several dims share an axis, as tilewright may. That costs
# no more, as the same number of spatial mappings is tried, and mostly finds much better ones.
SETTINGS = {"lpf_limit": 6, "spatial_mappings": 3, "mixed": True}

UNLIMITED_BITS = 1 << 40


class Problem:
    """The problem, with what follows from it."""

    def __init__(self, data):
        self.data = data
        self.dims = data["dims"]
        self.bits = data["bits"]
        self.nodes = data["nodes"]
        self.output = data["output"]
        self.tensors = {name: [parse_rank(rank) for rank in ranks] for name, ranks in data["tensors"].items()}
        inputs = [name for name in self.tensors if name != self.output]
        if len(inputs) != 2:
            raise ValueError("ZigZag takes a product of two inputs")
        self.operands = dict(zip(("O", "I", "W"), [self.output, *inputs]))  # ZigZag's name -> ours
        self.memories = [node for node in self.nodes if "memory" in node]  # outermost first
        axes = [axis for node in self.nodes if "fanout" in node for axis in node["axes"]]
        self.axis_names = {axis: f"D{i + 1}" for i, axis in enumerate(axes)}  # our name -> ZigZag's
        if len(axes) != sum(len(node.get("axes", ())) for node in self.nodes):
            raise ValueError("axes of different fan-outs need different names")

    def is_relevant(self, dim, tensor):
        return any(dim == term_dim for rank in self.tensors[tensor] for _, term_dim in rank)


def parse_rank(text):
    """`2*p+r` as [(2, "p"), (1, "r")]."""
    terms = []
    for term in text.replace(" ", "").split("+"):
        match = re.fullmatch(r"(?:(\d+)\*?)?([A-Za-z]\w*)", term)
        if not match:
            raise ValueError(f"the rank `{text}` is not a sum of dims")
        terms.append((int(match[1] or 1), match[2]))
    if len(terms) > 2:
        raise ValueError(f"ZigZag has no rank of more than two dims, such as `{text}`")
    return terms


# Inputs of ZigZag


def accelerator(problem):
    """ZigZag's accelerator: memories innermost first, each with the array dimensions that it serves."""
    sizes = {name: size for node in problem.nodes for name, size in node.get("axes", {}).items()}
    memories = {}
    inside = []
    compute = next(node for node in problem.nodes if "compute" in node)
    for node in reversed(problem.nodes):
        if "fanout" in node:
            inside += node["axes"]
        elif "memory" in node:
            units = math.prod(sizes[axis] for axis in inside)
            served = [problem.axis_names[axis] for axis in inside]
            memories[node["memory"]] = memory(node, problem, served, units)
    return {
        "name": "peer",
        "memories": memories,
        "operational_array": {
            "unit_energy": float(compute["energy"]),
            "unit_area": 0.0,
            "dimensions": list(problem.axis_names.values()),
            "sizes": [sizes[axis] for axis in problem.axis_names],
        },
    }


def memory(node, problem, served, units):
    # Without a limit, the port moves four words per unit and cycle, which is never the bottleneck.
    words = node["bandwidth"] or 1 << math.ceil(math.log2(4 * units))
    port = max(1, round(words * problem.bits))
    moves = ["I1, fh", "I1, tl", "I2, fh", "I2, tl", "O, fh", "O, fl", "O, th", "O, tl"]
    return {
        "size": UNLIMITED_BITS if node["words"] is None else node["words"] * problem.bits,
        "r_cost": node["energy"] * port / problem.bits,
        "w_cost": node["energy"] * port / problem.bits,
        "area": 0.0,
        "latency": 1,
        "operands": ["I1", "I2", "O"],
        "ports": [
            {
                "name": "rw_port_1",
                "type": "read_write",
                "bandwidth_min": math.gcd(problem.bits, port),
                "bandwidth_max": port,
                "allocation": moves,
            }
        ],
        "served_dimensions": served,
    }


def workload(problem):
    """ZigZag's workload of one layer; a rank such as 2*p+r becomes a dimension with a relation."""
    relations = {}

    def operand(letter):
        ranks = []
        for terms in problem.tensors[problem.operands[letter]]:
            if terms == [(1, terms[0][1])]:
                ranks.append(terms[0][1])
            elif len(terms) == 2:
                formula = "+".join(f"{factor}*{dim}" for factor, dim in terms)
                ranks.append(relations.setdefault(formula, f"rank{len(relations)}"))
            else:
                raise ValueError("ZigZag has no rank with a factor and a single dim")
        return letter + "".join(f"[{rank}]" for rank in ranks)

    equation = f"{operand('O')}+={operand('I')}*{operand('W')}"
    return [
        {
            "id": 0,
            "name": "layer",
            "operator_type": "Conv",
            "equation": equation,
            "dimension_relations": [f"{name}={formula}" for formula, name in relations.items()],
            "loop_dims": [dim.upper() for dim in problem.dims],
            "loop_sizes": list(problem.dims.values()),
            "operand_precision": {name: problem.bits for name in ("I", "W", "O", "O_final")},
            "operand_source": {"I": 0, "W": 0},
        }
    ]


def free_mapping():
    """ZigZag's mapping input: nothing is fixed, so all dims may be spread over all axes."""
    links = {"O": "O", "I": "I1", "W": "I2"}
    return [{"name": "default", "spatial_mapping": None, "memory_operand_links": links}]


# From ZigZag's mapping to a nest


class Inexpressible(Exception):
    """ZigZag's mapping does not fit once its factors are whole numbers, or is no nest of tilewright."""


class Mapped:
    """A mapping of ZigZag as a nest. Positions count the temporal loops inside; loops are innermost first."""

    def __init__(self, cme, problem):
        self.problem = problem
        names = {dim.upper(): dim for dim in problem.dims}
        levels = {str(op): loops for op, loops in cme.temporal_mapping.mapping_dic_origin.items()}
        self.loops = [(names[str(dim)], int(size)) for level in levels["O"] for dim, size in level]
        self.spatial = self.whole_factors(cme.layer.spatial_mapping, names)
        # What is kept where: (memory, tensor) -> position; ZigZag lists memories innermost first.
        self.keep = {}
        for letter, tensor in problem.operands.items():
            position = 0
            for node, loops in zip(reversed(problem.memories), levels[letter]):
                position += len(loops)
                self.keep[node["memory"], tensor] = position
        self.place_fanouts()
        self.items = self.in_order()
        self.clamp()
        self.check_capacity()

    def whole_factors(self, spatial_mapping, names):
        """(axis, dim) -> factor. ZigZag spreads 97 over 16 units as 97/7 in 7 steps; here that is 14."""
        axes = {zigzag_name: axis for axis, zigzag_name in self.problem.axis_names.items()}
        factors = {
            (axes[str(axis)], names[str(dim)]): math.ceil(factor)
            for axis, single in spatial_mapping.items()
            for dim, factor in single.items()
        }
        for dim, size in self.problem.dims.items():
            steps = math.prod(loop for name, loop in self.loops if name == dim)
            keys = sorted((key for key in factors if key[1] == dim), key=lambda key: -factors[key])
            for key in keys:
                others = math.prod(factors[other] for other in keys if other != key)
                factors[key] = min(factors[key], math.ceil(size / (steps * others)))
        return factors

    def place_fanouts(self):
        """Finds a place for each fan-out: inside what is kept outside it, and outside what is kept inside it.

        A keep node may pass loops over dims that its tensor does not depend on: the traffic stays the same.
        """
        outside = []
        self.fanout = {}
        for index, node in enumerate(self.problem.nodes):
            if "memory" in node:
                outside.append(node["memory"])
            if "fanout" not in node:
                continue
            inside = [n["memory"] for n in self.problem.nodes[index:] if "memory" in n]
            for key in self.keep:
                if key[0] in inside:
                    self.keep[key] = self.innermost_position(key)
            place = max((p for key, p in self.keep.items() if key[0] in inside), default=0)
            for key in self.keep:
                if key[0] in outside and self.keep[key] < place:
                    if self.outermost_position(key) < place:
                        raise Inexpressible(f"{key[0]} keeps {key[1]} inside loops inside the fan-out")
                    self.keep[key] = place
            self.fanout[node["fanout"]] = place

    def innermost_position(self, key):
        position = self.keep[key]
        while position > 0 and not self.problem.is_relevant(self.loops[position - 1][0], key[1]):
            position -= 1
        return position

    def outermost_position(self, key):
        position = self.keep[key]
        while position < len(self.loops) and not self.problem.is_relevant(self.loops[position][0], key[1]):
            position += 1
        return position

    def in_order(self):
        """The nest, outermost first: ["keep", memory, tensors], ["for", dim, factor] and
        ["parfor", fanout, axis, dim, factor]."""
        items = []
        for position in range(len(self.loops), -1, -1):
            for node in self.problem.nodes:
                if "memory" in node:
                    kept = [t for t in self.problem.tensors if self.keep[node["memory"], t] == position]
                    if kept:
                        items.append(["keep", node["memory"], kept])
                elif "fanout" in node and self.fanout[node["fanout"]] == position:
                    items += [
                        ["parfor", node["fanout"], axis, dim, factor]
                        for (axis, dim), factor in self.spatial.items()
                        if axis in node["axes"]
                    ]
            if position:
                items.append(["for", *self.loops[position - 1]])
        return items

    def clamp(self):
        """Lowers factors to what is left of their dims, from the inside, and checks that all is covered."""
        left = dict(self.problem.dims)
        for item in reversed(self.items):
            if item[0] != "keep":
                dim = item[-2]
                item[-1] = min(item[-1], left[dim])
                left[dim] = -(-left[dim] // item[-1])
        if any(count > 1 for count in left.values()):
            raise Inexpressible("the factors do not cover the dims")
        self.items = [item for item in self.items if item[0] == "keep" or item[-1] > 1]

    def check_capacity(self):
        """ZigZag's tiles have fractional sizes where its spatial factors have; whole ones may not fit."""
        extents = dict.fromkeys(self.problem.dims, 1)
        used = dict.fromkeys((node["memory"] for node in self.problem.memories), 0)
        for item in reversed(self.items):
            if item[0] == "keep":
                used[item[1]] += sum(self.tile(tensor, extents) for tensor in item[2])
            else:
                extents[item[-2]] *= item[-1]
        for node in self.problem.memories:
            if node["words"] is not None and used[node["memory"]] > node["words"]:
                raise Inexpressible(f"tiles of whole numbers of elements do not fit into {node['memory']}")

    def tile(self, tensor, extents):
        words = 1
        for terms in self.problem.tensors[tensor]:
            sizes = [(factor, min(extents[dim], self.problem.dims[dim])) for factor, dim in terms]
            if len(sizes) == 1:
                words *= sizes[0][1]
            else:
                words *= distinct_sums(*sizes[0], *sizes[1])
        return words

    def text(self):
        """The nest in tilewright's notation."""
        nest = answers.Nest(self.problem.data)
        for kind, *what in self.items:
            if kind == "keep":
                nest.keep(*what)
            elif kind == "for":
                nest.loop(*what)
            else:
                fanout, axis, dim, factor = what
                nest.unroll(fanout, dim, factor, axis)
        return nest.finish()


def distinct_sums(a, a_size, b, b_size):
    """Number of different values of a * i + b * j."""
    a, b = a // math.gcd(a, b), b // math.gcd(a, b)
    if a_size > b and b_size > a:
        return a * (a_size - 1) + b * (b_size - 1) - (a - 1) * (b - 1) + 1
    return a_size * b_size


# The search


def nest_stage(problem, skipped):
    """A stage for ZigZag's pipeline that passes on only mappings that are legal nests.

    It also lets the search go on where ZigZag finds no temporal mapping for one of the spatial mappings.
    """

    class NestStage(Stage):
        def run(self):
            stage = self.list_of_callables[0](self.list_of_callables[1:], **self.kwargs)
            try:
                for cme, extra in stage.run():
                    try:
                        Mapped(cme, problem)
                    except Inexpressible as error:
                        skipped.append((cme.energy_total, str(error)))
                        continue
                    yield cme, extra
            except NoValidLoopOrderingFoundException:
                return

    return NestStage


def search(problem, folder):
    """ZigZag's best mapping, and the energy and reason of those that were left out."""
    paths = {}
    for name, content in {"accelerator": accelerator(problem), "mapping": free_mapping()}.items():
        paths[name] = os.path.join(folder, f"{name}.yaml")
        with open(paths[name], "w", encoding="utf-8") as file:
            json.dump(content, file)  # JSON is YAML
    skipped = []
    stages = [
        WorkloadParserStage,
        AcceleratorParserStage,
        WorkloadStage,
        MinimalEnergyStage,
        SpatialMappingGeneratorStage,
        nest_stage(problem, skipped),
        TemporalMappingGeneratorStage,
        CostModelStage,
    ]
    main_stage = MainStage(
        stages,
        workload=workload(problem),
        accelerator=paths["accelerator"],
        mapping=paths["mapping"],
        loma_lpf_limit=SETTINGS["lpf_limit"],
        loma_show_progress_bar=False,
        nb_mappings_generated=SETTINGS["spatial_mappings"],
        enable_mix_spatial_mapping_generation=SETTINGS["mixed"],
        access_same_data_considered_as_no_access=False,
        temporal_mapping_type=TemporalMappingType.UNEVEN,
    )
    try:
        return main_stage.run()[0][0], skipped
    except AssertionError:  # of the stage that picks the best of nothing
        reason = f"; {skipped[0][1]}" if skipped else ""
        raise ValueError(f"ZigZag finds no mapping that fits{reason}") from None


def note(problem, nest, cme, skipped):
    """What a reader should know about this mapping: rounded dims, and better mappings that are no nests."""
    notes = []
    padded = {}
    for dim, size in problem.dims.items():
        product = math.prod(item[-1] for item in nest.items if item[0] != "keep" and item[-2] == dim)
        if product > size:
            padded[dim] = product
    if padded:
        sizes = ", ".join(f"{dim} up to {product}" for dim, product in padded.items())
        notes.append(f"the factors leave remainders ({sizes}); ZigZag counts with fractional spatial factors")
    better = [reason for energy, reason in skipped if energy < cme.energy_total]
    if better:
        notes.append(f"{len(better)} mappings that ZigZag takes for better were left out: {better[0]}")
    return "; ".join(notes)


def solve(problem):
    with tempfile.TemporaryDirectory() as folder:
        cme, skipped = search(problem, folder)
    nest = Mapped(cme, problem)
    answer = {"nest": nest.text(), "energy": float(cme.energy_total), "cycles": float(cme.latency_total2)}
    text = note(problem, nest, cme, skipped)
    return answer | ({"note": text} if text else {})


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    answers.quiet()
    try:
        with open(os.devnull, "w", encoding="utf-8") as null, contextlib.redirect_stdout(null):
            answer = solve(Problem(data))
    except Exception as error:  # whatever happens inside ZigZag is an answer too
        answer = {"error": " ".join(f"{error or type(error).__name__}".split())}
    answers.write(sys.argv[2], **answer, version=answers.version("zigzag-dse"), start_cpu=START_CPU)


if __name__ == "__main__":
    main()
