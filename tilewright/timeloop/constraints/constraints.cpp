// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/constraints/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "tilewright/base/text/printable.h"

namespace tilewright::timeloop {
namespace {

Constraint::Kind kind_of(Factor::Relation relation) {
  switch (relation) {
    case Factor::Relation::kAtMost:
      return Constraint::Kind::kAtMost;
    case Factor::Relation::kAtLeast:
      return Constraint::Kind::kAtLeast;
    case Factor::Relation::kEqual:
      break;
  }
  return Constraint::Kind::kEqual;
}

class ConstraintMaker {
 public:
  ConstraintMaker(const Hardware& hardware, const Problem& problem, Findings& findings)
      : hardware_(hardware),
        workload_(problem.workload()),
        problem_(problem),
        findings_(findings) {}

  PlacedConstraints make(const std::vector<LevelDemands>& demands) {
    for (std::size_t i = 0; i < demands.size(); ++i) {
      const Level& level = hardware_.levels[i];
      if (level.is_memory()) {
        add_memory(level, demands[i]);
      } else {
        check_no_loops(level, demands[i].temporal);
      }
      if (!level.axes.empty()) {
        add_fanout(level, demands[i].spatial);
      } else {
        check_no_loops(level, demands[i].spatial);
      }
    }
    return std::move(result_);
  }

 private:
  void add(Constraint constraint, const Span& place) {
    result_.constraints.push_back(std::move(constraint));
    result_.places.push_back(place);
  }

  // There is nothing here that could have loops.
  void check_no_loops(const Level& level, const LoopDemands& loops) {
    for (const Factor& factor : loops.factors) {
      if (factor.value == 1 || factor.relation == Factor::Relation::kAtMost) continue;
      findings_.diagnostics
          .error("T0014", fmt::format("`{}` cannot have loops over `{}`", level.name,
                                      workload_.dim(factor.dim).name))
          .labels.push_back({factor.place, ""});
    }
  }

  void add_memory(const Level& level, const LevelDemands& demands) {
    const NodeId node = level.memory_node;
    const bool outermost = node == problem_.arch().memories().front();
    if (demands.keep != 0 && !outermost) {
      add({.kind = Constraint::Kind::kKeep, .node = node, .tensors = demands.keep},
          demands.keep_place);
    }
    if (demands.bypass != 0) {
      add({.kind = Constraint::Kind::kBypass, .node = node, .tensors = demands.bypass},
          demands.keep_place);
    }
    std::vector<bool> fixed(workload_.dims().size(), false);
    for (const Factor& factor : demands.temporal.factors) {
      if (is_idle(factor)) continue;
      add({.kind = kind_of(factor.relation),
           .node = node,
           .dim = factor.dim,
           .value = factor.value},
          factor.place);
      if (factor.relation == Factor::Relation::kEqual && factor.value == 1) {
        fixed[factor.dim.pos()] = true;
      }
    }
    if (demands.temporal.order) add_order(node, demands.temporal, fixed);
  }

  // Demands that every mapping meets.
  bool is_idle(const Factor& factor) const {
    const std::int64_t size = workload_.dim(factor.dim).size;
    switch (factor.relation) {
      case Factor::Relation::kAtMost:
        return factor.value >= size;
      case Factor::Relation::kAtLeast:
        return factor.value <= 1;
      case Factor::Relation::kEqual:
        break;
    }
    return size == 1;
  }

  // A permutation lists the innermost loop first. If it names all dims, so does the order; else
  // loops that there cannot be are left out.
  void add_order(NodeId node, const LoopDemands& loops, const std::vector<bool>& fixed) {
    const Permutation& given = *loops.order;
    Constraint order{.kind = Constraint::Kind::kOrder, .node = node};
    std::size_t named = 0;
    std::size_t large = 0;
    std::size_t free = 0;
    for (std::size_t d = 0; d < fixed.size(); ++d) {
      if (workload_.dims()[d].size == 1) continue;
      ++large;
      free += fixed[d] ? 0 : 1;
      named += is_named(given, DimId(d)) ? 1 : 0;
    }
    const bool complete = named == large;
    std::vector<DimId>& inner = complete ? order.outermost : order.innermost;
    for (auto [from, to] :
         {std::pair{&given.outer, &order.outermost}, std::pair{&given.inner, &inner}}) {
      for (auto it = from->rbegin(); it != from->rend(); ++it) {
        const bool there = workload_.dim(*it).size > 1 && (complete || !fixed[it->pos()]);
        if (there) to->push_back(*it);
      }
    }
    const bool empty = order.outermost.empty() && order.innermost.empty();
    if (!empty && free > 1) add(std::move(order), loops.order_place);
  }

