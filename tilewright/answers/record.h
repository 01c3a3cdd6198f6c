// SPDX-License-Identifier: Apache-2.0
// What made a result, as its file holds it (io/result.h).
#pragma once

#include <string>
#include <vector>

#include "tilewright/io/result.h"
#include "tilewright/mapping/conventions.h"

namespace tilewright {

/// What a run has read, and what it has changed of its architecture (`--with`).
struct RunInputs {
  std::vector<std::shared_ptr<const SourceFile>> files;
  std::vector<std::string> with = {};
};

/// The command, what it has read, and how it counts; its other options are for the caller to add.
RunRecord make_record(const std::string& command, const RunInputs& inputs,
                      const Conventions& conventions);

/// The conventions of a run.
Conventions conventions_of(const RunRecord& run);

}  // namespace tilewright
