# SPDX-License-Identifier: Apache-2.0
"""Faults in the verifier of proofs (tools/mutants.py): one that accepts too much, or too little."""

CHECKER = "tilewright/verify/tree/checker.cpp"
FRAME = "tilewright/verify/tree/frame.cpp"
LEAF = "tilewright/verify/tree/leaf.cpp"
ROOT = "tilewright/verify/tree/root.cpp"
ROOTS = "tilewright/verify/tree/roots.cpp"
SPLITS = "tilewright/verify/tree/splits.cpp"
TOLERANCE = "tilewright/verify/tolerance.cpp"
VERIFY = "tilewright/verify/verify.cpp"

MUTANTS = (
    ("verifier-outermost-never-last", LEAF, "free != 0 ? free : last_of(block.outermost, loops)",
     "free"),
    ("verifier-last-leaf-counts", LEAF, "best_ = std::min(best_, score(frame_.objective, "
     "evaluator_.evaluate(nest_)));", "best_ = score(frame_.objective, evaluator_.evaluate(nest_));"),
    ("verifier-leaf-need-not-fit", LEAF, "if (fit_.fits(nest_)) evaluate(", "evaluate("),
    ("verifier-tiles-of-even-length", FRAME, "std::floor((size - 1) / (tiles - 1))",
     "std::floor(size / tiles)"),
    ("verifier-strides-swapped", FRAME, "beyond(size_a, x, n) * beyond(size_b, y, m)",
     "beyond(size_a, x, m) * beyond(size_b, y, n)"),
    ("verifier-sums-paid-twice", FRAME, "partial * read + (partial - each) * update",
     "partial * read + partial * update"),
    ("verifier-forgets-buffering", FRAME, "*memory.capacity_bits / memory.buffering",
     "*memory.capacity_bits"),
    ("verifier-leakage-of-one-instance", FRAME,
     "memory.leakage_pj_per_cycle * static_cast<double>(arch.instances(node))",
     "memory.leakage_pj_per_cycle"),
    ("verifier-last-pass-full", ROOT,
     "count == 1 ? chain(dim).least_active[pos(fanout)] : (count - 1) * s + 1",
     "count == 1 ? chain(dim).least_active[pos(fanout)] : count * s"),
    ("verifier-nothing-merged", ROOT, "sight.delivered = merged ? times : sight.received;",
     "sight.delivered = sight.received;"),
    ("verifier-all-tiles-apart", ROOT,
     "(!spread_a && !spread_b) || (equal && !(spread_a && spread_b))",
     "(!spread_a && !spread_b) || equal || spread_a || spread_b"),
    ("verifier-slides-past-no-child", ROOT, "(along_a ? rank.m : rank.n) * apart <= reach",
     "(along_a ? rank.m : rank.n) * apart <= (apart > 1 ? 0 : reach)"),
    ("verifier-first-touches-read", ROOT,
     "std::max(0.0, moved.delivered - touched(link.parent)) * parent.read",
     "moved.delivered * parent.read"),
    ("verifier-instances-alike", ROOT,
     "if (outside > 1 && has(frame.ragged, d)) alike_[pos(m)] = false;", ""),
    ("verifier-units-share-less", ROOT, "(a.mean + b.mean - 1) / (a.mean * b.mean)",
     "(a.mean + b.mean) / (a.mean * b.mean)"),
    ("verifier-units-read-first-touches", ROOT,
     "std::max(0.0, moved - touched(memory)) * price.read", "moved * price.read"),
    ("verifier-last-slide-counts", ROOT,
     "best = std::min(best, cost(metric, link, moved(link, sights, slide)));",
     "best = cost(metric, link, moved(link, sights, slide));"),
    ("verifier-times-of-one-instance", ROOT, "instances_[pos(m)] *= std::min(size, outside);", ""),
    ("verifier-one-step-more", ROOT, "steps_ *= std::ceil(size / outside);",
     "steps_ *= std::ceil(size / outside) + 1;"),
    ("verifier-remainders-everywhere", SPLITS,
     "if (stand[a] > inside || (!rule.remainder && inside % stand[a] != 0)) return false;",
     "if (stand[a] > inside || (!rule.remainder && inside < 0)) return false;"),
    ("verifier-largest-factor-lost", SPLITS, "factor <= most) outside.push_back(inside / factor);",
     "factor < most) outside.push_back(inside / factor);"),
    ("verifier-count-skipped", SPLITS, "factor = (inside - 1) / (left - 1) + 1;",
     "factor = (inside - 1) / (left - 1) + 2;"),
    ("verifier-least-factor-only", SPLITS, "if (least_only) break;", "break;"),
    ("verifier-full-dim-not-spread", SPLITS, "if (behind > size) return false;",
     "if (behind >= size) return false;"),
    ("verifier-part-of-a-label-enough", CHECKER, "if (!any || missing != 0) {", "if (!any) {"),
    ("verifier-lax-limit", CHECKER, "if (bound(scan, false) >= limit_ || !fits",
     "if (bound(scan, false) >= 0.9 * limit_ || !fits"),
    ("verifier-lax-leaf", CHECKER, "if (best < limit_) {", "if (best < 0.9 * limit_) {"),
    ("verifier-steps-that-lead-nowhere", CHECKER, "    if (!leads) continue;\n", ""),
    ("verifier-more-children-than-demanded", ROOTS, "if (children < frame_", "if (children <= frame_"),
    ("verifier-any-score", VERIFY, "if (!(off <= tolerance(proof.objective) * verdict.score)) {",
     "if (off > verdict.score) {"),
    ("verifier-illegal-mapping", VERIFY, "if (!fault.empty()) throw Refusal(fault);", ""),
    ("verifier-another-problem", VERIFY, "if (!differences.empty()) {",
     "if (differences.size() > 1000) {"),
    ("verifier-tolerates-a-percent", TOLERANCE, "whole ? kWholeRounding : kEnergyRounding",
     "whole ? 1e-2 : 1e-2"),
)
