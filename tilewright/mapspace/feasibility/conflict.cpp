// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/feasibility/conflict.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/mapspace/feasibility/feasible.h"

namespace tilewright {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostUnits = std::int64_t{1} << 31;  // what an Arch may have

/// An architecture in parts, to be changed.
class ArchParts {
 public:
  explicit ArchParts(const Arch& arch)
      : arch_(arch), nodes_(arch.nodes().begin(), arch.nodes().end()) {}

  Memory& memory(NodeId node) { return std::get<Memory>(nodes_[node.pos()]); }
  Fanout& fanout(NodeId node) { return std::get<Fanout>(nodes_[node.pos()]); }
  Axis& axis(NodeId node, int axis) { return fanout(node).axes[static_cast<std::size_t>(axis)]; }
  Arch made() && {
    return {arch_.name(), arch_.note(), arch_.clock_hz(), std::move(nodes_), arch_.compute()};
  }

 private:
  const Arch& arch_;
  std::vector<ArchNode> nodes_;
};

/// The demand number `which` with another number, from `low` to `high`.
struct Change {
  std::size_t which = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

class ConflictFinder {
 public:
  ConflictFinder(const Problem& problem, SpaceKind kind, std::span<const Constraint> constraints,
                 const std::atomic<bool>* stop)
      : problem_(problem), kind_(kind), constraints_(constraints), stop_(stop) {
    list_demands();
  }

  std::optional<Conflict> find() const {
    const Held all(demands_.size(), true);
    if (feasible(all)) return std::nullopt;
    Held needed = all;  // those without which the others hold: they are part of every conflict
    for (std::size_t i = 0; i < all.size(); ++i) needed[i] = feasible(without(all, i));
    const Held found = minimized(smallest(needed));
    Conflict conflict;
    conflict.among_constraints = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      const Demand::Kind kind = demands_[i].kind;
      if (kind != Demand::Kind::kConstraint && kind != Demand::Kind::kSpace) {
        conflict.among_constraints = false;
      }
      conflict.demands.push_back(demands_[i]);
      conflict.reliefs.push_back(relief(needed[i] ? all : found, i, needed[i]));
    }
    return conflict;
  }

 private:
  using Held = std::vector<bool>;  // which demands hold, by position in demands_

  static Held without(Held held, std::size_t i) {
    held[i] = false;
    return held;
  }
  static Held with(Held held, std::size_t i) {
    held[i] = true;
    return held;
  }

  void list_demands() {
    using Kind = Demand::Kind;
    const Arch& arch = problem_.arch();
    for (std::size_t c = 0; c < constraints_.size(); ++c) {
      demands_.push_back({.kind = Kind::kConstraint, .constraint = static_cast<int>(c)});
    }
    const std::size_t tensors = problem_.workload().tensors().size();
    for (std::size_t n = 0; n < arch.nodes().size(); ++n) {
      const NodeId node(n);
      if (!arch.is_memory(node)) {
        for (std::size_t axis = 0; axis < arch.fanout(node).axes.size(); ++axis) {
          demands_.push_back({.kind = Kind::kAxis, .node = node, .axis = static_cast<int>(axis)});
        }
        continue;
      }
      if (arch.memory(node).capacity_bits)
        demands_.push_back({.kind = Kind::kCapacity, .node = node});
      for (std::size_t t = 0; t < tensors; ++t) {
        if (!problem_.memory(node).partition_bits[t]) continue;
        demands_.push_back({.kind = Kind::kPartition, .node = node, .tensor = TensorId(t)});
      }
      if (problem_.memory(node).may_keep != (TensorSet{1} << tensors) - 1) {
        demands_.push_back({.kind = Kind::kMayKeep, .node = node});
      }
    }
    if (kind_ != SpaceKind::kRuby) demands_.push_back({.kind = Kind::kSpace});
  }

  // ---- What is left when demands are dropped or changed ----

