// SPDX-License-Identifier: Apache-2.0
#include "tilewright/workload/einsum.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/random.h"

namespace tilewright {
namespace {

Einsum parse(const std::string& text) {
  EinsumFault fault;
  std::optional<Einsum> result = parse_einsum(text, fault);
  EXPECT_TRUE(result) << text << ": " << fault.message << " at " << fault.offset;
  return result ? *result : Einsum{};
}

std::vector<std::string> names_of(const std::vector<Dim>& dims) {
  std::vector<std::string> names;
  for (const Dim& dim : dims) names.push_back(dim.name);
  return names;
}

TEST(ParseEinsum, ReadsAConvolution) {
  const Einsum e = parse("O[n,m,p,q] += I[n,c,2p+r,2q+s] * W[m,c,r,s]");
  EXPECT_EQ(names_of(e.dims), (std::vector<std::string>{"n", "m", "p", "q", "c", "r", "s"}));
  ASSERT_EQ(e.tensors.size(), 3U);
  EXPECT_EQ(e.tensors[0].name, "I");
  EXPECT_EQ(e.tensors[1].name, "W");
  EXPECT_EQ(e.tensors[2].name, "O");
  const std::vector<Term> expected{{DimId(2), 2}, {DimId(5), 1}};
  EXPECT_EQ(e.tensors[0].ranks[2].terms, expected);
}

TEST(ParseEinsum, CoefficientsHaveManyForms) {
  for (const char* subscript : {"2p+r", "2*p+r", "p*2+r", " 2 p + r ", "p+r+p", "2p+r+7",
                                "7+2p-3+r", "+2p+r", "2p+r+0*p", "2p + 1*r", "p*1*2+r", "3p-p+r"}) {
    const Einsum e = parse(std::string("O[p] += I[") + subscript + "] * W[r]");
    ASSERT_EQ(e.tensors[0].ranks.size(), 1U);
    const std::vector<Term> expected{{DimId(0), 2}, {DimId(1), 1}};
    EXPECT_EQ(e.tensors[0].ranks[0].terms, expected) << subscript;
  }
}

TEST(ParseEinsum, MinusNegates) {
  const Einsum e = parse("O[p] = I[-p-2*r] * W[r]");
  const std::vector<Term> expected{{DimId(0), -1}, {DimId(1), -2}};
  EXPECT_EQ(e.tensors[0].ranks[0].terms, expected);
}

TEST(ParseEinsum, LongNamesAndScalars) {
  const Einsum e = parse("out_1[] += Vec[2*row + tap2] * Taps[tap2,row_b,0]");
  EXPECT_EQ(names_of(e.dims), (std::vector<std::string>{"row", "tap2", "row_b"}));
  EXPECT_TRUE(e.tensors[2].ranks.empty());
  EXPECT_TRUE(e.tensors[1].ranks[2].terms.empty());
}

TEST(ParseEinsum, OneInputIsEnough) { EXPECT_EQ(parse("O[m] += A[m,k]").tensors.size(), 2U); }

TEST(ParseEinsum, RolesFollowFromThePlace) {
  const Einsum e = parse("O[m] += A[m] * B[m] * C[m]");
  EXPECT_EQ(e.tensors[0].role, "input");
  EXPECT_EQ(e.tensors[1].role, "input");
  EXPECT_EQ(e.tensors[2].role, "weight");
  EXPECT_EQ(e.tensors[3].role, "output");
  EXPECT_EQ(parse("O[m] += A[m]").tensors[0].role, "input");
}

TEST(ParseEinsum, ADimThatCancelsOutMayOccurAgain) {
  const Einsum e = parse("O[p] += I[p-p,p]");
  EXPECT_TRUE(e.tensors[0].ranks[0].terms.empty());
  EXPECT_EQ(e.tensors[0].ranks[1].terms.size(), 1U);
}

TEST(ParseEinsum, FaultsHaveAPlace) {
  const std::vector<std::pair<std::string, std::size_t>> cases{
      {"", 0},
      {"O", 1},
      {"O[m", 3},
      {"O[m]", 4},
      {"O[m] +", 5},
      {"O[m] += ", 8},
      {"O[m] += A[m,k] B[k]", 15},
      {"O[m] += A[m,k] *", 16},
      {"O[m] += A[m,k] * A[k]", 17},
      {"O[m] += A[m*k]", 12},
      {"O[m] += A[m k]", 12},
      {"O[m] += A[m,]", 12},
      {"O[m] += A[(m)]", 10},
      {"O[m] += A[m,m]", 12},
      {"O[m] += A[99999999999999999999m]", 10},
      {"O[m] += A[1.5m]", 11},
      {"O[] += A[0]", 0},
      {"O[\xC2\xB5] += A[k]", 2},
  };
  for (const auto& [text, offset] : cases) {
    EinsumFault fault;
    EXPECT_FALSE(parse_einsum(text, fault)) << text;
    EXPECT_EQ(fault.offset, offset) << text << ": " << fault.message;
    EXPECT_FALSE(fault.message.empty());
  }
}

TEST(ParseEinsum, HasLimits) {
  std::string dims = "d0";
  for (int i = 1; i < 17; ++i) dims += ",d" + std::to_string(i);
  EinsumFault fault;
  EXPECT_FALSE(parse_einsum("O[" + dims + "] += A[d0]", fault));
  EXPECT_EQ(fault.message, "more than 16 dims");
  std::string tensors = "A0[m]";
  for (int i = 1; i < 8; ++i) tensors += " * A" + std::to_string(i) + "[m]";
  EXPECT_FALSE(parse_einsum("O[m] += " + tensors, fault));
  EXPECT_EQ(fault.message, "more than 8 tensors");
}

TEST(ParseEinsum, NoTextBreaksIt) {
  Random random(3);
  const std::string alphabet = "OIW[],+=*-2 np\xC2(";
  for (int i = 0; i < 20'000; ++i) {
    std::string text = i % 2 == 0 ? "" : "O[n,p] += I[n,2p+r] * W[r]";
    for (int edit = 0; edit < 8; ++edit) {
      const auto at =
          static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size())));
      const auto pick = static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(alphabet.size()) - 1));
      text.insert(at, 1, alphabet[pick]);
    }
    EinsumFault fault;
    if (parse_einsum(text, fault)) continue;
    EXPECT_LE(fault.offset, text.size());
  }
}

}  // namespace
}  // namespace tilewright
