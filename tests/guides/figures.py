# SPDX-License-Identifier: Apache-2.0
"""Figures of a page: those in the prose come from its blocks, or are computed from them."""

import re

NUMBER = re.compile(r"(?<![\w.])(?<![A-Za-z]-)\d+(?:,\d{3})*(?:\.\d+)?")
COMPUTED = re.compile(r"<!-- ([\d.,]+) = ([-+*/(). \d,]+) -->")
NOT_PROSE = re.compile(r"`tilewright[^`]*`|\]\([^)]*\)|<!--.*?-->|https?://\S+")


def value(text):
    return float(text.replace(",", ""))


def decimals(text):
    return len(text.partition(".")[2])


def computed(page, known):
    """Figures that a comment derives from known ones, and what is wrong with such comments."""
    found, wrong = set(), []
    for at, line in page.prose:
        for figure, formula in COMPUTED.findall(line):
            strange = [n for n in NUMBER.findall(formula) if n not in known | found | {"100"} and value(n) >= 10]
            result = eval(formula.replace(",", ""), {"__builtins__": {}})  # digits and operators only
            if strange:
                wrong.append(f"line {at + 1}: no block has {' or '.join(strange)}")
            elif f"{result:.{decimals(figure)}f}" != figure.replace(",", ""):
                wrong.append(f"line {at + 1}: {formula} is {result:.6g}, not {figure}")
            found.add(figure)
    return found, wrong


def unknown(page):
    """Figures in the prose, of two digits or more, that the page shows nowhere."""
    known = {number for block in page.blocks for number in NUMBER.findall(block)}
    derived, wrong = computed(page, known)
    for at, line in page.prose:
        for number in NUMBER.findall(NOT_PROSE.sub(" ", line)):
            if value(number) >= 10 or "." in number:
                if number not in known | derived:
                    wrong.append(f"line {at + 1}: the prose says {number}; no block of the page does")
    return wrong
