// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tilewright/base/checked.h"

namespace tilewright::verify {
namespace {

double count_at(const Root& root, const Path& path, int level, int dim) {
  return static_cast<double>(
      root.chain(dim).counts[pos(level)][pos(path.at[pos(level)][pos(dim)])]);
}

// Inside the block of `memory`.
double count_in(const Root& root, const Path& path, int memory, int dim) {
  return static_cast<double>(
      root.chain(dim).inside[pos(memory)][pos(path.at[pos(memory) + 1][pos(dim)])]);
}

}  // namespace

DimSet loops_of(const Root& root, const Path& path, int memory) {
  DimSet loops = 0;
  for (int d = 0; d < root.frame().dims(); ++d) {
    if (count_in(root, path, memory, d) != count_at(root, path, memory, d)) loops |= DimSet{1} << d;
  }
  return loops;
}

bool fits_together(const Root& root, const Path& path) {
  const Frame& frame = root.frame();
  const int level = path.level();
  if (level == frame.memory_count() || !frame.is_split(level)) return true;
  const MemoryView& view = frame.memories[pos(level)];
  if (view.room < 0) return true;
  double used = 0;
  std::vector<std::int64_t> extents(pos(frame.dims()), 1);
  for (int m = view.first; m < frame.memory_count() && frame.memories[pos(m)].first == view.first;
       ++m) {
    for (int d = 0; d < frame.dims() && m <= level; ++d) {
      const std::int64_t count = root.chain(d).counts[pos(m)][pos(path.at[pos(m)][pos(d)])];
      extents[pos(d)] = ceil_div(frame.sizes[pos(d)], count);
    }
    for (std::size_t t = 0; t < frame.tensors.size(); ++t) {
      if (!has(root.keeps()[pos(m)], static_cast<int>(t)) || view.reserved[t] >= 0) continue;
      const std::int64_t elements = m <= level ? frame.tensors[t].tile[0].elements(extents) : 1;
      used += static_cast<double>(elements) * static_cast<double>(view.bits[t]);
    }
  }
  return used <= static_cast<double>(view.room);
}

namespace {

// The same, with nothing known of the path beyond `level`.
double link_cost_until(const Root& root, const Metric& metric, const Path& path, const Link& link,
                       int level) {
  const Frame& frame = root.frame();
  const TensorView& tensor = frame.tensors[pos(link.tensor)];
  Turn turn{level - 1, false};
  DimSet over = 0;
  for (; turn.block >= 0; --turn.block) {
    over = loops_of(root, path, turn.block) & tensor.relevant;
    if (over != 0) break;
  }
  if (turn.block >= 0 && (path.labels[pos(turn.block)] & tensor.relevant) != 0) {
    turn.moves = true;
    over &= path.labels[pos(turn.block)];
  }
  std::array<Sight, Workload::kMaxDims> sights;
  for (int d = 0; d < frame.dims(); ++d) {
    if (has(tensor.irrelevant, d)) {
      const double next = turn.moves ? count_at(root, path, turn.block + 1, d) : 1;
      const double at = turn.moves        ? count_in(root, path, turn.block, d)
                        : turn.block >= 0 ? count_at(root, path, turn.block, d)
                                          : 1;
      sights[pos(d)] = root.irrelevant_sight(link, turn, d, at, next);
    } else {
      const double at = turn.block >= link.parent ? count_in(root, path, turn.block, d)
                                                  : count_at(root, path, link.parent, d);
      sights[pos(d)] =
          root.relevant_sight(link, turn, d, at, count_at(root, path, level, d), level);
    }
  }
  if (turn.block < 0) return root.cost(metric, link, root.moved(link, sights, -1));
  double best = INFINITY;
  for (const int slide : root.slides(link, turn.block, over)) {
    best = std::min(best, root.cost(metric, link, root.moved(link, sights, slide)));
  }
  return best;
}

}  // namespace

double link_cost(const Root& root, const Metric& metric, const Path& path, const Link& link) {
  return link_cost_until(root, metric, path, link, std::min(link.child, path.level()));
}

double passed_cost(const Root& root, const Metric& metric, const Path& path) {
  double sum = root.compute_cost(metric);
  const int memories = std::min(path.level() + 1, root.frame().memory_count());
  for (int m = 1; m < memories; ++m) {
    const TensorSet linked = root.linked(m);
    for (std::size_t t = 0; t < root.frame().tensors.size(); ++t) {
      const int tensor = static_cast<int>(t);
      if (!has(linked, tensor)) continue;
      sum += link_cost(root, metric, path, {tensor, root.parent_of(tensor, m), m});
    }
  }
  return sum;
}

double path_cost(const Root& root, const Metric& metric, const Path& path, double passed,
                 const Tables& tables) {
  const int level = path.level();
  const Grid& grid = tables.grid(level);
  std::size_t index = 0;
  for (std::size_t d = 0; d < grid.sizes.size(); ++d) {
    index = index * pos(grid.sizes[d]) + pos(path.at.back()[d]);
  }
  std::array<double, Workload::kMaxTensors> pending;
  pending.fill(-1);
  double best = INFINITY;
  for (const auto& [tensors, values] : tables.level(level)) {
    double sum = values[index];
    for (std::size_t t = 0; t < root.frame().tensors.size() && sum < best; ++t) {
      const int tensor = static_cast<int>(t);
      if (!has(tensors, tensor)) continue;
      if (pending[t] < 0) {
        const Link link{tensor, root.parent_of(tensor, level), root.child_of(tensor, level)};
        pending[t] = link_cost(root, metric, path, link);
        // Loops that move parts of a tile move no less than the tile.
        if ((path.labels.back() & root.frame().tensors[t].relevant) == 0) {
          pending[t] = std::max(pending[t], link_cost_until(root, metric, path, link, level - 1));
        }
      }
      sum += pending[t];
    }
    best = std::min(best, sum);
  }
  return passed + best;
}

}  // namespace tilewright::verify
