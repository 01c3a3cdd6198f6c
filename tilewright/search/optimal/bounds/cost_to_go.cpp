// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/bounds/cost_to_go.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/search/optimal/bounds/cell_product.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// How many cells are filled between two looks at whether to stop: well below a millisecond.
constexpr std::size_t kCellsPerLook = 100'000;

}  // namespace

// Costs on the way outwards: first those of a table, which are not copied, then some of its own.
class CostToGo::Pulled {
 public:
  explicit Pulled(const std::vector<double>& start) : start_(&start) {}
  Pulled(const Pulled&) = delete;

  const std::vector<double>& cost() const { return start_ != nullptr ? *start_ : own_; }
  // What it had of its own is of no use any more; the memory may be.
  std::vector<double> set(std::vector<double> cost) {
    start_ = nullptr;
    return std::exchange(own_, std::move(cost));
  }
  // It is of no use afterwards, until it is set.
  std::vector<double> take() { return start_ != nullptr ? *start_ : std::move(own_); }

 private:
  const std::vector<double>* start_;  // null: its own
  std::vector<double> own_;
};

std::size_t Grid::cells() const {
  std::size_t result = 1;
  for (const std::size_t size : sizes) result *= size;
  return result;
}

CostToGo::CostToGo(const Links& links, std::span<const DimChain* const> chains,
                   const Resource& resource, std::span<const TileForm> tiles, const Prunes& prunes,
                   Use use, const std::function<bool()>& stop)
    : links_(links),
      tables_(links.tables()),
      chains_(chains),
      resource_(resource),
      tiles_(tiles),
      prunes_(prunes),
      use_(use),
      stop_(&stop) {
  try {
    fill();
  } catch (const Stopped&) {
    boundary_tables_.clear();
  }
  stop_ = nullptr;
}

void CostToGo::fill() {
  const std::size_t memories = links_.keeps().size();
  grids_.resize(memories + 1);
  boundary_tables_.resize(memories + 1);
  blocks_.resize(memories + 1);
  for (std::size_t m = 0; m <= memories; ++m) make_grid(m);
  boundary_tables_[memories].push_back({0, std::vector<double>(grids_[memories].cells(), 0)});
  for (std::size_t m = memories; m-- > 0;) {
    go_outwards(m);
    enter(m);
  }
  whole_ = kNever;
  for (const Table& table : boundary_tables_[0]) whole_ = std::min(whole_, table.cost[0]);
}

std::size_t CostToGo::cells() const {
  std::size_t all = 0;
  for (std::size_t m = 0; m < boundary_tables_.size(); ++m) {
    all += grids_[m].cells() * (boundary_tables_[m].size() + blocks_[m].size());
  }
  return all;
}

void CostToGo::check_stop(std::size_t cells) const {
  cells_since_look_ += cells;
  if (cells_since_look_ < kCellsPerLook) return;
  cells_since_look_ = 0;
  if ((*stop_)()) throw Stopped();
}

std::size_t CostToGo::place_behind(std::size_t memory) const {
  return memory < tables_.block.size() ? tables_.block[memory] : tables_.rules.places.size();
}

std::size_t CostToGo::memory_of(std::size_t place) const {
  return static_cast<std::size_t>(std::ranges::find(tables_.block, place) - tables_.block.begin());
}

// How many counts there are outside `place`, by position in the grid.
CostToGo::GridSizes CostToGo::sizes_at(std::size_t place) const {
  GridSizes sizes;
  for (const std::size_t d : tables_.by_size) sizes.push_back(chains_[d]->counts(place).size());
  return sizes;
}

void CostToGo::make_grid(std::size_t memory) {
  grids_[memory].dims = tables_.by_size;  // tables have long rows then
  const GridSizes sizes = sizes_at(place_behind(memory));
  grids_[memory].sizes.assign(sizes.begin(), sizes.end());
}

