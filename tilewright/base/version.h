// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilewright {

/// The program's version, e.g. `0.1.0`.
std::string program_version();

/// Part of the key of a stored answer: raised whenever the answer to some problem changes.
inline constexpr int kModelVersion = 1;

}  // namespace tilewright
