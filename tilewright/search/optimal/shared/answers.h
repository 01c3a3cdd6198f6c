// SPDX-License-Identifier: Apache-2.0
// The best mappings of the optimal search so far, shared by its threads.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/search/optimal/shared/lower_bounds.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// Figures are sums of rounded products. Closer together than this share of them they count as
/// equal, and so do scores whose figures are.
constexpr double kSameFigure = 1e-12;

/// Where in the search a mapping is: in which root and, from the outside in, behind which choices.
/// Positions are ordered as one thread comes by them.
struct Position {
  struct Step {
    double key = 0;  ///< a bound: one thread takes the least first
    int label = 0;
    std::size_t cell = 0;
    auto operator<=>(const Step&) const = default;
  };
  std::int64_t root = 0;
  std::vector<Step> steps;
  auto operator<=>(const Position&) const = default;
};

struct Answer {
  double score = 0;
  double energy = 0;
  double cycles = 0;
  Position position;  ///< where it was found; of equals the earliest one is kept
  std::vector<NestNode> nest;
};

class Answers {
 public:
  /// A copy of what is needed to judge a bound, for one thread.
  struct View {
    std::uint64_t version = 0;
    std::vector<Answer> answers;  // without nests
  };

  explicit Answers(const SearchOptions& options)
      : top_(static_cast<std::size_t>(options.front ? 0 : std::max(1, options.top))),
        below_(options.front ? kNoLimit : options.below),
        gap_(options.front ? 0 : options.gap),
        same_(options.front ? kSameFigure : kSameFigure * least_exponent(options.objective)) {}

  void refresh(View& view) const;
  /// Whether something with these bounds may be among the answers if it is found here.
  bool promises(const View& view, const LowerBounds& bounds, const Position& here) const;
  /// Any score at or above this is of no interest; infinite if all are (or for a front).
  double limit(const View& view, const Position& here) const;
  /// Of a front: nothing of these cycles and this energy or more is of interest.
  double energy_limit(const View& view, double cycles, const Position& here) const;
  void offer(Answer answer);
  /// Best first.
  const std::vector<Answer>& all() const { return answers_; }
  std::optional<double> best() const;

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  bool is_front() const { return top_ == 0; }
  // No score from this on is of interest, whatever was found.
  double ceiling() const { return below_ * (1 - same_); }
  bool same(double a, double b) const;
  double bar(double value, const Position& found, const Position& here) const;

  std::size_t top_;  // 0: a front
  double below_;
  double gap_;
  double same_;  // share of scores, or of a front's energies
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> version_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace tilewright
