// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/keeps.h"

#include <gtest/gtest.h>

#include <set>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

Rules rules_of(std::vector<KeepRule> keeps) {
  Rules rules;
  rules.keeps = std::move(keeps);
  return rules;
}

const NodeId kDram(0), kGlb(1), kReg(3);

TEST(KeepChoices, AreTheSubsetsBetweenRequiredAndAllowed) {
  const KeepChoices choices(
      rules_of({{kDram, 0b111, 0b111}, {kGlb, 0b010, 0b111}, {kReg, 0, 0b101}}));
  EXPECT_EQ(choices.size(), Natural(16));
  std::set<Keeps> seen;
  for (std::uint64_t i = 0; i < 16; ++i) {
    const Keeps keeps = choices.unrank(i);
    ASSERT_EQ(keeps.size(), 3U);
    EXPECT_EQ(keeps[0], 0b111U);
    EXPECT_EQ(keeps[1] & 0b010U, 0b010U);
    EXPECT_EQ(keeps[2] & 0b010U, 0U);
    EXPECT_EQ(choices.rank(keeps), Natural(i));
    seen.insert(keeps);
  }
  EXPECT_EQ(seen.size(), 16U);
  EXPECT_EQ(choices.unrank(0), (Keeps{0b111, 0b010, 0}));
  EXPECT_EQ(choices.unrank(15), (Keeps{0b111, 0b111, 0b101}));
  EXPECT_THROW(choices.unrank(16), InternalError);
}

TEST(KeepChoices, KnowWhatIsNotOneOfThem) {
  const KeepChoices choices(rules_of({{kDram, 0b11, 0b11}, {kGlb, 0b01, 0b01}}));
  EXPECT_EQ(choices.size(), Natural(1));
  EXPECT_EQ(choices.rank({0b11, 0b01}), Natural(0));
  EXPECT_EQ(choices.rank({0b11, 0b11}), std::nullopt);  // not allowed
  EXPECT_EQ(choices.rank({0b11, 0b00}), std::nullopt);  // required
  EXPECT_EQ(choices.rank({0b11}), std::nullopt);        // a memory is missing
}

TEST(KeepChoices, AreNoneIfARequiredTensorIsNotAllowed) {
  const KeepChoices choices(rules_of({{kDram, 0b11, 0b11}, {kGlb, 0b10, 0b01}}));
  EXPECT_EQ(choices.size(), Natural(0));
  EXPECT_EQ(choices.rank({0b11, 0b10}), std::nullopt);
  EXPECT_EQ(choices.rank({0b11, 0b11}), std::nullopt);
}

// 20 memories with 7 tensors each: 140 bits.
TEST(KeepChoices, AreCountedBeyond64Bits) {
  std::vector<KeepRule> rules;
  for (int m = 0; m < 20; ++m) rules.push_back({NodeId(m), 0, 0b1111111});
  const KeepChoices choices(rules_of(rules));
  EXPECT_EQ(choices.size().to_string(), "1393796574908163946345982392040522594123776");
  const Keeps all(20, 0b1111111);
  EXPECT_EQ(choices.rank(all), choices.size() - 1);
  EXPECT_EQ(choices.unrank(choices.size() - 1), all);
}

}  // namespace
}  // namespace tilewright
