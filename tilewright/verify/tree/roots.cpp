// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/roots.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tilewright/base/checked.h"

namespace tilewright::verify {

std::vector<Keeps> all_keeps(const Rules& rules) {
  std::vector<Keeps> all{{}};
  for (const KeepRule& rule : rules.keeps) {
    std::vector<Keeps> longer;
    if ((rule.required & ~rule.allowed) != 0) return {};
    const TensorSet choice = rule.allowed & ~rule.required;
    for (const Keeps& keeps : all) {
      for (TensorSet more = choice;; more = (more - 1) & choice) {
        longer.push_back(keeps);
        longer.back().push_back(rule.required | more);
        if (more == 0) break;
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::uint32_t open_blocks(const Keeps& keeps) {
  std::uint32_t open = 0;
  for (std::size_t m = 0; m < keeps.size(); ++m) {
    if (keeps[m] != 0) open |= 1U << m;
  }
  return open;
}

Spreads::Spreads(const Frame& frame, std::vector<Splits>& splits) : frame_(frame), splits_(splits) {
  for (const Place& place : frame.rules.places) {
    if (place.is_block()) continue;
    axes_.push_back(frame.problem.arch().fanout(place.node).axes[pos(place.axis)].size);
  }
}

struct Spreads::Walk {
  const Visit& visit;
  const Enough& enough;
  std::vector<std::int64_t> factors;
  std::vector<double> computes;  // by dim: of it and all that follow
};

void Spreads::for_each(const Visit& visit, const Enough& enough) const {
  Walk walk{visit, enough, std::vector<std::int64_t>(frame_.fanouts.size() * pos(frame_.dims()), 1),
            std::vector<double>(pos(frame_.dims()) + 1, 1)};
  for (std::size_t d = pos(frame_.dims()); d-- > 0;) {
    walk.computes[d] = walk.computes[d + 1] * static_cast<double>(frame_.sizes[d]);
  }
  visit_dim(walk, 0, {axes_}, 1);
}

bool Spreads::enough_children(const std::vector<std::int64_t>& factors) const {
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    std::int64_t children = 1;
    for (std::size_t d = 0; d < pos(frame_.dims()); ++d) {
      children = checked_mul(children, factors[f * pos(frame_.dims()) + d]);
    }
    if (children < frame_.fanouts[f].least_children) return false;
  }
  return true;
}

// `rooms`: what the dims so far may leave of the axes; no one is beaten by another. `steps`: what
// they take.
void Spreads::visit_dim(Walk& walk, int dim, const std::vector<Room>& rooms, double steps) const {
  double units = 1;  // that the other dims can have
  for (const Room& room : rooms) {
    double product = 1;
    for (const std::int64_t left : room) product *= static_cast<double>(left);
    units = std::max(units, product);
  }
  if (walk.enough(steps * std::max(1.0, walk.computes[pos(dim)] / units))) return;
  if (dim == frame_.dims()) {
    if (enough_children(walk.factors)) walk.visit(walk.factors);
    return;
  }
  for (const Splits::Option& option : splits_[pos(dim)].options()) {
    const std::vector<Room> left = rooms_beside(rooms, option);
    if (left.empty()) continue;
    double spread = 1;
    for (std::size_t f = 0; f < option.factors.size(); ++f) {
      walk.factors[f * pos(frame_.dims()) + pos(dim)] = option.factors[f];
      spread *= static_cast<double>(option.factors[f]);
    }
    const double size = static_cast<double>(frame_.sizes[pos(dim)]);
    visit_dim(walk, dim + 1, left, steps * std::ceil(size / spread));
  }
}

// What is left of the axes after one more dim.
std::vector<Spreads::Room> Spreads::rooms_beside(const std::vector<Room>& rooms,
                                                 const Splits::Option& option) {
  const auto covers = [](const Room& big, const Room& small) {
    return std::ranges::equal(big, small, std::greater_equal{});
  };
  std::vector<Room> left;
  for (const Room& room : rooms) {
    for (const Stand& stand : option.stands) {
      Room rest = room;
      bool fits = true;
      for (std::size_t a = 0; a < rest.size() && fits; ++a) {
        rest[a] /= stand[a];
        fits = rest[a] > 0;
      }
      if (!fits || std::ranges::any_of(left, [&](const Room& o) { return covers(o, rest); })) {
        continue;
      }
      std::erase_if(left, [&](const Room& other) { return covers(rest, other); });
      left.push_back(std::move(rest));
    }
  }
  return left;
}

std::vector<std::int64_t> Spreads::place(const std::vector<std::int64_t>& factors) const {
  std::vector<std::int64_t> by_axis(axes_.size() * pos(frame_.dims()), 1);
  place_dim(0, -1, axes_, factors, by_axis);
  return by_axis;
}

std::vector<std::vector<Stand>> Spreads::stands(const std::vector<std::int64_t>& factors) const {
  std::vector<std::vector<Stand>> all;
  std::vector<std::int64_t> by_axis(axes_.size() * pos(frame_.dims()), 1);
  for (int d = 0; d < frame_.dims(); ++d) {
    std::vector<Stand>& possible = all.emplace_back();
    for (const Stand& stand : option(d, factors).stands) {
      Room left = axes_;
      for (std::size_t a = 0; a < left.size(); ++a) left[a] /= stand[a];
      if (place_dim(0, d, left, factors, by_axis)) possible.push_back(stand);
    }
  }
  return all;
}

const Splits::Option& Spreads::option(int dim, const std::vector<std::int64_t>& factors) const {
  std::vector<std::int64_t> wanted;
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    wanted.push_back(factors[f * pos(frame_.dims()) + pos(dim)]);
  }
  return *std::ranges::find(splits_[pos(dim)].options(), wanted, &Splits::Option::factors);
}

// Finds room for `dim` and all after it, without `but`.
bool Spreads::place_dim(int dim, int but, const Room& room,
                        const std::vector<std::int64_t>& factors,
                        std::vector<std::int64_t>& by_axis) const {
  if (std::ranges::find(room, 0) != room.end()) return false;
  if (dim == but) return place_dim(dim + 1, but, room, factors, by_axis);
  if (dim == frame_.dims()) return true;
  for (const Stand& stand : option(dim, factors).stands) {
    Room left = room;
    for (std::size_t a = 0; a < left.size(); ++a) {
      left[a] /= stand[a];
      by_axis[a * pos(frame_.dims()) + pos(dim)] = stand[a];
    }
    if (place_dim(dim + 1, but, left, factors, by_axis)) return true;
  }
  return false;
}

std::vector<std::int64_t> Spreads::combine(const std::vector<std::int64_t>& by_axis) const {
  const std::size_t dims = pos(frame_.dims());
  Room room = axes_;
  std::vector<std::int64_t> factors(frame_.fanouts.size() * dims, 1);
  for (std::size_t d = 0; d < dims; ++d) {
    Stand stand;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      stand.push_back(by_axis[a * dims + d]);
      room[a] /= stand.back();
      if (room[a] == 0) return {};
    }
    if (!splits_[d].allows(stand)) return {};
    std::size_t at = 0;
    for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
      for (std::size_t a = 0; a < frame_.fanouts[f].places.size(); ++a) {
        factors[f * dims + d] *= stand[at++];
      }
    }
  }
  return enough_children(factors) ? factors : std::vector<std::int64_t>{};
}

}  // namespace tilewright::verify
