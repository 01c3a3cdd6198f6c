# SPDX-License-Identifier: Apache-2.0
"""Pages that are right pass, pages that are wrong do not: the check of the check."""

import figures
from compare import differences, unnoticed_digits
from page import Mistake, Page
from update import updated

RIGHT = """# A page

```yaml
# small.yaml
workload: {name: small, gemm: {m: 4, n: 6, k: 8}}
```

The file has 8 steps of k, and 4 x 6 x 8 = 192 MACs. <!-- 192 = 4 * 6 * 8 -->

```console
$ cat small.yaml; seq 11 15
# small.yaml
workload: {name: small, gemm: {m: 4, n: 6, k: 8}}
...
13
...
15
$ tilewright check small.yaml nowhere.yaml &> said.txt   # exit 1
$ echo first; \\
  echo second; echo 'optimal search: 12 nodes, 0.34 s' >&2
first
second
```
"""

# What is spoilt, by what; the page must then be refused.
WRONG = (
    ("k: 8}}\n...", "k: 9}}\n..."),                  # a digit
    ("\n13\n", "\n16\n"),                            # a line that is not there
    ("\n15\n$", "\n15\n...\n$"),                        # an elision of nothing behind the last line
    ("...\n13\n...\n15", "...\n15\n...\n13"),        # lines in another order
    ("first\nsecond", "first"),                      # a line too few
    ("first\nsecond", "first\nsecond\nthird"),       # a line too many
    ("first\nsecond", "first \nsecond"),             # a blank too many
    ("   # exit 1", ""),                             # an exit code
    ("8 steps", "80 steps"),                         # a figure of the prose
    ("192 MACs", "193 MACs"),                        # the same
    ("<!-- 192 =", "<!-- 190 ="),                    # arithmetic
    ("* 8 -->", "* 80 -->"),                         # a figure that it starts from
    ("The file", "`tilewright nonsense` The file"),  # a command in the prose
    ("The file", "```\ntilewright demo\n```\n"),     # a command that would not be run
    ("```console\n$ cat", "```console\ncat"),        # a block without its command
    ("second\n```", "second\n"),                     # a block without its end
)


def refusals(text, runner):
    try:
        page = Page(text)
    except Mistake as mistake:
        return [str(mistake)]
    return differences(runner.run(page)) + figures.unknown(page)


def run(runner):
    """How many wrong pages were refused, and how many findings there are (printed)."""
    findings = refusals(RIGHT, runner)
    count = 0
    for old, new in WRONG:
        if RIGHT.count(old) != 1:
            findings.append(f"{old!r} is not once in the page")
        elif refusals(RIGHT.replace(old, new), runner):
            count += 1
        else:
            findings.append(f"nobody notices {new!r} instead of {old!r}")
    page = Page(RIGHT.replace("k: 8}}\n...", "k: 9}}\n...").replace("first\nsecond", "third"))
    if updated(page, runner.run(page)) != RIGHT:
        findings.append("--update does not lead back to the right page")
    digits, unnoticed = unnoticed_digits(runner.run(Page(RIGHT)))
    if digits != 7 or unnoticed:
        findings.append(f"{digits} digits, expected 7; unnoticed: {unnoticed}")
    for finding in findings:
        print(f"guides: self-test: {finding}")
    return count, len(findings)
