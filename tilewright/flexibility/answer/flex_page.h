// SPDX-License-Identifier: Apache-2.0
// How flexible an accelerator is on a network, and what that is worth, as a page with pictures.
#pragma once

#include <string>

#include "tilewright/flexibility/answer/answer.h"

namespace tilewright {

std::string flex_page(const FlexAnswer& answer, const std::string& version);

}  // namespace tilewright