  static bool is_named(const Permutation& order, DimId dim) {
    return std::ranges::find(order.inner, dim) != order.inner.end() ||
           std::ranges::find(order.outer, dim) != order.outer.end();
  }

  // Which dims may lie along an axis: a permutation's first `split` dims lie along X, the others
  // along Y; those that it does not name come after those that it does.
  bool may_lie_along(const LoopDemands& loops, const std::string& axis, DimId dim) const {
    if (!loops.split) return true;
    const auto count = static_cast<std::int64_t>(workload_.dims().size());
    const Permutation none;
    const Permutation& order = loops.order ? *loops.order : none;
    const auto inner = static_cast<std::int64_t>(order.inner.size());
    const auto outer = static_cast<std::int64_t>(order.outer.size());
    std::int64_t first = inner;  // the positions that it may have
    std::int64_t last = count - outer - 1;
    const auto listed = std::ranges::find(order.inner, dim);
    const auto after = std::ranges::find(order.outer, dim);
    if (listed != order.inner.end()) {
      first = last = listed - order.inner.begin();
    } else if (after != order.outer.end()) {
      first = last = count - outer + (after - order.outer.begin());
    } else if (inner == 0 && outer == 0) {
      first = 0;
    }
    return axis == "X" ? first < *loops.split : last >= *loops.split;
  }

  const Factor* equal_factor(const LoopDemands& loops, DimId dim) const {
    for (const Factor& factor : loops.factors) {
      if (factor.dim == dim && factor.relation == Factor::Relation::kEqual) return &factor;
    }
    return nullptr;
  }

  void add_fanout(const Level& level, const LoopDemands& loops) {
    const NodeId node = level.fanout_node;
    const auto axes = static_cast<int>(level.axes.size());
    std::vector<std::vector<DimId>> allowed(level.axes.size());     // by axis
    std::vector<std::vector<int>> places(workload_.dims().size());  // by dim: its axes
    std::vector<bool> restricted(level.axes.size(), false);
    for (std::size_t d = 0; d < places.size(); ++d) {
      const DimId dim(d);
      if (workload_.dim(dim).size == 1) continue;
      const Factor* equal = equal_factor(loops, dim);
      for (int a = 0; a < axes; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const bool may = may_lie_along(loops, level.axes[axis].name, dim) &&
                         (equal == nullptr || equal->value > 1);
        if (may) {
          allowed[axis].push_back(dim);
          places[d].push_back(a);
        } else {
          restricted[axis] = true;
        }
      }
    }
    for (const Factor& factor : loops.factors) {
      if (!is_idle(factor)) add_spatial_factor(level, factor, places[factor.dim.pos()]);
    }
    for (int a = 0; a < axes; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      if (!restricted[axis]) continue;
      add({.kind = Constraint::Kind::kAxisDims, .node = node, .axis = a, .dims = allowed[axis]},
          loops.place);
    }
  }

  void add_spatial_factor(const Level& level, const Factor& factor, const std::vector<int>& axes) {
    const bool equal = factor.relation == Factor::Relation::kEqual;
    if (equal && factor.value == 1) return;  // left out of the axes' dims
    const std::string name = workload_.dim(factor.dim).name;
    if (axes.empty() && factor.relation != Factor::Relation::kAtMost) {
      findings_.diagnostics
          .error("T0014", fmt::format("`{}` must be spread inside `{}`, but lies along an axis "
                                      "that it does not have",
                                      name, level.name))
          .labels.push_back({factor.place, "with this `split` and `permutation`"});
      return;
    }
    if (axes.size() > 1) {
      findings_.not_modelled(
          fmt::format("a factor of `{}` over two axes together: say with `split` along which it "
                      "lies",
                      name),
          factor.place);
      return;
    }
    for (const int axis : axes) {
      add({.kind = kind_of(factor.relation),
           .node = level.fanout_node,
           .dim = factor.dim,
           .axis = axis,
           .value = factor.value},
          factor.place);
    }
  }

  const Hardware& hardware_;
  const Workload& workload_;
  const Problem& problem_;
  Findings& findings_;
  PlacedConstraints result_;
};

}  // namespace

PlacedConstraints to_constraints(const std::vector<LevelDemands>& demands, const Hardware& hardware,
                                 const Problem& problem, Findings& findings) {
  return ConstraintMaker(hardware, problem, findings).make(demands);
}

}  // namespace tilewright::timeloop
