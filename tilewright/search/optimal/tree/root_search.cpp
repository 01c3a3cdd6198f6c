// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/tree/root_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kNodesBetweenReports = 256;
constexpr std::uint64_t kNodesBetweenBranches = 64;  // of one thread

}  // namespace

RootSearch::RootSearch(const OptimalContext& context, Answers& answers, RootTeam& team)
    : context_(context),
      tables_(context.tables),
      answers_(answers),
      team_(team),
      scorer_(context.tables.problem, context.options),
      classes_(context.tables.problem, context.tables.rules),
      known_chains_(context) {
  const std::size_t places = tables_.rules.places.size();
  tiling_ = tables_.no_loops();
  orders_.resize(places);
  way_.label.resize(places, -1);
  way_.active.resize(places);
  ranked_.resize(static_cast<std::size_t>(tables_.memories));
  frames_.resize(static_cast<std::size_t>(tables_.memories));
  way_.outer.resize(static_cast<std::size_t>(tables_.memories));
  way_.inner_cell.resize(static_cast<std::size_t>(tables_.memories));
}

LowerBounds RootSearch::bound(const Keeps& keeps, const Tiling& spatial, BoundPrecision precision,
                              bool holds_witness) {
  const bool less = precision == BoundPrecision::kMedium || precision == BoundPrecision::kFine;
  const bool any = context_.witness && context_.witness->alone();
  if (less && !any && !known_chains_.saves_much(keeps, spatial, precision)) return {};
  if (!root_tables_ || !root_tables_->are_of(keeps, spatial, precision)) {
    root_tables_.reset();  // not two of them at a time: they may be large
    root_tables_ = make_tables(keeps, spatial, precision, holds_witness);
  }
  if (interrupted_) return {};
  LowerBounds bounds{kNever, kNever, kNever};
  if (root_tables_->possible) bounds = root_tables_->lower_bounds();
  if (holds_witness) check_tables(precision, bounds);
  return bounds;
}

std::shared_ptr<const RootTables> RootSearch::make_tables(const Keeps& keeps, const Tiling& spatial,
                                                          BoundPrecision precision,
                                                          bool holds_witness) {
  const auto tables = std::make_shared<RootTables>(context_, known_chains_, keeps, spatial,
                                                   precision, [this] { return is_interrupted(); });
  tables->holds_witness = holds_witness;
  cells_ += tables->cells();
  return tables;
}

bool RootSearch::promises(const LowerBounds& bounds) {
  if (!context_.prunes.by_cost) return true;
  answers_.refresh(view_);
  return answers_.promises(view_, bounds, here_);
}

bool RootSearch::is_interrupted() {
  interrupted_ = interrupted_ || !team_.report(tally_);
  return interrupted_;
}

bool RootSearch::goes_on() {
  ++tally_.nodes;
  const std::uint64_t most = context_.options.max_nodes;
  const bool due = tally_.nodes % kNodesBetweenReports == 0 || (most > 0 && tally_.nodes >= most);
  if (due && !team_.report(tally_)) interrupted_ = true;
  if (team_.wants_branch() && tally_.nodes >= next_branch_) share();
  return !interrupted_;
}

double RootSearch::link_cost(std::size_t resource, std::size_t tensor, std::size_t child,
                             const PartialMapping& part) const {
  const Moved& moved = part.moved[tensor];
  Links::Traffic traffic = root_tables_->links.elements(tensor, child, moved.at, true, moved.tiles,
                                                        part.counts, moved.last);
  for_bits(tables_.irrelevant[tensor], [&](std::size_t d) {
    traffic.delivered *= root_tables_->links.deliveries(tensor, child, moved.at, d, moved.tiles[d]);
    traffic.received *= root_tables_->links.receipts(tensor, child, moved.at, d, moved.tiles[d]);
  });
  return root_tables_->links.cost(context_.resources[resource], tensor, child, traffic);
}

std::size_t RootSearch::index(std::size_t memory, const PartialMapping& part) const {
  const Grid& grid = root_tables_->to_go[0]->grid(memory);
  std::size_t result = 0;
  for (std::size_t i = 0; i < grid.dims.size(); ++i) {
    result = result * grid.sizes[i] + static_cast<std::size_t>(part.cell[i]);
  }
  return result;
}