// Tiles are at least as large as the counts outside them say.
void CostToGo::forget_what_does_not_fit(std::size_t memory) {
  const Memory& room = tables_.problem.arch().memory(tables_.rules.keeps[memory].memory);
  if (!prunes_.by_capacity || (!room.capacity_bits && room.partitions.empty())) return;
  const Grid& grid = grids_[memory];
  Counts extents;
  extents.fill(1);
  const auto set = [&](std::size_t i, std::size_t at) {
    const std::size_t d = grid.dims[i];
    extents[d] = ceil_div(tables_.sizes[d], chains_[d]->largest(place_behind(memory))[at]);
  };
  const TensorSet held = tables_.held(links_.keeps(), memory);
  const auto fits = [&] { return tiles_fit(tables_, tiles_, memory, held, extents); };
  if (grid.dims.empty()) {
    for (Table& table : boundary_tables_[memory]) table.cost[0] = fits() ? table.cost[0] : kNever;
    return;
  }
  const std::size_t last = grid.dims.size() - 1;
  const auto go = [&](const auto& self, std::size_t i, std::size_t cell) -> void {
    if (i < last) {
      if (i + 1 == last) check_stop(grid.sizes[i] * grid.sizes[last]);
      for (std::size_t c = 0; c < grid.sizes[i]; ++c) {
        set(i, c);
        self(self, i + 1, (cell + c) * grid.sizes[i + 1]);
      }
      return;
    }
    // More pieces fit if fewer do.
    std::size_t low = 0;
    std::size_t high = grid.sizes[last];
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      set(last, middle);
      if (fits()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    for (Table& table : boundary_tables_[memory]) {
      std::fill_n(table.cost.begin() + static_cast<std::ptrdiff_t>(cell), low, kNever);
    }
  };
  go(go, 0, 0);
}

// The cost of a link for all cells. `outside` and `inside`: tiles along each dim outside the
// fan-outs of the link and inside them, by position in the grid and count; `received`: how often
// a tile is received, along dims that the tensor does not depend on.
std::vector<double> CostToGo::link_cost(std::size_t memory, std::size_t tensor,
                                        const CellCounts& outside, const CellCounts& inside,
                                        bool exact, DimSet last) const {
  const std::size_t child = static_cast<std::size_t>(links_.child(memory, tensor));
  const int decided = static_cast<int>(memory) - 1;
  const std::vector<std::size_t>& dims = grids_[memory].dims;
  const Links::InSpace in = links_.in_space(tensor, child, decided);
  std::size_t cells = 1;
  for (const auto& counts : outside) cells *= counts.size();
  std::vector<double> result;
  for (const std::size_t slide : links_.slides(tensor, child, last)) {
    CellProduct delivered(tables_.plain[tensor], cells);
    CellProduct received(tables_.plain[tensor], cells);
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::size_t d = dims[i];
      const bool stays = (tables_.irrelevant[tensor] >> d & 1U) != 0;
      check_stop(2 * delivered.values().size() * outside[i].size());
      delivered.add_dim(outside[i].size(), [&](std::size_t c) {
        return stays ? links_.deliveries(tensor, child, decided, d, outside[i][c]) : 1.0;
      });
      received.add_dim(outside[i].size(), [&](std::size_t c) {
        if (!stays) return 1.0;
        return exact ? static_cast<double>(inside[i][c])
                     : links_.receipts(tensor, child, decided, d, outside[i][c]);
      });
      for (const ProblemTables::Pair& pair : tables_.pairs[tensor]) {
        if (pair.first != d && pair.second != d) continue;
        const std::size_t other = pair.first == d ? pair.second : pair.first;
        const std::size_t j =
            static_cast<std::size_t>(std::ranges::find(dims, other) - dims.begin());
        if (j > i) continue;  // it is not there yet
        const Links::Runs runs = links_.runs(pair, in, tensor, child, decided, slide);
        const auto pieces = [&](std::int64_t a, std::int64_t b, std::int64_t most) {
          if (pair.first != other) std::swap(a, b);
          return links_.pieces(pair, a, b, slide, most);
        };
        const auto& read_here = (in.separate >> d & 1U) != 0 ? inside[i] : outside[i];
        const auto& read_there = (in.separate >> other & 1U) != 0 ? inside[j] : outside[j];
        received.add_pair(j, [&](std::size_t a, std::size_t b) {
          return pieces(inside[j][a], inside[i][b], runs.received);
        });
        delivered.add_pair(j, [&](std::size_t a, std::size_t b) {
          return pair.is_in(in.mixed) ? pair.least
                                      : pieces(read_there[a], read_here[b], runs.delivered);
        });
      }
    }
    const Links::Rates rates = links_.rates(resource_, tensor, child);
    std::vector<double>& cost = delivered.values();
    for (std::size_t cell = 0; cell < cost.size(); ++cell) {
      cost[cell] = rates.cost({cost[cell], received.values()[cell]});
    }
    if (result.empty()) {
      result = std::move(cost);
    } else {
      for (std::size_t cell = 0; cell < cost.size(); ++cell) {
        result[cell] = std::min(result[cell], cost[cell]);
      }
    }
  }
  return result;
}

