# SPDX-License-Identifier: Apache-2.0
"""Part 8: rows and columns."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

NAME = "a_layer_with_a_very_long_name_that_goes_on_and_on_until_it_is_cut"
NET = f"""network:
  name: small
  layers:
    - {{name: {NAME}, gemm: {{m: 16, n: 16, k: 16}}, count: 3}}
    - {{name: fc, gemm: {{m: 4, n: 8, k: 16}}}}
"""
GEMM = "workload: {gemm: {m: 16, n: 16, k: 16}}\n"


def rows_of(text, word):
    return [line for line in text.splitlines() if line.startswith(word)]


def edge_a_long_name_can_be_read(tw):
    """What is cut at 80 columns is told, and `--wide` shows it whole."""
    net = tw.file("net.yaml", NET)
    cut = tw.run("net", "toy-linear-16", net)
    assert "--wide" in cut.err, cut.err
    wide = tw.run("net", "toy-linear-16", net, "--wide")
    assert wide.code == 0 and "--wide" not in wide.err, wide.text
    assert any("mac" in row for row in rows_of(wide.out, NAME + " ")), wide.out


def edge_a_wide_terminal_is_used(tw):
    """COLUMNS gives the table the room that there is."""
    ran = tw.run("net", "toy-linear-16", tw.file("net.yaml", NET), COLUMNS="140")
    assert any("mac" in row for row in rows_of(ran.out, NAME + " ")), ran.out


def edge_every_table_can_be_read(tw):
    """The same for `show`, `diff` and `--top`: no `~` with `--wide`."""
    net = tw.file("net.yaml", NET)
    work = tw.file("w.yaml", GEMM)
    for arch in ("toy-linear-16", "toy-grid-6"):
        tw.run("net", arch, net, "--save", f"{arch}.json")
    for words in (("show", net), ("diff", "toy-linear-16.json", "toy-grid-6.json"),
                  ("map", "toy-grid-6", work, "--top", "4")):
        ran = tw.run(*words, "--wide")
        assert ran.code == 0 and "~" not in ran.out, (words, ran.text)


def live_line(tw, words):
    """What a terminal of 80 columns gets to see."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    child = subprocess.Popen([str(tw.bin / "tilewright"), *words], cwd=tw.folder, stdin=inner,
                             stdout=inner, stderr=inner, env={**environment, "TERM": "xterm"})
    os.close(inner)
    seen = b""
    while True:
        try:
            piece = os.read(outer, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    child.wait(30)
    return seen.decode(errors="replace")


def edge_the_live_line_keeps_its_figures(tw):
    """A long name gives way; the gap at the end of the live line is not cut."""
    net = tw.file("net.yaml", f"""network:
  name: small
  layers:
    - {{name: {NAME}, conv: {{m: 96, c: 3, p: 55, q: 55, r: 11, s: 11}}}}
""")
    seen = live_line(tw, ["net", "eyeriss", net, "--space", "ruby", "--budget", "1500ms"])
    lines = [part.split("\x1b")[0] for part in seen.split("\r") if "nodes" in part]
    assert lines, seen
    assert all(len(line) <= 80 and not line.endswith("~") for line in lines), lines
    assert any("best edp" in line for line in lines), lines


def edge_terminal_and_page_count_runs_alike(tw):
    """2 layers, one of them 3 times: `2 layers in 4 runs`, in both."""
    ran = tw.run("net", "toy-linear-16", tw.file("net.yaml", NET), "--html", "p.html")
    page = (tw.folder / "p.html").read_text()
    assert "2 layers in 4 runs" in " ".join(ran.out.split()), ran.out
    assert "2 layers in 4 runs" in page and "4 layers" not in page, page[:300]


def edge_top_has_units(tw):
    """The scores of `--top` have a unit."""
    ran = tw.run("map", "toy-grid-6", tw.file("w.yaml", GEMM), "--top", "3")
    rows = rows_of(ran.out, "  1 ")
    assert rows and "J*cycle" in rows[0] and "e+" not in rows[0], ran.out


def edge_top_has_no_equal_rows(tw):
    """Equal rows of `--top` are merged: one per score, also over the sizes of `--space pad`."""
    work = tw.file("w.yaml", "workload: {gemm: {m: 5, n: 5, k: 7}}\n")
    ran = tw.run("map", "toy-grid-6", work, "--space", "pad", "--top", "8", "--json")
    scores = [row["score"] for row in ran.json["search"]["top"]]
    assert len(scores) == 8 and all(a < b for a, b in zip(scores, scores[1:])), scores
    text = tw.run("map", "toy-grid-6", work, "--space", "pad", "--top", "8").out
    assert "one per score" in text, text


def edge_diff_has_units(tw):
    """Shares and counts of `diff` have units."""
    work = tw.file("w.yaml", GEMM)
    for name, arch in (("a.json", "toy-linear-16"), ("b.json", "toy-grid-6")):
        tw.run("map", arch, work, "--mapper", "local", "--save", name)
    out = tw.run("diff", "a.json", "b.json").out
    parts = out[out.index("\nenergy "):out.index("\nmapping ")]
    assert " %  " in parts and "elements" in parts, parts


def edge_diff_names_an_architecture_of_the_library(tw):
    """`diff` of two networks calls a library architecture by its name."""
    net = tw.file("net.yaml", NET)
    for arch in ("toy-linear-16", "toy-grid-6"):
        tw.run("net", arch, net, "--save", f"{arch}.json")
    out = tw.run("diff", "toy-linear-16.json", "toy-grid-6.json").out
    assert "arch: toy-linear-16 -> toy-grid-6" in out and "library:" not in out, out
