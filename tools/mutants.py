# SPDX-License-Identifier: Apache-2.0
"""Small faults to plant, one at a time (tools/mutate): name, file, exact snippet, what replaces it.

A snippet must occur exactly once in its file. Choose faults that change an answer: one that cannot
(an equivalent mutant) proves nothing and would survive for ever. The tables are in
mutants_model.py, mutants_mapspace.py, mutants_search.py and mutants_verify.py.
"""

import mutants_mapspace
import mutants_model
import mutants_search
import mutants_verify

MUTANTS = (mutants_model.MUTANTS + mutants_mapspace.MUTANTS + mutants_search.MUTANTS
           + mutants_verify.MUTANTS)

# Faults that no test catches, and why that is no gap in the tests.
SURVIVORS = {
    "less-left-is-better":
        "a chain with no larger extent never has less left: the fault only prunes less",
    "larger-extent-no-worse":
        "factors rise, so that a chain with a smaller extent is there first and drops the larger one",
}

# The least share of the planted faults that must be caught; every survivor must be explained.
LEAST_CAUGHT = 0.95

# A few of every part, for a quick run.
SAMPLE = ("first-touches-are-read", "overlap-one-step-further", "largest-factor-lost",
          "outline-needs-too-much", "stationary-tiles-move-on")
