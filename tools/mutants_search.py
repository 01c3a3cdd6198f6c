# SPDX-License-Identifier: Apache-2.0
"""Faults in the searches, most of them in the bounds of the optimal search (tools/mutants.py).

A bound that is too low costs time and no answer, so these make bounds too high, drop candidates or
mix up answers.
"""

ANSWERS = "tilewright/search/optimal/shared/answers.cpp"
CAPACITY = "tilewright/search/optimal/bounds/capacity_bound.cpp"
COST_TO_GO = "tilewright/search/optimal/bounds/cost_to_go.cpp"
GAIN = "tilewright/search/questions/gain.cpp"
CONTEXT = "tilewright/search/optimal/shared/optimal_context.cpp"
INWARD = "tilewright/search/optimal/shared/inward_steps.cpp"
KEEP_LISTER = "tilewright/search/optimal/roots/keep_lister.cpp"
LINKS = "tilewright/search/optimal/shared/links.cpp"
ORDER_CHOICE = "tilewright/search/local/order_choice.cpp"
OUTLINE = "tilewright/search/optimal/bounds/outline_bound.cpp"
RANDOM = "tilewright/search/sampling/random_search.cpp"
ROOT_CHAINS = "tilewright/search/optimal/tree/root_chains.cpp"
ROOT_LIST = "tilewright/search/optimal/roots/root_list.cpp"
ROOT_LISTER = "tilewright/search/optimal/roots/root_lister.cpp"
ROOT_ORDERS = "tilewright/search/optimal/tree/root_search_orders.cpp"
ROOT_SEARCH = "tilewright/search/optimal/tree/root_search.cpp"
ROOT_TABLES = "tilewright/search/optimal/tree/root_tables.cpp"
RESOURCES = "tilewright/search/optimal/shared/resources.cpp"
SCORER = "tilewright/search/scorer.cpp"
SIMPLEST = "tilewright/search/questions/simplest.cpp"
SPATIAL = "tilewright/search/optimal/shared/spatial_choices.cpp"
TABLES = "tilewright/search/optimal/shared/problem_tables.cpp"

