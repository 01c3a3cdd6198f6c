# SPDX-License-Identifier: Apache-2.0
"""Part 7: limits of words."""

import os
import signal
import subprocess
import time

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


def edge_a_bare_budget_is_an_error(tw):
    """`--budget 10` was 10 nodes, silently; a bare number is an error that shows the forms."""
    arch, work, _ = small(tw)
    ran = tw.run("map", arch, work, "--budget", "10")
    assert ran.code == 2 and "`10` has no unit" in ran.err, ran.text
    assert "`--budget 10s`" in ran.err and "`--budget '10 nodes'`" in ran.err, ran.err


def edge_a_negative_patience_is_an_error(tw):
    """`--patience -3` is an error."""
    arch, work, _ = small(tw)
    ran = tw.run("map", arch, work, "--mapper", "random", "--patience", "-3", seconds=5)
    assert ran.code == 2 and "-3" in ran.err and "whole number from 0 up" in ran.err, ran.text


def edge_a_mistyped_role_of_a_partition_is_an_error(tw):
    """A mistyped role in a partition is an error with the nearest role."""
    arch, work, nest = small(tw, "partition: {wieght: 1 KiB},")
    ran = tw.run("evaluate", arch, work, nest)
    assert ran.code == 1 and "error[A0009]" in ran.err, ran.text
    assert "did you mean `weight`?" in ran.err, ran.err


def edge_a_mistyped_role_elsewhere_is_an_error(tw):
    """The same for `keep`, `bits` and `sliding`."""
    for extra in ("keep: [inptu],", "bits: {ouput: 8},", "sliding: [weigth],"):
        arch, work, nest = small(tw, extra)
        ran = tw.run("evaluate", arch, work, nest)
        assert ran.code == 1 and "did you mean" in ran.err, (extra, ran.text)


def edge_double_buffering_suggests_buffering(tw):
    """`double_buffering` suggests `buffering`."""
    arch, work, nest = small(tw, "double_buffering: true,")
    ran = tw.run("evaluate", arch, work, nest)
    assert ran.code == 1 and "did you mean `buffering`?" in ran.err, ran.text


def edge_the_energy_of_a_tensor_explains(tw):
    """`explain X DRAM.Outputs.energy` says how many accesses at which price."""
    arch = tw.file("arch.yaml", ARCH.replace("EXTRA", ""))
    work = tw.file("w.yaml", "workload: {conv: {m: 4, p: 4, q: 4}}\n")
    nest = tw.file("m.nest", "DRAM: keep Inputs Weights Outputs\n  for m 4, p 4, q 4\nmac\n")
    saved = tw.run("evaluate", arch, work, nest, "--save", "X.json")
    assert saved.code == 0, saved.text
    ran = tw.run("explain", "X.json", "DRAM.Outputs.energy")
    assert ran.code == 0 and "updates: 64 elements * 100 pJ = 6.400 nJ" in ran.out, ran.text


def edge_the_energy_of_the_units_explains(tw):
    """`explain X mac.energy` explains."""
    ran = tw.run("explain", *small(tw), "mac.energy")
    assert ran.code == 0 and "64 MACs * 1 pJ = 64.00 pJ" in ran.out, ran.text


def edge_edp_explains(tw):
    """`explain X edp` explains."""
    ran = tw.run("explain", *small(tw), "edp")
    assert ran.code == 0 and "edp = " in ran.out and "16 cycles" in ran.out, ran.text


def edge_the_version_is_an_option(tw):
    """`tilewright --version` prints what `tilewright version` does."""
    ran = tw.run("--version")
    assert ran.code == 0 and ran.out == tw.run("version").out != "", ran.text


def edge_doc_fanout_says_it_once(tw):
    """`doc fanout` printed its first entry twice."""
    lines = tw.run("doc", "fanout").out.splitlines()
    assert lines.count("fanout.fanout") == 1, lines


