// SPDX-License-Identifier: Apache-2.0
// JSON as we write it: readable, in UTF-8, and nothing in it that a terminal obeys.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilewright {

/// `root` indented by two, with an end of line; `indent` below 0: all on one line, without one.
/// Controls and direction marks inside texts are escapes (`\u202e`), so that nothing is lost.
std::string json_text(const nlohmann::ordered_json& root, int indent = 2);

}  // namespace tilewright
