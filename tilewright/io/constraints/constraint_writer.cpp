// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/constraints/factor_text.h"
#include "tilewright/io/write.h"
#include "tilewright/io/yaml/units.h"
#include "tilewright/io/yaml/yaml_scalar.h"

namespace tilewright {
namespace {

using Kind = Constraint::Kind;
using Words = std::vector<std::string>;

Words tensor_names(const Workload& workload, TensorSet tensors) {
  Words names;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    if ((tensors & only(TensorId(t))) != 0) names.push_back(workload.tensors()[t].name);
  }
  return names;
}

Words dim_names(const Workload& workload, const std::vector<DimId>& dims) {
  Words names;
  for (const DimId dim : dims) names.push_back(workload.dim(dim).name);
  return names;
}

// `...` stands wherever it has something to stand for.
Words order_words(const Workload& workload, const Constraint& order) {
  Words words = dim_names(workload, order.outermost);
  bool complete = order.innermost.empty();
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    const bool listed = std::ranges::find(order.outermost, DimId(d)) != order.outermost.end();
    complete = complete && (listed || workload.dims()[d].size == 1);
  }
  if (!complete) words.emplace_back("...");
  for (const std::string& name : dim_names(workload, order.innermost)) words.push_back(name);
  return words;
}

std::string axis_name(const Arch& arch, const Constraint& constraint) {
  return arch.fanout(constraint.node).axes[static_cast<std::size_t>(constraint.axis)].name;
}

/// `c = 4`, `c = 4 on X`.
std::string factor_words(const Problem& problem, const Constraint& factor) {
  std::string text = fmt::format("{} {} {}", problem.workload().dim(factor.dim).name,
                                 relation_of(factor.kind), factor.value);
  if (factor.axis >= 0) text += " on " + axis_name(problem.arch(), factor);
  return text;
}

std::string join(const Words& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string yaml_list(Words words) {
  for (std::string& word : words) word = word == "..." ? word : yaml_scalar(word);
  return "[" + join(words) + "]";
}

// Where a constraint stands among those that the reader makes of one item. Factors may follow each
// other; of the rest there is one each.
int place_in_item(const Constraint& constraint) {
  switch (constraint.kind) {
    case Kind::kKeep:
      return 0;
    case Kind::kBypass:
      return 1;
    case Kind::kEqual:
    case Kind::kAtMost:
    case Kind::kAtLeast:
      return 2;
    case Kind::kPerfect:
      return 3;
    case Kind::kOrder:
      return 4;
    case Kind::kAxisDims:
      return 5 + constraint.axis;
    case Kind::kUtilization:
      break;
  }
  return 5 + Arch::kMaxAxes;
}

bool shares_item(const Constraint& first, const Constraint& next) {
  const int a = place_in_item(first);
  const int b = place_in_item(next);
  return first.node == next.node && (a < b || (a == b && a == 2));
}

/// The keys of one item, `group` being all that stands in it.
std::string item_text(const Problem& problem, std::span<const Constraint> group) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  std::string text =
      fmt::format("  - at: {}\n", yaml_scalar(node_name(arch.nodes()[group[0].node.pos()])));
  Words factors;
  Words axes;
  for (const Constraint& c : group) {
    switch (c.kind) {
      case Kind::kKeep:
        text += fmt::format("    keep: {}\n", yaml_list(tensor_names(workload, c.tensors)));
        break;
      case Kind::kBypass:
        text += fmt::format("    bypass: {}\n", yaml_list(tensor_names(workload, c.tensors)));
        break;
      case Kind::kEqual:
      case Kind::kAtMost:
      case Kind::kAtLeast:
        factors.push_back(factor_words(problem, c));
        break;
      case Kind::kPerfect:
        text += "    remainders: false\n";
        break;
      case Kind::kOrder:
        text += fmt::format("    order: {}\n", yaml_list(order_words(workload, c)));
        break;
      case Kind::kAxisDims:
        axes.push_back(fmt::format("{}: {}", yaml_scalar(axis_name(arch, c)),
                                   yaml_list(dim_names(workload, c.dims))));
        break;
      case Kind::kUtilization:
        text += fmt::format("    utilization: {}\n", write_share(c.share));
        break;
    }
  }
  if (!factors.empty()) text += fmt::format("    factors: {}\n", yaml_list(std::move(factors)));
  if (!axes.empty()) text += fmt::format("    dims: {{{}}}\n", join(axes));
  return text;
}

}  // namespace

std::string constraint_text(const Problem& problem, const Constraint& constraint) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  const std::string& node = node_name(arch.nodes()[constraint.node.pos()]);
  switch (constraint.kind) {
    case Kind::kKeep:
      return fmt::format("keep {} at {}", join(tensor_names(workload, constraint.tensors)), node);
    case Kind::kBypass:
      return fmt::format("bypass {} at {}", join(tensor_names(workload, constraint.tensors)), node);
    case Kind::kEqual:
    case Kind::kAtMost:
    case Kind::kAtLeast:
      return fmt::format("{} {} {}", factor_words(problem, constraint),
                         constraint.axis < 0 ? "at" : "of", node);
    case Kind::kPerfect:
      return "no remainders at " + node;
    case Kind::kOrder:
      return fmt::format("order {} at {}", join(order_words(workload, constraint)), node);
    case Kind::kAxisDims:
      return fmt::format("{} on {} of {}",
                         constraint.dims.empty()
                             ? "nothing"
                             : "only " + join(dim_names(workload, constraint.dims)),
                         axis_name(arch, constraint), node);
    case Kind::kUtilization:
      break;
  }
  return fmt::format("at least {} of {}", write_share(constraint.share), node);
}

std::string constraints_to_yaml(const Problem& problem, std::span<const Constraint> constraints) {
  if (constraints.empty()) return "constraints: []\n";
  std::string text = "constraints:\n";
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= constraints.size(); ++i) {
    if (i < constraints.size() && shares_item(constraints[i - 1], constraints[i])) continue;
    text += item_text(problem, constraints.subspan(begin, i - begin));
    begin = i;
  }
  return text;
}

}  // namespace tilewright
