// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/constraints/maximize.h"

#include <algorithm>

#include "tilewright/base/checked.h"

namespace tilewright::timeloop {
namespace {

// The divisors of `size` up to `most`, largest first. Trial division is enough for sizes of dims.
std::vector<std::int64_t> divisors_up_to(std::int64_t size, std::int64_t most) {
  constexpr std::int64_t kMostTried = 1'000'000;
  std::vector<std::int64_t> result;
  for (std::int64_t d = 1; d <= std::min({size, most, kMostTried}); ++d) {
    if (size % d == 0) result.push_back(d);
  }
  std::ranges::reverse(result);
  return result;
}

class Maximizer {
 public:
  explicit Maximizer(const std::vector<std::int64_t>& sizes)
      : sizes_(sizes), factors_(sizes.size(), 1), best_(sizes.size(), 1) {}

  std::vector<std::int64_t> run(std::int64_t capacity) {
    choose(0, capacity, 1);
    return best_;
  }

 private:
  // Tries all divisors for the sizes from `i` on; `used` is what those before it use.
  void choose(std::size_t i, std::int64_t capacity, std::int64_t used) {
    constexpr int kMostSteps = 200'000;
    if (++steps_ > kMostSteps) return;
    if (i == sizes_.size()) {
      keep(static_cast<double>(used));
      leave_remainder(capacity, used);
      return;
    }
    for (const std::int64_t factor : divisors_up_to(sizes_[i], capacity)) {
      factors_[i] = factor;
      choose(i + 1, capacity / factor, used * factor);
    }
    factors_[i] = 1;
  }

  // What divisors leave may still be spread over the places left, with a smaller last part.
  void leave_remainder(std::int64_t capacity, std::int64_t used) {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const std::int64_t left = sizes_[i] / factors_[i];
      if (capacity < 2 || left <= capacity) continue;
      const std::int64_t rounds = ceil_div(left, capacity);
      const std::int64_t part = ceil_div(left, rounds);
      const double average =
          static_cast<double>(used) * static_cast<double>(left) / static_cast<double>(rounds);
      const std::int64_t before = factors_[i];
      factors_[i] = before * part;
      keep(average);
      factors_[i] = before;
    }
  }

  void keep(double value) {
    if (value <= best_value_) return;
    best_value_ = value;
    best_ = factors_;
  }

  const std::vector<std::int64_t>& sizes_;
  std::vector<std::int64_t> factors_;
  std::vector<std::int64_t> best_;
  double best_value_ = 0;
  int steps_ = 0;
};

}  // namespace

std::vector<std::int64_t> maximize_factors(const std::vector<std::int64_t>& sizes,
                                           std::int64_t capacity) {
  if (capacity < 1) return std::vector<std::int64_t>(sizes.size(), 1);
  return Maximizer(sizes).run(capacity);
}

}  // namespace tilewright::timeloop
