# SPDX-License-Identifier: Apache-2.0
"""Python and the command on the same problems: their JSON is compared byte for byte.

Runs inside an environment that has the wheel: tests/python/same makes one.
"""

import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

import onnx
from onnx import TensorProto, helper

import tilewright as tw

ARCHS = ("eyeriss", "simba", "diannao", "eyeriss-v4")
WORKLOADS = (
    tw.gemm(12, 10, 14),
    tw.gemm(31, 16, 9),
    tw.bmm(3, 8, 7, 5),
    tw.conv(m=8, c=6, p=7, q=5, r=3, s=3),
    tw.conv(m=4, c=6, p=6, q=6, r=3, s=3, stride=2, dilation=(1, 2)),
    tw.conv(c=12, p=9, q=9, r=3, s=3, depthwise=True),
    tw.einsum("Z[a,b] += A[a,c] * B[c,2*b+d] * W[d]", a=5, b=6, c=4, d=3),
)
KEEP = "constraints:\n  - at: DRAM\n    keep: [output]\n"
#: (options of Python, options of the command)
QUESTIONS = (
    ({}, []),
    ({"space": "pfm"}, ["--space", "pfm"]),
    ({"space": "ruby", "budget": "300 nodes", "threads": 1},
     ["--space", "ruby", "--budget", "300 nodes", "--threads", "1"]),
    ({"space": "ruby-t", "objective": "energy"}, ["--space", "ruby-t", "--objective", "energy"]),
    ({"objective": "latency", "gap": "5%"}, ["--objective", "latency", "--gap", "5%"]),
    ({"objective": "energy^1*latency^2", "gap": 0.125},
     ["--objective", "energy^1*latency^2", "--gap", "0.125"]),
    ({"mapper": "random", "seed": 7, "budget": "500 mappings"},
     ["--mapper", "random", "--seed", "7", "--budget", "500 mappings"]),
    ({"mapper": "random", "patience": 100}, ["--mapper", "random", "--patience", "100"]),
    ({"mapper": "local", "seed": 2}, ["--mapper", "local", "--seed", "2"]),
    ({"top": 3}, ["--top", "3"]),
    ({"front": True, "space": "pfm"}, ["--front", "--space", "pfm"]),
    ({"within": "5%", "space": "pfm"}, ["--within", "5%", "--space", "pfm"]),
    ({"placement": "uneven", "space": "pfm"}, ["--placement", "uneven", "--space", "pfm"]),
    ({"cap": "energy <= 1 J"}, ["--cap", "energy <= 1 J"]),
    ({"holes_are_data": True, "drains_are_reads": True},
     ["--holes-are-data", "--drains-are-reads"]),
    ({"constraints": KEEP}, ["constraints.yaml"]),
    ({"threads": 1}, ["--threads", "1"]),
    ({"memory": "8 GiB"}, ["--memory", "8 GiB"]),
)
WHY = ({"why": True, "space": "pfm"}, ["--why", "--space", "pfm"])

#: Every public C++ function and class (cmake/exports), and where it is in Python.
REACHED = {
    "Arch": tw.Arch, "Mapping": tw.Mapping, "Workload": tw.Workload,
    "Natural": tw.SpaceSize.mappings, "Problem": tw.map,
    "find_arch_faults": tw.Arch.from_yaml, "find_network_faults": tw.Network.from_yaml,
    "find_workload_faults": tw.Workload.from_yaml, "node_name": tw.Memory.name,
    "make_rational": tw.Arch.clock_hz, "operator": tw.SpaceSize.mappings,
    "bmm": tw.bmm, "conv": tw.conv, "einsum": tw.einsum, "gemm": tw.gemm,
    "evaluate": tw.evaluate, "find_violations": tw.evaluate,
    "named_objectives": tw.objective_names, "objective_by_name": tw.map, "parse_objective": tw.map,
    "score": tw.MapResult.score, "utilization": tw.Evaluation.utilization,
    "MapResult": tw.MapResult, "RequestError": tw.InputError, "find_request_faults": tw.map,
    "map": tw.map, "mapper_by_name": tw.map, "mapper_name": tw.mapper_names,
    "plan": tw.plan, "print_nest": tw.MapResult.__str__, "space_names": tw.space_names,
    "status_name": tw.MapResult.status, "FileError": tw.InputError,
    "arch_from_yaml": tw.Arch.from_yaml, "constraints_from_yaml": tw.map,
    "library_arch": tw.arch, "library_network": tw.network,
    "mapping_from_text": tw.Mapping.from_text, "network_from_yaml": tw.Network.from_yaml,
    "with_bits": tw.Workload.with_bits, "with_figures": tw.Arch.with_, "workload_from_words": tw.workload,
    "workload_from_yaml": tw.Workload.from_yaml,
}


