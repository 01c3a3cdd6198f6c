# SPDX-License-Identifier: Apache-2.0
"""Small faults to plant, one at a time (tools/mutate): name, file, exact snippet, what replaces it.

A snippet must occur exactly once in its file. Choose faults that change a figure: one that cannot
(an equivalent mutant) proves nothing and would survive for ever.
"""

MUTANTS = (
    ("ceil-div-rounds-down", "tilewright/base/checked.h",
     "return a / b + (a % b != 0);", "return a / b;"),
    ("mul-adds", "tilewright/base/checked.h",
     "__builtin_mul_overflow(a, b, &result)", "__builtin_add_overflow(a, b, &result)"),
)