  bool feasible(const Held& held, const Change* change = nullptr) const {
    const Problem problem = relaxed(held, change);
    const std::vector<Constraint> constraints = remaining(held, change);
    SpaceKind kind = kind_;
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      if (demands_[i].kind == Demand::Kind::kSpace && !held[i]) kind = SpaceKind::kRuby;
    }
    Rules rules = make_rules(problem, kind, constraints);
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      if (demands_[i].kind != Demand::Kind::kAxis) continue;
      if (held[i] && (change == nullptr || change->which != i)) continue;
      const std::int64_t size = held[i] ? change->high : kMostUnits;
      set_axis(rules, demands_[i], size,
               make_rules(one_axis(problem, demands_[i], size), kind, constraints));
    }
    return find_feasible(problem, rules, stop_).has_value();
  }

  Problem relaxed(const Held& held, const Change* change) const {
    ArchParts parts(problem_.arch());
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      const bool changed = change != nullptr && change->which == i;
      if (held[i] && !changed) continue;
      const Demand& demand = demands_[i];
      switch (demand.kind) {
        case Demand::Kind::kCapacity:
          parts.memory(demand.node).capacity_bits.reset();
          if (changed) parts.memory(demand.node).capacity_bits = change->high;
          break;
        case Demand::Kind::kPartition: {
          // A part of its own without limit: it takes nothing from the capacity either way.
          const std::string& name = problem_.workload().tensor(demand.tensor).name;
          auto& partitions = parts.memory(demand.node).partitions;
          std::erase_if(partitions, [&](const PerTensor& part) { return part.tensor == name; });
          partitions.push_back({name, changed ? change->high : kUnlimited});
          break;
        }
        case Demand::Kind::kMayKeep:
          parts.memory(demand.node).keep.all = true;
          break;
        case Demand::Kind::kAxis:
          // Utilization is a share of what the axes are; of a dropped one, of what it was.
          if (changed) parts.axis(demand.node, demand.axis).size = change->low;
          break;
        case Demand::Kind::kConstraint:
        case Demand::Kind::kSpace:
          break;
      }
    }
    return problem_.with(std::move(parts).made());
  }

  std::vector<Constraint> remaining(const Held& held, const Change* change) const {
    using Kind = Constraint::Kind;
    std::vector<Constraint> result;
    for (std::size_t c = 0; c < constraints_.size(); ++c) {
      if (!held[c]) continue;
      Constraint constraint = constraints_[c];
      if (change == nullptr || change->which != c) {
        result.push_back(std::move(constraint));
        continue;
      }
      if (constraint.kind == Kind::kUtilization) {
        constraint.share = make_rational(change->high, children(constraint.node));
        result.push_back(constraint);
        continue;
      }
      constraint.kind = Kind::kAtLeast;
      constraint.value = change->low;
      result.push_back(constraint);
      constraint.kind = Kind::kAtMost;
      constraint.value = change->high;
      result.push_back(std::move(constraint));
    }
    return result;
  }

  std::int64_t children(NodeId fanout) const {
    std::int64_t product = 1;
    for (const Axis& axis : problem_.arch().fanout(fanout).axes) product *= axis.size;
    return product;
  }

  // The problem with one axis of `size` and all others of 1: together they might be more than an
  // architecture may have.
  static Problem one_axis(const Problem& problem, const Demand& demand, std::int64_t size) {
    ArchParts parts(problem.arch());
    for (const NodeId fanout : problem.arch().fanouts()) {
      for (Axis& axis : parts.fanout(fanout).axes) axis.size = 1;
    }
    parts.axis(demand.node, demand.axis).size = size;
    return problem.with(std::move(parts).made());
  }

  // The axis as in `other`, where it has `size`; what its fan-out needs stays.
  static void set_axis(Rules& rules, const Demand& demand, std::int64_t size, const Rules& other) {
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      const Place& place = rules.places[p];
      if (place.node == demand.node && place.axis == demand.axis) rules.places[p] = other.places[p];
    }
    for (FanoutRule& fanout : rules.fanouts) {
      if (fanout.fanout != demand.node) continue;
      fanout.axis_sizes[static_cast<std::size_t>(demand.axis)] = size;
    }
  }

  // ---- The smallest set ----

  // Demands that cannot hold together, all that are needed among them; the fewest more that do, as
  // long as that is cheap to find out.
  Held smallest(const Held& needed) const {
    if (!feasible(needed)) return needed;
    const std::size_t count = demands_.size();
    for (std::size_t a = 0; a < count; ++a) {
      if (!needed[a] && !feasible(with(needed, a))) return with(needed, a);
    }
    for (std::size_t a = 0; a < count && count <= kFewDemands; ++a) {
      for (std::size_t b = a + 1; b < count; ++b) {
        if (needed[a] || needed[b]) continue;
        const Held two = with(with(needed, a), b);
        if (!feasible(two)) return two;
      }
    }
    return Held(count, true);
  }

  // Drops what can be dropped, from the back: the user's own demands stay if they can. To let a
  // memory keep more can also make it hold more, so one round is not always enough.
  Held minimized(Held held) const {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = held.size(); i-- > 0;) {
        if (!held[i] || feasible(without(held, i))) continue;
        held[i] = false;
        again = true;
      }
    }
    return held;
  }

  // ---- Reliefs ----

  // True if everything in `held` can hold with demand `which` at low..high. For an axis: with a
  // utilization as if it had size `low`, and room for `high`.
  using Works = std::function<bool(std::int64_t low, std::int64_t high)>;

  Relief relief(const Held& held, std::size_t which, bool enough) const {
    const Demand& demand = demands_[which];
    const Works works = [&](std::int64_t low, std::int64_t high) {
      const Change change{which, low, high};
      return feasible(held, &change);
    };
    Relief result{demand, std::nullopt, std::nullopt, enough};
    const auto more_bits = [&](std::int64_t bits) {
      result.now = bits;
      result.wanted = first(bits + 1, kUnlimited, [&](std::int64_t b) { return works(b, b); });
    };
    switch (demand.kind) {
      case Demand::Kind::kConstraint:
        relieve(constraints_[static_cast<std::size_t>(demand.constraint)], works, result);
        break;
      case Demand::Kind::kCapacity:
        more_bits(*problem_.arch().memory(demand.node).capacity_bits);
        break;
      case Demand::Kind::kPartition:
        more_bits(*problem_.memory(demand.node).partition_bits[demand.tensor.pos()]);
        break;
      case Demand::Kind::kAxis:
        relieve_axis(works, result);
        break;
      case Demand::Kind::kMayKeep:
      case Demand::Kind::kSpace:
        break;
    }
    return result;
  }

  void relieve(const Constraint& constraint, const Works& works, Relief& result) const {
    using Kind = Constraint::Kind;
    const std::int64_t now = constraint.value;
    if (constraint.kind == Kind::kUtilization) {
      const std::int64_t least = ceil_div(
          checked_mul(children(constraint.node), constraint.share.num), constraint.share.den);
      result.now = least;
      result.wanted = last(1, least - 1, [&](std::int64_t n) { return works(n, n); });
      return;
    }
    const bool equal = constraint.kind == Kind::kEqual;
    if (!equal && constraint.kind != Kind::kAtMost && constraint.kind != Kind::kAtLeast) return;
    const std::int64_t size = problem_.workload().dim(constraint.dim).size;
    std::optional<std::int64_t> above;
    std::optional<std::int64_t> below;
    if (constraint.kind != Kind::kAtLeast) {
      const std::int64_t low = equal ? now + 1 : 1;
      above = first(std::max<std::int64_t>(now + 1, 1), size,
                    [&](std::int64_t most) { return works(low, most); });
    }
    if (constraint.kind != Kind::kAtMost) {
      const std::int64_t high = equal ? now - 1 : size;
      below =
          last(1, std::min(now - 1, size), [&](std::int64_t least) { return works(least, high); });
    }
    result.now = now;
    result.wanted = nearer(now, above, below);
  }

  // A larger axis has room for more children, but a utilization then asks for more, too. Each round
  // finds the nearest size that has room if no more is asked than of the last one.
  void relieve_axis(const Works& works, Relief& result) const {
    const Axis& axis = problem_.arch()
                           .fanout(result.demand.node)
                           .axes[static_cast<std::size_t>(result.demand.axis)];
    const std::int64_t most = kMostUnits / (problem_.arch().compute_units() / axis.size);
    std::optional<std::int64_t> above;
    for (std::int64_t size = axis.size + 1;; size = *above) {
      above = first(size, most, [&](std::int64_t room) { return works(size, room); });
      if (!above || *above == size) break;
    }
    std::optional<std::int64_t> below;
    for (std::int64_t size = axis.size - 1;; size = *below) {
      below = last(1, size, [&](std::int64_t asked) { return works(asked, size); });
      if (!below || *below == size) break;
    }
    result.now = axis.size;
    result.wanted = nearer(axis.size, above, below);
  }

  static std::optional<std::int64_t> nearer(std::int64_t now, std::optional<std::int64_t> above,
                                            std::optional<std::int64_t> below) {
    if (!above || !below) return above ? above : below;
    return *above - now <= now - *below ? above : below;
  }

  // The first number in low..high for which `holds`, which then holds for all larger ones: in steps
  // that double, then by halving. The usual answer is near `low`.
  static std::optional<std::int64_t> first(std::int64_t low, std::int64_t high,
                                           const std::function<bool(std::int64_t)>& holds) {
    if (low > high || !holds(high)) return std::nullopt;
    std::int64_t step = 1;
    while (low < high) {
      const std::int64_t at = high - low > step ? low + step - 1 : low + (high - low) / 2;
      if (holds(at)) {
        high = at;
      } else {
        low = at + 1;
      }
      step = step > kUnlimited / 2 ? step : step * 2;
    }
    return high;
  }

  // The last number for which `holds`, which then holds for all smaller ones.
  static std::optional<std::int64_t> last(std::int64_t low, std::int64_t high,
                                          const std::function<bool(std::int64_t)>& holds) {
    const auto found = first(-high, -low, [&](std::int64_t at) { return holds(-at); });
    if (!found) return std::nullopt;
    return -*found;
  }

  static constexpr std::size_t kFewDemands = 40;

  const Problem& problem_;
  SpaceKind kind_;
  std::span<const Constraint> constraints_;
  const std::atomic<bool>* stop_;
  std::vector<Demand> demands_;  // constraints first, so that their positions are the same
};

}  // namespace

std::optional<Conflict> find_conflict(const Problem& problem, SpaceKind kind,
                                      std::span<const Constraint> constraints,
                                      const std::atomic<bool>* stop) {
  return ConflictFinder(problem, kind, constraints, stop).find();
}

}  // namespace tilewright
