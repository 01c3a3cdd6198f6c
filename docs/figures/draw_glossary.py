#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/glossary.md, glossary-*.svg, into the folder of this script.

  docs/figures/draw_glossary.py           draws them again
  docs/figures/draw_glossary.py --check   compares the files with what it would draw; exits 1 if they differ
"""

import itertools
import math
import pathlib
import sys
from xml.sax.saxutils import escape

FOLDER = pathlib.Path(__file__).resolve().parent
WIDTH = 720
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
INK, SOFT, RULE, FAINT, PAPER, ALARM = "#1f2933", "#52606d", "#9aa5b1", "#d9dee4", "#eef1f4", "#b03a00"
STRONG = {"A": "#0072b2", "B": "#e69f00", "Z": "#009e73"}  # told apart by the colour-blind too
PALE = {"A": "#d3e6f2", "B": "#fbe9c6", "Z": "#cdebe0"}
LETTER = {"A": "#ffffff", "B": INK, "Z": INK}  # on the strong colour
RANKS = {"A": "mk", "B": "kn", "Z": "mn"}


class Picture:
    """An SVG in the making: a white sheet, with a title and a description for those who hear it."""

    def __init__(self, height, title, description):
        self.height, self.title, self.description, self.parts = height, title, description, []
        self.box(0, 0, WIDTH, height, "#ffffff", "none", round=14)

    def add(self, tag, body="", **attributes):
        pairs = ((key.replace("_", "-"), value if isinstance(value, str) else f"{round(value, 2):g}")
                 for key, value in attributes.items())
        words = "".join(f' {key}="{escape(value)}"' for key, value in pairs)
        self.parts.append(f"<{tag}{words}>{escape(body)}</{tag}>" if body else f"<{tag}{words}/>")

    def box(self, x, y, width, height, fill="none", stroke=SOFT, round=0, dash="none"):
        self.add("rect", x=x, y=y, width=width, height=height, rx=round, fill=fill, stroke=stroke,
                 stroke_width=1.25, stroke_dasharray=dash)

    def text(self, x, y, words, size=14, anchor="start", bold=False, fill=INK):
        self.add("text", words, x=x, y=y, font_size=size, text_anchor=anchor, fill=fill,
                 font_weight="600" if bold else "400")

    def code(self, x, y, words, size=14, fill=INK):
        """In fixed pitch, 0.6 of the size whatever the font; blanks at the beginning indent."""
        bare = words.lstrip()
        self.add("text", bare, x=x + 0.6 * size * (len(words) - len(bare)), y=y, font_size=size,
                 font_family=MONO, fill=fill, textLength=0.6 * size * len(bare))

    def line(self, *points, stroke=SOFT, width=1.5):
        self.add("polyline", points=" ".join(f"{x:.2f},{y:.2f}" for x, y in points), fill="none",
                 stroke=stroke, stroke_width=width, stroke_linejoin="round")

    def arrow(self, *points, stroke=SOFT, width=1.5):
        """A line whose last point is the tip of an arrow."""
        (x0, y0), (x1, y1) = points[-2:]
        u, v = (x1 - x0) / math.dist(*points[-2:]), (y1 - y0) / math.dist(*points[-2:])
        self.line(*points[:-1], (x1 - 6 * u, y1 - 6 * v), stroke=stroke, width=width)
        head = ((x1, y1), (x1 - 9 * u - 4 * v, y1 - 9 * v + 4 * u), (x1 - 9 * u + 4 * v, y1 - 9 * v - 4 * u))
        self.add("polygon", points=" ".join(f"{x:.2f},{y:.2f}" for x, y in head), fill=stroke)

    def bracket(self, x0, x1, y, tick):
        """A bracket above (tick > 0) or below (tick < 0) what lies between x0 and x1."""
        self.line((x0, y + tick), (x0, y), (x1, y), (x1, y + tick))

    def cell(self, x, y, width, height, tensor, words="", strong=True, font=13):
        """A box in a tensor's colour: one element, or a tile."""
        self.box(x, y, width, height, (STRONG if strong else PALE)[tensor], "#ffffff")
        if words:
            self.text(x + width / 2, y + height / 2 + font * 0.36, words, font, "middle", strong,
                      LETTER[tensor] if strong else INK)

    def matrix(self, x, y, size, tensor, rows, columns, font=13):
        """A matrix of 4 x 4 elements; those in `rows` and `columns` are held."""
        for row, column in itertools.product(range(4), range(4)):
            held = row in rows and column in columns
            self.cell(x + column * size, y + row * size, size, size, tensor, tensor if held else "", held, font)

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{self.height}" '
                f'viewBox="0 0 {WIDTH} {self.height}" role="img" aria-labelledby="title desc" '
                f'font-family="{SANS}">')
        about = f'<title id="title">{escape(self.title)}</title>\n<desc id="desc">{escape(self.description)}</desc>'
        return "\n".join([head, about, *self.parts, "</svg>", ""])