class Comparison:
    """Runs commands in a folder of its own and counts what differs."""

    def __init__(self, program, place):
        self.program = program
        self.place = pathlib.Path(place)
        self.equal = {}
        self.wrong = []

    def run(self, *args):
        return subprocess.run([self.program, *map(str, args)], cwd=self.place,
                              capture_output=True, text=True)

    def write(self, **files):
        """`arch_yaml=text` as arch.yaml."""
        for name, text in files.items():
            (self.place / name.replace("_", ".")).write_text(text)

    def check(self, command, python, said):
        """`python`: what Python says; `said`: the finished command."""
        if python == said.stdout:
            self.equal[command] = self.equal.get(command, 0) + 1
        else:
            self.wrong.append(f"{' '.join(said.args[1:])}: {said.stderr[:500]}")


def compare_map(compare, arch, workload, question):
    """One search; the result, or None if neither side finds a mapping."""
    options, words = question
    compare.write(arch_yaml=arch.to_yaml(), workload_yaml=workload.to_yaml(), constraints_yaml=KEEP)
    result = tw.map(arch, workload, **options)
    said = compare.run("map", "arch.yaml", "workload.yaml", *words, "--json")
    if not result:
        compare.check("map", "" if result.why_not and said.returncode else None, said)
        return None
    compare.check("map", result.to_json(), said)
    return result


def compare_evaluate(compare, result, question):
    """The best mapping of a search, evaluated and explained."""
    arch, workload = result.arch, result.mapping.workload
    how = {key: value for key, value in question[0].items() if key.endswith(("_data", "_reads"))}
    words = [word for word in question[1] if word.startswith(("--holes", "--drains"))]
    compare.write(arch_yaml=arch.to_yaml(), workload_yaml=workload.to_yaml(),
                  mapping_nest=result.mapping.to_nest())
    files = ("arch.yaml", "workload.yaml", "mapping.nest")
    evaluation = tw.evaluate(arch, workload, result.mapping.to_nest(), objective="ed2p", **how)
    compare.check("evaluate", evaluation.to_json(),
                  compare.run("evaluate", *files, "--objective", "ed2p", *words, "--json"))
    if not how:
        path = f"DRAM.{workload.tensors[0].name}.reads"
        compare.check("explain", tw.explain(evaluation, path), compare.run("explain", *files, path))


def compare_count(compare, arch, workload, space):
    compare.write(arch_yaml=arch.to_yaml(), workload_yaml=workload.to_yaml(), constraints_yaml=KEEP)
    words = ["--space", space] if space else []
    compare.check("count", tw.count(arch, workload, space, KEEP).to_json(),
                  compare.run("count", "arch.yaml", "workload.yaml", "constraints.yaml", *words,
                              "--json"))


def compare_plan(compare, arch, network, options, words):
    compare.write(arch_yaml=arch.to_yaml(), network_yaml=network.to_yaml(), constraints_yaml=KEEP)
    compare.check("net", tw.plan(arch, network, **options).to_json(),
                  compare.run("net", "arch.yaml", "network.yaml", *words, "--json"))


