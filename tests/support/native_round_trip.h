// SPDX-License-Identifier: Apache-2.0
// What was read from Timeloop's files, written as files of ours and read again.
#pragma once

#include <string>

#include "tilewright/io/read.h"

namespace tilewright::test {

/// What changes on the way, with the text that was written; empty if nothing does.
std::string native_difference(const Documents& documents);

}  // namespace tilewright::test
