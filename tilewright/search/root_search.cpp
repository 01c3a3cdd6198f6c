// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/root_search.h"

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
// Time of a memory that is below this share of the compute steps will hardly ever count.
constexpr double kIdle = 0.2;

}  // namespace

RootSearch::RootSearch(const Ground& ground, Answers& answers,
                       std::function<bool(const SearchResult&)> report)
    : ground_(ground),
      facts_(ground.facts),
      answers_(answers),
      report_(std::move(report)),
      scorer_(ground.facts.problem, ground.options),
      classes_(ground.facts.problem, ground.facts.rules),
      known_chains_(ground) {
  const std::size_t places = facts_.rules.places.size();
  tiling_.dims = facts_.dims;
  tiling_.factors.assign(places * static_cast<std::size_t>(facts_.dims), 1);
  orders_.resize(places);
  label_.resize(places, -1);
  active_.resize(places);
  ranked_.resize(static_cast<std::size_t>(facts_.memories));
  outer_.resize(static_cast<std::size_t>(facts_.memories));
  inner_cell_.resize(static_cast<std::size_t>(facts_.memories));
}

// False if there is no such mapping.
bool RootSearch::prepare(const Keeps& keeps, const Tiling& spatial, Care care) {
  known_chains_.forget();
  chains_.assign(static_cast<std::size_t>(facts_.dims), nullptr);
  for (std::size_t d = 0; d < chains_.size(); ++d) {
    chains_[d] = &known_chains_.chain(d, keeps, spatial, care);
    if (!chains_[d]->possible()) return false;
  }
  keeps_ = keeps;
  tiling_ = spatial;
  links_.emplace(facts_, keeps, spatial);
  steps_ = links_->steps();
  to_go_.clear();
  inner_.clear();
  share_.clear();
  for (const Resource& resource : ground_.resources) {
    const bool time = resource.kind == Resource::Kind::kTime;
    inner_.push_back(links_->inner_cost(resource));
    share_.push_back(time ? links_->instances(static_cast<std::size_t>(resource.memory)) : 1);
    to_go_.emplace_back();
    if (time && links_->compulsory(resource) / share_.back() < kIdle * steps_) continue;
    to_go_.back() = std::make_unique<CostToGo>(*links_, chains_, resource, ground_.tiles,
                                               ground_.options.prunes.by_capacity,
                                               [this] { return is_interrupted(); });
    if (interrupted_) return true;
    if (to_go_.back()->whole() == kNever) return false;
  }
  return true;
}

Least RootSearch::bound(const Keeps& keeps, const Tiling& spatial, Care care) {
  const bool less = care == Care::kMedium || care == Care::kFine;
  if (less && !known_chains_.saves_much(keeps, spatial, care)) return {};
  if (!prepare(keeps, spatial, care)) return {kNever, kNever, kNever};
  if (interrupted_) return {};
  double energy = 0;
  double traffic = 1;
  double cycles = steps_;
  for (std::size_t r = 0; r < to_go_.size(); ++r) {
    const double all = (inner_[r] + (to_go_[r] ? to_go_[r]->whole() : 0)) / share_[r];
    switch (ground_.resources[r].kind) {
      case Resource::Kind::kEnergy:
        energy = all;
        break;
      case Resource::Kind::kTraffic:
        traffic = all;
        break;
      case Resource::Kind::kTime:
        cycles = std::max(cycles, all);
    }
  }
  return ground_.least(energy, cycles, traffic);
}

bool RootSearch::promises(const Least& least) {
  if (!ground_.options.prunes.by_cost) return true;
  answers_.refresh(view_);
  return answers_.promises(view_, least, root_);
}

bool RootSearch::is_interrupted() {
  interrupted_ = interrupted_ || !report_(tally_);
  return interrupted_;
}

bool RootSearch::goes_on() {
  ++tally_.nodes;
  const std::uint64_t most = ground_.options.max_nodes;
  const bool due = tally_.nodes % kNodesBetweenReports == 0 || (most > 0 && tally_.nodes >= most);
  if (due && !report_(tally_)) interrupted_ = true;
  return !interrupted_;
}

