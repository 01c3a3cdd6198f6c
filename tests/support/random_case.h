// SPDX-License-Identifier: Apache-2.0
// Random small problems with random legal nests, for properties that must hold on all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright::testing {

struct RandomCase {
  Problem problem;
  Mapping mapping;
  std::vector<std::string> features;  ///< what this case exercises, for printing the mix
};

/// `workload` with unfinished sums of its output that are `more` bits wider than results.
Workload with_wider_sums(const Workload& workload, std::int64_t more);

/// What a stream of cases is about.
enum class Mix {
  kAny,
  kWiderSums,  ///< unfinished sums are wider than results, in every case
};

/// The case number `index` of the stream `seed`; always the same one. Its nest has no structural
/// violation and stays within the axes; tiles need not fit.
RandomCase make_case(std::uint64_t seed, std::uint64_t index, Mix mix = Mix::kAny);

}  // namespace tilewright::testing
