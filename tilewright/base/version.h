// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilewright {

/// The program's version, e.g. `0.1.0`.
std::string program_version();

}  // namespace tilewright
