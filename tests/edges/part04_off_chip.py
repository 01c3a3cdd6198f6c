# SPDX-License-Identifier: Apache-2.0
"""Part 4: which traffic is off-chip, what is assumed about it, and figures given on the command line."""

import json

GEMM = "workload: {gemm: {m: 8, n: 8, k: 8}}\n"

TWO_DRAMS = """arch:
  name: two
  nodes:
    - {memory: DRAM, keep: [input, output]}
    - {memory: WDRAM, keep: [weight]}
    - {memory: GLB, capacity: 1 KiB}
    - {compute: mac}
"""

NET = "network: {name: n, layers: [{name: a, gemm: {m: 8, n: 8, k: 8}}]}\n"


def edge_llama_decode_reads_its_parameters(tw):
    """LLaMA decode on tpu-v1 shows more traffic than its 1.24 G parameters of 8 bit, not 18.62 MB."""
    ran = tw.run("net", "tpu-v1", "llama-3.2-1b-decode-8k", "--mapper", "local", "--json")
    assert ran.json["off_chip"] == ["DRAM", "WeightsDRAM"]
    assert ran.json["totals"]["dram_bits"] > 8 * 1.23e9, ran.json["totals"]


def edge_a_second_dram_without_capacity_is_off_chip(tw):
    """Only bypassing separates it from the outside; each of 3 x 64 elements passes at least once."""
    ran = tw.run("net", tw.file("two.yaml", TWO_DRAMS), tw.file("net.yaml", NET), "--json")
    assert ran.json["off_chip"] == ["DRAM", "WDRAM"]
    counts = 0
    for memory in ran.json["problems"][0]["evaluation"]["memories"]:
        if memory["name"] in ("DRAM", "WDRAM"):
            counts += sum(t["reads"] + t["fills"] + t["updates"] for t in memory["tensors"])
    bits = {t["bits"] for m in ran.json["problems"][0]["evaluation"]["memories"] for t in m["tensors"]}
    assert len(bits) == 1 and ran.json["totals"]["dram_bits"] == counts * bits.pop() >= 192
    # Marked otherwise, it is not.
    marked = tw.file("marked.yaml", TWO_DRAMS.replace("[weight]", "[weight], off_chip: false"))
    assert tw.run("net", marked, "net.yaml", "--json").json["off_chip"] == ["DRAM"]


def edge_the_first_line_says_what_is_assumed(tw):
    """`assuming unlimited DRAM bandwidth` begins the reports of evaluate, map and net, and only where it is so."""
    first = "assuming unlimited DRAM bandwidth"
    work, net = tw.file("w.yaml", GEMM), tw.file("net.yaml", NET)
    mapped = tw.run("map", "eyeriss", work, "-o", "m.nest")
    runs = [mapped, tw.run("evaluate", "eyeriss", work, "m.nest"), tw.run("net", "eyeriss", net)]
    for ran in runs:
        assert ran.out.splitlines()[0] == first, ran.out
    for words in (["map", "eyeriss", work], ["net", "eyeriss", net], ["evaluate", "eyeriss", work, "m.nest"]):
        assert tw.run(*words, "--json").json["assumptions"] == ["unlimited DRAM bandwidth"]
        assert tw.run(*words, "--html", "page.html").code == 0
        assert first in (tw.folder / "page.html").read_text()
    assert "assuming" not in tw.run("map", "gemmini", work).out


def edge_figures_are_overridden_and_recorded(tw):
    """`--with DRAM.bandwidth='12.8 GB/s' --with clock='200 MHz'` holds, is recorded and runs again."""
    work = tw.file("w.yaml", GEMM)
    options = ["--with", "DRAM.bandwidth=12.8 GB/s", "--with", "clock=200 MHz"]
    ran = tw.run("map", "eyeriss", work, *options, "--save", "r.json")
    assert ran.code == 0 and "assuming" not in ran.out, ran.text
    saved = json.loads((tw.folder / "r.json").read_text())
    assert saved["arch"]["clock_hz"] == 200e6
    assert saved["run"]["options"]["with"] == [options[1], options[3]]
    # 12.8 GB/s at 200 MHz are 512 bit a cycle.
    dram = saved["memories"][0]
    bits = sum((t["peak_reads"] + t["peak_writes"]) * t["bits"] for t in dram["tensors"])
    assert dram["cycles"] == -(-bits // 512), dram
    again = tw.run("rerun", "r.json")
    assert again.code == 0, again.text
    tw.run("map", "eyeriss", work, "--save", "plain.json")
    assert "--with" in tw.run("diff", "plain.json", "r.json").out
    # A result keeps its figures where it is an input.
    assert tw.run("evaluate", "r.json", "--json").json["cycles"] == saved["cycles"]


def edge_overrides_are_checked_like_a_file(tw):
    """A wrong unit, key or node of `--with` is shown in the option's text, with the nearest that is right."""
    work = tw.file("w.yaml", GEMM)
    for text, code, said in (("DRAM.bandwidth=12.8", "error[F0", "12.8"),
                             ("DRAM.bandwith=4 word/cycle", "error[F0010]", "did you mean `bandwidth`?"),
                             ("DRM.bandwidth=4 word/cycle", "error[A0010]", "did you mean `DRAM`?")):
        for command in (["map", "eyeriss", work], ["count", "eyeriss", work], ["check", "eyeriss"],
                        ["arch", "show", "eyeriss"], ["net", "eyeriss", "resnet18"]):
            ran = tw.run(*command, "--with", text)
            assert ran.code == 1 and code in ran.err and said in ran.err and text in ran.err, ran.err


def edge_three_accelerators_are_described_in_full(tw):
    """At least three of the library have a clock, bandwidths of all that is off-chip, and widths."""
    full = []
    for line in tw.run("arch", "list").out.splitlines():
        name = line.split()[0] if line and not line.startswith(" ") else ""
        shown = tw.run("show", name).out if name else ""
        if name and "MHz" in tw.run("arch", "show", name).out:
            ran = tw.run("map", name, tw.file("w.yaml", GEMM), "--mapper", "local", "--json")
            if ran.json["assumptions"] == [] and shown:
                full.append(name)
    assert len(full) >= 3, full
