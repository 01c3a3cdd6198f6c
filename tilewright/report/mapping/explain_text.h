// SPDX-License-Identifier: Apache-2.0
// What `tilewright explain` prints for one figure.
#pragma once

#include <string>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/result/evaluated.h"

namespace tilewright {

/// Lines without ends; none, with a finding, if there is no figure of that path.
std::vector<std::string> explain_lines(const Evaluated& evaluated, const std::string& path,
                                       const TextOptions& options, Diagnostics& diagnostics);

}  // namespace tilewright