// At least so much is used from the outside of `memory` inwards, links not yet passed included.
double RootSearch::to_go(std::size_t resource, std::size_t memory,
                         const PartialMapping& part) const {
  const std::size_t cell = index(memory, part);
  std::array<double, Workload::kMaxTensors> pending{};
  TensorSet known = 0;
  double least = kNever;
  for (const CostToGo::Table& table : root_tables_->to_go[resource]->tables(memory)) {
    double cost = table.cost[cell];
    if (cost == kNever) continue;
    for_bits(table.pending, [&](std::size_t t) {
      if ((known >> t & 1U) == 0) {
        pending[t] = link_cost(
            resource, t, static_cast<std::size_t>(root_tables_->links.child(memory, t)), part);
        known |= TensorSet{1} << t;
      }
      cost += pending[t];
    });
    least = std::min(least, cost);
  }
  return least;
}

LowerBounds RootSearch::lower_bounds(std::size_t memory, const PartialMapping& part) const {
  const double energy = to_go(0, memory, part);
  if (energy == kNever) return {kNever, kNever, kNever};
  return root_tables_->lower_bounds([&](std::size_t r) {
    if (r == 0) return part.spent[r] + energy;
    return part.spent[r] + (root_tables_->to_go[r] ? to_go(r, memory, part) : 0);
  });
}

bool RootSearch::search(std::int64_t root) {
  if (interrupted_) return false;  // while it was bounded
  here_ = {root, {}};
  tiling_ = root_tables_->spatial;
  way_.passed.clear();
  first_ = 0;
  PartialMapping part;
  part.counts.fill(1);
  part.cell.fill(0);
  for (Moved& moved : part.moved) moved.tiles.fill(1);
  const LowerBounds bounds = lower_bounds(0, part);
  if (root_tables_->holds_witness) context_.witness->check("by_node", bounds);
  if (context_.prunes.by_node && !promises(bounds)) return true;
  std::vector<OpenedNode>* opened = nullptr;
  if (context_.options.proof) {
    opened_.push_back(opened_root());
    opened = &opened_.back().open;
  }
  visit(0, part, opened, root_tables_->holds_witness);
  return !interrupted_;
}

bool RootSearch::search(const Branch& branch) {
  root_tables_ = branch.root_tables_;
  here_ = branch.here_;
  tiling_ = root_tables_->spatial;
  way_ = branch.way_;
  first_ = here_.steps.size();
  frames_[first_] = branch.frame_;
  go_through(first_, nullptr);
  return !interrupted_;
}

// Gives away what is left of the outermost frame that is not done.
void RootSearch::share() {
  for (std::size_t m = first_; m < here_.steps.size(); ++m) {
    Frame& frame = frames_[m];
    if (frame.next == frame.candidates.size()) continue;
    const auto rest = frame.candidates.begin() + static_cast<std::ptrdiff_t>(frame.next);
    Branch branch;
    branch.root_tables_ = root_tables_;
    branch.here_ = here_;
    branch.here_.steps.resize(m);
    branch.way_ = way_;
    branch.way_.passed.resize(frame.passed);
    branch.frame_ = {frame.part, {rest, frame.candidates.end()}, 0, frame.passed, frame.witness};
    frame.candidates.erase(rest, frame.candidates.end());
    next_branch_ = tally_.nodes + kNodesBetweenBranches;
    team_.give(std::move(branch));
    return;
  }
}

int RootSearch::through_axes(std::size_t memory, std::size_t dim, int inner) const {
  const std::size_t last =
      memory < tables_.block.size() ? tables_.block[memory] : tables_.rules.places.size();
  for (std::size_t p = last; p-- > tables_.block[memory - 1] + 1 && inner >= 0;) {
    inner = root_tables_->chains[dim]->outer(p, inner);
  }
  return inner;
}

