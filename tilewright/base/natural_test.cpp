// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/natural.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

__extension__ using Wide = unsigned __int128;

Natural from_wide(Wide value) {
  Natural high = static_cast<std::uint64_t>(value >> 64);
  high *= Natural(std::uint64_t{1} << 32) * Natural(std::uint64_t{1} << 32);
  return high + Natural(static_cast<std::uint64_t>(value));
}

Wide random_wide(Random& random, int bits) {
  const Wide value = (Wide{random.next()} << 64) | random.next();
  return bits == 0 ? Wide{0} : value >> (128 - bits);
}

TEST(Natural, AgreesWith128Bits) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const Wide a = random_wide(random, static_cast<int>(random.between(0, 127)));
    const Wide b = random_wide(random, static_cast<int>(random.between(0, 127)));
    EXPECT_EQ(from_wide(a) + from_wide(b), from_wide(a + b));
    EXPECT_EQ(from_wide(a > b ? a : b) - from_wide(a > b ? b : a),
              from_wide(a > b ? a - b : b - a));
    EXPECT_EQ(from_wide(a) < from_wide(b), a < b);
    const Wide c = a >> 64;
    const Wide d = b >> 65;
    EXPECT_EQ(from_wide(c) * from_wide(d), from_wide(c * d));
    Natural sum = from_wide(d);
    sum.add_product(from_wide(c), static_cast<std::uint64_t>(d));
    EXPECT_EQ(sum, from_wide(d) + from_wide(c) * from_wide(static_cast<std::uint64_t>(d)));
    if (b == 0) continue;
    const Natural::Division division = from_wide(a).divide(from_wide(b));
    EXPECT_EQ(division.quotient, from_wide(a / b));
    EXPECT_EQ(division.remainder, from_wide(a % b));
  }
}

TEST(Natural, LargeProductsDivideBack) {
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    Natural product = 1;
    for (int k = 0; k < 6; ++k) product *= random.next() | 1U;
    const Natural divisor = from_wide(random_wide(random, 127) | 1U);
    const Natural::Division division = product.divide(divisor);
    EXPECT_LT(division.remainder, divisor);
    EXPECT_EQ(division.quotient * divisor + division.remainder, product);
  }
}

TEST(Natural, WritesDecimals) {
  EXPECT_EQ(Natural().to_string(), "0");
  EXPECT_EQ(Natural(1'000'000'000'000'000'000).to_string(), "1000000000000000000");
  EXPECT_EQ(factorial(30).to_string(), "265252859812191058636308480000000");
  EXPECT_EQ(binomial(100, 50).to_string(), "100891344545564193334812497256");
  EXPECT_NEAR(factorial(30).to_double(), 2.6525285981219107e32, 1e17);
  EXPECT_EQ(binomial(3, 5), Natural(0));
}

TEST(Natural, OverflowIsAnError) {
  Natural big = 1;
  for (int i = 0; i < 7; ++i) big *= ~std::uint64_t{0};
  EXPECT_NO_THROW(big * Natural(~std::uint64_t{0}));
  const Natural full = big * Natural(~std::uint64_t{0});
  EXPECT_THROW(full * Natural(2), OverflowError);
  EXPECT_THROW(full * full, OverflowError);
  EXPECT_THROW(Natural(1) - Natural(2), InternalError);
  EXPECT_THROW(big.to_uint64(), OverflowError);
  Natural sum = full;
  EXPECT_THROW(for (int i = 0; i < 600; ++i) sum += Natural(sum), OverflowError);
}

TEST(Natural, RandomBelowReachesEverythingAlike) {
  Random random(3);
  std::array<int, 5> seen{};
  for (int i = 0; i < 5000; ++i) ++seen[random_below(5, random).to_uint64()];
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
  const Natural bound = factorial(40);
  for (int i = 0; i < 100; ++i) EXPECT_LT(random_below(bound, random), bound);
}

}  // namespace
}  // namespace tilewright