def draw_nest():
    p = Picture(424, "A nest and the tiles of its buffer",
                "Left: a nest, with arrows to a keep node, a block, a temporal loop, a factor and the compute unit. "
                "Right: 4 x 4 matrices A, B and Z, with the tile of each that the buffer holds highlighted: 2 x 1 "
                "elements of A, 1 x 2 of B and 2 x 2 of Z.")
    p.text(32, 44, "A nest for gemm 4 4 4", 16, bold=True)
    for y, words in ((104, "DRAM: keep A B Z"), (164, "  for m 2, n 2, k 4"), (224, "buf: keep A B Z"),
                     (284, "  for m 2, n 2"), (378, "mac")):
        p.code(40, y, words, 17)
    for x, y, width in ((54, 143, 187), (54, 263, 80), (168, 263, 19)):
        p.box(x, y, width, 31, round=7)
    for y, tip, tail, word in ((98, 210, 274, "keep node"), (158, 246, 274, "block"), (218, 200, 274, "keep node"),
                               (372, 78, 142, "compute unit")):
        p.arrow((tail, y), (tip, y))
        p.text(tail + 7, y + 5, word, bold=True)
    for x, middle, word in ((94, 87, "temporal loop"), (177.5, 184, "factor")):
        p.arrow((x, 317), (x, 298))
        p.text(middle, 333, word, 14, "middle", True)
    p.text(400, 44, "What buf holds: 8 elements", 16, bold=True)
    p.text(400, 66, "at m 0, n 0, k 3 of the block outside", 13, fill=SOFT)
    for x, y, tensor, rows, columns, label, size in (
            (418, 268, "A", range(2), (3,), 402, "2 \u00d7 1"), (564, 124, "B", (3,), range(2), 94, "1 \u00d7 2"),
            (564, 268, "Z", range(2), range(2), 402, "2 \u00d7 2")):
        p.matrix(x, y, 28, tensor, rows, columns)
        p.text(x + 56, label, f"{tensor}, tile {size}", 14, "middle")
    for x, y, u, dim in ((418, 258, 1, "k"), (564, 114, 1, "n"), (408, 268, 0, "m"), (554, 124, 0, "k")):
        p.arrow((x, y), (x + 27 * u, y + 27 * (1 - u)), stroke=RULE)
        p.text(x + 36 * u, y + 42 - 37 * u, dim, 14, "middle", fill=SOFT)
    p.text(496, 217, "tile", 14, "end", True)
    for tail, tip in (((505, 221), (515, 264)), ((506, 214), (560, 221)), ((507, 218), (560, 264))):
        p.arrow(tail, tip)
    return p


def draw_arch(p):
    """The upper half of the fan-out's picture: four units below a buffer."""
    p.text(32, 44, "An arch with a fan-out of 4", 16, bold=True)
    for y, name in ((66, "DRAM"), (126, "buf")):
        p.box(290, y, 140, 36, PAPER, round=6)
        p.text(360, y + 23, name, 14, "middle")
        p.line((360, y + 36), (360, y + 60))
    p.box(178, 186, 364, 30, round=15)
    p.text(360, 206, "row", 14, "middle")
    for number in range(4):
        mid = 220 + 93.33 * number
        p.box(mid - 42, 240, 84, 122, stroke=RULE, round=8, dash="4 3")
        p.text(mid - 34, 258, f"PE {number}", 12, fill=SOFT)
        p.line((mid, 216), (mid, 266))
        p.box(mid - 30, 266, 60, 32, PAPER, round=6)
        p.text(mid, 287, "reg", 14, "middle")
        p.line((mid, 298), (mid, 318))
        p.box(mid - 30, 318, 60, 32, round=16)
        p.text(mid, 339, "mac", 14, "middle")
    p.arrow((178, 380), (542, 380))
    p.text(360, 400, "axis X, size 4", 14, "middle", True)
    p.line((146, 66), (138, 66), (138, 298), (146, 298))
    p.line((138, 182), (129, 182))
    p.text(122, 187, "nodes", 14, "end", True)
    for y, tip, word in ((144, 434, "memory"), (201, 546, "fan-out"), (282, 534, "instance"),
                         (334, 534, "compute unit")):
        p.arrow((574, y), (tip, y))
        p.text(581, y + 5, word, bold=True)


