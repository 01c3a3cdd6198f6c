// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/version.h"

namespace tilewright {

std::string program_version() { return TILEWRIGHT_VERSION; }

}  // namespace tilewright
