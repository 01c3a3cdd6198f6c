// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/error.h"

namespace tilewright::internal {

void fail_check(const char* file, int line, const char* condition, const std::string& meaning) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + meaning +
                      " (check failed: " + condition + ")");
}

}  // namespace tilewright::internal