def draw_sharing(p, left, dim, words):
    """Four units below a buffer: with n, one element goes to all of them; with k, their sums become one."""
    mid, tensor = left + 156, "A" if dim == "n" else "Z"
    look = {"stroke": STRONG[tensor], "width": 2.5}
    p.text(left, 458, "Multicast" if dim == "n" else "Reduction", 16, bold=True)
    p.code(left, 482, f"row: parfor {dim} 4 on X", fill=SOFT)
    p.box(mid - 50, 500, 100, 36, PAPER, round=6)
    p.text(mid, 523, "buf", 14, "middle")
    for number in range(4):
        x = left + 42 + 76 * number
        if dim == "n":
            p.arrow((mid, 586), (x, 586), (x, 605), **look)
        else:
            p.line((x, 605), (x, 586), (mid, 586), **look)
        p.box(x - 34, 606, 68, 82, round=8)
        one, two = ("0,0", f"0,{number}") if dim == "n" else (f"0,{number}", f"{number},0")
        p.cell(x - 27, 613, 54, 25, "A", f"A {one}", dim == "n", 12)
        p.text(x, 651.5, "\u00d7", 13, "middle", fill=SOFT)
        p.cell(x - 27, 656, 54, 25, "B", f"B {two}", False, 12)
    if dim == "n":
        p.line((mid, 536), (mid, 586), **look)
    else:
        p.arrow((mid, 586), (mid, 537), **look)
        p.add("circle", cx=mid, cy=586, r=9, fill="#ffffff", stroke=STRONG[tensor], stroke_width=2.5)
        p.text(mid, 591.5, "+", 16, "middle", True)
    p.cell(mid - 27, 549, 54, 25, tensor, f"{tensor} 0,0", True, 12)
    p.text(mid + 40, 566, "1 read" if dim == "n" else "1 update", bold=True)
    for number, line in enumerate(words):
        p.text(left, 714 + 20 * number, line, 13, fill=SOFT)


def draw_fanout():
    p = Picture(760, "A fan-out, multicast and reduction",
                "Above: DRAM, a buffer and a fan-out with an axis X of size 4; inside it, four PEs, each with an "
                "instance of the register and a compute unit. Below, left: with n spread over the fan-out, one read "
                "of an element of A serves all four. Right: with k, four partial sums become one update.")
    draw_arch(p)
    p.line((32, 424), (688, 424), stroke=FAINT, width=1)
    draw_sharing(p, 32, "n", ("n is not relevant to A: all PEs need the", "same element, and one read serves them."))
    draw_sharing(p, 376, "k", ("k is not relevant to Z: the four partial sums", "are added up on their way to buf."))
    return p


def draw_reuse():
    p = Picture(592, "Which tensor is stationary",
                "Three timelines of the tiles in a buffer, for three orders of the loops outside it. With k innermost, "
                "the tile of Z stays for four steps; with m innermost, that of B stays for two; with n innermost, that "
                "of A stays for two. The other two tensors move at every step.")
    p.text(32, 44, "The tiles in buf, for three orders of the loops outside it", 16, bold=True)
    p.text(32, 66, "A 1,3 is the tile of A at m 1, k 3. The first 8 of 16 steps are shown.", 13, fill=SOFT)
    sizes = {"m": 2, "n": 2, "k": 4}
    for panel, (order, stays) in enumerate((("mnk", "Z"), ("nkm", "B"), ("mkn", "A"))):
        top = 102 + 154 * panel
        moving = " and ".join(tensor for tensor in "ABZ" if tensor != stays)
        p.text(32, top, f"{order[-1]} innermost: {stays} is stationary, {moving} move", bold=True)
        p.code(545.2, top, "for " + ", ".join(f"{dim} {sizes[dim]}" for dim in order))
        steps = [dict(zip(order, at)) for at in itertools.product(*(range(sizes[dim]) for dim in order))]
        for row, tensor in enumerate("ABZ"):
            y, strong = top + 16 + 36 * row, tensor == stays
            tiles = [",".join(str(at[dim]) for dim in RANKS[tensor]) for at in steps]
            p.text(40, y + 19, tensor, 14, "middle", True)
            start = 0
            for name, group in itertools.groupby(tiles[:8]):
                count = len(list(group))
                p.cell(58 + 64 * start, y, 64 * count, 28, tensor, f"{tensor} {name}", strong)
                start += count
            p.text(578, y + 19, "\u2026", fill=SOFT)
            sent = len(list(itertools.groupby(tiles)))
            p.text(688, y + 19, f"{sent} tiles sent", 13, "end", strong, INK if strong else SOFT)
    p.arrow((58, 552), (570, 552))
    for step in range(8):
        p.text(90 + 64 * step, 571, str(step), 12, "middle", fill=SOFT)
    p.text(578, 557, "step", 13, fill=SOFT)
    return p


