# SPDX-License-Identifier: Apache-2.0
"""Part 9: an operator on the command line, and tile sizes for compilers."""

CONV = "conv m=64 c=64 p=56 q=56 r=3 s=3"
PAIRS = ((CONV, "{conv: {m: 64, c: 64, p: 56, q: 56, r: 3, s: 3}}"),
         ("gemm 512 768 3072", "{gemm: {m: 512, n: 768, k: 3072}}"),
         ("Z[m,n] += A[m,k] * B[k,n]; m=512 n=768 k=3072",
          "{einsum: 'Z[m,n] += A[m,k] * B[k,n]', dims: {m: 512, n: 768, k: 3072}}"),
         ("conv c=32 p=14 q=14 r=3 s=3 stride=2 depthwise bits=8",
          "{conv: {c: 32, p: 14, q: 14, r: 3, s: 3, stride: 2, depthwise: true}, bits: 8}"),
         ("bmm 12 128 128 64", "{bmm: {b: 12, m: 128, n: 128, k: 64}}"))


def edge_an_operator_is_a_workload(tw):
    """Each form says what a file says, for every command that takes a workload."""
    for text, yaml in PAIRS:
        file = tw.file("w.yaml", f"workload: {yaml}\n")
        for words in (("show",), ("check", "eyeriss"), ("show", "--yaml")):
            ran = tw.run(*words, text)
            assert ran.code == 0 and ran.out == tw.run(*words, file).out, (text, ran.text)


def edge_an_operator_is_mapped(tw):
    """`map eyeriss "conv m=64 c=64 p=56 q=56 r=3 s=3"`."""
    ran = tw.run("map", "eyeriss", CONV, "--mapper", "local", "--json")
    file = tw.file("w.yaml", f"workload: {PAIRS[0][1]}\n")
    same = tw.run("map", "eyeriss", file, "--mapper", "local", "--json")
    assert ran.code == 0, ran.text
    for figure in ("energy_pj", "cycles", "mapping", "computes"):
        assert ran.json[figure] == same.json[figure], figure


def edge_an_operator_is_counted_evaluated_and_explained(tw):
    """`count`, `evaluate` and `explain` take one, too."""
    nest = tw.file("m.nest", "DRAM: keep A B Z\n  for m 4, n 4, k 4\nmac\n")
    assert tw.run("count", "toy-linear-16", "gemm 4 4 4").code == 0
    assert tw.run("evaluate", "toy-linear-16", "gemm 4 4 4", nest).code == 0
    assert "16" in tw.run("explain", "toy-linear-16", "gemm 4 4 4", nest, "DRAM.Z.tile").out


def edge_an_operator_has_errors_with_a_place(tw):
    """Its errors are as good as those of files: place, caret, nearest fix."""
    ran = tw.run("map", "eyeriss", "conv m=64 c=64 p=56 q=56 r=3 ss=3")
    assert ran.code == 1, ran.text
    assert "1 | conv m=64 c=64 p=56 q=56 r=3 ss=3\n" in ran.err, ran.err
    assert "   |                              ^^ not a key of a conv\n" in ran.err, ran.err
    assert "did you mean `s`?" in ran.err, ran.err
    for text, fix in (("conf m=4 c=4", "did you mean `conv`?"),
                      ("gemm 512 768", "for example `gemm 512 768 3072`"),
                      ("Z[m,n] += A[m,k] * B[k,n]", "put them after a semicolon"),
                      ("gemm m=0 n=1 k=1", "^")):
        ran = tw.run("check", text)
        assert ran.code == 1 and fix in ran.err, (text, ran.text)


def edge_an_operator_is_recorded(tw):
    """A result holds the operator, so that `rerun` and `evaluate` work."""
    ran = tw.run("map", "toy-linear-16", "gemm 16 16 16", "--save", "r.json")
    assert ran.code == 0, ran.text
    again = tw.run("rerun", "r.json")
    assert again.code == 0, again.text
    assert tw.run("evaluate", "r.json").code == 0


def edge_map_writes_tile_sizes(tw):
    """`--csv` of `map`: columns level, dim, tile, factor, spatial; `-` prints them."""
    gemm = tw.file("w.yaml", "workload: {gemm: {m: 16, n: 24, k: 16}}\n")
    assert tw.run("map", "toy-linear-16", gemm, "--csv", "t.csv").code == 0
    text = (tw.folder / "t.csv").read_text()
    lines = text.splitlines()
    assert lines[0] == "level,dim,tile,factor,spatial", text
    assert [line.split(",")[:3] for line in lines[1:4]] == [
        ["DRAM", "m", "16"], ["DRAM", "n", "24"], ["DRAM", "k", "16"]], text
    printed = tw.run("map", "toy-linear-16", gemm, "--csv", "-")
    assert printed.code == 0 and printed.out == text, printed.text


def edge_tile_sizes_multiply_up(tw):
    """The same rows are in JSON as `tiles`; factors and spatial factors make up each dim."""
    ran = tw.run("map", "toy-linear-16", tw.file("w.yaml", "workload: {gemm: {m: 16, n: 24, k: 16}}\n"),
                 "--space", "pfm", "--json")
    assert ran.code == 0, ran.text
    sizes = {"m": 16, "n": 24, "k": 16}
    product = {dim: 1 for dim in sizes}
    for row in ran.json["tiles"]:
        product[row["dim"]] *= row["factor"] * row["spatial"]
        assert set(row) == {"level", "dim", "tile", "factor", "spatial"}, row
    assert product == sizes, ran.json["tiles"]
