// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/number_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace tilewright {
namespace {

TEST(Sizes, AreShownInFullAndInPowersOfTen) {
  const Natural million = 1'000'000;
  EXPECT_EQ(count_text(million * million), "1,000,000,000,000");
  EXPECT_EQ(power_text(Natural(0)), "0");
  EXPECT_EQ(power_text(Natural(999'999)), "999,999");
  EXPECT_EQ(power_text(million), "1.00 x 10^6");
  EXPECT_EQ(power_text(Natural(46'549'000'000'000'000)), "4.65 x 10^16");
  EXPECT_EQ(power_text(Natural(46'550'000'000'000'000)), "4.66 x 10^16");
  EXPECT_EQ(power_text(Natural(9'994'999)), "9.99 x 10^6");
  EXPECT_EQ(power_text(Natural(9'995'000)), "1.00 x 10^7");
}

TEST(CountText, SeparatesThousands) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(10'838'016), "10,838,016");
  EXPECT_EQ(count_text(-1234), "-1,234");
  EXPECT_EQ(count_text(-123), "-123");
  EXPECT_EQ(count_text(std::numeric_limits<std::int64_t>::max()), "9,223,372,036,854,775,807");
}

TEST(ShortCountText, KeepsFourDigits) {
  EXPECT_EQ(short_count_text(9'999), "9,999");
  EXPECT_EQ(short_count_text(10'000), "10.00k");
  EXPECT_EQ(short_count_text(1'354'752'000), "1.355G");
  EXPECT_EQ(short_count_text(999'960), "1.000M");
  EXPECT_EQ(short_count_text(999'940), "999.9k");
  EXPECT_EQ(short_count_text(std::numeric_limits<std::int64_t>::max()), "9.223E");
}

TEST(SignificantText, KeepsDigitsThroughRounding) {
  EXPECT_EQ(significant_text(5.4703, 4), "5.470");
  EXPECT_EQ(significant_text(9.9996, 4), "10.00");
  EXPECT_EQ(significant_text(12345.6, 4), "12,346");
  EXPECT_EQ(significant_text(0.000012345, 3), "0.0000123");
  EXPECT_EQ(significant_text(0, 3), "0");
  EXPECT_EQ(significant_text(1e-9, 3), "1.00e-09");
}

TEST(FixedText, LinesUp) {
  EXPECT_EQ(fixed_text(0.0821, 3), "0.082");
  EXPECT_EQ(fixed_text(2.37, 3), "2.370");
  EXPECT_EQ(fixed_text(0.0001, 3), "<0.001");
  EXPECT_EQ(fixed_text(0, 3), "0");
  EXPECT_EQ(fixed_text(1234.5, 1), "1,234.5");
}

TEST(SiText, ChoosesThePrefixAfterRounding) {
  EXPECT_EQ(energy_text(59.28e6), "59.28 uJ");
  EXPECT_EQ(energy_text(999.96), "1.000 nJ");
  EXPECT_EQ(energy_text(999.94), "999.9 pJ");
  EXPECT_EQ(energy_text(0), "0 J");
  EXPECT_EQ(energy_text(0.25), "250.0 fJ");
  EXPECT_EQ(si_text(0.00043, "s", 3), "430 us");
  EXPECT_EQ(si_text(5.1, "J*cycle"), "5.100 J*cycle");
  EXPECT_EQ(si_text(2e8, "Hz", 3), "200 MHz");
}

TEST(PercentText, SaysHundredOnlyForAll) {
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(percent_text(0.99999), "99.9 %");
  EXPECT_EQ(percent_text(0.75), "75.0 %");
  EXPECT_EQ(percent_text(0.0001), "<0.1 %");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(1.966), "196.6 %");
  EXPECT_EQ(percent_text(12.34), "1,234 %");
}

TEST(RatioText, KeepsThreeDigits) {
  EXPECT_EQ(ratio_text(16), "16.0x");
  EXPECT_EQ(ratio_text(1.0357), "1.04x");
  EXPECT_EQ(ratio_text(12544), "12,544x");
  EXPECT_EQ(ratio_text(0), "0x");
}

TEST(BitsText, UsesTheLargestReadableUnit) {
  EXPECT_EQ(bits_text(24), "24 bit");
  EXPECT_EQ(bits_text(64), "8 B");
  EXPECT_EQ(bits_text(128 * 1024 * 8), "128 KiB");
  EXPECT_EQ(bits_text(3 * 512 * 8), "1.5 KiB");
  EXPECT_EQ(bits_text(100), "100 bit");
}

TEST(PluralText, CountsOne) {
  EXPECT_EQ(plural_text(1, "unit"), "1 unit");
  EXPECT_EQ(plural_text(0, "unit"), "0 units");
  EXPECT_EQ(plural_text(1200, "MAC"), "1,200 MACs");
}

TEST(RationalText, IsExactForWholeNumbers) {
  EXPECT_EQ(rational_text({16, 1}), "16");
  EXPECT_EQ(rational_text({8, 3}), "2.667");
}

}  // namespace
}  // namespace tilewright
