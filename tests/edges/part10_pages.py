# SPDX-License-Identifier: Apache-2.0
"""The page of a network tells a story; pages show what was asked (issue 13, part 10).

What only a browser can tell is in tests/report/pages."""

import re

# Two equal blocks and layers that only move data, on an accelerator without DRAM bandwidth.
NETWORK = """
network:
  name: blocks
  edges: [{name: image, elements: 3136}]
  layers:
    - {name: stem, conv: {m: 16, c: 4, p: 28, q: 28}, from: [image]}
    - {name: pool, traffic: maxpool, elements: 3136, from: [stem]}
    - {name: b1.conv1, conv: {m: 16, c: 4, p: 14, q: 14}, from: [pool]}
    - {name: b1.conv2, conv: {m: 16, c: 16, p: 14, q: 14, r: 3, s: 3}, from: [b1.conv1]}
    - {name: b1.add, traffic: add, from: [b1.conv2, b1.conv1]}
    - {name: b2.conv1, conv: {m: 16, c: 16, p: 14, q: 14}, from: [b1.add]}
    - {name: b2.conv2, conv: {m: 16, c: 16, p: 14, q: 14, r: 3, s: 3}, from: [b2.conv1]}
    - {name: b2.add, traffic: add, from: [b2.conv2, b2.conv1]}
    - {name: b3.conv1, conv: {m: 16, c: 16, p: 14, q: 14}, from: [b2.add]}
    - {name: b3.conv2, conv: {m: 16, c: 16, p: 14, q: 14, r: 3, s: 3}, from: [b3.conv1]}
    - {name: b3.add, traffic: add, from: [b3.conv2, b3.conv1]}
"""
ARCH = """
arch:
  name: small
  nodes:
    - {memory: DRAM, energy: {read: 100 pJ, write: 100 pJ}}
    - {memory: GLB, capacity: 4 KiB, energy: {read: 6 pJ, write: 6 pJ}}
    - {fanout: PE, axes: {X: 8, Y: 4}}
    - {memory: RF, capacity: 64 B, energy: {read: 0.5 pJ, write: 0.5 pJ}}
    - {compute: mac, energy: 0.2 pJ}
"""
GEMM = "workload: {name: g, gemm: {m: 37, n: 23, k: 41}}\n"


def network_page(tw):
    tw.file("arch.yaml", ARCH)
    tw.file("net.yaml", NETWORK)
    ran = tw.run("net", "arch.yaml", "net.yaml", "--html", "net.html", "--json")
    assert ran.code == 0, ran.err
    return (tw.folder / "net.html").read_text(), ran.json


def mapping_page(tw, *words):
    tw.file("arch.yaml", ARCH)
    tw.file("gemm.yaml", GEMM)
    ran = tw.run("map", "arch.yaml", "gemm.yaml", "--html", "map.html", "--json", *words)
    assert ran.code == 0, ran.err
    return (tw.folder / "map.html").read_text(), ran.json["search"]


def section(page, name):
    """A part of the page, tags and all."""
    start = page.index(f'<h2 id="{name}">')
    return page[start:page.index("</section>", start)]


def plain(text):
    return text.replace("\u00a0", " ")


def edge_energy_by_level_is_beside_the_time(tw):
    """Each level of the accelerator has a bar with its share of the network's energy."""
    page, result = network_page(tw)
    story = plain(section(page, "story"))
    total = result["totals"]["energy_pj"]
    spent = {}
    for layer in result["layers"]:
        if layer["problem"] is not None:
            for memory in result["problems"][layer["problem"]]["evaluation"]["memories"]:
                spent[memory["name"]] = spent.get(memory["name"], 0) + layer["count"] * memory["energy_pj"]
        else:
            spent["DRAM"] = spent.get("DRAM", 0) + layer["count"] * layer["energy_pj"]
    assert set(spent) == {"DRAM", "GLB", "RF"}
    for name, picojoule in spent.items():
        shown = re.search(rf'aria-label="{name}: ([\d.]+) %"', story)
        assert shown and abs(float(shown[1]) - 100 * picojoule / total) < 0.06, (name, shown)


def edge_names_stand_below_the_bars(tw):
    """Blocks are named below the time and below the energy; no letters stand for memories."""
    page, _ = network_page(tw)
    strips = re.findall(r'<svg class="names desk".*?\n</svg>', page, re.S)
    assert len(strips) == 2
    for strip in strips:
        assert [name for name in ("b1", "b2", "b3") if f">{name}</text>" in strip] == ["b1", "b2", "b3"]
    assert not re.search(r"</span> a: ", page)