// More energy than this, between memories from the outside of `memory` inwards, is of no interest.
double RootSearch::scan_limit(const PartialMapping& part) {
  if (!context_.prunes.by_cost || !context_.prunes.by_scan) return kNever;
  answers_.refresh(view_);
  const Objective& goal = context_.options.objective;
  double energy = kNever;
  if (context_.options.front) {
    energy = answers_.energy_limit(view_, root_tables_->steps, here_) -
             tables_.leakage_pj * root_tables_->steps;
  } else if (goal.energy > 0) {
    const double limit = answers_.limit(view_, here_);
    double traffic = 1;
    double cycles = root_tables_->steps;
    for (std::size_t r = 1; r < root_tables_->to_go.size(); ++r) {
      const double all = (root_tables_->inner[r] + part.spent[r]) / root_tables_->share[r];
      if (context_.resources[r].kind == Resource::Kind::kTraffic) traffic = std::max(1.0, all);
      if (context_.resources[r].kind == Resource::Kind::kTime) cycles = std::max(cycles, all);
    }
    const double others = power(cycles, goal.latency) * power(traffic, goal.traffic);
    energy = power(limit / others, 1 / goal.energy) - tables_.leakage_pj * root_tables_->steps;
  }
  // Rounded up: what passes is looked at again.
  return energy == kNever ? kNever : energy * (1 + 1e-9) - root_tables_->inner[0] - part.spent[0];
}

// Cells of the product of `allowed` that cost less than `limit`.
void RootSearch::scan(const std::vector<double>& cost, double limit,
                      const std::vector<std::vector<int>>& allowed, const Grid& grid, int label,
                      double base, std::vector<Candidate>& candidates) const {
  const auto go = [&](const auto& self, std::size_t i, std::size_t at) -> void {
    if (i + 1 >= allowed.size()) {
      if (allowed.empty()) {
        if (cost[0] < limit) candidates.push_back({cost[0] + base, 0, label});
        return;
      }
      for (const int c : allowed[i]) {
        const std::size_t cell = at * grid.sizes[i] + static_cast<std::size_t>(c);
        if (cost[cell] < limit) candidates.push_back({cost[cell] + base, cell, label});
      }
      return;
    }
    for (const int c : allowed[i]) {
      self(self, i + 1, at * grid.sizes[i] + static_cast<std::size_t>(c));
    }
  };
  go(go, 0, 0);
}

// Where the block of memory - 1 may lead: cells at the outside of `memory`.
RootSearch::Allowed RootSearch::allowed(std::size_t memory, const PartialMapping& part) const {
  const Grid& grid = root_tables_->to_go[0]->grid(memory);
  const std::size_t block = tables_.block[memory - 1];
  Allowed result{std::vector<std::vector<int>>(grid.dims.size()),
                 std::vector<std::vector<int>>(grid.dims.size())};
  for (std::size_t i = 0; i < grid.dims.size(); ++i) {
    const DimChain& chain = *root_tables_->chains[grid.dims[i]];
    const int same = chain.same(block, part.cell[i]);
    for (int c = 0; c < static_cast<int>(grid.sizes[i]); ++c) {
      const int inside = through_axes(memory, grid.dims[i], c);
      if (inside < 0) continue;
      if (inside == same) result.unchanged[i].push_back(c);
      if (chain.way(block, part.cell[i], inside) != nullptr) result.by_loops[i].push_back(c);
    }
  }
  return result;
}

// All that cost less than `limit` by one of the tables.
void RootSearch::scan_tables(std::size_t memory, const PartialMapping& part, double limit,
                             const Allowed& allowed, std::vector<Candidate>& candidates) const {
  const Grid& grid = root_tables_->to_go[0]->grid(memory);
  const auto pending_cost = [&](TensorSet tensors) {
    double sum = 0;
    for_bits(tensors, [&](std::size_t t) {
      sum += link_cost(0, t, static_cast<std::size_t>(root_tables_->links.child(memory, t)), part);
    });
    return sum;
  };
  const bool may_be_empty = root_tables_->to_go[0]->may_be_empty(memory - 1);
  for (const CostToGo::Table& table : root_tables_->to_go[0]->tables(memory)) {
    if (!may_be_empty) break;
    const double base = pending_cost(table.pending);
    scan(table.cost, limit - base, allowed.unchanged, grid, -1, base, candidates);
  }
  for (const CostToGo::BlockTable& table : root_tables_->to_go[0]->block_tables(memory)) {
    const ProblemTables::Label& label = tables_.labels[static_cast<std::size_t>(table.label)];
    const double base = pending_cost(table.pending & label.stationary);
    scan(*table.cost, limit - base, allowed.by_loops, grid, table.label, base, candidates);
  }
}

