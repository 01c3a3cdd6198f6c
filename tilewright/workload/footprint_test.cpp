// SPDX-License-Identifier: Apache-2.0
#include "tilewright/workload/footprint.h"

#include <gtest/gtest.h>

#include <set>

namespace tilewright {
namespace {

std::set<std::int64_t> values(std::int64_t m, std::int64_t n, std::int64_t from, std::int64_t A,
                              std::int64_t B) {
  std::set<std::int64_t> all;
  for (std::int64_t a = from; a < from + A; ++a) {
    for (std::int64_t b = 0; b < B; ++b) all.insert(m * a + n * b);
  }
  return all;
}

RankForm form_of(std::int64_t m, std::int64_t n, bool box = false) {
  return {{{DimId(0), m}, {DimId(1), n}}, box};
}

TEST(Footprint, TwoTermsEqualEnumeration) {
  for (const auto& [m, n] : {std::pair{1, 1}, {2, 1}, {1, 2}, {3, 2}, {2, 5}, {4, 3}, {-3, 2}}) {
    const std::int64_t am = m < 0 ? -m : m;
    for (std::int64_t A = 1; A < 9; ++A) {
      for (std::int64_t B = 1; B < 9; ++B) {
        const std::int64_t extents[] = {A, B};
        const auto all = values(m, n, 0, A, B);
        EXPECT_EQ(footprint(form_of(m, n), extents), static_cast<std::int64_t>(all.size()));
        EXPECT_EQ(footprint(form_of(m, n, true), extents), am * (A - 1) + n * (B - 1) + 1);
      }
    }
  }
}

TEST(Footprint, ThreeTermsEqualEnumeration) {
  for (std::int64_t c = 1; c < 8; ++c) {
    const RankForm form{{{DimId(0), 3}, {DimId(1), -5}, {DimId(2), c}}, false};
    for (std::int64_t A = 1; A < 5; ++A) {
      for (std::int64_t B = 1; B < 5; ++B) {
        std::set<std::int64_t> all;
        for (std::int64_t x = 0; x < 3; ++x) {
          for (const std::int64_t v : values(3, -5, 0, A, B)) all.insert(v + c * x);
        }
        const std::int64_t extents[] = {A, B, 3};
        EXPECT_EQ(footprint(form, extents), static_cast<std::int64_t>(all.size()));
      }
    }
  }
  const RankForm wide{{{DimId(0), 3}, {DimId(1), 1'000'000'000}, {DimId(2), 7}}, false};
  const std::int64_t extents[] = {2, 1000, 2};
  EXPECT_THROW(footprint(wide, extents), OverflowError);
}

TEST(SharedElements, EqualEnumeration) {
  for (const auto& [m, n] : {std::pair{1, 1}, {2, 1}, {1, 2}, {3, 2}, {2, 3}, {1, 4}}) {
    for (std::int64_t T = 1; T < 5; ++T) {
      for (std::int64_t step = T; step < T + 4; ++step) {
        for (std::int64_t A = 1; A <= T; ++A) {
          for (std::int64_t B = 1; B < 12; ++B) {
            const auto before = values(m, n, 0, T, B);
            std::int64_t shared = 0;
            for (const std::int64_t v : values(m, n, step, A, B)) shared += before.contains(v);
            EXPECT_EQ(shared_elements(form_of(m, n), T, step, A, B), shared)
                << m << " " << n << " T" << T << " D" << step << " A" << A << " B" << B;
          }
        }
      }
    }
  }
}

TEST(RankForm, DropsDimsOfSizeOneAndCommonDivisors) {
  const Workload workload(
      "w", {{"p", 4}, {"r", 1}, {"q", 3}, {"s", 2}},
      {{"I", "input", 8, {{{{DimId(0), 2}, {DimId(1), 1}}}, {{{DimId(2), 2}, {DimId(3), 4}}}}},
       {"O", "output", 8, {{{{DimId(0), 1}}}}}});
  const auto& ranks = workload.tensor(TensorId(0)).ranks;
  EXPECT_TRUE(make_rank_form(workload, ranks[0], false).plain());
  EXPECT_FALSE(make_rank_form(workload, ranks[0], true).plain());
  EXPECT_EQ(make_rank_form(workload, ranks[1], false).terms[1].coefficient, 2);
  EXPECT_EQ(make_rank_form(workload, ranks[1], true).terms[1].coefficient, 4);
}

}  // namespace
}  // namespace tilewright
