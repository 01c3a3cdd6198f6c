// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/natural.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

Natural::Natural(std::span<const std::uint64_t> limbs) { add_product(limbs, 1); }

void Natural::trim() {
  while (used_ > 0 && limbs_[static_cast<std::size_t>(used_ - 1)] == 0) --used_;
}

Natural& Natural::operator+=(const Natural& other) {
  const int length = std::max(used_, other.used_);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
    const Wide sum = Wide{limbs_[i]} + other.limbs_[i] + carry;
    limbs_[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  used_ = length;
  if (carry != 0) {
    if (used_ == kLimbs) internal::fail_overflow();
    limbs_[static_cast<std::size_t>(used_++)] = carry;
  }
  return *this;
}

Natural& Natural::operator-=(const Natural& other) {
  TW_CHECK(other <= *this, "a natural number has nothing below 0");
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(used_); ++i) {
    const Wide take = Wide{other.limbs_[i]} + borrow;
    borrow = limbs_[i] < take ? 1 : 0;
    limbs_[i] = static_cast<std::uint64_t>(limbs_[i] - take);
  }
  trim();
  return *this;
}

void Natural::add_product(const Natural& a, const Natural& b) {
  if (a.used_ == 0 || b.used_ == 0) return;
  // The product has at least this many limbs, so more than kLimbs is an overflow for sure.
  if (a.used_ + b.used_ - 1 > kLimbs) internal::fail_overflow();
  const Natural left = a;  // either may be *this
  const Natural right = b;
  for (int i = 0; i < left.used_; ++i) {
    if (left.limbs_[static_cast<std::size_t>(i)] == 0) continue;
    std::uint64_t carry = 0;
    int at = i;
    for (int j = 0; j < right.used_ || carry != 0; ++j, ++at) {
      const Wide product = j < right.used_ ? Wide{left.limbs_[static_cast<std::size_t>(i)]} *
                                                 right.limbs_[static_cast<std::size_t>(j)]
                                           : Wide{0};
      // What is left ends on a limb that is not 0, or is a carry.
      if (at == kLimbs) internal::fail_overflow();
      const Wide sum = product + limbs_[static_cast<std::size_t>(at)] + carry;
      limbs_[static_cast<std::size_t>(at)] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    used_ = std::max(used_, at);
  }
  trim();
}

void Natural::add_product(std::span<const std::uint64_t> a, std::uint64_t b) {
  while (!a.empty() && a.back() == 0) a = a.first(a.size() - 1);
  if (a.size() > kLimbs) internal::fail_overflow();
  std::uint64_t carry = 0;
  std::size_t at = 0;
  for (; at < a.size(); ++at) {
    const Wide sum = Wide{a[at]} * b + limbs_[at] + carry;
    limbs_[at] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  for (; carry != 0; ++at) {
    if (at == kLimbs) internal::fail_overflow();
    const Wide sum = Wide{limbs_[at]} + carry;
    limbs_[at] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  used_ = std::max(used_, static_cast<int>(at));
  trim();
}

Natural& Natural::operator*=(const Natural& other) {
  Natural product;
  product.add_product(*this, other);
  return *this = product;
}

int Natural::bits() const {
  if (used_ == 0) return 0;
  return 64 * used_ - std::countl_zero(limbs_[static_cast<std::size_t>(used_ - 1)]);
}

// Bit by bit: it is called to show numbers and to unrank, never in a loop that counts.
Natural::Division Natural::divide(const Natural& divisor) const {
  TW_CHECK(!divisor.is_zero(), "division by 0");
  if (divisor.used_ == 1) {
    Natural quotient;
    std::uint64_t rest = 0;
    for (std::size_t i = static_cast<std::size_t>(used_); i-- > 0;) {
      const Wide part = (Wide{rest} << 64) | limbs_[i];
      quotient.limbs_[i] = static_cast<std::uint64_t>(part / divisor.limbs_[0]);
      rest = static_cast<std::uint64_t>(part % divisor.limbs_[0]);
    }
    quotient.used_ = used_;
    quotient.trim();
    return {quotient, Natural(rest)};
  }
  Division result;
  for (int bit = bits(); bit-- > 0;) {
    result.remainder += Natural(result.remainder);
    const std::size_t limb = static_cast<std::size_t>(bit / 64);
    if ((limbs_[limb] >> (bit % 64) & 1U) != 0) result.remainder += 1;
    if (divisor > result.remainder) continue;
    result.remainder -= divisor;
    result.quotient.limbs_[limb] |= std::uint64_t{1} << (bit % 64);
    result.quotient.used_ = std::max(result.quotient.used_, bit / 64 + 1);
  }
  return result;
}

double Natural::to_double() const {
  double value = 0;
  for (std::size_t i = static_cast<std::size_t>(used_); i-- > 0;) {
    value = std::ldexp(value, 64) + static_cast<double>(limbs_[i]);
  }
  return value;
}

std::uint64_t Natural::to_uint64() const {
  if (used_ > 1) internal::fail_overflow();
  return limbs_[0];
}

std::string Natural::to_string() const {
  if (used_ == 0) return "0";
  constexpr std::uint64_t kChunk = 1'000'000'000'000'000'000;  // 10^18
  std::string reversed;
  Natural rest = *this;
  while (!rest.is_zero()) {
    const Division division = rest.divide(kChunk);
    std::uint64_t chunk = division.remainder.to_uint64();
    rest = division.quotient;
    for (int i = 0; i < 18 && (chunk != 0 || !rest.is_zero()); ++i, chunk /= 10) {
      reversed.push_back(static_cast<char>('0' + chunk % 10));
    }
  }
  return {reversed.rbegin(), reversed.rend()};
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
  if (a.used_ != b.used_) return a.used_ <=> b.used_;
  for (std::size_t i = static_cast<std::size_t>(a.used_); i-- > 0;) {
    if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] <=> b.limbs_[i];
  }
  return std::strong_ordering::equal;
}

Natural factorial(int k) {
  Natural result = 1;
  for (int i = 2; i <= k; ++i) result *= static_cast<std::uint64_t>(i);
  return result;
}

Natural binomial(int n, int k) {
  if (k < 0 || k > n) return 0;
  Natural result = 1;
  for (int i = 1; i <= k; ++i) {
    result *= static_cast<std::uint64_t>(n - k + i);
    result = result.divide(static_cast<std::uint64_t>(i)).quotient;
  }
  return result;
}

Natural random_below(const Natural& bound, Random& random) {
  TW_CHECK(!bound.is_zero(), "there is nothing below 0 to draw");
  const int bits = bound.bits();
  while (true) {  // on average at most twice
    Natural drawn;
    for (int left = bits; left > 0; left -= 32) {
      const int take = std::min(left, 32);
      const std::uint64_t part = random.next() >> (64 - take);
      drawn *= std::uint64_t{1} << take;
      drawn += part;
    }
    if (drawn < bound) return drawn;
  }
}

}  // namespace tilewright