void RootSearch::collect(std::size_t memory, const PartialMapping& part,
                         std::vector<Candidate>& candidates) {
  scan_tables(memory, part, scan_limit(part), allowed(memory, part), candidates);
  // Of those that lead to the same place only the cheapest is kept.
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tie(a.label, a.cell, a.key) < std::tie(b.label, b.cell, b.key);
  });
  const auto same = std::ranges::unique(candidates, [](const Candidate& a, const Candidate& b) {
    return a.label == b.label && a.cell == b.cell;
  });
  candidates.erase(same.begin(), same.end());
  std::ranges::stable_sort(candidates, {}, &Candidate::key);
}

// False if the candidate is not what its label says.
bool RootSearch::step_in(std::size_t memory, const Candidate& candidate, const PartialMapping& part,
                         PartialMapping& inside) {
  const Grid& grid = root_tables_->to_go[0]->grid(memory);
  const std::size_t block = tables_.block[memory - 1];
  inside = part;
  std::size_t left = candidate.cell;
  DimSet active = 0;
  Counts within = part.counts;  // counts right inside the block
  const std::size_t last =
      memory < tables_.block.size() ? tables_.block[memory] : tables_.rules.places.size();
  for (std::size_t i = grid.dims.size(); i-- > 0;) {
    const std::size_t d = grid.dims[i];
    const int c = static_cast<int>(left % grid.sizes[i]);
    left /= grid.sizes[i];
    const int behind = through_axes(memory, d, c);
    way_.outer[memory - 1][i] = part.cell[i];
    way_.inner_cell[memory - 1][i] = behind;
    inside.cell[i] = c;
    inside.counts[d] = root_tables_->chains[d]->counts(last)[static_cast<std::size_t>(c)];
    within[d] = root_tables_->chains[d]->counts(block + 1)[static_cast<std::size_t>(behind)];
    if (within[d] == part.counts[d]) continue;
    active |= DimSet{1} << d;
  }
  way_.active[block] = active;
  way_.label[block] = candidate.label;
  if (candidate.label < 0) return active == 0;
  const ProblemTables::Label& label = tables_.labels[static_cast<std::size_t>(candidate.label)];
  if ((active & label.dims) == 0) return false;
  for (std::size_t t = 0; t < static_cast<std::size_t>(tables_.tensors); ++t) {
    if ((active & ~tables_.irrelevant[t]) == 0) continue;  // it stays where it is
    Moved& moved = inside.moved[t];
    moved.at = static_cast<int>(memory) - 1;
    moved.tiles = within;
    moved.last = label.dims;
    if ((label.stationary >> t & 1U) == 0) continue;
    moved.last = active;
    for_bits(tables_.irrelevant[t], [&](std::size_t d) { moved.tiles[d] = part.counts[d]; });
  }
  return true;
}

OpenedRoot RootSearch::opened_root() const {
  OpenedRoot root{{}, root_tables_->keeps, {tables_.dims, {}}, {}};
  for (const KeepRule& rule : tables_.rules.keeps) root.memories.push_back(rule.memory);
  for (std::size_t p = 0; p < tables_.rules.places.size(); ++p) {
    if (tables_.rules.places[p].is_block()) continue;
    for (int d = 0; d < tables_.dims; ++d) {
      root.spatial.factors.push_back(root_tables_->spatial.at(static_cast<int>(p), d));
    }
  }
  return root;
}

OpenedNode& RootSearch::open(const Candidate& candidate, const PartialMapping& part, double bound,
                             std::vector<OpenedNode>& opened) const {
  OpenedNode node;
  node.bound = bound;
  node.counts.assign(part.counts.begin(), part.counts.begin() + tables_.dims);
  if (candidate.label >= 0) {
    for_bits(tables_.labels[static_cast<std::size_t>(candidate.label)].dims,
             [&](std::size_t d) { node.label.emplace_back(d); });
  }
  opened.push_back(std::move(node));
  return opened.back();
}

