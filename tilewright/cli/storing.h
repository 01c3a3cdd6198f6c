// SPDX-License-Identifier: Apache-2.0
// What commands about stores share.
#pragma once

#include <functional>

#include "tilewright/cli/session.h"

namespace tilewright {

/// Calls `work`. If a store or the plan in it is not as it must be, says so and sets the exit code.
void report_store_errors(Session& session, const std::function<void()>& work);

}  // namespace tilewright
