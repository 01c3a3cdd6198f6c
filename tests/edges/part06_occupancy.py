# SPDX-License-Identifier: Apache-2.0
"""Part 6: how full a memory with partitions is."""

import re

ARCH = """arch:
  name: split
  nodes:
    - {memory: DRAM}
    - memory: GLB
      capacity: 1 KiB
      bits: 8
      partition: {input: 1 KiB, weight: 1 KiB}
    - {compute: mac}
"""

NEST = """DRAM: keep A B Z
GLB: keep A B
  for m 25, n 24, k 24
mac
"""


def written(tw):
    return [tw.file("arch.yaml", ARCH), tw.file("w.yaml", "workload: {gemm: {m: 25, n: 24, k: 24}}\n"),
            tw.file("m.nest", NEST)]


def edge_text_shows_each_partition(tw):
    """600 of 1,024 B and 576 of 1,024 B are 58.6 % and 56.2 %, not 0 % of the shared part."""
    out = tw.run("evaluate", *written(tw)).out
    glb = out[out.index("\nGLB"):].split("\n")[1:5]
    assert "38.3 % full" in glb[0], glb  # 1,176 of 3,072 B
    assert glb[1].split() == ["shared", "1", "KiB,", "0", "%", "full"], glb
    assert glb[2].split() == ["for", "A", "1", "KiB,", "58.6", "%", "full"], glb
    assert glb[3].split() == ["for", "B", "1", "KiB,", "56.2", "%", "full"], glb


def edge_page_shows_each_partition(tw):
    """The page says the same of the whole memory and of each partition."""
    assert tw.run("evaluate", *written(tw), "--html", "page.html").code == 0
    page = re.sub(r"\s|\u2060|<wbr>", " ", (tw.folder / "page.html").read_text())
    for words in ("3 KiB, 38.3 % full", "for A: 1 KiB, 58.6 % full", "for B: 1 KiB, 56.2 % full"):
        assert words in page, words
