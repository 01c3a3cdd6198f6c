// SPDX-License-Identifier: Apache-2.0
// What every design of a sweep costs, from the answers in a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/store/store.h"
#include "tilewright/sweep/plan/plan.h"

namespace tilewright {

/// What is known about a design: the least that holds for all its problems. From kProved on ever
/// less.
enum class Standing {
  kProved,     ///< every mapping is the best of its space
  kNotProved,  ///< every layer has a mapping, but a better one may exist
  kUnmapped,   ///< some layer has no mapping
  kFailed,     ///< some problem could not be solved
  kMissing,    ///< some problem is not in the store yet
};

/// "proved", "not-proved", "unmapped", "failed", "missing"
std::string_view standing_name(Standing standing);

/// A target on a design, or all of them with their weights.
struct TargetCost {
  double energy_pj = 0;
  double cycles = 0;
  Standing standing = Standing::kProved;
};

/// A design under one request.
struct DesignCost {
  std::uint64_t design = 0;
  std::size_t request = 0;
  double area_um2 = 0;
  TargetCost total;                 ///< figures count only if the standing is kProved or kNotProved
  std::vector<TargetCost> targets;  ///< in the order of the plan

  bool is_mapped() const { return total.standing <= Standing::kNotProved; }
  double edp() const { return total.energy_pj * total.cycles; }
};

/// The answers to a design's problems under one request, one for each workload of the plan.
std::vector<std::optional<Row>> find_rows(const SweepPlan& plan, RowFinder& finder,
                                          const Design& design, std::size_t request);

/// A layer on an accelerator: the answer for what it computes, or what its traffic costs.
struct LayerAnswer {
  double count = 0;                         ///< how often it occurs
  const std::optional<Row>* row = nullptr;  ///< null: it has nothing to map
  double energy_pj = 0;                     ///< of its traffic; 0 if `row`
  double cycles = 0;                        ///< likewise
};

/// Calls `visit` for every layer of a target, in their order. `rows`: as find_rows has them.
void for_each_layer(const SweepTarget& target, const Arch& arch,
                    std::span<const std::optional<Row>> rows,
                    const std::function<void(const LayerAnswer&)>& visit);

/// A design under one request. `rows`: as find_rows has them.
DesignCost cost_design(const SweepPlan& plan, const Design& design, std::size_t request,
                       std::span<const std::optional<Row>> rows);

/// Every design under every request, in the order of the plan.
std::vector<DesignCost> cost_designs(const SweepPlan& plan, const Store& store);
/// One design under every request.
std::vector<DesignCost> cost_design(const SweepPlan& plan, const Store& store,
                                    std::uint64_t number);
/// Numbers of the problems of a design that have no answer yet.
std::vector<std::uint64_t> missing_problems(const SweepPlan& plan, const Store& store,
                                            std::uint64_t design);

/// Figures by which designs are compared; less is better.
enum class Figure { kEnergy, kCycles, kEdp, kArea };
std::optional<Figure> figure_by_name(std::string_view name);
std::string_view figure_name(Figure figure);
/// All names.
std::vector<std::string> figure_names();
/// Throws InputError if there is no such figure.
std::vector<Figure> figures_by_name(std::span<const std::string> names);
double figure_of(const DesignCost& cost, Figure figure);

/// Which of `costs`, all mapped, no other one beats: none is at least as good in every figure and
/// better in one. Of equal ones the first is taken. In the order of the first figure.
std::vector<std::size_t> find_front(std::span<const DesignCost> costs,
                                    std::span<const Figure> figures);

/// Calls `visit` for every problem of the plan with its answer, if there is one.
void for_each_problem(
    const SweepPlan& plan, const Store& store,
    const std::function<void(const SweepProblem&, const Digest& key, const Row* row)>& visit);

}  // namespace tilewright