def controls(text):
    """Characters that a terminal obeys, line ends aside."""
    marks = [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029,
             *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    return [c for c in text if ord(c) in marks and c != "\n"]


def edge_no_name_reaches_the_terminal_raw(tw):
    """Control characters and bidi overrides in the names of workload and architecture."""
    evil = '"a\\e[2J\\e[31m\\u202Eb"'
    arch = tw.file("arch.yaml", ARCH.replace("EXTRA", "").replace("name: small", f"name: {evil}"))
    work = tw.file("w.yaml", GEMM.replace("{gemm", f"{{name: {evil}, gemm"))
    for words in (("check", arch, work), ("show", arch, work), ("map", arch, work)):
        ran = tw.run(*words)
        assert not controls(ran.text), (words, controls(ran.text))


def edge_no_comment_in_a_result_reaches_the_terminal_raw(tw):
    """A result holds its inputs, comments included: they are escapes in its JSON."""
    arch = tw.file("arch.yaml", "# \u202Eoverride\n" + ARCH.replace("EXTRA", ""))
    ran = tw.run("map", arch, tw.file("w.yaml", GEMM), "--json")
    assert ran.code == 0 and not controls(ran.out), ran.text[:400]
    assert "\u202E" in ran.json["run"]["inputs"][0]["text"][0]
    result = tw.file("r.json", ran.out)
    assert tw.run("rerun", result).code == 0


def edge_no_name_of_a_file_reaches_the_terminal_raw(tw):
    """Nor do the names of files, where findings and notes tell them."""
    _, work, _ = small(tw)
    arch = tw.file("a\x1b[2J\u202E.yaml", ARCH.replace("EXTRA", "dpeth: 3,"))
    assert not controls(tw.run("check", arch, work).text)
    good = tw.file("b\x1b[2J\u202E.yaml", ARCH.replace("EXTRA", ""))
    ran = tw.run("map", good, work, "--save", "r\x1b[2J.json")
    assert ran.code == 0 and not controls(ran.text), ran.text


def edge_no_cell_of_a_table_is_a_formula(tw):
    """CSV cells that begin with `=`, `+`, `-` or `@` as text are neutralised."""
    arch, _, _ = small(tw)
    layers = "".join(f"    - {{name: '{sign}2+5', gemm: {{m: 4, n: 4, k: 4}}}}\n" for sign in "=+-@")
    net = tw.file("net.yaml", "network:\n  name: n\n  layers:\n" + layers)
    assert tw.run("net", arch, net, "--csv", "out.csv").code == 0
    rows = (tw.folder / "out.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["'=2+5", "'+2+5", "'-2+5", "'@2+5"], rows


# Its mappings take seconds to count, and longer to search.
LARGE = "workload: {conv: {n: 4, m: 384, c: 256, p: 55, q: 55, r: 5, s: 5}}\n"


def interrupt(tw, words, after, ignored=False):
    """Runs and sends Ctrl-C after some seconds: code, output, and how long it still took."""
    meaning = signal.SIG_IGN if ignored else signal.SIG_DFL
    child = subprocess.Popen([str(tw.bin / "tilewright"), *words], cwd=tw.folder,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, meaning),
                             env={**os.environ, "COLUMNS": "80"})
    try:
        time.sleep(after)
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
        return child.returncode, (out + err).decode(), time.monotonic() - start
    finally:
        child.kill()


def edge_ctrl_c_in_the_first_seconds_loses_nothing(tw):
    """In the first 5 s Ctrl-C lost everything: now there is a mapping, and soon."""
    work = tw.file("w.yaml", LARGE)
    for after in (0.5, 1.5):
        code, text, seconds = interrupt(tw, ["map", "simba", work, "--space", "ruby"], after)
        assert code == 0 and "stopped by the user (Ctrl-C)" in text, (code, text)
        assert "DRAM: keep" in text, text
        assert seconds < 8, seconds  # 0.2 s on an idle machine


def edge_ignored_ctrl_c_stays_ignored(tw):
    """Where SIGINT was ignored from the start (nohup) no handler is installed."""
    work = tw.file("w.yaml", "workload: {conv: {m: 96, c: 3, p: 55, q: 55, r: 11, s: 11}}\n")
    words = ["map", "eyeriss", work, "--budget", "2s", "--space", "ruby"]
    code, text, _ = interrupt(tw, words, 1, ignored=True)
    assert code == 0 and "stopped by the user" not in text, (code, text)


def edge_axes_may_be_named_in_any_order(tw):
    """`F: parfor m 2 on Y, m 3 on X` is legal as written: m = 4 has 2 parts of 3 and 1."""
    arch, work, _ = small(tw)
    ran = tw.run("evaluate", arch, work, tw.file("m.nest", NEST), "--check")
    assert ran.code == 0, ran.text
    assert "m 2 on Y, m 3 on X" in ran.out, ran.out
