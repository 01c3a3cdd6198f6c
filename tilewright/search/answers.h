// SPDX-License-Identifier: Apache-2.0
// The best mappings of the optimal search so far, shared by its threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// Scores are sums of rounded products. Closer together than this they count as equal.
constexpr double kSameScore = 1e-12;

struct Answer {
  double score = 0;
  double energy = 0;
  double cycles = 0;
  std::int64_t root = 0;  ///< where it was found; of equals the earliest one is kept
  std::vector<NestNode> nest;
};

/// Lower bounds of what is about to be looked at.
struct Least {
  double score = 0;
  double energy = 0;
  double cycles = 0;
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
        gap_(options.front ? 0 : options.gap) {}

  void refresh(View& view) const;
  /// Whether something with these bounds may be among the answers.
  bool promises(const View& view, const Least& least, std::int64_t root) const;
  /// Any score at or above this is of no interest; infinite if all are (or for a front).
  double limit(const View& view, std::int64_t root) const;
  /// Of a front: nothing of these cycles and this energy or more is of interest.
  double energy_limit(const View& view, double cycles, std::int64_t root) const;
  void offer(Answer answer);
  /// Best first.
  const std::vector<Answer>& all() const { return answers_; }
  std::optional<double> best() const;

 private:
  bool is_front() const { return top_ == 0; }

  std::size_t top_;  // 0: a front
  double gap_;
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> version_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace tilewright
