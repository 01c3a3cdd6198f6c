# SPDX-License-Identifier: Apache-2.0
"""Faults in the mapspace: rules, splits, orders, draws, and whether anything fits (tools/mutants.py)."""

BATCH_LOOPS = "tilewright/mapspace/batch_loops.cpp"
RULES = "tilewright/mapspace/rules.cpp"
SPLITS = "tilewright/mapspace/counting/splits.cpp"
TILINGS = "tilewright/mapspace/counting/tilings.cpp"
ARRANGEMENT = "tilewright/mapspace/arrangement.cpp"
ORDERS = "tilewright/mapspace/choices/orders.cpp"
PADDING = "tilewright/mapspace/padding.cpp"
SAMPLER = "tilewright/mapspace/sampler.cpp"
TILE_LIMITS = "tilewright/mapspace/feasibility/tile_limits.cpp"
SUM_CASES = "tilewright/mapspace/feasibility/sum_cases.cpp"
CHAINS = "tilewright/mapspace/feasibility/chains.cpp"
FEASIBLE = "tilewright/mapspace/feasibility/feasible.cpp"

MUTANTS = (
    # Loops that need not be tried
    ("any-dim-is-a-batch", BATCH_LOOPS, "rank.terms.front().dim == dim &&", "true &&"),
    ("sums-are-batches", BATCH_LOOPS, "rank.terms.size() == 1 &&", "!rank.terms.empty() &&"),
    ("batches-pass-perfect-axes", BATCH_LOOPS, "return rule.remainder ||", "return true ||"),
    ("batches-in-any-order", BATCH_LOOPS, "outermost.innermost.empty() &&", "true &&"),
    ("batches-within-a-limit", BATCH_LOOPS, ".most < problem.workload()", ".most < 0 * problem.workload()"),

    # Spaces and constraints as rules
    ("ruby-s-without-remainders", RULES,
     "kind_ == SpaceKind::kRubyS || kind_ == SpaceKind::kRuby", "kind_ == SpaceKind::kRuby"),
    ("ruby-s-with-remainders-in-time", RULES,
     "kind_ == SpaceKind::kRubyT || kind_ == SpaceKind::kRuby", "kind_ != SpaceKind::kPfm"),
    ("home-not-required", RULES, "      home->required |= tensor;\n", ""),
    ("loops-outside-homes", RULES, "if (place.node >= innermost_home) break;", "break;"),
    ("bypass-ignored", RULES, "keep.allowed &= ~constraint.tensors",
     "keep.allowed &= ~TensorSet{0}"),
    ("utilization-rounded-down", RULES,
     "ceil_div(checked_mul(children, constraint.share.num), constraint.share.den)",
     "checked_mul(children, constraint.share.num) / constraint.share.den"),
    ("at-most-is-equal", RULES, "constraint.kind != Kind::kAtMost", "true"),
    ("perfect-changes-nothing", RULES, "rule.remainder = false;", ";"),
    ("innermost-loops-free", RULES, "place.innermost = constraint.innermost;", ""),
    ("axis-size-ignored", RULES, "fanout.axes[axis].size, remainder)",
     "FactorRule::kNoLimit, remainder)"),

    # How a dim is split, and what the axes have room for
    ("largest-factor-lost", SPLITS, "first <= most;)", "first < most;)"),
    ("square-root-listed-twice", SPLITS, "if (d != n / d) large", "large"),
    ("least-factor-ignored", SPLITS, "factor < rule.least || factor > most", "factor > most"),
    ("axis-has-room-for-one-more", SPLITS, "factor > size / value : factor > value",
     "factor > size / value : factor > value + 1"),
    ("utilization-not-counted", SPLITS, "enough &= children", "enough |= children"),
    ("pieces-start-at-the-front", TILINGS, "resuming_ ? factor : 1", "1"),
    ("padding-of-a-multiple", PADDING, "ceil_div(size, axis.size)", "size / axis.size + 1"),

    # Classes of loop orders
    ("sweep-never-goes-on", ORDERS, "(between & sliding & ~space) != 0", "false"),
    ("slide-names-no-dim", ORDERS, "    watch.named |= watch.relevant & sliding;\n", ""),
    ("loops-inside-do-not-matter", ORDERS, "has(watch.counted, dim) ? prefix.placed : 0", "0"),
    ("order-rank-loses-a-digit", ORDERS, "rank *= left.size();", "rank *= left.size() - 1;"),
    ("slide-needs-loops-further-in", ORDERS, "for (std::size_t p = child; p < choice.active.size(); ++p) inside",
     "for (std::size_t p = child + 1; p < choice.active.size(); ++p) inside"),

    # Arrangements
    ("arrangement-of-pairs-only", ARRANGEMENT, "add_orders(longer, left & ~next, of_sets, orders);",
     "if (begun.empty()) add_orders(longer, left & ~next, of_sets, orders);"),
    ("points-counted-apart-and-as-one", RULES, "must_loop = true;", "must_loop = false;"),
    ("required-at-every-point", RULES, "keep.required |= tensors & ~elsewhere;",
     "keep.required |= tensors;"),

    # Draws
    ("empty-keeps-weighed", SAMPLER, "rule.required != 0 ? all : all - 1", "all"),
    ("outermost-loops-drawn-twice", SAMPLER, "active &= ~add_fixed(block.outermost",
     "add_fixed(block.outermost"),
    ("drawn-orders-disturb-the-outermost", SAMPLER,
     "random.between(static_cast<std::int64_t>(first),", "random.between(std::int64_t{0},"),

    # Whether a mapping fits, without trying all
    ("double-buffering-forgotten", TILE_LIMITS, "*hardware.capacity_bits / hardware.buffering",
     "*hardware.capacity_bits"),
    ("tensors-do-not-add-up", TILE_LIMITS, "if (!partition) left -= bits;", ""),
    ("sums-as-narrow-as-results", TILE_LIMITS,
     "is_output ? output_bits_[static_cast<std::size_t>(memory)] : resolved.bits[t]",
     "is_output ? resolved.bits[t] : resolved.bits[t]"),
    ("keeps-what-is-not-allowed", TILE_LIMITS, "if ((rule.allowed & tensor) != 0 && holds",
     "if (holds"),
    ("holes-of-the-output-fill", TILE_LIMITS, "holes_are_data && TensorId(t) != workload.output()",
     "holes_are_data"),
    ("meeting-sums-reduced", SUM_CASES, "(reduces && !meets)", "reduces"),
    ("reduction-outside-finishes", SUM_CASES, "p > blocks_[memory] && problem_", "problem_"),
    ("larger-extent-no-worse", CHAINS, "a.extent > b.extent || ", ""),
    ("extent-beyond-the-dim", CHAINS, "next.left == 1 ? size_ : chain.extent * factor",
     "chain.extent * factor"),
    ("factor-skipped", CHAINS, "ceil_div(left, after - 1);", "ceil_div(left, after - 1) + 1;"),
    ("dim-not-split-in-full", CHAINS, "(place > 0 || factor == chain.left)", "place >= 0"),
    ("less-left-is-better", CHAINS, "return a.left >= b.left;", "return a.left <= b.left;"),
    ("axes-overfull", FEASIBLE, "if (!axes_suffice(chain, others)) continue;", ""),
    ("any-failure-counts", FEASIBLE,
     "return std::ranges::equal(other, asked, std::less_equal<>());", "return !other.empty();"),
)