double RootSearch::link_cost(std::size_t resource, std::size_t tensor, std::size_t child,
                             const Part& part) const {
  const Moved& moved = part.moved[tensor];
  Links::Traffic traffic =
      links_->elements(tensor, child, moved.at, moved.tiles, part.counts, moved.last);
  for_bits(facts_.irrelevant[tensor], [&](std::size_t d) {
    traffic.delivered *= links_->deliveries(tensor, child, moved.at, d, moved.tiles[d]);
    traffic.received *= links_->receipts(tensor, child, moved.at, d, moved.tiles[d]);
  });
  return links_->cost(ground_.resources[resource], tensor, child, traffic);
}

std::size_t RootSearch::index(std::size_t memory, const Part& part) const {
  const Grid& grid = to_go_[0]->grid(memory);
  std::size_t result = 0;
  for (std::size_t i = 0; i < grid.dims.size(); ++i) {
    result = result * grid.sizes[i] + static_cast<std::size_t>(part.cell[i]);
  }
  return result;
}

// At least so much is used from the outside of `memory` inwards, links not yet passed included.
double RootSearch::to_go(std::size_t resource, std::size_t memory, const Part& part) const {
  const std::size_t cell = index(memory, part);
  std::array<double, Workload::kMaxTensors> pending{};
  TensorSet known = 0;
  double least = kNever;
  for (const CostToGo::Table& table : to_go_[resource]->tables(memory)) {
    double cost = table.cost[cell];
    if (cost == kNever) continue;
    for_bits(table.pending, [&](std::size_t t) {
      if ((known >> t & 1U) == 0) {
        pending[t] =
            link_cost(resource, t, static_cast<std::size_t>(links_->child(memory, t)), part);
        known |= TensorSet{1} << t;
      }
      cost += pending[t];
    });
    least = std::min(least, cost);
  }
  return least;
}

Least RootSearch::least(std::size_t memory, const Part& part) const {
  double energy = 0;
  double traffic = 1;
  double cycles = steps_;
  for (std::size_t r = 0; r < to_go_.size(); ++r) {
    const double all =
        (inner_[r] + part.spent[r] + (to_go_[r] ? to_go(r, memory, part) : 0)) / share_[r];
    switch (ground_.resources[r].kind) {
      case Resource::Kind::kEnergy:
        energy = all;
        break;
      case Resource::Kind::kTraffic:
        traffic = all;
        break;
      case Resource::Kind::kTime:
        cycles = std::max(cycles, all);
    }
  }
  if (energy == kNever) return {kNever, kNever, kNever};
  return ground_.least(energy, cycles, traffic);
}

bool RootSearch::search(std::int64_t root) {
  if (interrupted_) return false;  // while it was bounded
  root_ = root;
  passed_.clear();
  Part part;
  part.counts.fill(1);
  part.cell.fill(0);
  for (Moved& moved : part.moved) moved.tiles.fill(1);
  if (!promises(least(0, part))) return true;
  std::vector<OpenedNode>* opened = nullptr;
  if (ground_.options.proof) {
    opened_.push_back({keeps_, tiling_, {}});
    opened = &opened_.back().open;
  }
  visit(0, part, opened);
  return !interrupted_;
}

int RootSearch::through_axes(std::size_t memory, std::size_t dim, int inner) const {
  const std::size_t last =
      memory < facts_.block.size() ? facts_.block[memory] : facts_.rules.places.size();
  for (std::size_t p = last; p-- > facts_.block[memory - 1] + 1 && inner >= 0;) {
    inner = chains_[dim]->outer(p, inner);
  }
  return inner;
}

