# SPDX-License-Identifier: Apache-2.0
"""Part 1: constraints that do not fit every layer of a network, and layers without a mapping."""

import csv

ARCH = """arch:
  name: small
  nodes:
    - {memory: DRAM, energy: {read: 100 pJ, write: 100 pJ}, bandwidth: 64 bit/cycle}
    - {memory: GLB, capacity: 2 KiB, energy: {read: 2 pJ, write: 2 pJ}}
    - {fanout: PE, axes: {X: 4, Y: 4}}
    - {compute: mac, energy: 1 pJ}
"""

NETWORK = """network:
  name: three
  layers:
    - {name: wide, conv: {m: 4, c: 4, p: 4, q: 4, r: 3, s: 3}}
    - {name: point, conv: {m: 4, c: 4, p: 4, q: 4}}
    - {name: wide2, conv: {m: 8, c: 4, p: 4, q: 4, r: 3, s: 3}}
"""

LIMITS = """constraints:
  - at: PE
    factors: [r >= 3 on X]
    dims: {Y: [m]}
"""

UNMET = "r >= 3 on X of PE"


def planned(tw, limits=LIMITS, *more):
    files = [tw.file("arch.yaml", ARCH), tw.file("net.yaml", NETWORK), tw.file("limits.yaml", limits)]
    return tw.run("net", *files, *more)


def edge_only_the_constraint_that_does_not_fit_is_dropped(tw):
    """`r >= 3` does not fit the 1 x 1 layer; what else is demanded still holds for it."""
    ran = planned(tw, LIMITS, "--json")
    point = next(p for p in ran.json["problems"] if p["name"] == "point")
    spread = next(line for line in point["mapping"].splitlines() if line.strip().startswith("PE:"))
    on_y = [part.split()[0] for part in spread.replace("PE: parfor", "").split(",") if "on Y" in part]
    assert on_y in ([], ["m"]), spread
    alone = next(line for line in planned(tw, "constraints: [{at: PE, dims: {Y: [q]}}]", "--json")
                 .json["problems"][1]["mapping"].splitlines() if line.strip().startswith("PE:"))
    assert "m " not in alone.split("on Y")[0].split(",")[-1], alone  # so it is the constraint that decides
    assert point["without"] == [UNMET] and point["constraints"] == 1, point


def edge_rows_without_a_constraint_are_counted_apart(tw):
    """The headline does not say that all of 3 are proved under constraints that one was searched without."""
    ran = planned(tw, LIMITS)
    text = " ".join(ran.out.split())
    assert "(2 of 3 with all constraints; 1 more without `r >= 3 on X of PE`)" in text, ran.out
    totals = planned(tw, LIMITS, "--json").json["totals"]
    assert (totals["proved"], totals["proved_without"], totals["without"]) == (2, 1, 1), totals


def edge_the_row_is_marked_in_text_json_csv_and_page(tw):
    """Which layer it is stands in every form of the result."""
    ran = planned(tw, LIMITS, "--csv", "t.csv", "--html", "t.html")
    marked = [line.split()[0] for line in ran.out.splitlines() if line.split() and line.split()[0].endswith("*")]
    assert marked == ["point*"], ran.out
    layers = planned(tw, LIMITS, "--json").json["layers"]
    assert [layer["without"] for layer in layers] == [[], [UNMET], []], layers
    with open(tw.folder / "t.csv", newline="") as file:
        assert [row["without"] for row in csv.DictReader(file)] == ["", UNMET, ""]
    assert "proved without r &gt;= 3 on X of PE" in (tw.folder / "t.html").read_text()


def edge_an_infeasible_layer_says_what_map_says(tw):
    """The user's lines that cannot hold together, and the smallest change of each, instead of `constraint 3`."""
    limits = "constraints:\n  - at: GLB\n    keep: [input, weight, output]\n  - at: DRAM\n" \
             "    factors: [m = 1, c = 1, p = 1, q = 1]\n  - at: DRAM\n    factors: [s = 1, r = 1]\n"
    small = ARCH.replace("2 KiB", "256 B")
    files = [tw.file("small.yaml", small), tw.file("limits.yaml", limits)]
    net = tw.run("net", *files, tw.file("net.yaml", NETWORK))
    layer = tw.file("wide2.yaml", "workload: {conv: {m: 8, c: 4, p: 4, q: 4, r: 3, s: 3}}\n")
    mapped = tw.run("map", *files, layer)
    assert net.code == 3 and mapped.code == 3, (net.code, mapped.code)
    said = [line.strip() for line in mapped.err.splitlines() if "instead of" in line or "drop" in line]
    assert said, mapped.err
    for line in said:
        place, change = line.split(None, 1)
        assert line in [found.strip() for found in net.err.splitlines()], (line, net.err)
        text = " ".join(net.out.split())
        assert place in text and change in text, (place, change, net.out)
    assert "constraint 1;" not in net.out