// `part` is at the outside of `memory`; `opened` (may be null) takes what is opened inside it.
void RootSearch::visit(std::size_t memory, const PartialMapping& part,
                       std::vector<OpenedNode>* opened, bool holds_witness) {
  const std::size_t before = way_.passed.size();
  Frame& frame = frames_[memory];
  frame.part = part;
  if (tables_.is_split(memory)) frame.part.used_bits = used_bits(memory, part);
  for_bits(root_tables_->keeps[memory], [&](std::size_t t) {
    if (root_tables_->links.parent(memory, t) < 0) return;
    way_.passed.push_back(
        {t, memory, part.moved[t].at, link_cost(0, t, memory, part), part.counts});
    for (std::size_t r = 0; r < root_tables_->to_go.size(); ++r) {
      frame.part.spent[r] += link_cost(r, t, memory, part);
    }
  });
  frame.passed = way_.passed.size();
  frame.next = 0;
  frame.candidates.clear();
  collect(memory + 1, frame.part, frame.candidates);
  frame.witness.reset();
  if (holds_witness) check_candidates(memory + 1, frame);
  go_through(memory, opened);
  way_.passed.resize(before);
}

// The candidates of a frame that are left.
void RootSearch::go_through(std::size_t memory, std::vector<OpenedNode>* opened) {
  Frame& frame = frames_[memory];
  PartialMapping inside;
  while (frame.next < frame.candidates.size()) {
    const Candidate candidate = frame.candidates[frame.next++];
    here_.steps.resize(memory);
    here_.steps.push_back({candidate.key, candidate.label, candidate.cell});
    if (interrupted_ || !goes_on()) break;
    if (!(candidate.key < scan_limit(frame.part))) {
      check_rest(frame, frame.next - 1, "by_scan");
      break;
    }
    const bool holds_witness = frame.witness && candidate.leads_where(*frame.witness);
    if (!step_in(memory + 1, candidate, frame.part, inside)) {
      if (holds_witness) context_.witness->lose("the label of a block", "it is another one");
      continue;
    }
    if (has_same_tile(memory + 1, inside)) {
      if (holds_witness) context_.witness->lose("by_same_tile", "a tile of it is kept twice");
      continue;
    }
    if (!fits_beside(memory + 1, inside)) {
      if (holds_witness) context_.witness->lose("by_capacity", "it does not fit beside the others");
      continue;
    }
    const LowerBounds bound = lower_bounds(memory + 1, inside);
    if (holds_witness) context_.witness->check("by_node", bound);
    if (bound.score == kNever) continue;
    if (context_.prunes.by_node && !promises(bound)) {
      if (holds_witness) check_drop("by_node");
      continue;
    }
    OpenedNode* const node =
        opened == nullptr ? nullptr : &open(candidate, inside, bound.score, *opened);
    if (memory + 1 < root_tables_->keeps.size()) {
      visit(memory + 1, inside, node == nullptr ? nullptr : &node->open, holds_witness);
    } else if (holds_witness) {
      check_leaf(bound);
    } else {
      look_at(bound);
    }
  }
  here_.steps.resize(memory);
}

// At least so much of the shared capacity is used at this point of a memory and those outside it.
double RootSearch::used_bits(std::size_t memory, const PartialMapping& part) const {
  const std::vector<KeepRule>& points = tables_.rules.keeps;
  const NodeId node = points[memory].memory;
  const ResolvedMemory& resolved = tables_.problem.memory(node);
  const bool first = memory == 0 || points[memory - 1].memory != node;
  Counts extents;
  extents.fill(1);
  for_bits(tables_.live,
           [&](std::size_t d) { extents[d] = ceil_div(tables_.sizes[d], part.counts[d]); });
  double used = first ? 0 : part.used_bits;
  for_bits(root_tables_->keeps[memory], [&](std::size_t t) {
    if (resolved.partition_bits[t]) return;
    used += static_cast<double>(context_.tiles[t].elements(extents)) *
            static_cast<double>(resolved.bits[t]);
  });
  return used;
}

// True if `by_same_tile` leaves out mappings with this tile of a memory and the one outside of it.
bool RootSearch::has_same_tile(std::size_t memory, const PartialMapping& part) const {
  if (memory >= root_tables_->keeps.size()) return false;
  bool result = false;
  for_bits(root_tables_->keeps[memory], [&](std::size_t t) {
    const int parent = root_tables_->links.parent(memory, t);
    if (parent < 0 || part.moved[t].at >= parent) return;
    const std::size_t outer = static_cast<std::size_t>(parent);
    const bool empty = way_.label[tables_.block[outer]] < 0;
    result = result || root_tables_->to_go[0]->is_needless(outer, TensorSet{1} << t, empty);
  });
  return result;
}

