// SPDX-License-Identifier: Apache-2.0
#include "tests/timeloop/feature.h"

#include <algorithm>

#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/write.h"

namespace tilewright::test {

std::string conv_problem() {
  return R"(problem:
  version: 0.4
  shape:
    name: conv1d
    dimensions: [P, R, C, K]
    coefficients: [{name: stride, default: 1}]
    data_spaces:
    - {name: Weights, projection: [[[C]], [[K]], [[R]]]}
    - {name: Inputs, projection: [[[C]], [[P, stride], [R]]]}
    - {name: Outputs, projection: [[[K]], [[P]]], read_write: True}
  instance: {P: 16, R: 3, C: 4, K: 8}
)";
}

std::string small_arch(const std::string& more) {
  return R"(architecture:
  version: 0.4
  nodes:
  - !Container {name: system}
  - !Component {name: DRAM, class: DRAM, attributes: {width: 64, datawidth: 16}}
  - !Component
    name: GLB
    class: SRAM
    attributes: {depth: 1024, width: 64, datawidth: 16}
)" + more +
         R"(  - !Container {name: PE, spatial: {meshX: 4, meshY: 2}}
  - !Component {name: RF, class: regfile, attributes: {depth: 64, width: 16, datawidth: 16}}
  - !Component {name: mac, class: intmac}
)";
}

std::string FeatureResult::nest() const {
  if (!reading.documents.mapping) return "no mapping";
  std::string joined;
  const std::string text = write_nest(problem(), *reading.documents.mapping);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find('#'));
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    line = line.substr(first, line.find_last_not_of(' ') - first + 1);
    joined += (joined.empty() ? "" : "; ") + line;
  }
  return joined;
}

std::string FeatureResult::constraints() const {
  std::string joined;
  for (const Constraint& one : reading.documents.constraints) {
    joined += (joined.empty() ? "" : "; ") + constraint_text(problem(), one);
  }
  return joined;
}

bool FeatureResult::has(const std::string& code) const {
  for (const Diagnostic& one : diagnostics.all()) {
    if (one.code == code) return true;
  }
  return false;
}

}  // namespace tilewright::test