def edge_equal_blocks_and_layers_share_a_row(tw):
    """Blocks 2 and 3 are one group of three rows; their layers run twice."""
    page, _ = network_page(tw)
    table = re.sub(r"<wbr>", "", section(page, "layers"))
    assert "b2, b3<span" in table and " 2 equal blocks" in table
    names = [re.sub(r"<[^>]+>", "", name) for name in re.findall(r'<th scope="row">(.*?)</th>', table)]
    assert len(names) == 9, names  # stem, pool, three of b1, three of b2 and b3, the sum


def edge_only_what_matters_is_bold(tw):
    """The shares of what takes 80 % are strong; no whole row is, and no star stands for it."""
    page, _ = network_page(tw)
    table = plain(section(page, "layers"))
    bold = re.findall(r"<strong>([\d.]+) %</strong>", table)
    rows = table.count("<tr") - 2  # the titles and the sum
    assert 2 <= len(bold) < 2 * rows, bold
    assert "* " not in re.sub(r"<[^>]+>", " ", table)
    assert ".layers .main td { font-weight" not in page


def edge_numbers_and_units_do_not_part(tw):
    """No blank at which a line may break stands between a number and its unit."""
    for page in (network_page(tw)[0], mapping_page(tw)[0]):
        text = re.sub(r"<style>.*?</style>", "", page, flags=re.S)
        words = re.sub(r"<[^>]+>", "\n", text)
        loose = re.findall(r"\d (?:%|[npumkMG]?J\b|[kMG]?B\b)", words)
        assert not loose, loose[:5]
        assert re.search("\\d\u00a0%", words)


def edge_layers_that_only_move_data_are_seen(tw):
    """Without a bandwidth they take no time: a tick each in the time, an area each in the energy."""
    page, result = network_page(tw)
    traffic = [layer for layer in result["layers"] if layer["kind"] == "traffic"]
    assert len(traffic) == 4 and all(layer["cycles"] == 0 for layer in traffic)
    story = plain(section(page, "story"))
    assert story.count('<line class="instant"') == 4
    assert "only moves data and takes no time" in story
    for layer in traffic:
        assert f"<title>{layer['name']}: DRAM " in story


def edge_bars_scale_to_what_their_track_says(tw):
    """Of the energy's bars the share that is written is the share of the track that is filled."""
    page = plain(mapping_page(tw)[0])
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', section(page, "energy"), re.S)
    assert len(rows) >= 3
    for row in rows:
        share = float(re.search(r">([\d.]+) %</td>", row)[1])
        drawn = sum(float(w) for w in re.findall(r'width="([\d.]+)%"', row))
        assert abs(share - drawn) < 0.1, (share, drawn)
    network = plain(network_page(tw)[0])
    assert re.search(r"<th scope=\"col\">track: \d+ %</th>", network)


def edge_what_scrolls_says_so(tw):
    """Each frame that scrolls sideways begins with the words for it."""
    for page in (network_page(tw)[0], mapping_page(tw)[0]):
        frames = re.findall(r'<div class="wide"[^>]*>(.{0,80})', page, re.S)
        assert frames
        for start in frames:
            assert '<p class="more"' in start, start


def edge_why_is_a_table_with_bars(tw):
    """Every limit that binds is a row group with the figures of the JSON, and a bar for each."""
    page, search = mapping_page(tw, "--why")
    part = section(page, "why")
    binding = [gain for gain in search["why"] if gain["binding"]]
    assert binding
    assert part.count('<th scope="rowgroup"') == len(binding)
    assert part.count('<svg class="bar"') == sum(len(gain["tries"]) for gain in binding)
    assert "<pre>" not in part


def edge_top_is_a_table_with_bars(tw):
    """`--top 4`: four mappings, each with a bar for energy and one for cycles."""
    page, search = mapping_page(tw, "--top", "4")
    part = plain(section(page, "others"))
    assert len(search["top"]) == 4
    assert part.count('<svg class="bar"') == 8
    for answer in search["top"]:
        assert f">{answer['cycles']:,}<svg" in part


def edge_front_is_a_plot(tw):
    """`--front`: one point a mapping, energy against cycles."""
    page, search = mapping_page(tw, "--front")
    part = section(page, "others")
    assert len(search["front"]) > 2
    assert part.count("<circle") == len(search["front"])