// False if what a memory keeps at different points does not fit together.
bool RootSearch::fits_beside(std::size_t memory, const PartialMapping& part) const {
  if (!context_.prunes.by_capacity || !tables_.is_split(memory)) return true;
  const std::vector<KeepRule>& points = tables_.rules.keeps;
  const NodeId node = points[memory].memory;
  const Memory& room = tables_.problem.arch().memory(node);
  if (!room.capacity_bits) return true;
  const ResolvedMemory& resolved = tables_.problem.memory(node);
  double used = used_bits(memory, part);
  for (std::size_t m = memory + 1; m < points.size() && points[m].memory == node; ++m) {
    for_bits(root_tables_->keeps[m], [&](std::size_t t) {
      if (!resolved.partition_bits[t]) used += static_cast<double>(resolved.bits[t]);
    });
  }
  return used <= static_cast<double>(*room.capacity_bits / room.buffering);
}

// Larger factors than needed for the same counts make tiles larger and save nothing, unless a loop
// in space leaves a remainder or tiles overlap in uneven ways.
bool RootSearch::least_factor_is_best(std::size_t dim) const {
  if (!context_.prunes.by_least_factor || context_.options.top > 1) return false;
  const Workload& workload = tables_.problem.workload();
  for (std::size_t t = 0; t < tables_.pairs.size(); ++t) {
    for (const Rank& rank : workload.tensors()[t].ranks) {
      const auto mine = [&](const Term& term) { return term.dim.pos() == dim; };
      if (rank.terms.size() < 2 || std::ranges::none_of(rank.terms, mine)) continue;
      return false;
    }
  }
  const auto live = std::ranges::find(root_tables_->to_go[0]->grid(0).dims, dim);
  const std::size_t i =
      static_cast<std::size_t>(live - root_tables_->to_go[0]->grid(0).dims.begin());
  for (std::size_t m = 0; m < way_.inner_cell.size(); ++m) {
    const std::size_t last =
        m + 1 < tables_.block.size() ? tables_.block[m + 1] : tables_.rules.places.size();
    std::int64_t many = 1;
    for (std::size_t p = tables_.block[m] + 1; p < last; ++p)
      many *= root_tables_->links.factor(p, dim);
    if (many == 1) continue;
    const auto outside = root_tables_->chains[dim]->counts(tables_.block[m] + 1);
    const auto inside = root_tables_->chains[dim]->counts(last);
    const int cell = m + 1 < way_.outer.size() ? way_.outer[m + 1][i] : 0;
    if (outside[static_cast<std::size_t>(way_.inner_cell[m][i])] * many !=
        inside[static_cast<std::size_t>(cell)]) {
      return false;
    }
  }
  return true;
}

// A whole mapping but for factors that leave the same counts, and orders.
void RootSearch::look_at(const LowerBounds& bound) {
  bound_here_ = bound;
  open_choices_.clear();
  const auto& dims = root_tables_->to_go[0]->grid(0).dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool least = least_factor_is_best(dims[i]);
    for (std::size_t m = 0; m < tables_.block.size(); ++m) {
      const DimChain::Way& way = *root_tables_->chains[dims[i]]->way(
          tables_.block[m], way_.outer[m][i], way_.inner_cell[m][i]);
      tiling_.at(static_cast<int>(tables_.block[m]), static_cast<int>(dims[i])) = way.first;
      if (!least && way.last > way.first) {
        open_choices_.push_back({tables_.block[m], dims[i], way.first, way.last});
      }
    }
  }
  choose_factors(0);
}

void RootSearch::choose_factors(std::size_t next) {
  if (interrupted_) return;
  if (next == open_choices_.size()) {
    score_orders();
    return;
  }
  const Choice choice = open_choices_[next];
  std::int64_t& factor = tiling_.at(static_cast<int>(choice.place), static_cast<int>(choice.dim));
  for (factor = choice.first; factor <= choice.last; ++factor) {
    choose_factors(next + 1);
    if (interrupted_ || !goes_on()) break;
    if (context_.prunes.by_node && !promises(bound_here_)) break;
  }
  factor = choice.first;
}

}  // namespace tilewright
