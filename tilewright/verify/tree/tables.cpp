// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/tables.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilewright::verify {
namespace {

constexpr double kNever = INFINITY;

double real(std::int64_t count) { return static_cast<double>(count); }

}  // namespace

std::size_t Grid::tuples() const {
  std::size_t product = 1;
  for (const int size : sizes) product *= pos(size);
  return product;
}

std::size_t Grid::stride(int dim) const {
  std::size_t product = 1;
  for (std::size_t d = pos(dim) + 1; d < sizes.size(); ++d) product *= pos(sizes[d]);
  return product;
}

Tables::Tables(const Root& root, const Metric& metric)
    : root_(root), frame_(root.frame()), metric_(metric) {
  const int memories = frame_.memory_count();
  levels_.resize(pos(memories) + 1);
  for (int m = 0; m <= memories; ++m) {
    Grid grid;
    for (int d = 0; d < frame_.dims(); ++d) {
      grid.sizes.push_back(static_cast<int>(root.chain(d).counts[pos(m)].size()));
    }
    grids_.push_back(std::move(grid));
  }
  levels_.back()[0] = {0.0};
  for (int m = memories - 1; m >= 0; --m) {
    next_.clear();
    pass_block(m);
    pass_keep(m);
  }
}

double Tables::bound() const {
  const auto found = levels_.front().find(0);
  return (found == levels_.front().end() ? kNever : found->second.front()) +
         root_.compute_cost(metric_);
}

Link Tables::link_of(int tensor, int level) const {
  return {tensor, root_.parent_of(tensor, level), root_.child_of(tensor, level)};
}

void Tables::merge(TensorSet pending, const std::vector<double>& values) {
  std::vector<double>& best = next_[pending];
  if (best.empty()) best.assign(values.size(), kNever);
  for (std::size_t i = 0; i < values.size(); ++i) best[i] = std::min(best[i], values[i]);
}

// ---- The block ----

void Tables::pass_block(int memory) {
  for (const auto& [pending, inside] : levels_[pos(memory) + 1]) {
    pass_empty(memory, pending, inside);
    if (root_.keeps()[pos(memory)] == 0) continue;
    for (const Group& group : groups(memory, pending)) pass_group(memory, pending, group, inside);
  }
}

void Tables::pass_empty(int memory, TensorSet pending, const std::vector<double>& inside) {
  Table table{grids_[pos(memory) + 1], inside};
  for (int d = 0; d < frame_.dims(); ++d) table = reduce(table, memory, d, false, false);
  merge(pending, table.values);
}

// Dims that may have a loop in the block, those together that leave the same pending tensors still.
// A dim along which a pending tensor may slide stands alone.
std::vector<Tables::Group> Tables::groups(int memory, TensorSet pending) const {
  std::vector<Group> groups;
  for (int d = 0; d < frame_.dims(); ++d) {
    if (!root_.chain(d).may_loop[pos(memory)]) continue;
    Group group{.dims = DimSet{1} << d};
    for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
      const int tensor = static_cast<int>(t);
      if (!has(pending, tensor)) continue;
      if (!has(frame_.tensors[t].relevant, d)) {
        group.still |= TensorSet{1} << t;
      } else {
        const Link link = link_of(tensor, memory + 1);
        group.single |= root_.slides(link, memory, group.dims).front() >= 0;
      }
    }
    const auto same = std::ranges::find_if(groups, [&](const Group& other) {
      return !group.single && !other.single && other.still == group.still;
    });
    if (same == groups.end()) {
      groups.push_back(group);
    } else {
      same->dims |= group.dims;
    }
  }
  for (Group& group : groups) group.single = std::has_single_bit(group.dims);
  return groups;
}

// The block's innermost loop is over a dim of the group: what moves is charged where it stands.
void Tables::pass_group(int memory, TensorSet pending, const Group& group,
                        const std::vector<double>& inside) {
  Table table{grids_[pos(memory) + 1], inside};
  for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
    if (!has(pending & ~group.still, static_cast<int>(t))) continue;
    const Link link = link_of(static_cast<int>(t), memory + 1);
    charge(link, moving_sights(memory, link), root_.slides(link, memory, group.dims), table);
  }
  // Any of the still tensors may have its l* here, further out; the others have no loop here.
  for (TensorSet charged = group.still;; charged = (charged - 1) & group.still) {
    pass_charged(memory, group, charged, table);
    if (charged == 0) break;
  }
}

