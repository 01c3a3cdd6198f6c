// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/padding.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// The sizes that a dim may be given: its own and the next multiples of every axis, rising.
std::vector<std::int64_t> padded_sizes(const Arch& arch, std::int64_t size) {
  std::vector<std::int64_t> sizes = {size};
  for (const NodeId node : arch.fanouts()) {
    for (const Axis& axis : arch.fanout(node).axes) {
      sizes.push_back(checked_mul(ceil_div(size, axis.size), axis.size));
    }
  }
  std::ranges::sort(sizes);
  const auto same = std::ranges::unique(sizes);
  sizes.erase(same.begin(), same.end());
  return sizes;
}

}  // namespace

std::vector<Problem> padded_problems(const Problem& problem) {
  const Workload& workload = problem.workload();
  std::vector<std::vector<Dim>> choices = {{}};
  for (const Dim& dim : workload.dims()) {
    std::vector<std::vector<Dim>> longer;
    for (const std::vector<Dim>& choice : choices) {
      for (const std::int64_t size : padded_sizes(problem.arch(), dim.size)) {
        longer.push_back(choice);
        longer.back().push_back({dim.name, size});
      }
    }
    choices = std::move(longer);
  }
  const std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  std::vector<Problem> problems;
  for (std::vector<Dim>& dims : choices) {
    if (!find_workload_faults(dims, tensors).empty()) continue;  // too many computes to count
    problems.emplace_back(Workload(workload.name(), std::move(dims), tensors), problem.arch(),
                          problem.conventions());
  }
  return problems;
}

}  // namespace tilewright