MUTANTS = (
    # Bound by capacity
    ("capacity-extremes-swapped", CAPACITY, "most ? listed(i).size() - 1 : 0",
     "most ? 0 : listed(i).size() - 1"),
    ("capacity-first-cut-only", CAPACITY, "if (fit_with(i + 1, false)) break;", "break;"),
    ("capacity-shared-tiles-apart", CAPACITY, "last *= links.factor(p, d);", "last *= 1;"),
    ("capacity-nothing-stays", CAPACITY, "return all - saved;", "return all;"),
    ("capacity-last-tiles-win", CAPACITY,
     "least = std::min(least, with_tiles(resources_[resource], links, memory, counts, once));",
     "least = with_tiles(resources_[resource], links, memory, counts, once);"),
    ("capacity-of-other-axes", CAPACITY, "(is_common(memory) ? shared_ : known_)", "shared_"),

    # What is kept
    ("same-tile-though-loops-stand-there", LINKS, "!tables_.fans_out(memory, inside) &&", "true &&"),
    ("same-tile-though-it-is-demanded", LINKS, "(tables_.rules.keeps[memory].required >> tensor & 1U) == 0 &&",
     "true &&"),
    ("same-tile-at-any-loop", ROOT_SEARCH, "parent < 0 || part.moved[t].at >= parent", "parent < 0"),
    ("kinds-of-any-time", ROOT_LISTER, "times.try_emplace(std::move(all), times.size()).first->second",
     "0 * all.size()"),
    ("outlines-of-one-kind", ROOT_LISTER, "kinds.try_emplace({time, outline.shared}, kinds.size())",
     "kinds.try_emplace({time, {}}, kinds.size())"),
    ("kinds-remember-other-parts", ROOT_LISTER, "if (known.part != parts_) known =",
     "if (known.part == 0) known ="),
    ("keeps-cost-of-the-dearest-way", KEEP_LISTER, "least = std::min(least, least_of(way,",
     "least = std::max(least == kNever ? 0 : least, least_of(way,"),
    ("keeps-go-on-to-the-next-only", KEEP_LISTER, "least = std::min(least, link + rest",
     "least = std::min(into == m + 1 ? least : kNever, link + rest"),
    ("keeps-linked-to-themselves", KEEP_LISTER, "from > 0 ? link_cost(resource, t, from - 1, into)",
     "from > 0 ? 2 * link_cost(resource, t, from - 1, into)"),
    ("keeps-of-one-instance", KEEP_LISTER, "least[r] / limits_.instances(of)", "least[r]"),
    ("keeps-without-the-last-memory", KEEP_LISTER, "while (innermost > 0 && (keeps_[innermost - 1]",
     "while (innermost > 1 && (keeps_[innermost - 2]"),

    # Cost to go
    ("one-more-does-not-fit", COST_TO_GO, "static_cast<std::ptrdiff_t>(cell), low, kNever)",
     "static_cast<std::ptrdiff_t>(cell), std::min(low + 1, grid.sizes[last]), kNever)"),
    ("merged-tiles-counted-apart", COST_TO_GO,
     "return pair.is_in(in.mixed) ? pair.least", "return false ? pair.least"),
    ("all-tiles-read-apart", COST_TO_GO, "(in.separate >> d & 1U) != 0 ? inside[i]",
     "(in.separate >> d & 1U) != 2 ? inside[i]"),
    ("slide-along-the-worse-dim", COST_TO_GO, "result[cell] = std::min(result[cell], cost[cell]);",
     "result[cell] = std::max(result[cell], cost[cell]);"),
    ("count-that-stays-lost", COST_TO_GO, "within[next - 1] >= without[to]",
     "within[next - 1] > without[to]"),
    ("block-without-loops-forgotten", COST_TO_GO, "    offer(memory, table.pending, cost.take());\n",
     ""),
    ("stationary-tiles-move-on", COST_TO_GO,
     "const TensorSet moved = table.pending & ~label.stationary;",
     "const TensorSet moved = table.pending;"),
    ("labels-that-differ-taken-as-one", COST_TO_GO,
     "effect{label.stationary & pending}", "effect{pending}"),
    ("rows-of-a-table-mixed-up", COST_TO_GO, "std::min(least[r], from[r * inner]);",
     "std::min(least[r], from[0]);"),
    ("nothing-carried-along-a-row", COST_TO_GO, "if (!chained) least.fill(kNever);",
     "least.fill(kNever);"),
    ("compulsory-time-on-top", ROOT_TABLES, "inner[r] = std::max(inner[r], compulsory[r]);",
     "inner[r] += compulsory[r];"),
    ("tiles-stay-for-one-block-only", COST_TO_GO, "for (TensorSet left = staying;; left",
     "for (TensorSet left = 0;; left"),
    ("stationary-tiles-counted-inside", COST_TO_GO,
     "pull_dims(first ? tables_.irrelevant[t] : tables_.live);",
     "pull_dims(first ? DimSet{0} : tables_.live);"),
    ("kept-stays-pending", COST_TO_GO, "(table.pending & ~kept) | linked", "table.pending | linked"),

    # Outlines
    ("outline-dropped-by-its-shares", OUTLINE, "if (a.fixed < b.fixed) return false;", ""),
    ("outline-shares-less", OUTLINE, "return a * b / (a + b - 1);", "return a * b / (a + b);"),
    ("outline-without-room", OUTLINE, "double product = 1 / limits.all_open();", "double product = 1;"),
    ("outline-first-touches-read", OUTLINE, "return count * mean - spared;", "return count * mean;"),
    ("outline-alone-reads-first-touches", OUTLINE,
     "std::max(0.0, shared.reads / share - shared.spared)", "shared.reads / share"),
    ("outline-open-axes-unused", OUTLINE, "std::min(sharing.open, most[shared.tensor])", "1.0"),
    ("outline-steps-without-axes", OUTLINE, "std::max(1.0, open / all_open_)",
     "std::max(1.0, open)"),
    ("outline-one-instance", OUTLINE, "< tables_.block[m]) instances_[m] *= children_[f];",
     "< tables_.block[m]) instances_[m] *= 1;"),
    ("outline-no-room-inside", OUTLINE, "if (open) room *= room_[f];", ""),
    ("outline-overlap-forgotten", OUTLINE, "room *= affine_[t] / needed[t];",
     "room *= 1 / needed[t];"),
    ("outline-nothing-stays", OUTLINE, "if ((stationary >> t & 1U) == 0) {",
     "if ((stationary >> t & 1U) != 2) {"),
    ("outline-needs-too-much", OUTLINE, "limit - all + alone(shared, limits, most);", "limit - all;"),
    ("outline-gain-counted-twice", OUTLINE, "gain -= by_itself[t];", "gain -= 0;"),

    # Links: what a bound knows of the transfers between two memories
    ("last-pass-full", LINKS, "whole || count <= 1 ? count * many : (count - 1) * many + 1",
     "whole || count <= 1 ? count * many : count * many"),
    ("tiles-of-even-length", TABLES, "std::floor((size - 1) / (tiles - 1))",
     "std::floor(size / tiles)"),
    ("units-share-less", TABLES, "a.mean * b.mean / (a.mean + b.mean - 1)",
     "a.mean * b.mean / (a.mean + b.mean)"),
    ("touches-of-one-instance-only", LINKS, "result *= static_cast<double>(spatial.at(",
     "result *= 1.0 + 0 * static_cast<double>(spatial.at("),
    ("uneven-slides-timed", TABLES, "uneven_ |= only(TensorId(t));", "uneven_ |= 0;"),
    ("sums-paid-twice", RESOURCES, "partial.read + (partial.update - finished.update)",
     "partial.read + partial.update"),
    ("drains-always-read", RESOURCES, "drains_are_reads ? finished.read : 0", "finished.read"),
    ("block-price-per-element", RESOURCES, "* charge.factor / static_cast<double>(charge.block)",
     "* charge.factor"),
    ("half-the-capacity", TABLES, "*room.capacity_bits / room.buffering",
     "*room.capacity_bits / (2 * room.buffering)"),
    ("finished-tiles-as-wide-as-sums", TABLES, "static_cast<double>(resolved.bits[t]);",
     "static_cast<double>(resolved.partial_bits[t]);"),
    ("shared-deliveries-apart", LINKS, "if (p > outside && tables_.shares(tensor, p)) result /=",
     "if (p > outside && many < 0) result /="),
    ("multicast-delivered-apart", LINKS, "} else if (p < outside || !tables_.shares(tensor, p)) {",
     "} else {"),
    ("nothing-slides-in-bounds", LINKS, "if (slide == pair.first) first =",
     "if (slide == pair.first && first < 0) first ="),
    ("runs-of-children-anywhere", LINKS, "while (at > 0) {", "while (at > 99) {"),
    ("runs-shared-by-children", LINKS, "if (alone || p < outside) result.delivered",
     "result.delivered"),
    ("runs-cut-by-inner-axes", LINKS, "for (std::size_t p = 0; p < decided; ++p) {",
     "for (std::size_t p = 0; p < tables_.block[child]; ++p) {"),
    ("children-break-the-slide", LINKS,
     "const std::int64_t reach = tables_.sizes[is_first ? pair.second : pair.first] - 1;",
     "const std::int64_t reach = 0;"),
    ("coinciding-tiles-apart", LINKS, "} else if (equal && (inner & both) != both) {",
     "} else if (equal) {"),
    ("children-with-equal-tiles-apart", LINKS, "(equal && (shared & both) != both)) {", "equal) {"),
    ("overlaps-not-merged", LINKS, "tensor == tables_.output || !tables_.merges(p)",
     "tensor == tables_.output || tables_.merges(p)"),
    ("last-slide-counts", LINKS, "least.delivered = std::min(least.delivered, traffic.delivered);",
     "least.delivered = traffic.delivered;"),
    ("units-do-not-share", LINKS, "moves /= units[d].mean;", "moves /= 1 + 0 * units[d].mean;"),
    ("scattered-units-together", LINKS, "scattered |= parted & self;", "scattered |= 0;"),
    ("units-read-first-touches", LINKS, "std::max(0.0, moves[t] - touched_[memory])",
     "moves[t]"),
    ("memory-times-of-one-instance", LINKS, "{ result *= static_cast<double>(factor(p, d)); }",
     "{ result *= d < 99 ? 1 : 2; }"),
    ("one-step-more", LINKS, "result *= static_cast<double>(ceil_div(tables_.sizes[d], many));",
     "result *= static_cast<double>(ceil_div(tables_.sizes[d], many) + 1);"),

    # Answers
    ("ties-always-lost", ANSWERS, "found <= here ? 1 - same_ : 1 + same_", "1 - same_"),
    ("front-by-energy-alone", ANSWERS, "if (answer.cycles > cycles) continue;", ""),
    ("top-keeps-one", ANSWERS, "if (answers_.size() > top_)", "if (answers_.size() > 1)"),
    ("first-found-wins", ANSWERS, "if (answer.position >= equal->position) return;", "return;"),
    ("front-beaten-by-slower", ANSWERS, "return a.cycles <= b.cycles && a.energy", "return a.energy"),

    # The tree
    ("leakage-counted-twice", CONTEXT, "energy += tables.leakage_pj * cycles;",
     "energy += 2 * tables.leakage_pj * cycles;"),
    ("dim-cut-too-far", ROOT_CHAINS, "extents[dim] = ceil_div(tables_.sizes[dim], middle);",
     "extents[dim] = ceil_div(tables_.sizes[dim], middle) + 1;"),
    ("least-count-itself-lost", INWARD, "step.count >= least[p + 1]", "step.count > least[p + 1]"),
    ("fixed-factor-at-the-end-lost", INWARD, "fixed[place] <= step.last", "fixed[place] < step.last"),
    ("scan-limit-rounded-down", ROOT_SEARCH, "energy * (1 + 1e-9) - root_tables_",
     "energy * (1 - 1e-2) - root_tables_"),
    ("dearest-candidate-kept", ROOT_SEARCH,
     "std::tie(a.label, a.cell, a.key) < std::tie(b.label, b.cell, b.key)",
     "std::tie(a.label, a.cell, b.key) < std::tie(b.label, b.cell, a.key)"),
    ("stationary-tiles-move-in-the-tree", ROOT_SEARCH,
     "    for_bits(tables_.irrelevant[t], [&](std::size_t d) { moved.tiles[d] = part.counts[d]; });\n",
     ""),
    ("idle-blocks-move-tiles", ROOT_SEARCH, "if ((active & ~tables_.irrelevant[t]) == 0) continue;",
     ""),
    ("first-hopeless-ends-all", ROOT_SEARCH,
     "check_drop(\"by_node\");\n      continue;", "check_drop(\"by_node\");\n      break;"),
    ("least-factor-of-affine-dims", ROOT_SEARCH,
     "mine)) continue;\n      return false;", "mine)) continue;"),
    ("least-factor-with-remainders", ROOT_SEARCH,
     "if (outside[static_cast<std::size_t>(way_.inner_cell[m][i])] * many !=",
     "if (many < 0 && outside[static_cast<std::size_t>(way_.inner_cell[m][i])] * many !="),
    ("largest-factor-not-tried", ROOT_SEARCH, "factor <= choice.last; ++factor",
     "factor < choice.last; ++factor"),
    ("orders-stay-no-tiles", ROOT_ORDERS, "      staying |= here;\n", ""),
    ("order-cost-twice", ROOT_ORDERS, "bounds.energy += extra;", "bounds.energy += 2 * extra;"),
    ("over-cap-is-an-answer", ROOT_ORDERS, "if (scored.outcome != Outcome::kValid) return;", ""),

    # Points of uneven memories
    ("tiles-of-inner-points-held", TABLES, "for (std::size_t m = 0; m <= memory; ++m) {\n    if (rules.keeps[m].memory",
     "for (std::size_t m = 0; m < keeps.size(); ++m) {\n    if (rules.keeps[m].memory"),
    ("points-use-twice-the-room", ROOT_SEARCH, "double used = first ? 0 : part.used_bits;",
     "double used = first ? 0 : 2 * part.used_bits;"),
    ("any-label-may-be-inside", COST_TO_GO, "return (label.stationary & links_.keeps()[inner]) == 0;",
     "return (label.stationary & links_.keeps()[inner]) != 0;"),
    ("points-never-meet", COST_TO_GO, "links_.keeps()[memory] < links_.keeps()[inner];", "false;"),
    ("time-of-memories-further-in-too", RESOURCES,
     "if (rules.keeps[point].memory == node) time.prices", "time.prices"),

    # Roots
    ("last-outline-times", ROOT_LISTER, "time = std::min(time, bound_of(outline));",
     "time = bound_of(outline);"),
    ("needs-twice-the-sharing", ROOT_LISTER, "if (needed[t] > most[t] * kRounding) return false;",
     "if (2 * needed[t] > most[t] * kRounding) return false;"),
    ("last-outline-needs", ROOT_LISTER, "least[t] = std::min(least[t], here[t]);",
     "least[t] = here[t];"),
    ("last-outline-scores", ROOT_LISTER, "score = std::min(score, alive[i].score);",
     "score = alive[i].score;"),
    ("roots-of-an-earlier-wave", ROOT_LISTER, "!comes_before(*wave.last, root)",
     "comes_before(*wave.last, root)"),
    ("one-wave-only", ROOT_LIST, "bound_ = is_cut ? limit : kNever;", "bound_ = kNever;"),
    ("full-axis-not-tried", SPATIAL, "if (factor > sizes[a] ||", "if (factor >= sizes[a] ||"),
    ("uneven-axes-merged", SPATIAL, "(used > 1 && !whole)", "(used > 99 && !whole)"),
    ("only-the-first-stand", SPATIAL,
     "return std::ranges::equal(big.left, small.left, std::greater_equal{});",
     "return big.left.size() == small.left.size();"),
    ("room-after-the-largest", SPATIAL, "room[f] /= smallest;",
     "room[f] /= static_cast<double>(factor);"),
    ("divisors-only-in-space", SPATIAL, "if (perfect_[part.dim] && tables_", "if (tables_"),
    ("more-children-than-demanded", SPATIAL, "children < rule->least_children",
     "children <= rule->least_children"),

    # Other searches
    ("classes-of-the-neighbour", ORDER_CHOICE, "changed = std::max(changed, p + 1);", "changed = p;"),
    ("worse-order-chosen", ORDER_CHOICE, "*worth >= *best", "*worth <= *best"),
    ("order-keys-clash", ORDER_CHOICE, "put(keeps_.size() + p, active_[p])", "put(p, active_[p])"),
    ("a-per-cent-over-the-cap", SCORER, "if (figure > cap.limit)", "if (figure > 1.01 * cap.limit)"),
    ("patience-never-renewed", RANDOM, "in_vain_ = improves ? 0 : in_vain_ + 1;",
     "in_vain_ = in_vain_ + 1;"),
    ("demanded-bypasses-not-counted", SIMPLEST, "    simplicity.bypasses += bypasses;\n", ""),
    ("equal-score-binds", GAIN, "if (most.score && *most.score < best) return true;",
     "if (most.score && *most.score <= best) return true;"),
)