// Several still tensors are charged, and some dims matter to one by the count outside the block and
// to another by the count inside: these dims are passed together, pair by pair of counts.
struct Tables::Crossing {
  int memory = 0;
  TensorSet charged = 0;
  DimSet crossed = 0;
  DimSet loops = 0;  // dims that may have one
  DimSet must = 0;   // dims that must
  const Table& inside;
  Table outside;
  std::vector<int> in;  // by dim, those of `crossed`
  std::vector<int> out;
};

// A still tensor that is charged here looks at the counts outside the block along the dims it does
// not depend on, and at those inside it along the others: between these and those dims are passed,
// it is charged.
void Tables::pass_charged(int memory, const Group& group, TensorSet charged, const Table& inside) {
  const TensorSet waiting = group.still & ~charged;
  DimSet loops = ~DimSet{0};
  DimSet common = ~DimSet{0};  // dims that no charged tensor depends on
  DimSet some = 0;
  for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
    if (has(waiting, static_cast<int>(t))) loops &= ~frame_.tensors[t].relevant;
    if (!has(charged, static_cast<int>(t))) continue;
    common &= frame_.tensors[t].irrelevant;
    some |= frame_.tensors[t].irrelevant;
  }
  if ((group.dims & loops) == 0) return;
  const auto pass = [&](Table& table, int d) {
    table = reduce(table, memory, d, has(loops, d), group.single && has(group.dims, d));
  };
  Table table = inside;
  DimSet left = 0;
  for (int d = 0; d < frame_.dims(); ++d) left |= DimSet{1} << d;
  if (charged != 0) {
    for (int d = 0; d < frame_.dims(); ++d) {
      if (has(common, d)) pass(table, d);
    }
    left &= ~common;
    const DimSet crossed = some & ~common;
    if (crossed != 0) {
      Crossing crossing{memory, charged, crossed, loops, group.single ? group.dims : 0, table};
      table = cross(crossing);
      left &= ~crossed;
    } else {
      for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
        if (!has(charged, static_cast<int>(t))) continue;
        const Link link = link_of(static_cast<int>(t), memory + 1);
        charge(link, still_sights(memory, link),
               root_.slides(link, memory, frame_.tensors[t].relevant), table);
      }
    }
  }
  for (int d = 0; d < frame_.dims(); ++d) {
    if (has(left, d)) pass(table, d);
  }
  merge(waiting, table.values);
}

Table Tables::cross(Crossing& crossing) const {
  crossing.outside.grid = crossing.inside.grid;
  for (int d = 0; d < frame_.dims(); ++d) {
    if (has(crossing.crossed, d)) {
      crossing.outside.grid.sizes[pos(d)] = grids_[pos(crossing.memory)].sizes[pos(d)];
    }
  }
  crossing.outside.values.assign(crossing.outside.grid.tuples(), kNever);
  crossing.in.assign(pos(frame_.dims()), 0);
  crossing.out.assign(pos(frame_.dims()), 0);
  pass_crossed(crossing, 0);
  return std::move(crossing.outside);
}

void Tables::pass_crossed(Crossing& crossing, int dim) const {
  if (dim == frame_.dims()) {
    charge_crossed(crossing);
    return;
  }
  if (!has(crossing.crossed, dim)) {
    pass_crossed(crossing, dim + 1);
    return;
  }
  const auto& steps = root_.chain(dim).steps[pos(crossing.memory)];
  for (std::size_t in = 0; in < steps.size(); ++in) {
    for (const Chain::Step& step : steps[in]) {
      if (step.loop ? !has(crossing.loops, dim) : has(crossing.must, dim)) continue;
      crossing.in[pos(dim)] = static_cast<int>(in);
      crossing.out[pos(dim)] = step.to;
      pass_crossed(crossing, dim + 1);
    }
  }
}

