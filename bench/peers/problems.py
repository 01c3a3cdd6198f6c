# SPDX-License-Identifier: Apache-2.0
"""The problems that we and the peers map: the same loops, memories and costs for everybody."""

import dataclasses
import math

#: Words of 16 bits, 128 pJ for a word of DRAM and 6 pJ for one of the buffer: the figures of the first
#: comparison with AccelForge, where uneven placement was found to matter.
DRAM = {"memory": "DRAM", "words": None, "energy": 128, "bandwidth": 8}
BITS = 16


@dataclasses.dataclass(frozen=True)
class Problem:
    suite: str
    name: str
    einsum: str
    tensors: dict
    dims: dict
    nodes: list

    @property
    def macs(self):
        return math.prod(self.dims.values())

    def workload(self):
        """As an operand of `tilewright map`."""
        return f"{self.einsum}; " + " ".join(f"{dim}={size}" for dim, size in self.dims.items())

    def arch(self):
        """As a file of ours."""
        lines = ["arch:", "  name: array", "  nodes:"]
        for node in self.nodes:
            if "memory" in node:
                size = f", capacity: {node['words'] * BITS // 8} B" if node["words"] else ""
                speed = f", bandwidth: {node['bandwidth']} word/cycle" if node["bandwidth"] else ""
                cost = f"energy: {{read: {node['energy']} pJ, write: {node['energy']} pJ}}"
                lines.append(f"    - {{memory: {node['memory']}, word: {BITS} bit{size}{speed}, {cost}}}")
            elif "fanout" in node:
                axes = ", ".join(f"{name}: {size}" for name, size in node["axes"].items())
                lines.append(f"    - {{fanout: {node['fanout']}, axes: {{{axes}}}}}")
            else:
                lines.append(f"    - {{compute: {node['compute']}, energy: {node['energy']} pJ}}")
        return "\n".join(lines) + "\n"

    def for_peer(self):
        """What the script of a peer reads."""
        return {"name": self.name, "tensors": self.tensors, "output": "Z", "dims": self.dims, "bits": BITS,
                "nodes": self.nodes}


def array(buffer_kib, side=16, registers=0):
    """DRAM, one buffer, a square array; with `registers` words at each of its units."""
    nodes = [DRAM, {"memory": "GLB", "words": buffer_kib * 512, "energy": 6, "bandwidth": 32},
             {"fanout": "PE", "axes": {"X": side, "Y": side}}]
    if registers:
        nodes.append({"memory": "RF", "words": registers, "energy": 0.5, "bandwidth": None})
    return [*nodes, {"compute": "mac", "energy": 1}]


def gemm(suite, m, n, k, buffer_kib, registers=0):
    memory = f"{buffer_kib} KiB" + (f" + {registers} words per unit" if registers else "")
    return Problem(suite, f"{m} x {n} x {k}, {memory}", "Z[m,n] += A[m,k] * B[k,n]",
                   {"Z": ["m", "n"], "A": ["m", "k"], "B": ["k", "n"]}, {"m": m, "n": n, "k": k},
                   array(buffer_kib, registers=registers))


def index(out, filter_dim, stride):
    return f"{stride}*{out}+{filter_dim}" if stride > 1 else f"{out}+{filter_dim}"


def conv(suite, name, m, c, p, r, buffer_kib, stride=1, depthwise=False, registers=0):
    """A square convolution with p x p outputs and r x r filters; depthwise: one filter per channel."""
    rows, columns = index("p", "r", stride), index("q", "s", stride)
    out, weight = ("c", "c") if depthwise else ("m", "m,c")
    einsum = f"Z[{out},p,q] += A[c,{rows},{columns}] * B[{weight},r,s]"
    tensors = {"Z": [out, "p", "q"], "A": ["c", rows, columns], "B": [*weight.split(","), "r", "s"]}
    dims = {**({} if depthwise else {"m": m}), "c": c, "p": p, "q": p, "r": r, "s": r}
    return Problem(suite, f"{name}, {buffer_kib} KiB", einsum, tensors, dims, array(buffer_kib, registers=registers))


#: The shapes of the tight-buffer problems. The first two are those of the first comparison; the others are a
#: cube, long and flat products, one with many divisors and products of real layers.
SHAPES = ((96, 160, 224), (240, 360, 120), (128, 128, 128), (64, 256, 512), (196, 64, 576), (49, 512, 512),
          (100, 100, 100), (384, 48, 96), (60, 84, 72), (12, 768, 64))


def every():
    """All problems, in the order of the tables."""
    found = [gemm("tight", *shape, kib) for shape in SHAPES for kib in (1, 2, 4)]
    found += [gemm("gemm", 512, 512, 512, 64), gemm("gemm", 197, 768, 768, 128),
              gemm("gemm", 96, 160, 224, 16, registers=32), gemm("gemm", 128, 128, 128, 16, registers=16)]
    found += [gemm("prime", 97, 101, 103, 4), gemm("prime", 127, 131, 31, 8), gemm("prime", 251, 64, 64, 8)]
    found += [conv("conv", "resnet18 conv4, 3 x 3", 256, 256, 14, 3, 64),
              conv("conv", "resnet50 conv4 reduce, 1 x 1", 256, 1024, 14, 1, 64),
              conv("conv", "resnet18 conv3 first, stride 2", 128, 64, 28, 3, 64, stride=2)]
    found += [conv("depthwise", "mobilenet, 96 channels", 0, 96, 28, 3, 2, depthwise=True),
              conv("depthwise", "mobilenet, 384 channels", 0, 384, 14, 3, 16, depthwise=True)]
    found += [conv("network", f"alexnet {name}", m, c, p, r, 108, stride=stride)
              for name, m, c, p, r, stride in (("conv1", 96, 3, 55, 11, 4), ("conv2", 256, 48, 27, 5, 1),
                                               ("conv3", 384, 256, 13, 3, 1), ("conv4", 384, 192, 13, 3, 1),
                                               ("conv5", 256, 192, 13, 3, 1))]
    return found


#: Energies in pJ that uneven placement must reach or beat, by the name of the problem: those that AccelForge
#: found on the first two, and on the third our own with even placement, which was better.
REACHED = {"96 x 160 x 224, 2 KiB": 51_927_040, "96 x 160 x 224, 4 KiB": 42_321_920,
           "240 x 360 x 120, 1 KiB": 207_878_400}