// As many for each dim of the grid as `like` has: of(position in the grid, position among counts).
template <typename Count>
CostToGo::CellCounts CostToGo::make_counts(const CellCounts& like, const Count& of) const {
  std::size_t all = 0;
  for (const auto& counts : like) all += counts.size();
  made_counts_.resize(all);
  CellCounts result;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < like.size(); ++i) {
    const std::span<std::int64_t> made(&made_counts_[begin], like[i].size());
    for (std::size_t c = 0; c < made.size(); ++c) made[c] = of(i, c);
    result.push_back(made);
    begin += made.size();
  }
  return result;
}

// The link into the child of `memory` or further in, if its tiles are moved on by the innermost
// loop of the block outside `memory`: counts outside the fan-outs follow from those inside.
std::vector<double> CostToGo::moving_cost(std::size_t memory, std::size_t tensor,
                                          DimSet last) const {
  const std::size_t inner = tables_.block[memory];
  const std::size_t first = tables_.block[memory - 1] + 1;
  CellCounts inside;
  for (const std::size_t d : grids_[memory].dims) inside.push_back(chains_[d]->counts(inner));
  const CellCounts outside = make_counts(inside, [&](std::size_t i, std::size_t c) {
    const std::size_t d = grids_[memory].dims[i];
    int at = static_cast<int>(c);
    for (std::size_t p = inner; p-- > first && at >= 0;) at = chains_[d]->outer(p, at);
    return at < 0 ? 1 : chains_[d]->counts(first)[static_cast<std::size_t>(at)];
  });
  return link_cost(memory, tensor, outside, inside, links_.keeps(memory, tensor), last);
}

// The link into `memory` or further in of a tensor that the innermost loop of the block outside it
// leaves where it is: counts of the dims in `outer` are those outside the block, the others those
// inside it.
void CostToGo::add_stationary(std::size_t memory, std::size_t tensor, DimSet outer,
                              std::vector<double>& cost) const {
  const std::size_t child = static_cast<std::size_t>(links_.child(memory, tensor));
  const std::size_t block = tables_.block[memory - 1];
  CellCounts outside;
  for (const std::size_t d : grids_[memory].dims) {
    outside.push_back(chains_[d]->counts((outer >> d & 1U) != 0 ? block : block + 1));
  }
  const CellCounts inside = make_counts(outside, [&](std::size_t i, std::size_t c) {
    return static_cast<std::int64_t>(links_.receipts(tensor, child, static_cast<int>(memory) - 1,
                                                     grids_[memory].dims[i], outside[i][c]));
  });
  const std::vector<double> more = link_cost(memory, tensor, outside, inside, false, tables_.live);
  for (std::size_t cell = 0; cell < cost.size(); ++cell) cost[cell] += more[cell];
}

