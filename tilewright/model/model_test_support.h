// SPDX-License-Identifier: Apache-2.0
// What the tests of the model share with those of tests/cost, and the model's answer.
#pragma once

#include <utility>
#include <vector>

#include "tests/support/hand_case.h"
#include "tilewright/model/evaluate.h"

namespace tilewright::hand_case {

inline Evaluation run(const Problem& problem, std::vector<NestNode> nodes,
                      Conventions conventions = {}) {
  return evaluate(problem.with(conventions), Mapping(std::move(nodes)));
}

}  // namespace tilewright::hand_case
