// SPDX-License-Identifier: Apache-2.0
// What became of a model: shares of arithmetic and bytes, operators, layers.
#pragma once

#include <string>

#include "tilewright/format/layout.h"
#include "tilewright/network/coverage.h"
#include "tilewright/network/network.h"

namespace tilewright {

std::string coverage_text(const Network& network, const Coverage& coverage,
                          const TextOptions& options);

std::string coverage_json(const Network& network, const Coverage& coverage,
                          const std::string& version);

}  // namespace tilewright
