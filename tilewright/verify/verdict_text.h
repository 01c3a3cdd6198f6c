// SPDX-License-Identifier: Apache-2.0
// A verdict as the user reads it: what was proved, among which mappings, and how that was checked.
#pragma once

#include <string>

#include "tilewright/verify/verify.h"

namespace tilewright::verify {

/// Several lines about the proof called `name`, or one if it is refused.
std::string verdict_text(const std::string& name, const Verdict& verdict);

}  // namespace tilewright::verify
