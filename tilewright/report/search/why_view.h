// SPDX-License-Identifier: Apache-2.0
// Why the best mapping is no better, sorted for a reader, and the words for it: what text and page
// share.
#pragma once

#include <string>
#include <vector>

#include "tilewright/report/search/search_text.h"

namespace tilewright {

struct WhyView {
  std::vector<Gain> binding;         ///< limits that bind, or may: the dearest first
  std::vector<std::string> idle;     ///< names of those of which more gains nothing
  std::vector<std::string> untried;  ///< names of those that there was no time for
  bool proved = true;                ///< all that is said of `binding`
};

/// MapResult::why must be set.
WhyView view_why(const MapResult& mapped);

/// `GLB capacity`, `axis X of PE`, `DRAM read bandwidth`, `m = 1 at GLB (limits.yaml:3)`,
/// `latency <= 2 ms`.
std::string limit_text(const MapResult& mapped, const Limit& limit);

/// `128 KiB`, `64 bit/cycle`, `14`.
std::string limit_value_text(const Limit& limit, const Rational& value);

/// 0 for the same score, -0.021 for 2.1 % less.
double score_change(double best, double score);

/// `-2.1 %`, or what is known of it: `-2.1 % to -3.0 %`.
std::string worth_text(double best, const Relaxed& relaxed);

}  // namespace tilewright
