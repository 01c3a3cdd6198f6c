# SPDX-License-Identifier: Apache-2.0
"""Part 7: limits of words."""

GEMM = "workload: {gemm: {m: 4, n: 4, k: 4}}\n"

ARCH = """arch:
  name: small
  nodes:
    - {memory: DRAM, energy: {read: 100 pJ, write: 100 pJ}}
    - {memory: GLB, capacity: 4 KiB, EXTRA energy: {read: 2 pJ, write: 2 pJ}}
    - {fanout: F, axes: {X: 3, Y: 2}}
    - {compute: mac, energy: 1 pJ}
"""

NEST = """DRAM: keep A B Z
  for n 4, k 4
F: parfor m 2 on Y, m 3 on X
mac
"""


def small(tw, extra=""):
    """A small problem with a mapping: the names of its three files."""
    return (tw.file("arch.yaml", ARCH.replace("EXTRA", extra)), tw.file("w.yaml", GEMM),
            tw.file("m.nest", NEST.replace("m 2 on Y, m 3 on X", "m 2 on X, m 2 on Y")))


def edge_axes_may_be_named_in_any_order(tw):
    """`F: parfor m 2 on Y, m 3 on X` is legal as written: m = 4 has 2 parts of 3 and 1."""
    arch, work, _ = small(tw)
    ran = tw.run("evaluate", arch, work, tw.file("m.nest", NEST), "--check")
    assert ran.code == 0, ran.text
    assert "m 2 on Y, m 3 on X" in ran.out, ran.out
