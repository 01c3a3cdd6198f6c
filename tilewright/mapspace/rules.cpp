// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

constexpr std::array<std::pair<SpaceKind, std::string_view>, 4> kNames = {{
    {SpaceKind::kPfm, "pfm"},
    {SpaceKind::kRubyS, "ruby-s"},
    {SpaceKind::kRubyT, "ruby-t"},
    {SpaceKind::kRuby, "ruby"},
}};

class RulesBuilder {
 public:
  RulesBuilder(const Problem& problem, SpaceKind kind, const Arrangement& arrangement)
      : problem_(problem), kind_(kind), arrangement_(arrangement) {}

  Rules build(std::span<const Constraint> constraints) {
    add_nodes();
    find_homes();
    for (const Constraint& constraint : constraints) apply(constraint);
    return std::move(rules_);
  }

 private:
  const Workload& workload() const { return problem_.workload(); }
  const Arch& arch() const { return problem_.arch(); }

  void add_nodes() {
    for (std::size_t i = 0; i < arch().nodes().size(); ++i) {
      const NodeId node(i);
      if (arch().is_memory(node)) {
        add_memory(node);
        continue;
      }
      const Fanout& fanout = arch().fanout(node);
      FanoutRule rule{node, 1, {}};
      for (std::size_t axis = 0; axis < fanout.axes.size(); ++axis) {
        const bool remainder = kind_ == SpaceKind::kRubyS || kind_ == SpaceKind::kRuby;
        add_place(node, static_cast<int>(axis), fanout.axes[axis].size, remainder);
        rule.axis_sizes.push_back(fanout.axes[axis].size);
      }
      rules_.fanouts.push_back(std::move(rule));
    }
  }

  void add_memory(NodeId node) {
    const bool remainder = kind_ == SpaceKind::kRubyT || kind_ == SpaceKind::kRuby;
    const auto add = [&](TensorSet required, TensorSet allowed) {
      add_place(node, -1, FactorRule::kNoLimit, remainder);
      rules_.keeps.push_back({node, required, allowed});
    };
    const std::span<const TensorSet> points = arrangement_.points_of(node);
    if (points.empty()) add(0, problem_.memory(node).may_keep);
    for (const TensorSet kept : points) add(kept, kept & problem_.memory(node).may_keep);
    if (!arrangement_.is_distinct || points.empty()) return;
    for (std::size_t i = 2; i <= points.size(); ++i) {
      rules_.keeps[rules_.keeps.size() - i].must_loop = true;
    }
  }

  void add_place(NodeId node, int axis, std::int64_t most, bool remainder) {
    Place place{node, axis, {}, {}, {}};
    place.rules.assign(workload().dims().size(), FactorRule{1, most, remainder});
    rules_.places.push_back(std::move(place));
  }

  // Nothing stands outside a home, and a tensor without one leaves nothing to map.
  void find_homes() {
    NodeId innermost_home(0);
    for (std::size_t t = 0; t < workload().tensors().size(); ++t) {
      const TensorSet tensor = only(TensorId(t));
      const auto home = std::ranges::find_if(
          rules_.keeps, [&](const KeepRule& k) { return (k.allowed & tensor) != 0; });
      if (home == rules_.keeps.end()) {
        rules_.keeps.front().required |= tensor;
        continue;
      }
      home->required |= tensor;
      innermost_home = std::max(innermost_home, home->memory);
    }
    for (Place& place : rules_.places) {
      if (place.node >= innermost_home) break;
      for (FactorRule& rule : place.rules) rule.most = 1;
    }
  }

  void apply(const Constraint& constraint) {
    using Kind = Constraint::Kind;
    for (KeepRule& keep : rules_.keeps) {
      if (keep.memory != constraint.node) continue;
      if (constraint.kind == Kind::kKeep) add_required(keep, constraint.tensors);
      if (constraint.kind == Kind::kBypass) keep.allowed &= ~constraint.tensors;
    }
    for (FanoutRule& fanout : rules_.fanouts) {
      if (fanout.fanout != constraint.node || constraint.kind != Kind::kUtilization) continue;
      std::int64_t children = 1;
      for (const std::int64_t size : fanout.axis_sizes) children = checked_mul(children, size);
      const std::int64_t least =
          ceil_div(checked_mul(children, constraint.share.num), constraint.share.den);
      fanout.least_children = std::max(fanout.least_children, least);
    }
    for (Place& place : rules_.places) {
      if (place.node == constraint.node) apply(constraint, place);
    }
  }

  // At whichever point the memory keeps them.
  void add_required(KeepRule& keep, TensorSet tensors) const {
    const std::span<const TensorSet> points = arrangement_.points_of(keep.memory);
    TensorSet elsewhere = 0;
    for (const TensorSet kept : points) elsewhere |= kept;
    keep.required |= tensors & ~elsewhere;
  }

  static void apply(const Constraint& constraint, Place& place) {
    using Kind = Constraint::Kind;
    const bool here = place.axis == constraint.axis;
    switch (constraint.kind) {
      case Kind::kEqual:
      case Kind::kAtMost:
      case Kind::kAtLeast: {
        if (!here) return;
        FactorRule& rule = place.rules[constraint.dim.pos()];
        if (constraint.kind != Kind::kAtMost) rule.least = std::max(rule.least, constraint.value);
        if (constraint.kind != Kind::kAtLeast) rule.most = std::min(rule.most, constraint.value);
        return;
      }
      case Kind::kPerfect:
        for (FactorRule& rule : place.rules) rule.remainder = false;
        return;
      case Kind::kOrder:
        place.outermost = constraint.outermost;
        place.innermost = constraint.innermost;
        return;
      case Kind::kAxisDims:
        if (!here) return;
        for (std::size_t d = 0; d < place.rules.size(); ++d) {
          const bool listed = std::ranges::find(constraint.dims, DimId(d)) != constraint.dims.end();
          if (!listed) place.rules[d].most = std::min<std::int64_t>(place.rules[d].most, 1);
        }
        return;
      case Kind::kKeep:
      case Kind::kBypass:
      case Kind::kUtilization:
        return;
    }
  }

  const Problem& problem_;
  SpaceKind kind_;
  const Arrangement& arrangement_;
  Rules rules_;
};

}  // namespace

std::string_view space_name(SpaceKind kind) {
  const auto found =
      std::ranges::find(kNames, kind, &std::pair<SpaceKind, std::string_view>::first);
  TW_CHECK(found != kNames.end(), "every space has a name");
  return found->second;
}

std::optional<SpaceKind> space_by_name(std::string_view name) {
  const auto found =
      std::ranges::find(kNames, name, &std::pair<SpaceKind, std::string_view>::second);
  if (found == kNames.end()) return std::nullopt;
  return found->first;
}

Rules make_rules(const Problem& problem, SpaceKind kind, std::span<const Constraint> constraints,
                 const Arrangement& arrangement) {
  return RulesBuilder(problem, kind, arrangement).build(constraints);
}

}  // namespace tilewright
