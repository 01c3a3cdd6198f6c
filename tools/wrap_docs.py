#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wraps the prose of Markdown files at 100 columns.

  tools/wrap_docs.py            names the lines that are too long; exit code 1 if there are any
  tools/wrap_docs.py FILE...    rewraps the paragraphs of these files

Tables, code blocks, headings and comments stay as they are. Inline code, links and comments are
never split, so a line that consists of one of them may be longer.
"""

import re
import sys

import project

WIDTH = 100
FENCE = re.compile(r"^\s*(?:```|~~~)")
ITEM = re.compile(r"^(\s*)([-*+]|\d+\.)\s+")
QUOTE = re.compile(r"^> ?")
# What must stay on one line: a comment, inline code, a link; otherwise a word. Punctuation sticks to them.
MARKER = re.compile(r"(?:[-+*>#|=]+|\d+[.)])$")  # begins a list, a quotation or a heading at the start of a line
TOKEN = re.compile(r"(?:<!--.*?-->|`+[^`]*`+|!?\[(?:[^\]`]|`[^`]*`)*\]\([^)]*\)|\S)+")


def is_fixed(line):
    """Whether a line outside of code blocks is never wrapped."""
    bare = line.strip()
    return (not bare or bare.startswith(("#", "|", "<!--")) or line.startswith("    ") or
            set(bare) <= set("-=*"))


def fill(words, first, rest):
    """The words as lines; `first` and `rest` begin the first line and the others."""
    lines, line = [], first
    for word in words:
        is_start = line in (first, rest)
        if not is_start and len(line) + 1 + len(word) > WIDTH and not MARKER.match(word):
            lines.append(line)
            line, is_start = rest, True
        line += word if is_start else " " + word
    return lines + [line]


def blocks(text):
    """(number of the first line, its lines, whether they are a paragraph), in order."""
    lines, at, in_code, paragraph, begin = text.split("\n"), 0, False, [], 0
    in_list = False
    for at, line in enumerate(lines):
        is_fence = FENCE.match(line)
        item = ITEM.match(line) if in_list or not line.startswith("    ") else None
        in_list = bool(item) or (in_list and bool(line.strip()) and line.startswith(" "))
        fixed = in_code or is_fence or (is_fixed(line) and not (in_list and line.strip()))
        if paragraph and (fixed or item or line.startswith(">") != paragraph[0].startswith(">")):
            yield begin, paragraph, True
            paragraph = []
        if is_fence:
            in_code = not in_code
        if fixed:
            yield at, [line], False
            continue
        if not paragraph:
            begin = at
        paragraph.append(line)
    if paragraph:
        yield begin, paragraph, True


def wrapped(paragraph):
    """The lines of a paragraph, each at most WIDTH wide where that can be."""
    if paragraph[0].startswith(">"):
        text = " ".join(QUOTE.sub("", line).strip() for line in paragraph)
        return fill(TOKEN.findall(text), "> ", "> ")
    item = ITEM.match(paragraph[0])
    first = item.group() if item else re.match(r"\s*", paragraph[0]).group()
    text = " ".join([paragraph[0][len(first):].strip()] + [line.strip() for line in paragraph[1:]])
    return fill(TOKEN.findall(text), first, " " * len(first))


def too_long(path, text):
    """Lines of prose beyond WIDTH that have a place where they can be cut."""
    for begin, lines, is_paragraph in blocks(text):
        if is_paragraph and max(map(len, lines)) > max(map(len, wrapped(lines))) and \
                max(map(len, lines)) > WIDTH:
            at = next(i for i, line in enumerate(lines) if len(line) > WIDTH)
            yield f"{path}:{begin + at + 1}: wider than {WIDTH} columns: tools/wrap_docs.py {path}"


def rewrap(name):
    path = project.ROOT / name
    text = path.read_text(encoding="utf-8")
    lines = []
    for _, block, is_paragraph in blocks(text):
        lines += wrapped(block) if is_paragraph else block
    path.write_text("\n".join(lines), encoding="utf-8")


def main():
    for name in sys.argv[1:]:
        rewrap(name)
    if len(sys.argv) > 1:
        return 0
    findings = []
    for path in project.tracked_files():
        if path.suffix == ".md":
            findings += too_long(path, project.read(path))
    return project.report("wrap_docs", findings)


if __name__ == "__main__":
    sys.exit(main())
