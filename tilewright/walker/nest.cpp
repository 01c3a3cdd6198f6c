// SPDX-License-Identifier: Apache-2.0
#include "tilewright/walker/nest.h"

#include <algorithm>
#include <map>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright::walking {

Nest make_nest(const Workload& workload, const Mapping& mapping) {
  Nest nest;
  for (const Dim& dim : workload.dims()) nest.sizes.push_back(dim.size);
  std::vector<std::int64_t> step(nest.sizes.size(), 1);
  const auto nodes = mapping.nodes();
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const NestNode& node = nodes[i];
    if (!node.is_loop()) continue;
    const bool in_space = node.kind == NestNode::Kind::kSpatial;
    Loop loop{.place = static_cast<int>(i),
              .fanout = in_space ? node.node : NodeId(),
              .dim = node.dim,
              .factor = node.factor,
              .step = step[node.dim.pos()]};
    (in_space ? nest.spatial : nest.temporal).push_back(loop);
    step[node.dim.pos()] = checked_mul(step[node.dim.pos()], node.factor);
  }
  std::reverse(nest.temporal.begin(), nest.temporal.end());
  std::reverse(nest.spatial.begin(), nest.spatial.end());
  return nest;
}

std::vector<std::int64_t> positions_inside(const Nest& nest, int place, DimId dim) {
  std::vector<std::int64_t> positions = {0};
  for (const auto* loops : {&nest.temporal, &nest.spatial}) {
    for (const Loop& loop : *loops) {
      if (loop.place <= place || loop.dim != dim) continue;
      const std::vector<std::int64_t> before = std::move(positions);
      positions.clear();
      for (std::int64_t i = 0; i < loop.factor; ++i) {
        for (const std::int64_t position : before) positions.push_back(position + i * loop.step);
      }
    }
  }
  return positions;
}

Clock::Clock(const Nest& nest)
    : nest_(nest), indices_(nest.temporal.size(), 0), position_(nest.sizes.size(), 0) {}

bool Clock::advance() {
  for (std::size_t k = nest_.temporal.size(); k-- > 0;) {
    const Loop& loop = nest_.temporal[k];
    const std::size_t dim = loop.dim.pos();
    // The loops inside stand at 0 by now, so this is the first point of the next iteration.
    if (indices_[k] + 1 < loop.factor && position_[dim] + loop.step < nest_.sizes[dim]) {
      ++indices_[k];
      position_[dim] += loop.step;
      return true;
    }
    position_[dim] -= indices_[k] * loop.step;
    indices_[k] = 0;
  }
  return false;
}

Instances::Instances(const Nest& nest, std::vector<std::size_t> loops)
    : loops_(std::move(loops)), sizes_(nest.sizes) {
  std::int64_t count = 1;
  for (const std::size_t l : loops_) {
    factors_.push_back(nest.spatial[l].factor);
    count = checked_mul(count, factors_.back());
  }
  count_ = static_cast<std::size_t>(count);
  std::vector<std::int64_t> index(loops_.size(), 0);
  for (std::size_t instance = 0; instance < count_; ++instance) {
    std::vector<std::int64_t> offset(sizes_.size(), 0);
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      const Loop& loop = nest.spatial[loops_[k]];
      offset[loop.dim.pos()] += index[k] * loop.step;
    }
    indices_.insert(indices_.end(), index.begin(), index.end());
    offsets_.insert(offsets_.end(), offset.begin(), offset.end());
    for (std::size_t k = loops_.size(); k-- > 0;) {
      if (++index[k] < factors_[k]) break;
      index[k] = 0;
    }
  }
}

bool Instances::active(std::size_t instance, std::span<const std::int64_t> position) const {
  // The loops in space further in are free: at index 0 they add nothing.
  const auto away = offset(instance);
  for (std::size_t dim = 0; dim < sizes_.size(); ++dim) {
    if (position[dim] + away[dim] >= sizes_[dim]) return false;
  }
  return true;
}

std::vector<std::size_t> Instances::classes(const std::vector<std::size_t>& some) const {
  std::map<std::vector<std::int64_t>, std::size_t> numbers;
  std::vector<std::size_t> result;
  for (std::size_t instance = 0; instance < count_; ++instance) {
    std::vector<std::int64_t> key;
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      if (std::find(some.begin(), some.end(), loops_[k]) != some.end()) {
        key.push_back(index(instance, k));
      }
    }
    result.push_back(numbers.emplace(std::move(key), numbers.size()).first->second);
  }
  return result;
}

ElementSpace::ElementSpace(const Workload& workload, TensorId tensor, bool boxes)
    : tensor_(workload.tensor(tensor)), boxes_(boxes) {
  std::vector<std::vector<std::int64_t>> everywhere;
  for (const Dim& dim : workload.dims()) {
    everywhere.emplace_back();
    for (std::int64_t position = 0; position < dim.size; ++position) {
      everywhere.back().push_back(position);
    }
  }
  for (const Rank& rank : tensor_.ranks) {
    collect_rank(rank, everywhere);
    coordinates_.push_back(values_);
    size_ = checked_mul(size_, static_cast<std::int64_t>(values_.size()));
  }
}

void ElementSpace::collect_rank(const Rank& rank,
                                const std::vector<std::vector<std::int64_t>>& positions) {
  values_.assign(1, 0);
  for (const Term& term : rank.terms) {
    next_.clear();
    for (const std::int64_t value : values_) {
      for (const std::int64_t position : positions[term.dim.pos()]) {
        next_.push_back(value + term.coefficient * position);
      }
    }
    values_.swap(next_);
  }
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  if (!boxes_ || values_.empty()) return;
  const std::int64_t last = values_.back();
  values_.resize(1);
  while (values_.back() < last) values_.push_back(values_.back() + 1);
}

void ElementSpace::collect(const std::vector<std::vector<std::int64_t>>& positions, Elements& out) {
  // No dim occurs in two ranks of a tensor, so the ranks' coordinates combine freely.
  out.assign(1, 0);
  for (std::size_t r = 0; r < tensor_.ranks.size(); ++r) {
    collect_rank(tensor_.ranks[r], positions);
    const std::vector<std::int64_t>& all = coordinates_[r];
    for (std::int64_t& value : values_) {
      const auto place = std::lower_bound(all.begin(), all.end(), value);
      TW_DCHECK(place != all.end() && *place == value, "a coordinate outside the tensor");
      value = place - all.begin();
    }
    next_.clear();
    for (const std::int64_t element : out) {
      for (const std::int64_t digit : values_) {
        next_.push_back(element * static_cast<std::int64_t>(all.size()) + digit);
      }
    }
    out.swap(next_);
  }
}

}  // namespace tilewright::walking