def compare_onnx(compare, rows):
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["t"]), helper.make_node("Relu", ["t"], ["y"])],
        "product", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 4])],
        [helper.make_tensor("w", TensorProto.FLOAT, [8, 4], [0.0] * 32)])
    onnx.save(helper.make_model(graph), compare.place / "model.onnx")
    for fuse in (True, False):
        model = tw.read_onnx(compare.place / "model.onnx", sizes={"batch": rows}, fuse=fuse)
        compare.check("onnx", model.to_json(),
                      compare.run("onnx", "model.onnx", "--set", f"batch={rows}", "--fuse",
                                  "epilogue" if fuse else "none", "--json"))


def compare_files(compare, before, after):
    """Saved results: compared, and made again."""
    for name, result in (("before.json", before), ("after.json", after)):
        result.save(compare.place / name)
    for words in (["diff", "before.json", "after.json", "--json"], ["rerun", "before.json"]):
        here = [str(compare.place / word) if word.endswith(".json") else word for word in words]
        said = compare.run(*here)
        compare.check(words[0], tw.command(*here).stdout, said)


def compare_proofs(compare, verifier, arch, workload):
    """The same proof, and the same verdict by the program."""
    compare.write(arch_yaml=arch.to_yaml(), workload_yaml=workload.to_yaml())
    best = tw.map(arch, workload, proof=True)
    compare.run("map", "arch.yaml", "workload.yaml", "--proof", "proof")
    said = subprocess.run(["cat", "proof"], cwd=compare.place, capture_output=True, text=True)
    compare.check("proof", best.proof, said)
    said = subprocess.run([verifier, "proof"], cwd=compare.place, capture_output=True, text=True)
    compare.check("verify", str(tw.verify(best.proof)), said)


def unreached(root):
    """Public C++ names that REACHED does not have, and the other way round."""
    names = set()
    for path in sorted((root / "cmake" / "exports").glob("*.txt")):
        for line in path.read_text().splitlines():
            found = re.match(r"tilewright::(\w+)", line)
            if found:
                names.add(found[1])
    return sorted(names ^ REACHED.keys())


def main():
    root, program, verifier, quick = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    archs, workloads, every = (ARCHS[:2], WORKLOADS[:5], 11) if quick else (ARCHS, WORKLOADS, 2)
    with tempfile.TemporaryDirectory() as place:
        compare = Comparison(program, place)
        questions = [*itertools.product(archs, workloads, QUESTIONS),
                     *itertools.product(ARCHS[:1], WORKLOADS[:3], (WHY,))]
        before = None
        for name, workload, question in questions[::every]:
            arch = tw.arch(name)
            result = compare_map(compare, arch, workload, question)
            if result is None:
                continue
            compare_evaluate(compare, result, question)
            if before is not None and len(compare.equal) > 2 and workload == before.workload:
                compare_files(compare, before, result)
            before = result
        for name, workload in [*itertools.product(archs, workloads)][::every]:
            compare_count(compare, tw.arch(name), workload, "pfm")
            compare_count(compare, tw.arch(name), workload, None)
            compare_proofs(compare, verifier, tw.arch("eyeriss"), workload)
        for name in ARCHS[: 1 if quick else 3]:
            alexnet = tw.network("alexnet")
            compare_plan(compare, tw.arch(name), alexnet, {}, [])
            compare_plan(compare, tw.arch(name), alexnet,
                         {"keep_on_chip": True, "objective": "energy", "space": "pfm"},
                         ["--keep-on-chip", "--objective", "energy", "--space", "pfm"])
            compare_plan(compare, tw.arch(name), alexnet, {"constraints": KEEP},
                         ["constraints.yaml"])
        for rows in (1, 3, 16):
            compare_onnx(compare, rows)
    for line in compare.wrong[:10]:
        print(f"differs: {line}")
    missing = unreached(root)
    if missing:
        print(f"public C++ names and the list of this test differ: {', '.join(missing)}")
    counts = ", ".join(f"{name} {count}" for name, count in sorted(compare.equal.items()))
    print(f"python-same: {sum(compare.equal.values())} answers equal the command's byte for byte "
          f"({counts}), {len(compare.wrong)} differ; {len(REACHED)} public C++ names reached")
    return 1 if compare.wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