def draw_remainder():
    p = Picture(444, "A dim of 7 and a factor of 4",
                "Three ways to run 7 values in passes of 4. Perfect: impossible, because 4 does not divide 7. "
                "Imperfect: a pass of 4, then one of 3, the remainder. Padded: the size becomes 8; the element that "
                "is added, drawn hatched, is computed like real data.")
    p.text(32, 44, "A dim m of 7, and a factor of 4", 16, bold=True)
    p.text(32, 66, "Four units run parfor m 4; the loop outside, for m 2, makes two passes.", 13, fill=SOFT)
    for x, words in ((288, "first pass"), (496, "last pass")):
        p.text(x, 100, words, 13, "middle", fill=SOFT)
    for y, low, title, space, words, verdict in (
            (112, 66, "Perfect", "pfm", "Every pass must be full, but 4 does not divide 7.", "impossible"),
            (216, 102, "Imperfect", "ruby-s", "The last pass has 3 iterations, and one unit is idle.", "4 + 3"),
            (352, 66, "Padded", "pad", "The size becomes 8: what is added is computed like real data.", "4 + 4")):
        p.text(32, y + 20, title, 15, bold=True)
        p.code(32, y + 40, f"space {space}", 13, SOFT)
        ink = ALARM if space == "pfm" else INK
        for value in reversed(range(8)):
            x = 200 + 44 * value + (32 if value > 3 else 0)
            real = value < 7
            p.box(x, y, 44, 44, "#cfd8e1" if real and space != "pfm" else "none", SOFT if real or ink == INK else ink,
                  dash="none" if real or space == "pad" else "4 3")
            if not real and space == "pad":
                for step in range(8, 88, 8):
                    near, far = max(0, step - 44), min(44, step)
                    p.line((x + near, y + far), (x + far, y + near), stroke=RULE, width=1.25)
                p.box(x + 13, y + 12, 18, 20, "#ffffff", "none", round=4)
            inside = str(value) if real else {"pfm": "?", "ruby-s": "idle", "pad": "7"}[space]
            p.text(x + 22, y + 27, inside, 13 if inside == "idle" else 14, "middle", fill=INK if real else ink)
        p.text(688, y + 27, verdict, 15, "end", True, ink)
        p.text(200, y + low, words, 13, fill=SOFT)
    for begin, end, words in ((200, 376, "factor 4"), (408, 540, "remainder 3")):
        p.bracket(begin, end, 274, -7)
        p.text((begin + end) / 2, 293, words, 13, "middle", True)
    return p