// More energy than this, between memories from the outside of `memory` inwards, is of no interest.
double RootSearch::scan_limit(const Part& part) {
  if (!ground_.options.prunes.by_cost) return kNever;
  answers_.refresh(view_);
  const Objective& goal = ground_.options.objective;
  double energy = kNever;
  if (ground_.options.front) {
    energy = answers_.energy_limit(view_, steps_, root_) - facts_.leakage_pj * steps_;
  } else if (goal.energy > 0) {
    const double limit = answers_.limit(view_, root_);
    double traffic = 1;
    double cycles = steps_;
    for (std::size_t r = 1; r < to_go_.size(); ++r) {
      const double all = (inner_[r] + part.spent[r]) / share_[r];
      if (ground_.resources[r].kind == Resource::Kind::kTraffic) traffic = std::max(1.0, all);
      if (ground_.resources[r].kind == Resource::Kind::kTime) cycles = std::max(cycles, all);
    }
    const double others = power(cycles, goal.latency) * power(traffic, goal.traffic);
    energy = power(limit / others, 1 / goal.energy) - facts_.leakage_pj * steps_;
  }
  // Rounded up: what passes is looked at again.
  return energy == kNever ? kNever : energy * (1 + 1e-9) - inner_[0] - part.spent[0];
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
void RootSearch::collect(std::size_t memory, const Part& part, std::vector<Candidate>& candidates) {
  const Grid& grid = to_go_[0]->grid(memory);
  const std::size_t block = facts_.block[memory - 1];
  std::vector<std::vector<int>> by_loops(grid.dims.size());
  std::vector<std::vector<int>> unchanged(grid.dims.size());
  for (std::size_t i = 0; i < grid.dims.size(); ++i) {
    const std::size_t d = grid.dims[i];
    const int same = chains_[d]->same(block, part.cell[i]);
    for (int c = 0; c < static_cast<int>(grid.sizes[i]); ++c) {
      const int inside = through_axes(memory, d, c);
      if (inside < 0) continue;
      if (inside == same) unchanged[i].push_back(c);
      if (chains_[d]->way(block, part.cell[i], inside) != nullptr) by_loops[i].push_back(c);
    }
  }
  const double limit = scan_limit(part);
  const auto pending_cost = [&](TensorSet tensors) {
    double sum = 0;
    for_bits(tensors, [&](std::size_t t) {
      sum += link_cost(0, t, static_cast<std::size_t>(links_->child(memory, t)), part);
    });
    return sum;
  };
  for (const CostToGo::Table& table : to_go_[0]->tables(memory)) {
    const double base = pending_cost(table.pending);
    scan(table.cost, limit - base, unchanged, grid, -1, base, candidates);
  }
  for (const CostToGo::BlockTable& table : to_go_[0]->block_tables(memory)) {
    const double base =
        pending_cost(table.pending & facts_.labels[static_cast<std::size_t>(table.label)].still);
    scan(table.cost, limit - base, by_loops, grid, table.label, base, candidates);
  }
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
bool RootSearch::step_in(std::size_t memory, const Candidate& candidate, const Part& part,
                         Part& inside) {
  const Grid& grid = to_go_[0]->grid(memory);
  const std::size_t block = facts_.block[memory - 1];
  inside = part;
  std::size_t left = candidate.cell;
  DimSet active = 0;
  Counts within = part.counts;  // counts right inside the block
  const std::size_t last =
      memory < facts_.block.size() ? facts_.block[memory] : facts_.rules.places.size();
  for (std::size_t i = grid.dims.size(); i-- > 0;) {
    const std::size_t d = grid.dims[i];
    const int c = static_cast<int>(left % grid.sizes[i]);
    left /= grid.sizes[i];
    const int behind = through_axes(memory, d, c);
    outer_[memory - 1][i] = part.cell[i];
    inner_cell_[memory - 1][i] = behind;
    inside.cell[i] = c;
    inside.counts[d] = chains_[d]->counts(last)[static_cast<std::size_t>(c)];
    within[d] = chains_[d]->counts(block + 1)[static_cast<std::size_t>(behind)];
    if (within[d] == part.counts[d]) continue;
    active |= DimSet{1} << d;
  }
  active_[block] = active;
  label_[block] = candidate.label;
  if (candidate.label < 0) return active == 0;
  const Facts::Label& label = facts_.labels[static_cast<std::size_t>(candidate.label)];
  if ((active & label.dims) == 0) return false;
  for (std::size_t t = 0; t < static_cast<std::size_t>(facts_.tensors); ++t) {
    if ((active & ~facts_.irrelevant[t]) == 0) continue;  // it stays where it is
    Moved& moved = inside.moved[t];
    moved.at = static_cast<int>(memory) - 1;
    moved.tiles = within;
    moved.last = label.dims;
    if ((label.still >> t & 1U) == 0) continue;
    moved.last = active;
    for_bits(facts_.irrelevant[t], [&](std::size_t d) { moved.tiles[d] = part.counts[d]; });
  }
  return true;
}

OpenedNode& RootSearch::open(const Candidate& candidate, const Part& part, double bound,
                             std::vector<OpenedNode>& opened) const {
  OpenedNode node;
  node.bound = bound;
  node.counts.assign(part.counts.begin(), part.counts.begin() + facts_.dims);
  if (candidate.label >= 0) {
    for_bits(facts_.labels[static_cast<std::size_t>(candidate.label)].dims,
             [&](std::size_t d) { node.label.emplace_back(d); });
  }
  opened.push_back(std::move(node));
  return opened.back();
}

// `part` is at the outside of `memory`; `opened` (may be null) takes what is opened inside it.
void RootSearch::visit(std::size_t memory, Part part, std::vector<OpenedNode>* opened) {
  const std::size_t before = passed_.size();
  for_bits(keeps_[memory], [&](std::size_t t) {
    if (links_->parent(memory, t) < 0) return;
    passed_.push_back({t, memory, part.moved[t].at, link_cost(0, t, memory, part), part.counts});
    for (std::size_t r = 0; r < to_go_.size(); ++r) part.spent[r] += link_cost(r, t, memory, part);
  });
  std::vector<Candidate> candidates;
  collect(memory + 1, part, candidates);
  Part inside;
  for (const Candidate& candidate : candidates) {
    if (interrupted_ || !goes_on() || !(candidate.key < scan_limit(part))) break;
    if (!step_in(memory + 1, candidate, part, inside)) continue;
    const Least bound = least(memory + 1, inside);
    if (bound.score == kNever || !promises(bound)) continue;
    OpenedNode* const node =
        opened == nullptr ? nullptr : &open(candidate, inside, bound.score, *opened);
    if (memory + 1 == keeps_.size()) {
      look_at(bound);
    } else {
      visit(memory + 1, inside, node == nullptr ? nullptr : &node->open);
    }
  }
  passed_.resize(before);
}

// Larger factors than needed for the same counts make tiles larger and save nothing, unless a loop
// in space leaves a remainder or tiles overlap in uneven ways.
bool RootSearch::least_factor_is_best(std::size_t dim) const {
  if (!ground_.options.prunes.by_least_factor || ground_.options.top > 1) return false;
  const Workload& workload = facts_.problem.workload();
  for (std::size_t t = 0; t < facts_.pairs.size(); ++t) {
    for (const Rank& rank : workload.tensors()[t].ranks) {
      const auto mine = [&](const Term& term) { return term.dim.pos() == dim; };
      if (rank.terms.size() < 2 || std::ranges::none_of(rank.terms, mine)) continue;
      return false;
    }
  }
  const auto live = std::ranges::find(to_go_[0]->grid(0).dims, dim);
  const std::size_t i = static_cast<std::size_t>(live - to_go_[0]->grid(0).dims.begin());
  for (std::size_t m = 0; m < inner_cell_.size(); ++m) {
    const std::size_t last =
        m + 1 < facts_.block.size() ? facts_.block[m + 1] : facts_.rules.places.size();
    std::int64_t many = 1;
    for (std::size_t p = facts_.block[m] + 1; p < last; ++p) many *= links_->factor(p, dim);
    if (many == 1) continue;
    const auto outside = chains_[dim]->counts(facts_.block[m] + 1);
    const auto inside = chains_[dim]->counts(last);
    const int cell = m + 1 < outer_.size() ? outer_[m + 1][i] : 0;
    if (outside[static_cast<std::size_t>(inner_cell_[m][i])] * many !=
        inside[static_cast<std::size_t>(cell)]) {
      return false;
    }
  }
  return true;
}

// A whole mapping but for factors that leave the same counts, and orders.
void RootSearch::look_at(const Least& bound) {
  bound_here_ = bound;
  open_choices_.clear();
  const auto& dims = to_go_[0]->grid(0).dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool least = least_factor_is_best(dims[i]);
    for (std::size_t m = 0; m < facts_.block.size(); ++m) {
      const DimChain::Way& way =
          *chains_[dims[i]]->way(facts_.block[m], outer_[m][i], inner_cell_[m][i]);
      tiling_.at(static_cast<int>(facts_.block[m]), static_cast<int>(dims[i])) = way.first;
      if (!least && way.last > way.first) {
        open_choices_.push_back({facts_.block[m], dims[i], way.first, way.last});
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
    if (interrupted_ || !goes_on() || !promises(bound_here_)) break;
  }
  factor = choice.first;
}

void RootSearch::score_orders() {
  for (std::size_t p = 0; p < orders_.size(); ++p) {
    const bool is_block = facts_.rules.places[p].is_block();
    active_[p] = tiling_.active(static_cast<int>(p));
    orders_[p].clear();
    if (!is_block) continue;
    for_bits(active_[p], [&](std::size_t d) { orders_[p].emplace_back(static_cast<int>(d)); });
  }
  build_nest(facts_.rules, keeps_, tiling_, orders_, nest_);
  if (!scorer_.fits(nest_)) {
    count(Outcome::kTooLarge, tally_);
    return;
  }
  // What each order of a block costs more than the best one could.
  for (std::size_t m = 0; m < facts_.block.size(); ++m) {
    const std::size_t p = facts_.block[m];
    ranked_[m].clear();
    if (active_[p] == 0) continue;
    const DimSet last = facts_.labels[static_cast<std::size_t>(label_[p])].dims;
    for (const std::vector<DimId>& order : orders_of(p)) {
      if ((last >> order.back().value & 1U) == 0) continue;
      ranked_[m].push_back({order_cost(m, order), &order});
    }
    if (ranked_[m].empty()) return;  // they cost the same as orders of another label
    std::ranges::stable_sort(ranked_[m], {}, &Ranked::extra);
  }
  go_through_orders(0, 0);
}

// At least so much more energy than bound_here_ has: the links that are decided in the block of
// `memory`, now that the order of its loops is known.
double RootSearch::order_cost(std::size_t memory, const std::vector<DimId>& order) const {
  double extra = 0;
  const auto& dims = to_go_[0]->grid(0).dims;
  for (const Passed& link : passed_) {
    if (link.at != static_cast<int>(memory)) continue;
    Part part;
    part.counts = link.counts;
    Moved& moved = part.moved[link.tensor];
    moved.at = link.at;
    moved.tiles.fill(1);
    DimSet staying = 0;  // loops inside the innermost one that the tensor depends on
    for (std::size_t i = order.size(); i-- > 0;) {
      const DimSet here = DimSet{1} << order[i].value;
      if ((facts_.irrelevant[link.tensor] & here) == 0) {
        moved.last = here;
        break;
      }
      staying |= here;
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const bool outer = (staying >> dims[i] & 1U) != 0;
      const std::size_t boundary = facts_.block[memory] + (outer ? 0 : 1);
      const int cell = outer ? outer_[memory][i] : inner_cell_[memory][i];
      moved.tiles[dims[i]] = chains_[dims[i]]->counts(boundary)[static_cast<std::size_t>(cell)];
    }
    extra += link_cost(0, link.tensor, link.child, part) - link.energy;
  }
  return std::max(0.0, extra);
}

void RootSearch::go_through_orders(std::size_t memory, double extra) {
  while (memory < ranked_.size() && ranked_[memory].empty()) ++memory;
  if (memory < ranked_.size()) {
    for (const Ranked& ranked : ranked_[memory]) {
      Least least = bound_here_;
      least.energy += extra + ranked.extra;
      least.score *= power(least.energy / bound_here_.energy, ground_.options.objective.energy);
      if (bound_here_.energy > 0 && !promises(least)) break;
      orders_[facts_.block[memory]] = *ranked.order;
      go_through_orders(memory + 1, extra + ranked.extra);
    }
    return;
  }
  build_nest(facts_.rules, keeps_, tiling_, orders_, nest_);
  const Scored scored = scorer_.score_fitting(nest_);
  count(scored.outcome, tally_);
  if (scored.outcome == Outcome::kTooLarge) return;
  TW_DCHECK(bound_here_.score <= scored.score * (1 + 1e-9), "a bound is above what it bounds");
  TW_DCHECK(ground_.options.objective.energy <= 0 ||
                bound_here_.energy + extra <= scored.energy * (1 + 1e-9),
            "the bound of an order is above what it bounds");
  if (scored.outcome != Outcome::kValid) return;
  answers_.offer({scored.score, scored.energy, scored.cycles, root_, nest_});
}

const std::vector<std::vector<DimId>>& RootSearch::orders_of(std::size_t p) {
  std::vector<std::uint32_t> key(active_.begin(), active_.end());
  key.insert(key.end(), keeps_.begin(), keeps_.end());
  key.push_back(static_cast<std::uint32_t>(p));
  const auto [it, added] = known_orders_.try_emplace(std::move(key));
  if (added) it->second = classes_.representatives(static_cast<int>(p), active_, keeps_);
  return it->second;
}

}  // namespace tilewright