// One pair of tuples along the crossed dims; all of the others.
void Tables::charge_crossed(Crossing& crossing) const {
  Table slice{crossing.inside.grid, {}};
  for (int d = 0; d < frame_.dims(); ++d) {
    if (has(crossing.crossed, d)) slice.grid.sizes[pos(d)] = 1;
  }
  // Where the tuples of the slice stand in the two tables.
  std::vector<std::size_t> from{0};
  std::vector<std::size_t> to{0};
  for (int d = 0; d < frame_.dims(); ++d) {
    const bool crossed = has(crossing.crossed, d);
    std::vector<std::size_t> next_from;
    std::vector<std::size_t> next_to;
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (int k = 0; k < slice.grid.sizes[pos(d)]; ++k) {
        next_from.push_back(from[i] + pos(crossed ? crossing.in[pos(d)] : k) *
                                          crossing.inside.grid.stride(d));
        next_to.push_back(to[i] + pos(crossed ? crossing.out[pos(d)] : k) *
                                      crossing.outside.grid.stride(d));
      }
    }
    from = std::move(next_from);
    to = std::move(next_to);
  }
  for (const std::size_t i : from) slice.values.push_back(crossing.inside.values[i]);
  for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
    if (!has(crossing.charged, static_cast<int>(t))) continue;
    const Link link = link_of(static_cast<int>(t), crossing.memory + 1);
    Sights sights = still_sights(crossing.memory, link);
    for (int d = 0; d < frame_.dims(); ++d) {
      if (!has(crossing.crossed, d)) continue;
      sights[pos(d)] = {
          still_sight(crossing.memory, link, d, crossing.in[pos(d)], crossing.out[pos(d)])};
    }
    charge(link, sights, root_.slides(link, crossing.memory, frame_.tensors[t].relevant), slice);
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    double& best = crossing.outside.values[to[i]];
    best = std::min(best, slice.values[i]);
  }
}

// Passes one dim from the counts at the next memory to those outside the block.
Table Tables::reduce(const Table& table, int memory, int dim, bool loops, bool must) const {
  Table result{table.grid, {}};
  const auto& steps = root_.chain(dim).steps[pos(memory)];
  const std::size_t inner = table.grid.stride(dim);
  const std::size_t before = steps.size();
  const std::size_t after = pos(grids_[pos(memory)].sizes[pos(dim)]);
  const std::size_t outer = table.grid.tuples() / (inner * before);
  result.grid.sizes[pos(dim)] = static_cast<int>(after);
  result.values.assign(outer * after * inner, kNever);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t in = 0; in < before; ++in) {
      const double* from = table.values.data() + (o * before + in) * inner;
      for (const Chain::Step& step : steps[in]) {
        if (step.loop ? !loops : must) continue;
        double* to = result.values.data() + (o * after + pos(step.to)) * inner;
        for (std::size_t i = 0; i < inner; ++i) to[i] = std::min(to[i], from[i]);
      }
    }
  }
  return result;
}

// ---- The keep node ----

void Tables::pass_keep(int memory) {
  const TensorSet kept = root_.keeps()[pos(memory)];
  const Grid& grid = grids_[pos(memory)];
  Level passed = std::move(next_);
  next_.clear();
  for (auto& [pending, values] : passed) {
    Table table{grid, std::move(values)};
    for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
      if (!has(pending & kept, static_cast<int>(t))) continue;
      const Link link{static_cast<int>(t), memory, root_.child_of(static_cast<int>(t), memory + 1)};
      charge(link, once_sights(memory, link),
             root_.slides(link, memory, frame_.tensors[t].relevant), table);
    }
    merge((pending & ~kept) | root_.linked(memory), table.values);
  }
  std::vector<std::int64_t> extents(pos(frame_.dims()), 1);
  for (std::size_t i = 0; i < grid.tuples() && kept != 0; ++i) {
    std::size_t rest = i;
    for (int d = frame_.dims() - 1; d >= 0; --d) {
      const std::size_t size = pos(grid.sizes[pos(d)]);
      const std::int64_t count = root_.chain(d).counts[pos(memory)][rest % size];
      extents[pos(d)] = ceil_div(frame_.sizes[pos(d)], count);
      rest /= size;
    }
    if (frame_.fits(memory, root_.held(memory), extents)) continue;
    for (auto& [pending, values] : next_) values[i] = kNever;
  }
  levels_[pos(memory)] = std::move(next_);
}

// ---- Charges ----

// l* is the innermost loop of the block.
Tables::Sights Tables::moving_sights(int memory, const Link& link) const {
  const Turn turn{memory, true};
  Sights sights(pos(frame_.dims()));
  for (int d = 0; d < frame_.dims(); ++d) {
    const Chain& chain = root_.chain(d);
    for (std::size_t i = 0; i < chain.counts[pos(memory) + 1].size(); ++i) {
      const double inside = real(chain.inside[pos(memory)][i]);
      const double next = real(chain.counts[pos(memory) + 1][i]);
      sights[pos(d)].push_back(has(frame_.tensors[pos(link.tensor)].irrelevant, d)
                                   ? root_.irrelevant_sight(link, turn, d, inside, next)
                                   : root_.relevant_sight(link, turn, d, inside, next, memory + 1));
    }
  }
  return sights;
}