// Which counts inside `place` are offered to which outside it, by rising or falling count outside.
// True if all that a count has is offered to the next smaller one as well.
bool CostToGo::find_offers(std::size_t dim, std::size_t place, bool loops) {
  const DimChain& chain = *chains_[dim];
  const std::size_t outer = chain.counts(place).size();
  const Place& where = tables_.rules.places[place];
  offers_.clear();
  if (loops && where.is_block() && where.rules[dim].remainder &&
      links_.keeps()[memory_of(place)] != 0) {
    // Nearly all larger counts can be reached; that all can is a relaxation. So a count outside has
    // all that the next larger one has.
    const auto within = chain.largest(place + 1);
    const auto without = chain.counts(place);
    std::size_t next = within.size();
    for (std::size_t to = outer; to-- > 0;) {
      while (next > 0 && within[next - 1] >= without[to]) offers_.push_back({--next, to});
    }
    return true;
  }
  for (std::size_t to = 0; to < outer; ++to) {
    const int same = loops ? -1 : chain.same(place, static_cast<int>(to));
    if (same >= 0) offers_.push_back({static_cast<std::size_t>(same), to});
    if (!loops) continue;
    for (const DimChain::Way& way : chain.ways(place, static_cast<int>(to))) {
      offers_.push_back({static_cast<std::size_t>(way.inner), to});
    }
  }
  return false;
}

// Along the last dim, `rows` cells of equal counts in the other dims apart: several rows at a time,
// as each depends on nothing but itself.
void CostToGo::pull_last(const double* source, std::size_t rows, std::size_t inner,
                         std::size_t outer, bool chained, double* target) {
  const auto go = [&](auto many) {
    std::array<double, many()> least;
    least.fill(kNever);
    std::size_t next = 0;
    for (std::size_t step = 0; step < outer; ++step) {
      const std::size_t to = chained ? outer - 1 - step : step;  // as offers are sorted
      if (!chained) least.fill(kNever);
      for (; next < offers_.size() && offers_[next].to == to; ++next) {
        const double* const from = source + offers_[next].from;
        for (std::size_t r = 0; r < many(); ++r) least[r] = std::min(least[r], from[r * inner]);
      }
      for (std::size_t r = 0; r < many(); ++r) target[r * outer + to] = least[r];
    }
    source += many() * inner;
    target += many() * outer;
    check_stop(many() * offers_.size());
  };
  constexpr std::size_t kTogether = 8;
  for (; rows >= kTogether; rows -= kTogether) {
    go(std::integral_constant<std::size_t, kTogether>());
  }
  for (; rows > 0; --rows) go(std::integral_constant<std::size_t, 1>());
}

// The least over what `place` may do along one dim: from the counts inside it to those outside.
void CostToGo::pull(Pulled& pulled, GridSizes& sizes, std::size_t axis, std::size_t place,
                    bool loops) {
  const std::size_t dim = grids_[0].dims[axis];
  const std::size_t inner = sizes[axis];
  const std::size_t outer = chains_[dim]->counts(place).size();
  const bool chained = find_offers(dim, place, loops);
  const bool nothing = !chained && inner == outer && offers_.size() == outer &&
                       std::ranges::all_of(offers_, [](const Offer& o) { return o.from == o.to; });
  if (nothing) return;
  std::size_t before = 1;
  std::size_t after = 1;
  for (std::size_t i = 0; i < axis; ++i) before *= sizes[i];
  for (std::size_t i = axis + 1; i < sizes.size(); ++i) after *= sizes[i];
  const std::vector<double>& cost = pulled.cost();
  std::vector<double> result = std::move(spare_);
  if (after == 1) {
    result.resize(before * outer);
    pull_last(&cost[0], before, inner, outer, chained, &result[0]);
  } else {
    result.assign(before * outer * after, kNever);
    const auto take = [&](double* to, const double* from) {
      for (std::size_t a = 0; a < after; ++a) to[a] = std::min(to[a], from[a]);
    };
    for (std::size_t b = 0; b < before; ++b) {
      check_stop(offers_.size() * after);
      const double* const source = &cost[b * inner * after];
      double* const target = &result[b * outer * after];
      for (const auto& [from, to] : offers_) take(target + to * after, source + from * after);
      for (std::size_t to = outer; chained && to-- > 1;) {
        take(target + (to - 1) * after, target + to * after);
      }
    }
  }
  sizes[axis] = outer;
  spare_ = pulled.set(std::move(result));
}

