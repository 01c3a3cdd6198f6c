# SPDX-License-Identifier: Apache-2.0
"""Small faults to plant, one at a time (tools/mutate): name, file, exact snippet, what replaces it.

A snippet must occur exactly once in its file. Choose faults that change a figure: one that cannot
(an equivalent mutant) proves nothing and would survive for ever.
"""

AFFINE = "tilewright/model/affine.cpp"
ARCH = "tilewright/arch/arch.cpp"
CHAIN = "tilewright/model/chain.h"
DERIVE = "tilewright/model/derive.cpp"
EVALUATE = "tilewright/model/evaluate.cpp"
EVALUATOR = "tilewright/model/evaluator.cpp"
EVALUATOR_H = "tilewright/model/evaluator.h"
FOOTPRINT = "tilewright/workload/footprint.cpp"
FOOTPRINT_H = "tilewright/workload/footprint.h"
LAWS = "tilewright/model/laws.cpp"
NEST = "tilewright/model/nest.cpp"
PACE = "tilewright/model/pace.cpp"
TRANSFER = "tilewright/model/transfer.cpp"
WORKLOAD = "tilewright/workload/workload.cpp"

MUTANTS = (
    # (5): how many elements a tile has, and (13): how many two tiles share
    ("holes-of-a-stride-counted", FOOTPRINT_H, " - (m - 1) * (n - 1) + 1;", " + 1;"),
    ("footprint-one-side-enough", FOOTPRINT_H, "A > n && B > m", "A > n || B > m"),
    ("gcd-dropped", FOOTPRINT, "term.coefficient /= divisor;", "term.coefficient /= 1;"),
    ("dims-of-size-one-stay", FOOTPRINT, "if (workload.dim(term.dim).size == 1) continue;", ""),
    ("box-too-long", FOOTPRINT, "extents[i] - 1));\n  }\n  return size;",
     "extents[i]));\n  }\n  return size;"),
    ("stride-without-holes-is-plain", FOOTPRINT,
     "magnitude(form.terms.front().coefficient) == 1", "true"),
    ("overlap-one-step-further", FOOTPRINT,
     "B - m * (step - before + 1)", "B - m * (step - before)"),
    ("overlap-with-a-missing-tile", FOOTPRINT,
     "if (c + n * first_after >= step + after) continue;", ""),
    ("overlap-of-one-residue", FOOTPRINT, "c < std::min(n, before)", "c < 1"),
    ("overlap-of-boxes-one-short", FOOTPRINT,
     "m * (before - 1) + n * (B - 1) + 1 - m * step", "m * (before - 1) + n * (B - 1) - m * step"),
    ("gap-of-one-overlooked", FOOTPRINT, "step <= length", "step <= length + 1"),
    ("marked-box-one-short", FOOTPRINT, "at <= base + most", "at < base + most"),
    ("values-not-removed", FOOTPRINT, "words_[i] &= ~other.words_[i];", ";"),

    # (3): events along one dim
    ("merged-loop-restores-a-lone-last", CHAIN,
     "if (slot.in(merged)) {\n      if (slot.rest > 1) last = full;",
     "if (slot.in(merged)) {\n      last = full;"),
    ("merged-loop-keeps-a-ragged-last", CHAIN,
     "if (slot.in(merged)) {\n      if (slot.rest > 1) last = full;",
     "if (slot.in(merged)) {"),
    ("fixed-loop-keeps-a-ragged-last", CHAIN,
     "if (slot.in(fixed)) {\n      if (slot.rest > 1) last = full;",
     "if (slot.in(fixed)) {"),

    # (9), (10): sums over the tiles of an affine rank
    ("edge-tile-counted-as-steady", AFFINE, "add_product(last, steady, value(tile))",
     "add_product(last, steady, value(edge))"),
    ("equal-tiles-counted-apart", AFFINE,
     "std::int64_t sum = checked_mul(distinct_sums(da, db, a.full, b.full), value(A, B));",
     "std::int64_t sum = checked_mul(a.full * b.full, value(A, B));"),
    ("places-without-gcd", AFFINE, "gcd(m * first.spacing, n * second.spacing)", "1"),
    ("edges-never-alike", AFFINE, "if (alike) {", "if (alike && false) {"),
    ("edges-alike-in-any-direction", AFFINE, "alike = same_direction && ", "alike = "),
    ("alike-edges-save-the-least", AFFINE, "std::max(value(a.edge, B), value(A, b.edge))",
     "std::min(value(a.edge, B), value(A, b.edge))"),
    ("spacing-of-a-column-ignored", AFFINE, "lanes.spacing = term.tile * inner;",
     "lanes.spacing = term.tile;"),
    ("interleaved-loops-make-a-lane", AFFINE,
     "if (!slots[i].in(merged) && slots[i].factor > 1) return false;", ""),
    ("prefix-always-has-the-last", AFFINE, "last = full;\n        with_last = false;",
     "last = full;"),
    ("gaps-between-tiles-ignored", AFFINE,
     "(a.tiles() == 1 || first.spacing == first.tile)", "(a.tiles() >= 1)"),
    ("gaps-inside-tiles-ignored", AFFINE, "(m == 1 && A >= n) || (n == 1 && B >= m)",
     "m == 1 || n == 1"),
    ("overlap-of-rows-counted-twice", AFFINE, "(rows - 1) * std::min(row_spacing, row) + row",
     "(rows - 1) * row_spacing + row"),
    ("fixed-loop-marked-anyway", AFFINE, "slot.in(zero | parts.fixed)", "slot.in(zero)"),
    ("edge-tile-marked-whole", AFFINE, "std::min(term.tile, term.size - j * term.tile)",
     "term.tile"),
    ("equal-tiles-serve-the-first", AFFINE, "same->second.merge(fresh);", ""),
    ("union-instead-of-equal-in-lanes", AFFINE,
     "if (sharing_ == Sharing::kUnion) {\n        const auto",
     "if (sharing_ != Sharing::kEqual || a.tiles() > 1) {\n        const auto"),

    # (11): what sliding saves
    ("standing-tiles-slide", AFFINE, "first.lane[i].events -= still.lane[i].events;", ";"),
    ("sweep-restarts-slide", AFFINE, "count_events(p.slots, zero) - count_events",
     "count_events(p.slots, 0) - count_events"),
    ("dilation-has-the-short-form", AFFINE, "(form_.holes_are_data || !dilated)", "true"),
    ("inner-sweep-loops-not-held", TRANSFER, "sum.saved(state.sweep & (bit - 1), bit, slide)",
     "sum.saved(0, bit, slide)"),
    ("slide-by-the-tile", TRANSFER, "slide{slot_[slot_of_loop_[innermost]].tile}",
     "slide{slot_at(dim, link.row)->tile}"),
    ("outer-slides-as-often-as-inner", TRANSFER, "same ? still : ", "true ? still : "),
    ("savings-not-times-other-ranks", TRANSFER,
     "static_cast<int>(r) == state.sliding_rank ? total : others;", "total;"),
    ("savings-of-deliveries-not-copied", TRANSFER,
     "std::copy_n(sums.received.saved.begin(), std::popcount(state.sweep),\n"
     "                sums.delivered.saved.begin());", ""),
    ("slide-over-a-spatial-loop", NEST, "~of_dim) | (in_space_ & of_dim)", "~of_dim)"),
    ("slide-over-another-dim", NEST,
     "(relevant_[t] & ~in_space_ & ~of_dim) | (in_space_ & of_dim)", "(in_space_ & of_dim)"),
    ("everything-slides", NEST, ".sliding >> t & 1U) == 0) return 0;",
     ".sliding >> t & 1U) == 2) return 0;"),

    # (8), (10): when a tile is sent, and who shares it
    ("l-star-off-by-one", EVALUATOR, "state.stationary = stationary(link, innermost);",
     "state.stationary = stationary(link, innermost + 1);"),
    ("compute-units-keep-tiles", EVALUATOR_H, "if (link.child < 0) return 0;", ""),
    ("tiles-that-overlap-differ", TRANSFER,
     "spread == 0 || (spread == 1 && state.sharing == Sharing::kEqual)", "spread <= 1"),
    ("equal-diagonals-differ", TRANSFER, "spread += (loops_of_dim_", "spread = (loops_of_dim_"),
    ("union-instead-of-equal", EVALUATOR,
     "is_output || (between & shares_reads_ & ~shares_in_part_) != 0", "is_output"),
    ("equal-instead-of-union", NEST, "if (fanout.shares_in_part) shares_in_part_ |= bit;", ""),
    ("results-are-always-summed-up", NEST, "if (fanout.reduces) reduces_ |= bit;",
     "reduces_ |= bit;"),
    ("output-is-multicast", EVALUATOR, "(is_output ? reduces_ : shares_reads_)", "shares_reads_"),
    ("shared-reads-not-merged", EVALUATOR,
     "merges ? events(d, link.row, state.stationary | state.merged_space) : count", "count"),
    ("events-of-the-whole-dim", EVALUATOR_H, "if ((loops & merged) == 0) return "
     "slot_at(dim, row)->count;",
     "if ((loops & merged) == 0) return size_[static_cast<std::size_t>(dim)];"),

    # (6), (7), (12): counts and first touches
    ("first-touches-are-read", EVALUATOR, "reads = delivered - fresh;", "reads = delivered;"),
    ("first-touches-are-fetched", EVALUATOR, "fills = received - fresh;", "fills = received;"),
    ("drains-are-free", EVALUATOR, "if (options_.conventions.drains_are_reads) reads += received;",
     ""),
    ("holes-of-the-output-are-data", EVALUATOR,
     "holes_are_data && !info.is_output", "holes_are_data"),
    ("touches-of-one-instance", TRANSFER, "events(d, row, ~in_space_ | fixed)",
     "events(d, row, ~LoopSet{0})"),
    ("touches-of-whole-tiles", TRANSFER, "RankSum(rank.form, views, parts, Sharing::kUnion)",
     "RankSum(rank.form, views, parts, Sharing::kEqual)"),
    ("touches-at-every-step", TRANSFER, "parts{loops & ~in_space_, loops & fixed}",
     "parts{0, loops & fixed}"),

    # (1), (2), (4), (14): remainders, instances
    ("remainder-ignored", NEST, "slot.rest = over == 0 ? slot.factor : over;",
     "slot.rest = slot.factor;"),
    ("passes-rounded-down", NEST, "left = whole + (over != 0);", "left = whole;"),
    ("tile-beyond-the-dim", NEST, "inside = std::min(size, inside * slot.factor);",
     "inside = inside * slot.factor;"),
    ("steps-not-merged-in-space", NEST, "steps_[d] = count_events(slots, space);",
     "steps_[d] = count_events(slots, 0);"),
    ("idle-units-work", NEST, "units_[d] = units;", "units_[d] = all;"),
    ("instances-of-all-fan-outs", NEST, "instances = count_events(slots, ~outside);", ""),
    ("fan-out-inside-its-memory", EVALUATOR, ".node < id) {", ".node < NodeId(id.value - 1)) {"),
    ("home-of-the-mapping-before", NEST, "were_kept[m] & ~kept_[m]", "were_kept[m] & 0"),

    # change(): what is not redone is what it was
    ("closed-loop-stays-active", NEST, "active_ = (active_ & ~loops_of_dim_[d]) | active;",
     "active_ |= active;"),
    ("closed-space-stays-spatial", NEST, "spatial_dims_ &= ~bit;", ""),
    ("instances-of-before", EVALUATOR, "((was_spatial | spatial_dims_) >> dim.value & 1U) != 0",
     "(spatial_dims_ >> dim.value & 1U) != 0"),
    ("blocks-of-before", EVALUATOR, "change.rounding = change.spatial && blocks_;",
     "change.rounding = false;"),
    ("touches-of-before", EVALUATOR,
     "info.is_output && (affine || (change.spatial && !relevant))", "false"),
    ("fills-of-before", EVALUATOR, "moved || moved_above || recount", "moved || recount"),
    ("sweep-of-before", EVALUATOR, "sharing != state.sharing || sweep != state.sweep",
     "sharing != state.sharing"),
    ("l-star-of-before", EVALUATOR, "bool changed = innermost != state.innermost;",
     "bool changed = false;"),
    ("tiles-of-before", EVALUATOR, "first_link_[t] + 1; i <", "first_link_[t] + 2; i <"),
    ("plain-tensors-not-rounded", EVALUATOR, "all = change.loops || change.rounding;",
     "all = change.loops;"),

    # (15), (16): cycles
    ("written-bits-without-updates", PACE, "all{counts.reads, counts.fills + counts.updates}",
     "all{counts.reads, counts.fills}"),
    ("cycles-rounded-down", PACE, "ceil_div(bits, rate.num)", "bits / rate.num"),
    ("shared-bandwidth-for-reads-only", PACE,
     "cycles_for(cycles, checked_add(traffic.reads, traffic.writes), info.shared_rate)",
     "cycles_for(cycles, traffic.reads, info.shared_rate)"),
    ("equally-slow-is-the-bottleneck", PACE, "if (result.cycles > result_.cycles) {",
     "if (result.cycles >= result_.cycles) {"),
    ("bottleneck-of-before", PACE, "result_.bottleneck = NodeId();", ""),
    ("peak-of-all-instances", PACE, "{state.merged_space, outside, state.sharing}",
     "{state.merged_space, 0, state.sharing}"),
    ("peak-with-first-touches", PACE, "counts.peak_reads = delivered - fresh +",
     "counts.peak_reads = delivered +"),
    ("peak-plain-dims-whole", TRANSFER, "if (fixed == 0) return info.plain_size;",
     "return info.plain_size;"),
    ("peak-edge-ignored", TRANSFER, "view.size - (tiles - 1) * view.tile;", "view.tile;"),
    ("pace-bound-of-one-unit", PACE,
     "units_inside_[m][static_cast<std::size_t>(std::countr_zero(left))]", "1"),
    ("pace-bound-without-updates", PACE,
     "if (tensor_[t].is_output) each.writes += bits;", ""),
    ("pace-bound-without-fills", PACE, "].home) each.writes += bits;", "].home) each.writes += 0;"),
    ("pace-bound-with-holes", PACE,
     "if (options_.conventions.holes_are_data || options_.conventions.drains_are_reads) "
     "return true;", ""),
    ("pace-bound-too-tight", PACE, "return bits > capacity;", "return bits > capacity + capacity / 8;"),

    # (17) to (19): energy
    ("blocks-rounded-down", EVALUATOR, "blocks = ceil_div(each, block);", "blocks = each / block;"),
    ("blocks-not-rounded-per-instance", EVALUATOR, "blocks * instances + larger",
     "blocks * instances"),
    ("block-rounded-up", ARCH, "*memory.width_bits / bits)", "(*memory.width_bits + bits - 1) / bits)"),
    ("bits-not-charged", ARCH, "return {1, static_cast<double>(bits)};", "return {1, 1};"),
    ("updates-cost-a-fill", EVALUATOR,
     "action_energy(delivered - finished, charge, instances, info.update_pj)",
     "action_energy(delivered - finished, charge, instances, info.fill_pj)"),
    ("leakage-of-one-instance", EVALUATOR,
     "memory.leakage_pj_per_cycle * static_cast<double>(arch.instances(id))",
     "memory.leakage_pj_per_cycle"),
    ("leakage-dropped", PACE, "memory.energy_pj = memory.leakage_pj;", "memory.energy_pj = 0;"),
    ("units-leak-once", PACE, "compute_pj_ + compute_leakage_pj_ * cycles",
     "compute_pj_ + compute_leakage_pj_"),
    ("conventions-ignored", EVALUATE, "{.conventions = conventions}", "{}"),

    # (21), (22): unfinished sums
    ("spatial-sums-always-reduced", EVALUATOR, "inside & reduces_ & ~meeting_", "inside & in_space_ & ~meeting_"),
    ("sums-reduced-outside-the-parent", EVALUATOR,
     "boundary(link.parent_row).inside & reduces_ & ~meeting_", "reduces_ & ~meeting_"),
    ("meeting-points-reduced", EVALUATOR, "reduces_ & ~meeting_", "reduces_"),
    ("sums-finished-inside-the-parent", EVALUATOR,
     "const LoopSet outside = active_ & ~boundary(link.row).inside;\n  const LoopSet reduced",
     "const LoopSet outside = active_ & ~boundary(link.parent_row).inside;\n  const LoopSet reduced"),
    ("every-memory-finishes", EVALUATOR, "link.home && info.partial.bits", "info.partial.bits"),
    ("finished-updates-as-wide", EVALUATOR,
     "action_energy(finished, info.width[t].charge", "action_energy(finished, charge"),
    ("finished-bits-not-spared", PACE,
     "sum.writes -= counts.finished_updates * (bits - memory_[m].width[t].bits);", ""),
    ("sums-not-followed-after-a-change", EVALUATOR, "touches || (change.loops && info.is_output)", "touches"),
    ("meeting-needs-one-side", WORKLOAD, "reach(terms[1]) &&", "reach(terms[1]) ||"),
    ("meeting-without-gcd", WORKLOAD, "std::gcd(terms[0].coefficient, terms[1].coefficient)", "1"),

    # Laws and derivations
    ("law-that-always-holds", LAWS, "evaluation_.compute_steps <= evaluation_.computes", "true"),
    ("law-with-all-fan-outs", LAWS, "if (child.valid() && node.node > child) continue;", ""),
    ("law-without-first-touches", LAWS, "arrived += inner.updates - inner.reads;", ""),
    ("role-of-the-units-stays", DERIVE, "child >= 0 && i > innermost", "i > innermost"),
    ("shared-loops-are-passes", DERIVE, "kind == Kind::kStays || kind == Kind::kShares",
     "kind == Kind::kStays"),
    ("sliding-holds-nothing-back", DERIVE, "memory->sliding = {false, {}};", ";"),
    ("updates-without-first-touches", DERIVE, "if (output && action != Action::kUpdates) result",
     "if (output) result"),
    ("home-hands-out", DERIVE, "deriver.position_before(here) >= 0) {", "true) {"),
)
