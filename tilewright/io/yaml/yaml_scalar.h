// SPDX-License-Identifier: Apache-2.0
// Text as YAML, for the writers.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// `text` as a YAML scalar on one line: plain if it is words, else in double quotes.
std::string yaml_scalar(std::string_view text);

}  // namespace tilewright