// From the outside of `memory` to the inside of the block before it.
std::vector<double> CostToGo::through_axes(std::size_t memory, const std::vector<double>& cost) {
  Pulled pulled(cost);
  GridSizes sizes;
  for (const std::size_t size : grids_[memory].sizes) sizes.push_back(size);
  for (std::size_t p = place_behind(memory); p-- > tables_.block[memory - 1] + 1;) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t d = grids_[memory].dims[i];
      const bool same = links_.factor(p, d) == 1 &&
                        chains_[d]->counts(p).size() == chains_[d]->counts(p + 1).size();
      if (!same) pull(pulled, sizes, i, p, true);
    }
  }
  return pulled.take();
}

void CostToGo::offer(std::size_t memory, TensorSet pending, std::vector<double> cost) {
  for (Table& table : boundary_tables_[memory]) {
    if (table.pending != pending) continue;
    for (std::size_t i = 0; i < cost.size(); ++i) {
      table.cost[i] = std::min(table.cost[i], cost[i]);
    }
    return;
  }
  boundary_tables_[memory].push_back({pending, std::move(cost)});
}

bool CostToGo::may_be_empty(std::size_t memory) const {
  const std::vector<KeepRule>& points = tables_.rules.keeps;
  const std::size_t inner = memory + 1;
  if (!prunes_.by_placement || inner >= points.size()) return true;
  // Without loops between them, two points of a memory are one: their order does not matter.
  return points[inner].memory != points[memory].memory ||
         links_.keeps()[memory] < links_.keeps()[inner];
}

// The memory that no longer keeps a tensor still has its block, if it keeps another one; else there
// must be no loop in it (`empty`).
bool CostToGo::is_needless(std::size_t memory, TensorSet same, bool empty) const {
  const TensorSet kept = links_.keeps()[memory];
  if (!prunes_.by_same_tile || (!empty && std::has_single_bit(kept))) return false;
  bool result = false;
  for_bits(same & kept, [&](std::size_t t) { result = result || links_.may_skip(memory, t); });
  return result;
}

// False if the innermost loop of the block may as well be inside the keep node behind it: the tile
// is the same, and so are the transfers.
bool CostToGo::may_end(std::size_t memory, const ProblemTables::Label& label) const {
  const std::size_t inner = memory + 1;
  if (!prunes_.by_placement || !tables_.is_split(inner) || tables_.fans_out(memory, inner)) {
    return true;
  }
  return (label.stationary & links_.keeps()[inner]) == 0;
}

// Labels that do the same to the tensors that are pending at the outside of `memory` cost the same:
// what stays, and along which dims the others may hold back overlaps.
std::vector<std::size_t> CostToGo::effect_of(const ProblemTables::Label& label, std::size_t memory,
                                             TensorSet pending) const {
  std::vector<std::size_t> effect{label.stationary & pending};
  for_bits(pending & ~label.stationary, [&](std::size_t t) {
    const std::size_t child = static_cast<std::size_t>(links_.child(memory, t));
    const std::vector<std::size_t> slides = links_.slides(t, child, label.dims);
    effect.push_back(slides.size());
    effect.insert(effect.end(), slides.begin(), slides.end());
  });
  return effect;
}

