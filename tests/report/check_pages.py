#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What can be said of a page without a browser: well-formed, complete in itself, readable.

  check_pages.py PAGE.html...
"""

import html.parser
import itertools
import re
import sys

MOST_BYTES = 1_000_000
VOID = {"meta", "br", "hr", "img", "input", "link", "col", "wbr"}
REFERENCES = {"src", "href", "xlink:href", "srcset", "action", "formaction", "poster", "data",
              "background", "cite", "ping"}

# Text on its ground: WCAG AA, 4.5. Shapes on theirs: 3.
TENSORS = [f"t{i}" for i in range(8)]
TEXTS = [("text", "page"), ("text", "card"), ("soft", "page"), ("soft", "card"), ("link", "page"),
         ("fair", "page"), ("hot", "hot-tint"), ("text", "hot-tint"), ("on-unit", "unit"),
         ("on-unit2", "unit2"), ("page", "unit"), ("page", "hot")]
TEXTS += [("text", f"{tensor}-tint") for tensor in TENSORS]
SHAPES = [(shape, ground) for shape in [*TENSORS, "unit", "hot", "leak"] for ground in ("page", "card", "track")]
SHAPES += [("good", "card"), ("fair", "card")]

# Vienot, Brettel and Mollon 1999: what protanopes and deuteranopes see, in linear RGB.
BLINDNESS = {"protan": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
             "deutan": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
             "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1))}
# A blank at which a line may break, between a number and its unit.
LOOSE_UNIT = re.compile(r"\d (?:%|[fpnumkMGTPE]?(?:J\b|B\b|Hz\b)|[KMG]iB\b)")

LEAST_DISTANCE = 15  # in CIE Lab, between any two of the first four tensors


def linear(colour):
    values = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def luminance(colour):
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(colour)))


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1, 1.089)
    f = []
    for row, w in zip(rows, white):
        t = max(0, sum(a * b for a, b in zip(row, rgb))) / w
        f.append(t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def seen(colour, matrix):
    rgb = linear(colour)
    return lab([sum(m * v for m, v in zip(row, rgb)) for row in matrix])


def palettes(style):
    """The colours of :root, light and dark."""
    blocks = re.findall(r":root\s*\{([^}]*)\}", style)
    found = [dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", block)) for block in blocks]
    if len(found) != 2:
        return {}
    return {"light": found[0], "dark": {**found[0], **found[1]}}


def check_colours(style):
    both = palettes(style)
    if not both:
        yield "the style has no light and dark palette"
    for scheme, colours in both.items():
        missing = {name for pair in TEXTS + SHAPES for name in pair} - set(colours)
        if missing:
            yield f"{scheme}: no colour {', '.join(sorted(missing))}"
            continue
        for pairs, least in ((TEXTS, 4.5), (SHAPES, 3)):
            for a, b in pairs:
                value = contrast(colours[a], colours[b])
                if value < least:
                    yield f"{scheme}: {a} on {b} has a contrast of {value:.2f}, at least {least} is needed"
        for eye, matrix in BLINDNESS.items():
            for a, b in itertools.combinations(TENSORS[:4], 2):
                distance = sum((x - y) ** 2 for x, y in zip(seen(colours[a], matrix), seen(colours[b], matrix))) ** 0.5
                if distance < LEAST_DISTANCE:
                    yield f"{scheme}: {a} and {b} look alike to {eye} eyes ({distance:.0f})"


class Page(html.parser.HTMLParser):
    """Collects findings while it reads."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.findings = []
        self.open = []
        self.ids = []
        self.targets = []
        self.headings = []
        self.style = ""
        self.seen = set()

    def say(self, text):
        line, column = self.getpos()
        self.findings.append(f"line {line}, column {column}: {text}")

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        if len(attributes) != len(pairs):
            self.say(f"<{tag}> has an attribute twice")
        self.seen.add(tag)
        self.check_outside(tag, attributes)
        self.check_words(tag, attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, pairs):
        self.say(f"<{tag}/> closes itself")

    def check_outside(self, tag, attributes):
        if tag in ("script", "link", "iframe", "object", "embed", "base"):
            self.say(f"<{tag}> has no place on this page")
        for name, value in attributes.items():
            if name.startswith("on") or name == "style":
                self.say(f"<{tag}> has {name}")
            if name in REFERENCES:
                if not (value or "").startswith("#"):
                    self.say(f"<{tag}> refers to {value}")
                else:
                    self.targets.append(value[1:])
            if name == "aria-labelledby":
                self.targets += value.split()
            self.check_urls(value or "")

    def check_urls(self, text):
        for url in re.findall(r"url\(\s*['\"]?([^)'\"]*)", text):
            if url.startswith("#"):
                self.targets.append(url[1:])
            else:
                self.say(f"refers to {url}")
        if "@import" in text:
            self.say("imports a style")

    def check_words(self, tag, attributes):
        hidden = attributes.get("aria-hidden") == "true"
        nested = "svg" in self.open
        if tag == "svg" and not nested and not hidden:
            if attributes.get("role") != "img" or not attributes.get("aria-label", "").strip():
                self.say("<svg> says nothing in words")
        if tag == "img" and not attributes.get("alt"):
            self.say("<img> has no alt")
        if tag == "th" and attributes.get("scope") not in ("col", "row", "rowgroup"):
            self.say("<th> has no scope")
        if tag == "html" and not attributes.get("lang"):
            self.say("<html> has no lang")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.say(f"</{tag}> closes <{self.open[-1] if self.open else 'nothing'}>")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
            return
        for loose in LOOSE_UNIT.findall(data):
            self.say(f"a line may break in `{loose}`")

    def finish(self):
        self.close()
        self.check_urls(self.style)
        if self.open:
            self.say(f"<{self.open[-1]}> is never closed")
        for name in sorted({i for i in self.ids if self.ids.count(i) > 1}):
            self.say(f"id {name} is there twice")
        for target in sorted(set(self.targets) - set(self.ids)):
            self.say(f"#{target} is not there")
        if self.headings.count(1) != 1 or self.headings[0] != 1:
            self.say("there must be one <h1>, first of all headings")
        for before, after in zip(self.headings, self.headings[1:]):
            if after > before + 1:
                self.say(f"<h{after}> follows <h{before}>")
        for tag in ("title", "header", "main", "footer", "figure", "table", "svg"):
            if tag not in self.seen:
                self.say(f"there is no <{tag}>")


def check(data):
    """Findings about one page, given as bytes."""
    if len(data) >= MOST_BYTES:
        yield f"{len(data):,} bytes, must be under {MOST_BYTES:,}"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        yield f"not UTF-8: {fault}"
        return
    if not text.startswith("<!DOCTYPE html>"):
        yield "no doctype"
    if '<meta charset="utf-8">' not in text or 'name="viewport"' not in text:
        yield "no charset or viewport"
    page = Page()
    page.feed(text)
    page.finish()
    yield from page.findings
    if "@media print" not in page.style:
        yield "no style for print"
    yield from check_colours(page.style)


def main(paths):
    count = 0
    for path in paths:
        with open(path, "rb") as stream:
            for finding in check(stream.read()):
                print(f"{path}: {finding}")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