def draw_placement():
    p = Picture(594, "Even and uneven placement",
                "Two nests for a buffer of 12 elements. Even: A, B and Z are kept at one point, in tiles of 4, and "
                "80 elements move. Uneven: Z is kept further out in a tile of 8, A and B further in, in tiles of 2, "
                "and 64 elements move.")
    halves = (
        (32, "Even placement", "A, B and Z at one point of the nest",
         ("DRAM: keep A B Z", "  for m 2, n 2, k 2", "buf: keep A B Z", "  for m 2, n 2, k 2", "mac"),
         (range(2), (2, 3)), ((2, 3), range(2)), range(2), "A 32 + B 32 + Z 16 = 80 elements"),
        (384, "Uneven placement", "Z further out, A and B further in",
         ("DRAM: keep A B Z", "  for n 2", "buf: keep Z", "  for k 4, m 2", "buf: keep A B", "  for m 2, n 2", "mac"),
         (range(2), (3,)), ((3,), range(2)), range(4), "A 32 + B 16 + Z 16 = 64 elements"))
    for left, title, about, nest, held_a, held_b, rows, moved in halves:
        p.text(left, 44, title, 16, bold=True)
        p.text(left, 66, about, 13, fill=SOFT)
        held = {"A": held_a, "B": held_b, "Z": (rows, range(2))}
        for number, line in enumerate(nest):
            y = 104 + 27 * number
            if line.startswith("buf"):
                p.box(left - 8, y - 19, 320, 28, PAPER, "none", round=6)
                for place, tensor in enumerate(line.split()[2:]):
                    p.box(left + 138 + 57 * place, y - 15, 52, 20, PALE[tensor], STRONG[tensor], round=5)
                    tile = " \u00d7 ".join(str(len(part)) for part in held[tensor])
                    p.text(left + 164 + 57 * place, y - 0.5, f"{tensor} {tile}", 12, "middle")
            p.code(left, y, line)
        for tensor, x, y, name in (("A", 70, 386, 54), ("B", 158, 298, 246), ("Z", 158, 386, 246)):
            p.matrix(left + x, y, 18, tensor, *held[tensor], 12)
            p.text(left + name, y + 41, tensor, 15, "middle", True)
        p.text(left, 494, "capacity of buf: 12 elements", 13, fill=SOFT)
        filled = "".join(tensor * (len(held[tensor][0]) * len(held[tensor][1])) for tensor in "ABZ")
        for number, tensor in enumerate(filled):
            p.cell(left + 25 * number, 503, 25, 25, tensor, tensor, True, 12)
        p.text(left, 552, "moved between DRAM and buf:", 13, fill=SOFT)
        p.text(left, 572, moved, 14, bold=True)
    p.line((358, 30), (358, 572), stroke=FAINT, width=1)
    return p


def draw_halo():
    p = Picture(452, "Sliding: what overlaps is not sent again",
                "Ten inputs of a one-dimensional convolution; two consecutive tiles of six share two of them. Sent "
                "whole, the second tile takes six elements. With sliding, the two that overlap stay, and only four new "
                "ones are sent.")
    p.text(32, 44, "Two consecutive tiles of a convolution overlap", 16, bold=True)
    p.code(32, 70, "Outputs[p] += Inputs[p+r] * Weights[r]")
    p.text(688, 70, "p 4, r 3: 4 + 3 \u2212 1 = 6 inputs", 13, "end", fill=SOFT)
    at = [200 + 40 * number for number in range(11)]
    p.bracket(at[0] + 2, at[6] - 2, 130, 8)
    p.bracket(at[4] + 2, at[10] - 2, 208, -8)
    for x, y, words in ((at[2], 120, "tile of p 0 to 3"), (at[8], 227, "tile of p 4 to 7"), (at[5], 227, "overlap")):
        p.text(x, y, words, 13, "middle", True)
    for y, name, sent, stay in (
            (152, ["Inputs"], (), range(10)), (266, ["First tile"], range(6), ()),
            (326, ["Next tile,", "sent whole"], range(4, 10), ()),
            (386, ["Next tile,", "sliding"], range(6, 10), (4, 5))):
        for number, words in enumerate(name):
            p.text(32, y + 34 - 9 * len(name) + 18 * number, words, 15, bold=True)
        for number in (*sent, *stay):
            p.cell(at[number], y, 40, 40, "A", str(number), number in sent, 14)
        if stay:
            p.box(at[4] + 1, y + 1, 78, 38, stroke=STRONG["A"], dash="4 3")
        if sent:
            p.text(624, y + 25, f"{len(sent)} sent", bold=True)
    p.text(at[4] - 10, 411, "these two stay", 13, "end", fill=SOFT)
    return p


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = []
    for draw in (draw_nest, draw_fanout, draw_reuse, draw_remainder, draw_placement, draw_halo):
        path = FOLDER / f"glossary-{draw.__name__.removeprefix('draw_')}.svg"
        if not arguments:
            path.write_text(draw().svg(), encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != draw().svg():
            stale.append(path.name)
    for name in stale:
        print(f"draw_glossary: docs/figures/{name} is out of date (docs/figures/draw_glossary.py draws it again)")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
