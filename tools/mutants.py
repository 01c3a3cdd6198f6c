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

# Faults that no test catches, and why: most change no answer. Where that is not certain, what was
# tried is said.
SURVIVORS = {
    "less-left-is-better":
        "a chain with no larger extent never has less left: the fault only prunes less",
    "larger-extent-no-worse":
        "factors rise, so that a chain with a smaller extent is there first and drops the larger one",
    "points-never-meet":
        "two points of a memory that meet can be drawn apart, at no cost, by a loop that leaves one of the two "
        "tensors where it is; there nearly always is one: the optima of 3,000 problems (property.uneven --seed 3, "
        "229 of them uneven) are the same",
    "scattered-units-together":
        "needs one dim of a strided rank on axes of two fan-outs, with a loop between them that makes units of "
        "both share more than adjacent ones could: none among 200,000 pairs and 500 problems; not known to be "
        "impossible",
    "verifier-instances-alike":
        "needs a slide that leaves holes, and a remainder that makes another instance than the first the busiest "
        "by more than the bound is too low: none in 6,000 spaces of all mappings (TILEWRIGHT_BOUND_CASES); not "
        "known to be impossible",
}

# The least share of the planted faults that must be caught; every survivor must be explained.
LEAST_CAUGHT = 0.95
LEAST_CAUGHT_OF_PART = 0.9

# A few of every part, for a quick run.
SAMPLE = ("first-touches-are-read", "overlap-one-step-further", "largest-factor-lost",
          "outline-needs-too-much", "stationary-tiles-move-on")
