// SPDX-License-Identifier: Apache-2.0
// Who computes what a mapping costs: the model by closed forms, the walker step by step. They share
// no code, and every case of this folder holds for both.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tilewright/mapping/violation.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/walker/walk.h"

namespace tilewright::hand_case {

struct Engine {
  const char* name;
  Evaluation (*run)(const Problem& problem, const Mapping& mapping);
};

inline Evaluation walk_all(const Problem& problem, const Mapping& mapping) {
  const std::optional<Evaluation> result = walk(problem, mapping);
  EXPECT_TRUE(result.has_value());
  return result.value_or(Evaluation());
}

class EngineTest : public ::testing::TestWithParam<Engine> {
 protected:
  static Evaluation run(const Problem& problem, std::vector<NestNode> nodes,
                        Conventions conventions = {}) {
    const Mapping mapping(std::move(nodes));
    for (const Violation& violation : find_violations(problem, mapping)) {
      EXPECT_FALSE(is_structural(violation.kind)) << static_cast<int>(violation.kind);
    }
    return GetParam().run(problem.with(conventions), mapping);
  }
};

inline auto both_engines() {
  return ::testing::Values(Engine{"Model", evaluate}, Engine{"Walker", walk_all});
}

inline std::string engine_name(const ::testing::TestParamInfo<Engine>& engine) {
  return engine.param.name;
}

}  // namespace tilewright::hand_case
