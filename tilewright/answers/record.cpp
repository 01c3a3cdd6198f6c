// SPDX-License-Identifier: Apache-2.0
#include "tilewright/answers/record.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr const char* kHoles = "holes-are-data";
constexpr const char* kDrains = "drains-are-reads";

}  // namespace

RunRecord make_record(const std::string& command, const RunInputs& inputs,
                      const Conventions& conventions) {
  RunRecord run;
  run.command = command;
  run.inputs = inputs.files;
  // Their order has no meaning.
  std::ranges::stable_sort(run.inputs, {}, [](const auto& input) { return input->name; });
  if (!inputs.with.empty()) run.options["with"] = inputs.with;
  if (conventions.holes_are_data) run.options[kHoles] = true;
  if (conventions.drains_are_reads) run.options[kDrains] = true;
  return run;
}

Conventions conventions_of(const RunRecord& run) {
  Conventions conventions;
  conventions.holes_are_data = run.options.contains(kHoles);
  conventions.drains_are_reads = run.options.contains(kDrains);
  return conventions;
}

}  // namespace tilewright
