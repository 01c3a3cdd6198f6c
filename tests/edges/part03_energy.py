# SPDX-License-Identifier: Apache-2.0
"""Energy and precision (issue 13, part 3)."""

ARCH = """
arch:
  name: small
  nodes:
    - {{memory: DRAM, word: 16 bit, energy: {{read: {0}, write: {0}}}}}
    - {{compute: mac}}
mapping: |
  DRAM: keep A B Z
    for m 4, n 4, k 4
  mac
"""


def energy(tw, bits, price):
    tw.file("arch.yaml", ARCH.format(price))
    tw.file("workload.yaml", f"workload: {{gemm: {{m: 4, n: 4, k: 4}}, bits: {bits}}}\n")
    ran = tw.run("evaluate", "arch.yaml", "workload.yaml", "--json")
    assert ran.code == 0, ran.text
    return ran.json


def edge_energy_per_bit(tw):
    """With pJ/bit, elements of 32 bits cost four times as much as elements of 8."""
    narrow, wide = (energy(tw, bits, "2 pJ/bit")["energy_pj"] for bits in (8, 32))
    # 64 reads of A and of B, 64 updates and 48 reads of Z.
    assert narrow == (64 * 3 + 48) * 8 * 2 and wide == 4 * narrow


def edge_energy_per_word(tw):
    """pJ/word is charged for every bit: half a word costs half."""
    assert energy(tw, 8, "32 pJ/word")["energy_pj"] == (64 * 3 + 48) * 8 * 2


def edge_prices_per_element_are_said(tw):
    """Without `width` 8 and 32 bits cost the same, and the report says that this was so."""
    narrow, wide = (energy(tw, bits, "2 pJ") for bits in (8, 32))
    assert narrow["energy_pj"] == wide["energy_pj"]
    assert any("DRAM are priced per element" in caveat for caveat in narrow["caveats"]), narrow["caveats"]


def edge_kinds_of_energy_do_not_mix(tw):
    """A read per bit and a write per access in one memory is an error with both places."""
    tw.file("arch.yaml", ARCH.format("2 pJ").replace("write: 2 pJ", "write: 2 pJ/bit"))
    ran = tw.run("check", "arch.yaml")
    assert ran.code != 0 and "F0023" in ran.text and "each bit" in ran.text, ran.text
