// SPDX-License-Identifier: Apache-2.0
// Small problems for the tests of the searches, and what they compare.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/search/search.h"

namespace tilewright::search_test {

inline Memory memory(std::string name, double pj, std::optional<std::int64_t> capacity_bits = {}) {
  Memory result;
  result.name = std::move(name);
  result.capacity_bits = capacity_bits;
  result.energy = {pj, pj, pj, "test"};
  result.read_bandwidth = make_rational(32, 1);
  return result;
}

/// Z[m,n] += A[m,k] * B[k,n], 8 bit, on DRAM - GLB(`glb_bits`) - 3 PEs - RF(48 bit).
inline Problem gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t glb_bits,
                    std::vector<Axis> axes = {{"X", 3}}) {
  const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
  Fanout array;
  array.name = "PE";
  array.axes = std::move(axes);
  return Problem(Workload("gemm", {{"m", m}, {"n", n}, {"k", k}},
                          {{"A", "input", 8, {rank(0), rank(2)}},
                           {"B", "weight", 8, {rank(2), rank(1)}},
                           {"Z", "output", 8, {rank(0), rank(1)}}}),
                 Arch("test", "", std::nullopt,
                      {memory("DRAM", 100), memory("GLB", 6, glb_bits), array, memory("RF", 1, 48)},
                      Compute{.energy_pj = 0.5}));
}

/// No mapping can do this: a factor larger than its dim.
inline std::vector<Constraint> impossible() {
  return {{.kind = Constraint::Kind::kAtLeast, .node = NodeId(1), .dim = DimId(0), .value = 1000}};
}

/// What a search must find out about one mapping, the slow way.
inline bool fits(const Problem& problem, const Mapping& mapping) {
  return find_violations(problem, mapping).empty();
}

inline bool within(std::span<const Cap> caps, const Evaluation& evaluation) {
  return std::ranges::all_of(caps, [&](const Cap& cap) {
    const double figure = cap.figure == Cap::Figure::kEnergy ? evaluation.energy_pj
                          : cap.figure == Cap::Figure::kCycles
                              ? static_cast<double>(evaluation.cycles)
                              : score(*objective_by_name("traffic"), evaluation);
    return figure <= cap.limit;
  });
}

inline void expect_same(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.ending, b.ending);
  EXPECT_EQ(a.seen, b.seen);
  EXPECT_EQ(a.valid, b.valid);
  EXPECT_EQ(a.too_large, b.too_large);
  EXPECT_EQ(a.over_cap, b.over_cap);
  ASSERT_EQ(a.best.has_value(), b.best.has_value());
  if (!a.best) return;
  EXPECT_EQ(a.best->mapping, b.best->mapping);
  EXPECT_EQ(a.best->evaluation, b.best->evaluation);
  EXPECT_EQ(a.best->score, b.best->score);
}

/// Does what a search does with each mapping, one by one.
class Reference {
 public:
  Reference(const Problem& problem, const SearchOptions& options)
      : problem_(problem), options_(options) {}

  /// True if it is valid.
  bool fits(std::span<const NestNode> nest) const {
    return search_test::fits(problem_, Mapping({nest.begin(), nest.end()}));
  }

  bool look_at(std::span<const NestNode> nest) {
    Mapping mapping({nest.begin(), nest.end()});
    ++result.seen;
    if (!search_test::fits(problem_, mapping)) {
      ++result.too_large;
      return false;
    }
    Evaluation evaluation = evaluate(problem_, mapping);
    if (!within(options_.caps, evaluation)) {
      ++result.over_cap;
      return false;
    }
    ++result.valid;
    ++in_vain;
    const double points = score(options_.objective, evaluation);
    if (!result.best || points < result.best->score) {
      result.best = Found{std::move(mapping), std::move(evaluation), points};
      in_vain = 0;
    }
    return true;
  }

  SearchResult result;
  std::uint64_t in_vain = 0;  ///< valid mappings since the best one

 private:
  const Problem& problem_;
  const SearchOptions& options_;
};

/// What a search told on its way to `result`: at most ten times a second, each time more.
inline void expect_told(const std::vector<Progress>& told, const SearchResult& result) {
  ASSERT_TRUE(result.best);
  ASSERT_FALSE(told.empty());
  EXPECT_LE(told.size(), 1 + static_cast<std::size_t>(told.back().seconds / 0.1));
  for (std::size_t i = 1; i < told.size(); ++i) EXPECT_GT(told[i].seen, told[i - 1].seen);
  EXPECT_LE(told.back().seen, result.seen);
  EXPECT_LE(told.back().valid, result.valid);
  EXPECT_GE(told.back().best, result.best->score);
}

}  // namespace tilewright::search_test
