#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws every answer by its CPU time and by how far it is from the proved best: draw.py results.csv picture.svg"""

import csv
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

import page  # noqa: E402

matplotlib.rcParams.update({"svg.hashsalt": "peers", "svg.fonttype": "none", "font.family": "sans-serif",
                            "font.size": 10})
#: One colour and one mark per mapper; the colours differ for the colour-blind too.
LOOKS = {"tilewright": ("Tilewright, proved", "#0072b2", "o"), "accelforge": ("AccelForge", "#d55e00", "s"),
         "zigzag": ("ZigZag", "#009e73", "^"), "factorflow": ("FactorFlow (EDP)", "#cc79a7", "D")}


def points(rows, mapper):
    """(CPU seconds, times the best) of every answer."""
    if mapper == "tilewright":
        return [(float(row["cpu"]), 1.0) for row in rows if row["mapper"] == mapper and row["proved"] == "True"]
    known = page.by_name(rows)
    figure = page.REFERENCES[mapper][1]
    return [(float(row["cpu"]), float(row[figure]) / page.reference(known, row["problem"], mapper)[0])
            for row in rows if row["mapper"] == mapper and row["energy"]]


def main():
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))
    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    figure.patch.set_facecolor("white")
    for mapper, (label, colour, mark) in LOOKS.items():
        found = points(rows, mapper)
        if found:
            axes.scatter(*zip(*found), label=f"{label}: {len(found)}", color=colour, marker=mark, s=26, alpha=0.75,
                         linewidths=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    ticks = [tick for tick in (1, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100) if tick <= axes.get_ylim()[1] * 1.05]
    axes.set_yticks(ticks, [f"{tick:g}x" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("CPU seconds for one problem")
    axes.set_ylabel("times the proved best")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(sys.argv[2], metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
