// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/mapspace.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/choices/choices.h"
#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/mapspace/counting/space_table.h"
#include "tilewright/mapspace/counting/tilings.h"

namespace tilewright {
namespace {

constexpr std::uint64_t kLeastPiece = 4096;  // tilings
constexpr std::uint64_t kMostPieces = 100'000;

/// Tilings number `first` to `first` + `count` - 1 with one choice of what is kept.
struct Piece {
  std::uint64_t keeps = 0;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Everything to enumerate, cut into pieces.
struct Agenda {
  std::map<std::uint64_t, Tilings> tilings;  // by open places
  std::vector<Piece> pieces;
};

std::uint64_t open_places(const Rules& rules, const Keeps& keeps) {
  std::uint64_t open = 0;
  std::size_t memory = 0;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (rules.places[p].is_block() && keeps[memory++] != 0) open |= std::uint64_t{1} << p;
  }
  return open;
}

}  // namespace

struct Mapspace::Parts {
  Parts(const Problem& given, Rules obeyed, const std::atomic<bool>* stop)
      : problem(given),
        rules(std::move(obeyed)),
        table(problem.workload(), rules, SpaceTable::Use::kMembers, stop) {}

  const Agenda& plan() {
    std::call_once(planned, [&] { make_agenda(); });
    return agenda;
  }

  void make_agenda() {
    const KeepChoices keeps(rules);
    const std::uint64_t choices = keeps.size().to_uint64();
    Natural total;
    std::vector<Natural> sizes;
    for (std::uint64_t i = 0; i < choices; ++i) {
      const std::uint64_t open = open_places(rules, keeps.unrank(i));
      auto known = agenda.tilings.find(open);
      if (known == agenda.tilings.end()) {
        known = agenda.tilings.emplace(open, Tilings(problem.workload(), rules, open)).first;
      }
      sizes.push_back(known->second.size());
      total += sizes.back();
    }
    const std::uint64_t length = std::max(kLeastPiece, total.to_uint64() / kMostPieces + 1);
    for (std::uint64_t i = 0; i < choices; ++i) {
      const std::uint64_t size = sizes[i].to_uint64();
      for (std::uint64_t first = 0; first < size; first += length) {
        agenda.pieces.push_back({i, first, std::min(length, size - first)});
      }
    }
  }

  const Problem& problem;
  Rules rules;
  SpaceTable table;
  std::once_flag planned;
  Agenda agenda;
};

Natural mapspace_size(const Problem& problem, const Rules& rules, const std::atomic<bool>* stop) {
  return SpaceTable(problem.workload(), rules, SpaceTable::Use::kSize, stop).size();
}

Mapspace::Mapspace(const Problem& problem, Rules rules, const std::atomic<bool>* stop)
    : parts_(std::make_unique<Parts>(problem, std::move(rules), stop)) {}
Mapspace::~Mapspace() = default;
Mapspace::Mapspace(Mapspace&&) noexcept = default;
Mapspace& Mapspace::operator=(Mapspace&&) noexcept = default;

const Problem& Mapspace::problem() const { return parts_->problem; }
const Rules& Mapspace::rules() const { return parts_->rules; }
const Natural& Mapspace::size() const { return parts_->table.size(); }

std::optional<Natural> Mapspace::rank(const Mapping& mapping) const {
  const std::optional<Choices> choices = read_choices(parts_->problem, parts_->rules, mapping);
  if (!choices) return std::nullopt;
  return parts_->table.rank(*choices);
}

Mapping Mapspace::unrank(const Natural& rank) const {
  const Choices choices = parts_->table.unrank(rank);
  std::vector<NestNode> nest;
  build_nest(parts_->rules, choices.keeps, choices.tiling, choices.orders, nest);
  return Mapping(std::move(nest));
}

int Mapspace::pieces() const { return static_cast<int>(parts_->plan().pieces.size()); }

bool Mapspace::for_each(OrderMode orders,
                        const std::function<bool(std::span<const NestNode>)>& visit) const {
  for (int piece = 0; piece < pieces(); ++piece) {
    if (!for_each_in(piece, orders, visit)) return false;
  }
  return true;
}

namespace {

/// Goes through the loop orders of one tiling after the other.
class OrderWalk {
 public:
  OrderWalk(const Problem& problem, const Rules& rules, Keeps keeps, OrderMode mode,
            const std::function<bool(std::span<const NestNode>)>& visit)
      : rules_(rules),
        keeps_(std::move(keeps)),
        mode_(mode),
        visit_(visit),
        classes_(problem, rules) {
    orders_.resize(rules.places.size());
    active_.resize(rules.places.size());
  }

  bool visit(const Tiling& tiling) {
    std::size_t point = 0;
    for (std::size_t p = 0; p < active_.size(); ++p) {
      active_[p] = tiling.active(static_cast<int>(p));
      const bool block = rules_.places[p].is_block();
      if (block && rules_.keeps[point++].must_loop && active_[p] == 0) return true;
    }
    return go(0, tiling);
  }

 private:
  bool go(std::size_t place, const Tiling& tiling) {
    while (place < rules_.places.size() &&
           (!rules_.places[place].is_block() || active_[place] == 0)) {
      orders_[place++].clear();
    }
    if (place == rules_.places.size()) {
      build_nest(rules_, keeps_, tiling, orders_, nest_);
      return visit_(nest_);
    }
    for (const std::vector<DimId>& order : block_orders(place)) {
      orders_[place] = order;
      if (!go(place + 1, tiling)) return false;
    }
    return true;
  }

  // The classes depend on what all places split; there are few such patterns.
  const std::vector<std::vector<DimId>>& block_orders(std::size_t place) {
    const bool whole = mode_ == OrderMode::kWhole;
    std::vector<DimSet> key = whole ? std::vector<DimSet>{active_[place]} : active_;
    key.push_back(static_cast<DimSet>(place));
    auto known = known_.find(key);
    if (known == known_.end()) {
      auto orders = whole ? BlockOrders(rules_.places[place], active_[place]).all()
                          : classes_.representatives(static_cast<int>(place), active_, keeps_);
      known = known_.emplace(std::move(key), std::move(orders)).first;
    }
    return known->second;
  }

  const Rules& rules_;
  Keeps keeps_;
  OrderMode mode_;
  const std::function<bool(std::span<const NestNode>)>& visit_;
  OrderClasses classes_;
  std::vector<DimSet> active_;
  Orders orders_;
  std::vector<NestNode> nest_;
  std::map<std::vector<DimSet>, std::vector<std::vector<DimId>>> known_;
};

}  // namespace

bool Mapspace::for_each_in(int piece, OrderMode orders,
                           const std::function<bool(std::span<const NestNode>)>& visit) const {
  const Agenda& agenda = parts_->plan();
  const Piece& part = agenda.pieces[static_cast<std::size_t>(piece)];
  const Rules& rules = parts_->rules;
  const Keeps keeps = KeepChoices(rules).unrank(part.keeps);
  OrderWalk walk(parts_->problem, rules, keeps, orders, visit);
  const Tilings& tilings = agenda.tilings.at(open_places(rules, keeps));
  std::uint64_t left = part.count;
  bool went_on = true;
  tilings.for_each_from(part.first, [&](const Tiling& tiling) {
    went_on = walk.visit(tiling);
    return went_on && --left > 0;
  });
  return went_on;
}

}  // namespace tilewright
