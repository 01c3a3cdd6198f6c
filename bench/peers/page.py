# SPDX-License-Identifier: Apache-2.0
"""What is said about the results: lines while they come, tables and pictures of docs/peers.md."""

import csv
import math
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.csv"
PAGE = ROOT / "docs" / "peers.md"
PICTURE = ROOT / "docs" / "figures" / "peers.svg"
BEGIN, END = "<!-- made by bench/peers/run --record from here -->", "<!-- to here -->"
COLUMNS = ("suite", "problem", "mapper", "version", "energy", "cycles", "edp", "proved", "executed", "own_energy",
           "own_cycles", "cpu", "megabytes", "fault", "note", "nest")
PEERS = {"accelforge": "AccelForge", "zigzag": "ZigZag", "factorflow": "FactorFlow"}
#: What each peer is measured against: our run over the mappings that it searches, and the figure.
REFERENCES = {"accelforge": ("tilewright", "energy"), "zigzag": ("tilewright-ruby-s", "energy"),
              "factorflow": ("tilewright-edp", "edp")}
SUITES = {"tight": "Matrix products, tight buffers", "gemm": "Matrix products, larger buffers and registers",
          "prime": "Prime sizes", "conv": "Convolutions", "depthwise": "Depthwise convolutions",
          "network": "A network: AlexNet's convolutions"}


def line(row):
    """One result, while the run goes on."""
    result = f"{float(row['energy']):14,.0f} pJ" if row["energy"] else f"{row['fault']}"
    return f"{row['suite']:10}{row['problem']:42}{row['mapper']:18}{result}  {row['cpu']:.2f} s  {row['megabytes']} MB"


def by_name(rows):
    return {(row["problem"], row["mapper"]): row for row in rows}


def reference(known, problem, peer):
    """(what is best among the mappings that the peer searches, CPU seconds, whether it is proved), by our search.

    AccelForge and FactorFlow have perfect factors; ZigZag may leave a remainder in space, which is Ruby-S.
    """
    mapper, figure = REFERENCES[peer]
    row = known.get((problem, mapper))
    if not row or not row[figure]:
        return None
    return float(row[figure]), float(row["cpu"]), str(row["proved"]) == "True"


def ratio(known, problem, peer):
    """How many times the best it is; what went wrong, if there is no answer."""
    row, best = known.get((problem, peer)), reference(known, problem, peer)
    if not row or not best:
        return "-"
    figure = REFERENCES[peer][1]
    return f"{float(row[figure]) / best[0]:.3f}" if row[figure] else row["fault"]


def seconds(row):
    return f"{float(row['cpu']):.2f}" if row and not row["fault"] else "-"


def energy(row):
    if not row or not row["energy"]:
        return "-"
    return f"{float(row['energy']) / 1e6:,.3f}" + ("" if str(row["proved"]) == "True" else " (open)")


def table(rows, suite):
    known = by_name(rows)
    lines = ["| problem | best, uJ | s | Ruby-S, uJ | s | AccelForge | s | ZigZag | s | FactorFlow | s |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name in dict.fromkeys(row["problem"] for row in rows if row["suite"] == suite):
        cells = [name]
        for mapper in ("tilewright", "tilewright-ruby-s"):
            cells += [energy(known.get((name, mapper))), seconds(known.get((name, mapper)))]
        for peer in PEERS:
            cells += [ratio(known, name, peer), seconds(known.get((name, peer)))]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def pairs(rows, peer):
    """For every problem that the peer solved: its figure over the best, its CPU time over ours."""
    known = by_name(rows)
    figure = REFERENCES[peer][1]
    found = []
    for row in rows:
        best = reference(known, row["problem"], peer) if row["mapper"] == peer and row["energy"] else None
        if best:
            found.append((float(row[figure]) / best[0], float(row["cpu"]) / max(best[1], 0.001)))
    return found


def faults(rows):
    """What a peer found that is better than what we claim to be proved best."""
    known = by_name(rows)
    found = []
    for row in rows:
        if row["mapper"] not in PEERS or not row["energy"]:
            continue
        best = reference(known, row["problem"], row["mapper"])
        if best and best[2] and float(row[REFERENCES[row["mapper"]][1]]) < best[0] * (1 - 1e-9):
            found.append(f"{row['problem']}: {row['mapper']} is better than what is proved best")
    return found


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def overview(rows):
    lines = ["| peer | problems | answers | as good as ours | mean | worst | CPU time, times ours | peak memory |",
             "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for peer, name in PEERS.items():
        own = [row for row in rows if row["mapper"] == peer]
        found = pairs(rows, peer)
        if not found:
            continue
        version = next(row["version"] for row in own if row["version"])
        figures = [quality for quality, _ in found]
        lines.append(f"| {name} {version} | {len(own)} | {len(found)} | {sum(f < 1 + 1e-9 for f in figures)} | "
                     f"{geometric(figures):.3f} | {max(figures):.3f} | {geometric([t for _, t in found]):,.0f} | "
                     f"{max(int(row['megabytes']) for row in own):,} MB |")
    return lines


def summary(rows):
    """The last line of a run."""
    count = len({row["problem"] for row in rows})
    parts = [f"{PEERS[peer]} {geometric([q for q, _ in found]):.3f} times our optimum and "
             f"{geometric([t for _, t in found]):,.0f} times our CPU time on {len(found)}"
             for peer in PEERS if (found := pairs(rows, peer))]
    return f"peers: {count} problems; " + "; ".join(parts)


def generated(rows):
    lines = [BEGIN, "", *overview(rows), "", "![how good and how fast](figures/peers.svg)"]
    for suite, title in SUITES.items():
        if any(row["suite"] == suite for row in rows):
            lines += ["", f"### {title}", "", *table(rows, suite)]
    return "\n".join([*lines, "", END])


def read():
    with open(RESULTS, newline="") as file:
        return list(csv.DictReader(file))


def with_tables(text):
    start, end = text.index(BEGIN), text.index(END) + len(END)
    return text[:start] + generated(read()) + text[end:]


def record(results):
    """Takes these results as the recorded ones, and writes them into the page."""
    RESULTS.write_bytes(results.read_bytes())
    PAGE.write_text(with_tables(PAGE.read_text()))
    python = ROOT / "build" / "python" / "peers" / "bin" / "python"
    subprocess.run([python, HERE / "draw.py", RESULTS, PICTURE], check=True)


def check():
    """Whether the page says what the recorded results say."""
    text = PAGE.read_text()
    rows = read()
    problems = len({row["problem"] for row in rows})
    peers = sum(any(row["mapper"] == peer and row["energy"] for row in rows) for peer in PEERS)
    if with_tables(text) != text:
        print("docs/peers.md does not have the tables of bench/peers/results.csv: bench/peers/run --record")
        return 1
    print(f"the page has the recorded results of {problems} problems and {peers} peers")
    return 0 if problems >= 30 and peers >= 3 else 1


if __name__ == "__main__":
    sys.exit(check())
