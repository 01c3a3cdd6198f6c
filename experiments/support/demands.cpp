// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/demands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "experiments/support/csv.h"

namespace tilewright {

DimId dim_by_letter(const Problem& problem, char name) {
  for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
    if (problem.workload().dims()[d].name == std::string(1, name)) return DimId(d);
  }
  throw std::runtime_error(fmt::format("no dim {}", name));
}

int axis_by_name(const Fanout& fanout, const std::string& name) {
  for (std::size_t a = 0; a < fanout.axes.size(); ++a) {
    if (fanout.axes[a].name == name) return static_cast<int>(a);
  }
  throw std::runtime_error("no axis " + name);
}

Demands& Demands::equal(const std::string& place, const std::string& dims, std::int64_t value) {
  for (const char name : dims) {
    Constraint constraint = at(place, Constraint::Kind::kEqual);
    constraint.dim = dim_by_letter(problem_, name);
    constraint.value = std::min(value, problem_.workload().dims()[constraint.dim.pos()].size);
    all_.push_back(constraint);
  }
  return *this;
}

Demands& Demands::whole(const std::string& place, const std::string& dims) {
  return equal(place, dims, std::numeric_limits<std::int64_t>::max());
}

Demands& Demands::only_dims(const std::string& place, const std::string& dims) {
  Constraint constraint = at(place, Constraint::Kind::kAxisDims);
  for (const char name : dims) constraint.dims.push_back(dim_by_letter(problem_, name));
  all_.push_back(constraint);
  return *this;
}

Demands& Demands::keep_all() {
  for (const NodeId node : problem_.arch().memories()) {
    Constraint constraint;
    constraint.kind = Constraint::Kind::kKeep;
    constraint.node = node;
    constraint.tensors = problem_.memory(node).may_keep;
    all_.push_back(constraint);
  }
  return *this;
}

Constraint Demands::at(const std::string& place, Constraint::Kind kind) const {
  const auto name = split_text(place, '.');
  Constraint constraint;
  constraint.kind = kind;
  const auto node = problem_.arch().find(name[0]);
  if (!node) throw std::runtime_error("no node " + name[0]);
  constraint.node = *node;
  if (name.size() > 1) constraint.axis = axis_by_name(problem_.arch().fanout(*node), name[1]);
  return constraint;
}

std::vector<Constraint> row_stationary(const Problem& problem) {
  Demands demands(problem);
  demands.keep_all();
  demands.only_dims("PE.X", "qm").only_dims("PE.Y", "scm").whole("PE.Y", "s");
  demands.equal("ifmap_spad", "nmcpqrs", 1);
  demands.equal("weights_spad", "nmpqs", 1).whole("weights_spad", "r");
  demands.equal("psum_spad", "ncpqrs", 1);
  return demands.all();
}

std::vector<Constraint> simba_axes(const Problem& problem) {
  Demands demands(problem);
  demands.keep_all();
  demands.only_dims("PE.X", "cm").only_dims("lanes.Y", "m").only_dims("vector.Y", "c");
  return demands.all();
}

}  // namespace tilewright
