// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/way_table.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {

TilingShape::TilingShape(const Workload& workload, const Rules& rules, std::uint64_t open)
    : array(rules), places(static_cast<int>(rules.places.size())) {
  for (int p = places; p-- > 0;) {
    place_of_slot.push_back(p);
    in_space.push_back(!rules.places[static_cast<std::size_t>(p)].is_block());
  }
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    std::vector<FactorRule> slots;
    for (const int p : place_of_slot) {
      const Place& place = rules.places[static_cast<std::size_t>(p)];
      FactorRule rule = place.rules[d];
      const bool closed = place.is_block() && (open >> p & 1U) == 0;
      if (closed) rule.most = std::min<std::int64_t>(rule.most, 1);
      slots.push_back(rule);
    }
    dims.emplace_back(workload.dims()[d].size, std::move(slots));
  }
}

WayTable::WayTable(const TilingShape& shape) : shape_(&shape) {
  const std::size_t states = static_cast<std::size_t>(shape.array.size());
  std::vector<Natural> after(states);
  for (std::size_t s = 0; s < states; ++s) {
    after[s] = shape.array.accepts(static_cast<int>(s)) ? 1 : 0;
  }
  ways_.resize(shape.dims.size());
  for (std::size_t d = shape.dims.size(); d-- > 0;) {
    fill(d, after);
    for (std::size_t s = 0; s < states; ++s) after[s] = ways(d, 0, 0, static_cast<int>(s));
  }
}

void WayTable::fill(std::size_t d, const std::vector<Natural>& after_dim) {
  const Splits& splits = shape_->dims[d];
  const int slots = shape_->slots();
  const int counts = static_cast<int>(splits.counts().size());
  const int states = shape_->array.size();
  ways_[d].resize(static_cast<std::size_t>(slots + 1) * static_cast<std::size_t>(counts) *
                  static_cast<std::size_t>(states));
  for (int s = 0; s < states && splits.end() >= 0; ++s) {
    ways_[d][index(d, slots, splits.end(), s)] = after_dim[static_cast<std::size_t>(s)];
  }
  for (int slot = slots; slot-- > 0;) {
    for (int s = 0; s < states; ++s) {
      for (int count = 0; count < counts; ++count) add_steps(d, slot, count, s);
    }
  }
}

void WayTable::add_steps(std::size_t d, int slot, int count, int state) {
  Natural& sum = ways_[d][index(d, slot, count, state)];
  for (const Step& step : shape_->dims[d].steps(slot, count)) {
    const std::int64_t many = together(slot, step);
    for (std::int64_t factor = step.first; factor <= step.last; factor += many) {
      const int next = shape_->after(state, slot, factor);
      if (next < 0) return;
      sum.add_product(ways(d, slot + 1, step.next, next), static_cast<std::uint64_t>(many));
    }
  }
}

void WayTable::pick(Natural rank, Tiling& tiling) const {
  std::fill(tiling.factors.begin(), tiling.factors.end(), 1);
  int state = shape_->array.start();
  for (std::size_t d = 0; d < shape_->dims.size(); ++d) {
    int count = 0;
    for (int slot = 0; slot < shape_->slots(); ++slot) {
      pick_factor(d, slot, count, state, rank, tiling);
    }
  }
}

void WayTable::pick_factor(std::size_t d, int slot, int& count, int& state, Natural& rank,
                           Tiling& tiling) const {
  for (const Step& step : shape_->dims[d].steps(slot, count)) {
    const std::int64_t many = together(slot, step);
    for (std::int64_t factor = step.first; factor <= step.last; factor += many) {
      const int next = shape_->after(state, slot, factor);
      if (next < 0) break;
      const Natural& each = ways(d, slot + 1, step.next, next);
      const Natural all = each * Natural(static_cast<std::uint64_t>(many));
      if (rank >= all) {
        rank -= all;
        continue;
      }
      const Natural::Division division = rank.divide(each);
      rank = division.remainder;
      tiling.at(place(slot), static_cast<int>(d)) =
          factor + static_cast<std::int64_t>(division.quotient.to_uint64());
      count = step.next;
      state = next;
      return;
    }
  }
  throw InternalError("a rank below the number of ways has a way");
}

std::optional<Natural> WayTable::find(const Tiling& tiling) const {
  Natural rank;
  int state = shape_->array.start();
  for (std::size_t d = 0; d < shape_->dims.size(); ++d) {
    int count = 0;
    for (int slot = 0; slot < shape_->slots(); ++slot) {
      if (!pass(d, slot, count, state, tiling, rank)) return std::nullopt;
    }
    if (count != shape_->dims[d].end()) return std::nullopt;
  }
  if (!shape_->array.accepts(state)) return std::nullopt;
  return rank;
}

// Goes through one slot as `tiling` says and adds to `rank` what comes before; false if it is not
// allowed.
bool WayTable::pass(std::size_t d, int slot, int& count, int& state, const Tiling& tiling,
                    Natural& rank) const {
  const std::int64_t wanted = tiling.at(place(slot), static_cast<int>(d));
  for (const Step& step : shape_->dims[d].steps(slot, count)) {
    const std::int64_t many = together(slot, step);
    for (std::int64_t factor = step.first; factor <= step.last && factor < wanted; factor += many) {
      const int next = shape_->after(state, slot, factor);
      if (next < 0) break;
      const std::int64_t before = std::min(many, wanted - factor);
      rank.add_product(ways(d, slot + 1, step.next, next), static_cast<std::uint64_t>(before));
    }
    if (wanted < step.first || wanted > step.last) continue;
    state = shape_->after(state, slot, wanted);
    count = step.next;
    return state >= 0;
  }
  return false;
}

}  // namespace tilewright