// The block of `memory`: from the outside of memory + 1 to its own inside.
void CostToGo::go_outwards(std::size_t memory) {
  const std::size_t inner = memory + 1;
  const std::size_t place = tables_.block[memory];
  // What moves on costs the same for all dims of a label that cannot slide.
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::vector<double>> moving;
  const auto cost_of = [&](std::size_t t, DimSet last) -> const std::vector<double>& {
    const std::size_t child = static_cast<std::size_t>(links_.child(inner, t));
    std::vector<double>& cost = moving[{t, links_.slides(t, child, last)}];
    if (cost.empty()) cost = moving_cost(inner, t, last);
    return cost;
  };
  for (const Table& table : boundary_tables_[inner]) {
    // No loop at all.
    const std::vector<double> within = through_axes(inner, table.cost);
    if (may_be_empty(memory) && !is_needless(memory, table.pending, true)) {
      Pulled cost(within);
      GridSizes sizes = sizes_at(place + 1);
      for (std::size_t i = 0; i < sizes.size(); ++i) pull(cost, sizes, i, place, false);
      offer(memory, table.pending, cost.take());
    }
    if (links_.keeps()[memory] == 0) continue;
    // By what labels do: links that they move on are in the cost.
    std::map<std::vector<std::size_t>, std::shared_ptr<const std::vector<double>>> known;
    for (std::size_t l = 0; l < tables_.labels.size(); ++l) {
      check_stop(table.cost.size());
      const ProblemTables::Label& label = tables_.labels[l];
      if (!may_end(memory, label)) continue;
      const auto [it, is_new] = known.try_emplace(effect_of(label, inner, table.pending));
      if (is_new) {
        std::vector<double> behind = table.cost;
        const TensorSet moved = table.pending & ~label.stationary;
        for_bits(moved, [&](std::size_t t) {
          const std::vector<double>& more = cost_of(t, label.dims);
          for (std::size_t i = 0; i < behind.size(); ++i) behind[i] += more[i];
        });
        leave_block(memory, table, label.stationary,
                    moved == 0 ? within : through_axes(inner, behind));
        if (use_ == Use::kSearch) {
          it->second = std::make_shared<const std::vector<double>>(std::move(behind));
        }
      }
      if (use_ == Use::kSearch) {
        blocks_[inner].push_back({static_cast<int>(l), table.pending, it->second});
      }
    }
  }
}

// `behind`: by the counts right inside the block, links of tensors that move on included. Of those
// that stay, some are decided here; the others have no loop of theirs in the block.
void CostToGo::leave_block(std::size_t memory, const Table& inside, TensorSet stationary,
                           const std::vector<double>& behind) {
  const std::size_t place = tables_.block[memory];
  const TensorSet staying = inside.pending & stationary;
  for (TensorSet left = staying;; left = (left - 1) & staying) {  // all subsets
    const TensorSet decided = staying & ~left;
    DimSet loops = tables_.live;
    for_bits(left, [&](std::size_t t) { loops &= tables_.irrelevant[t]; });
    Pulled cost(behind);
    GridSizes sizes = sizes_at(place + 1);
    DimSet outside = 0;
    const auto pull_dims = [&](DimSet dims) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t d = grids_[0].dims[i];
        if (((dims & ~outside) >> d & 1U) == 0) continue;
        pull(cost, sizes, i, place, (loops >> d & 1U) != 0);
      }
      outside |= dims;
    };
    bool first = true;
    for_bits(decided, [&](std::size_t t) {
      pull_dims(first ? tables_.irrelevant[t] : tables_.live);
      first = false;
      std::vector<double> with_link = cost.take();
      add_stationary(memory + 1, t, outside, with_link);
      cost.set(std::move(with_link));
    });
    pull_dims(tables_.live);
    offer(memory, left, cost.take());
    if (left == 0) break;
  }
}

// Passes the keep node: what is kept has a new link, and a link inside that is still pending costs
// what it does for one tile.
void CostToGo::enter(std::size_t memory) {
  std::vector<Table> inside = std::exchange(boundary_tables_[memory], {});
  const TensorSet kept = links_.keeps()[memory];
  TensorSet linked = 0;
  for_bits(kept, [&](std::size_t t) {
    if (links_.parent(memory, t) >= 0) linked |= TensorSet{1} << t;
  });
  for (Table& table : inside) {
    if (is_needless(memory, table.pending, false)) continue;
    double more = 0;
    for_bits(table.pending & kept, [&](std::size_t t) {
      more +=
          links_.least_cost(resource_, t, static_cast<std::size_t>(links_.child(memory + 1, t)));
    });
    for (double& cost : table.cost) cost += more;
    offer(memory, (table.pending & ~kept) | linked, std::move(table.cost));
  }
  forget_what_does_not_fit(memory);
}

}  // namespace tilewright