// l* stands in the block, but not innermost.
Sight Tables::still_sight(int memory, const Link& link, int dim, int in, int out) const {
  const Turn turn{memory, false};
  const Chain& chain = root_.chain(dim);
  if (has(frame_.tensors[pos(link.tensor)].irrelevant, dim)) {
    const double at = real(chain.counts[pos(memory)][pos(out)]);
    return root_.irrelevant_sight(link, turn, dim, at, at);
  }
  return root_.relevant_sight(link, turn, dim, real(chain.inside[pos(memory)][pos(in)]),
                              real(chain.counts[pos(memory) + 1][pos(in)]), memory + 1);
}

Tables::Sights Tables::still_sights(int memory, const Link& link) const {
  Sights sights(pos(frame_.dims()));
  for (int d = 0; d < frame_.dims(); ++d) {
    const bool outside = has(frame_.tensors[pos(link.tensor)].irrelevant, d);
    const int size = grids_[pos(outside ? memory : memory + 1)].sizes[pos(d)];
    for (int i = 0; i < size; ++i) sights[pos(d)].push_back(still_sight(memory, link, d, i, i));
  }
  return sights;
}

// l* stands further out than the parent: every tile is moved once at least.
Tables::Sights Tables::once_sights(int memory, const Link& link) const {
  Sights sights(pos(frame_.dims()));
  for (int d = 0; d < frame_.dims(); ++d) {
    for (const std::int64_t count : root_.chain(d).counts[pos(memory)]) {
      sights[pos(d)].push_back(
          has(frame_.tensors[pos(link.tensor)].irrelevant, d)
              ? root_.irrelevant_sight(link, {}, d, 1, 1)
              : root_.relevant_sight(link, {}, d, real(count), real(count), memory));
    }
  }
  return sights;
}

// Adds the cost of the link to every tuple: the least over the dims along which it may slide.
void Tables::charge(const Link& link, const Sights& sights, std::span<const int> slides,
                    Table& table) const {
  std::vector<double> costs(table.values.size(), kNever);
  std::vector<double> received;
  std::vector<double> delivered;
  for (const int slide : slides) {
    expand(link, sights, slide, table.grid, received, delivered);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      costs[i] = std::min(costs[i], root_.cost(metric_, link, {delivered[i], received[i]}));
    }
  }
  for (std::size_t i = 0; i < costs.size(); ++i) table.values[i] += costs[i];
}

// (1) and (2) for all tuples, one dim after the other.
void Tables::expand(const Link& link, const Sights& sights, int slide, const Grid& grid,
                    std::vector<double>& received, std::vector<double>& delivered) const {
  const TensorView& tensor = frame_.tensors[pos(link.tensor)];
  received.assign(1, tensor.plain);
  delivered.assign(1, tensor.plain);
  std::vector<double> in;
  std::vector<double> out;
  for (int d = 0; d < frame_.dims(); ++d) {
    const std::size_t size = pos(grid.sizes[pos(d)]);
    in.resize(received.size() * size);
    out.resize(received.size() * size);
    const auto rank = std::ranges::find_if(
        tensor.ranks, [&](const TwoTerms& r) { return std::max(r.a, r.b) == d; });
    for (std::size_t i = 0; i < received.size(); ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        Moved times{1, 1};
        if (has(tensor.irrelevant, d)) {
          times = {sights[pos(d)][k].delivered, sights[pos(d)][k].received};
        }
        in[i * size + k] = received[i] * times.received;
        out[i * size + k] = delivered[i] * times.delivered;
      }
    }
    if (rank != tensor.ranks.end()) {
      const int other = std::min(rank->a, rank->b);
      std::size_t stride = 1;
      for (int e = other + 1; e < d; ++e) stride *= pos(grid.sizes[pos(e)]);
      const std::size_t others = pos(grid.sizes[pos(other)]);
      std::vector<Moved> pairs;
      for (std::size_t o = 0; o < others; ++o) {
        for (std::size_t k = 0; k < size; ++k) {
          const Sight& first = rank->a == d ? sights[pos(d)][k] : sights[pos(other)][o];
          const Sight& second = rank->a == d ? sights[pos(other)][o] : sights[pos(d)][k];
          pairs.push_back(root_.elements(link, *rank, first, second, slide));
        }
      }
      for (std::size_t i = 0; i < received.size(); ++i) {
        const Moved* row = pairs.data() + i / stride % others * size;
        for (std::size_t k = 0; k < size; ++k) {
          in[i * size + k] *= row[k].received;
          out[i * size + k] *= row[k].delivered;
        }
      }
    }
    received.swap(in);
    delivered.swap(out);
  }
}

}  // namespace tilewright::verify
