// SPDX-License-Identifier: Apache-2.0
// Random problems small enough to try every mapping, with figures that make the choice matter.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "tests/support/random_case.h"
#include "tests/support/small_case.h"

namespace tilewright::verify {

struct SmallProblem {
  Problem problem;
  SpaceKind kind = SpaceKind::kPfm;
  std::vector<Constraint> constraints;
};

// A workload that files can hold: every tensor has a role.
inline Workload with_roles(const Workload& workload, std::vector<Dim> dims) {
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  for (Tensor& tensor : tensors) {
    if (tensor.role.empty()) tensor.role = "input";
  }
  return Workload("small", std::move(dims), std::move(tensors));
}

// Every feature of the model, few and small dims, memories that may be too small; no constraints.
inline SmallProblem make_small_problem(std::uint64_t seed, std::uint64_t index) {
  constexpr SpaceKind kKinds[] = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                  SpaceKind::kRuby};
  Random random(seed * 1'000'003 + index);
  const testing::RandomCase base = testing::make_case(seed, index);
  const Workload& workload = base.problem.workload();
  std::vector<Dim> dims(workload.dims().begin(), workload.dims().end());
  std::int64_t large = random.between(2, 4);
  for (Dim& dim : dims) {
    const bool keep = large > 0 && !random.one_in(4);
    large -= keep ? 1 : 0;
    dim.size = keep ? random.between(2, 7) : 1;
  }
  const Arch& arch = base.problem.arch();
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    auto* const memory = std::get_if<Memory>(&nodes[i]);
    if (memory == nullptr) continue;
    memory->capacity_bits.reset();
    memory->partitions.clear();
    if (!random.one_in(4)) memory->capacity_bits = 16 * random.between(3, 60);
  }
  return {
      Problem(with_roles(workload, dims), Arch("small", "", std::nullopt, nodes, arch.compute()),
              base.problem.conventions()),
      kKinds[index % 4],
      {}};
}

// Constraints of every kind on simple problems.
inline SmallProblem make_constrained_problem(std::uint64_t seed, std::uint64_t index) {
  Random random(seed * 1'000'003 + index);
  testing::SmallCase base = testing::make_small_case(seed, index);
  const Arch& arch = base.problem.arch();
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  double scale = 64;
  for (ArchNode& node : nodes) {
    auto* const memory = std::get_if<Memory>(&node);
    if (memory == nullptr) continue;
    const auto energy = [&] { return scale * static_cast<double>(random.between(1, 9)); };
    memory->energy = {energy(), energy(), energy(), ""};
    if (random.one_in(3)) memory->read_bandwidth = Rational{random.between(1, 9), 1};
    if (random.one_in(4)) memory->width_bits = 8;
    scale /= 8;
  }
  const Workload& workload = base.problem.workload();
  return {
      Problem(with_roles(workload, {workload.dims().begin(), workload.dims().end()}),
              Arch("small", "", std::nullopt, nodes, arch.compute()), base.problem.conventions()),
      base.kind, std::move(base.constraints)};
}

}  // namespace tilewright::verify
