// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/tilings.h"

#include <algorithm>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/counting/draw_table.h"
#include "tilewright/mapspace/counting/way_table.h"

namespace tilewright {

struct Tilings::Tables {
  Tables(const Workload& workload, const Rules& rules, std::uint64_t open)
      : shape(workload, rules, open), ways(shape), draws(shape) {}

  TilingShape shape;
  WayTable ways;
  DrawTable draws;
};

Tilings::Tilings(const Workload& workload, const Rules& rules, std::uint64_t open)
    : tables_(std::make_unique<Tables>(workload, rules, open)) {}

Tilings::~Tilings() = default;
Tilings::Tilings(Tilings&&) noexcept = default;
Tilings& Tilings::operator=(Tilings&&) noexcept = default;

const Natural& Tilings::size() const { return tables_->ways.size(); }

std::optional<Natural> Tilings::rank(const Tiling& tiling) const {
  return tables_->ways.find(tiling);
}

Tiling Tilings::unrank(const Natural& rank) const {
  TW_CHECK(rank < size(), "ranks end below the size");
  Tiling tiling = tables_->shape.blank();
  tables_->ways.pick(rank, tiling);
  return tiling;
}

void Tilings::sample(Random& random, Tiling& tiling) const {
  const TilingShape& shape = tables_->shape;
  tiling.dims = static_cast<int>(shape.dims.size());
  tiling.factors.resize(static_cast<std::size_t>(tiling.dims * shape.places));
  tables_->draws.draw(random, tiling);
}

namespace {

// Goes through the tilings from a given one on, depth first, leaving out what has no way to the
// end.
class Walk {
 public:
  Walk(const TilingShape& shape, const WayTable& ways,
       const std::function<bool(const Tiling&)>& visit, Tiling first)
      : shape_(shape), ways_(ways), visit_(visit), tiling_(std::move(first)) {}

  bool go(std::size_t d, int slot, int count, int state) {
    if (ways_.ways(d, slot, count, state).is_zero()) return true;
    if (slot == shape_.slots()) {
      if (d + 1 == shape_.dims.size()) resuming_ = false;
      return d + 1 == shape_.dims.size() ? visit_(tiling_) : go(d + 1, 0, 0, state);
    }
    std::int64_t& factor =
        tiling_.at(shape_.place_of_slot[static_cast<std::size_t>(slot)], static_cast<int>(d));
    const std::int64_t from = resuming_ ? factor : 1;
    for (const Splits::Step& step : shape_.dims[d].steps(slot, count)) {
      for (factor = std::max(step.first, from); factor <= step.last; ++factor) {
        const int next = shape_.after(state, slot, factor);
        if (next < 0) break;
        if (!go(d, slot + 1, step.next, next)) return false;
      }
    }
    factor = 1;
    return true;
  }

 private:
  const TilingShape& shape_;
  const WayTable& ways_;
  const std::function<bool(const Tiling&)>& visit_;
  Tiling tiling_;
  bool resuming_ = true;  // on the way down to the first one
};

}  // namespace

bool Tilings::for_each(const std::function<bool(const Tiling&)>& visit) const {
  return size().is_zero() || for_each_from(0, visit);
}

bool Tilings::for_each_from(const Natural& first,
                            const std::function<bool(const Tiling&)>& visit) const {
  const TilingShape& shape = tables_->shape;
  return Walk(shape, tables_->ways, visit, unrank(first)).go(0, 0, 0, shape.array.start());
}

}  // namespace tilewright
