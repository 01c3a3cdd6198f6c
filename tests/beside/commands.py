# SPDX-License-Identifier: Apache-2.0
"""Command lines whose JSON must not change: every command, mapper, space, objective and question.

Every search ends by itself or after a number of nodes or mappings, never by the clock, so that two
programs can be compared byte for byte.
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPACES = ["pfm", "ruby-s", "ruby-t", "ruby", "pad"]
OBJECTIVES = ["edp", "energy", "latency", "ed2p", "traffic", "energy^2*latency^0.5"]
NODES = ["--budget", "3000 nodes", "--threads", "1"]
DEPTHWISE = "mobilenetv2/b1.1.dw"
LAYERS = ["gemm 48 36 60", "gemm 128 100 77", "conv m=8 c=6 p=9 q=9 r=3 s=3", "resnet50/conv1", "alexnet/conv2",
          DEPTHWISE]
SMALL = ["gemm 12 10 14", "gemm 6 7 8"]
CONV = ["examples/ragged-conv/workload.yaml", "examples/eyeriss-conv/workload.yaml",
        "examples/constrained-conv/workload.yaml"]
ARCHS = ["diannao", "eyeriss", "eyeriss-chip", "eyeriss-v4", "factorflow-simba", "gemmini",
         "goma-a100", "goma-eyeriss", "goma-gemmini", "goma-tpu", "quickflow-eyeriss",
         "quickflow-simba", "quickflow-tpu", "simba", "simba-ruby-15", "simba-ruby-9"]
#: Small enough that every layer is solved in a moment.
NETWORKS = ["dlrm-1", "dlrm-256", "dlrm-2048", "dlrm-cosa", "dlrm-rmc1", "ncf-1", "ncf-2048",
            "ncf-training-2048", "bert-base-128", "bert-base-512", "bert-large-512", "alexnet",
            "alexnet-torchvision", "llama-3.2-1b-decode-8k", "qwen3-0.6b-decode-8k",
            "qwen3-0.6b-prefill-1k", "quickflow", "resnet50", "mobilenetv2", "mnasnet-a1"]
STRIDED = "\n".join([
    "workload:",
    "  name: strided",
    "  conv: {m: 6, c: 4, p: 9, q: 9, r: 3, s: 3, stride: 2}",
    ""])
CONFLICT = "constraints:\n  - {at: DRAM, factors: [m >= 5]}\n  - {at: DRAM, factors: [m <= 4]}\n"
LIMITS = "constraints:\n  - {at: DRAM, factors: [m <= 4]}\n  - {at: GLB, keep: [Outputs]}\n"


def write_files(folder):
    """The files that some commands name, in a folder of their own."""
    for name, text in (("strided.yaml", STRIDED), ("conflict.yaml", CONFLICT), ("limits.yaml", LIMITS)):
        (folder / name).write_text(text)


def maps():
    for arch in ARCHS:
        for layer in LAYERS:
            if (arch, layer) != ("quickflow-tpu", DEPTHWISE):  # half a minute before the first node
                yield ["map", arch, layer, *NODES]
    for space in SPACES:
        for arch in ("eyeriss", "goma-gemmini", "simba-ruby-9"):
            # `pad` searches one problem for each choice of sizes.
            for layer in (SMALL if space == "pad" else [SMALL[0], "conv m=3 c=2 p=5 q=5 r=2 s=2"]):
                yield ["map", arch, layer, "--space", space, *NODES]
                yield ["map", arch, layer, "--space", space, "--mapper", "local", "--seed", "3"]
                yield ["map", arch, layer, "--space", space, "--mapper", "random", "--patience", "200"]
    for objective in OBJECTIVES:
        for layer in (LAYERS[0], "strided.yaml"):
            yield ["map", "eyeriss", layer, "--objective", objective, *NODES]
    for layer in CONV:
        yield ["map", "eyeriss", layer, *NODES]
    for layer in SMALL:
        yield ["map", "goma-gemmini", layer, "--mapper", "exhaustive", "--space", "pfm"]
    for convention in ("--holes-are-data", "--drains-are-reads"):
        for layer in ("strided.yaml", *CONV):
            for mapper in ("optimal", "local", "random"):
                nodes = NODES if mapper == "optimal" else []
                yield ["map", "eyeriss", layer, convention, "--mapper", mapper, *nodes]


def questions():
    for arch in ("eyeriss", "goma-gemmini"):
        for layer in SMALL:
            yield ["map", arch, layer, "--top", "4", "--threads", "1"]
            yield ["map", arch, layer, "--front", "--threads", "1"]
            yield ["map", arch, layer, "--within", "10%", "--threads", "1"]
            yield ["map", arch, layer, "--why", "--threads", "1"]
            yield ["map", arch, layer, "--gap", "20%", "--threads", "1"]
            yield ["map", arch, layer, "--space", "pad", "--top", "3", "--threads", "1"]
            yield ["map", arch, layer, "--cap", "latency <= 100000 cycles", "--threads", "1"]
            yield ["map", arch, layer, "--cap", "energy <= 1e-3 pJ", *NODES]
    yield ["map", "eyeriss", "examples/constrained-conv/workload.yaml",
           "examples/constrained-conv/constraints.yaml", *NODES]
    yield ["map", "eyeriss", "conv m=3 c=2 p=5 q=5 r=2 s=2", "limits.yaml", "--threads", "1"]
    yield ["map", "eyeriss", "conv m=3 c=2 p=5 q=5 r=2 s=2", "conflict.yaml"]
    yield ["map", "examples/first/arch.yaml", "examples/first/workload.yaml", "--threads", "1"]


def networks():
    for name in NETWORKS:
        yield ["net", "goma-gemmini", name, "--budget", "2000 nodes"]
        yield ["net", "goma-eyeriss", name, "--mapper", "local"]
    for name in ("dlrm-1", "ncf-1", "bert-base-128", "alexnet"):
        for space in SPACES[:-1]:
            yield ["net", "goma-gemmini", name, "--space", space, "--budget", "1000 nodes"]
        yield ["net", "goma-gemmini", name, "--keep-on-chip", "--budget", "500 nodes"]
        yield ["net", "goma-gemmini", name, "--objective", "energy", "--drains-are-reads",
               "--budget", "500 nodes"]
    yield ["net", "eyeriss", "alexnet", "limits.yaml", "--budget", "500 nodes"]
    yield ["net", "eyeriss", "dlrm-1", "conflict.yaml", "--budget", "500 nodes"]


def others():
    for example in ("first", "eyeriss-conv", "ragged-conv"):
        folder = ROOT / "examples" / example
        arch = f"examples/{example}/arch.yaml" if (folder / "arch.yaml").is_file() else "eyeriss"
        files = [arch, f"examples/{example}/workload.yaml", f"examples/{example}/mapping.nest"]
        for extra in ([], ["--holes-are-data"], ["--drains-are-reads"], ["--objective", "ed2p"]):
            yield ["evaluate", *files, *extra]
    for arch in ARCHS:
        yield ["count", arch, "gemm 48 36 60"]
    for space in SPACES:
        yield ["count", "eyeriss", "examples/ragged-conv/workload.yaml", "--space", space]


def all_commands():
    """Every command line, without `--json`."""
    return [*maps(), *questions(), *networks(), *others()]
