// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/keeps.h"

#include <bit>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

bool is_within(TensorSet part, TensorSet whole) { return (part & ~whole) == 0; }

// 0 if what is required is not allowed.
std::uint64_t count_choices(const KeepRule& rule) {
  if (!is_within(rule.required, rule.allowed)) return 0;
  return std::uint64_t{1} << std::popcount(rule.allowed & ~rule.required);
}

// The tensors of `from` that the bits of `number` pick, lowest first; and back.
TensorSet pick(TensorSet from, std::uint64_t number) {
  TensorSet picked = 0;
  for (; from != 0; from &= from - 1, number >>= 1) {
    if ((number & 1U) != 0) picked |= from & -from;
  }
  return picked;
}

std::uint64_t number_of(TensorSet from, TensorSet picked) {
  std::uint64_t number = 0;
  for (int bit = 0; from != 0; from &= from - 1, ++bit) {
    if ((picked & from & -from) != 0) number |= std::uint64_t{1} << bit;
  }
  return number;
}

}  // namespace

KeepChoices::KeepChoices(const Rules& rules) : rules_(rules.keeps) {}

Natural KeepChoices::size() const {
  Natural size = 1;
  for (const KeepRule& rule : rules_) size *= count_choices(rule);
  return size;
}

Keeps KeepChoices::unrank(Natural rank) const {
  TW_CHECK(rank < size(), "a choice has a number below the size");
  Keeps keeps(rules_.size());
  for (std::size_t m = rules_.size(); m-- > 0;) {
    const KeepRule& rule = rules_[m];
    const Natural::Division digit = rank.divide(count_choices(rule));
    keeps[m] = rule.required | pick(rule.allowed & ~rule.required, digit.remainder.to_uint64());
    rank = digit.quotient;
  }
  return keeps;
}

std::vector<TensorSet> KeepChoices::of(std::size_t memory) const {
  const KeepRule& rule = rules_[memory];
  std::vector<TensorSet> result;
  for (std::uint64_t number = 0; number < count_choices(rule); ++number) {
    result.push_back(rule.required | pick(rule.allowed & ~rule.required, number));
  }
  return result;
}

std::optional<Natural> KeepChoices::rank(const Keeps& keeps) const {
  if (keeps.size() != rules_.size()) return std::nullopt;
  Natural rank;
  for (std::size_t m = 0; m < rules_.size(); ++m) {
    const KeepRule& rule = rules_[m];
    if (!is_within(rule.required, keeps[m]) || !is_within(keeps[m], rule.allowed)) {
      return std::nullopt;
    }
    rank *= count_choices(rule);
    rank += number_of(rule.allowed & ~rule.required, keeps[m]);
  }
  return rank;
}

}  // namespace tilewright
