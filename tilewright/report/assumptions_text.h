// SPDX-License-Identifier: Apache-2.0
// What is taken as true because the architecture does not say, for the head of a report.
#pragma once

#include <string>

#include "tilewright/arch/arch.h"
#include "tilewright/format/layout.h"

namespace tilewright {

/// `assuming unlimited DRAM bandwidth`; empty if nothing is assumed.
std::string assumptions_text(const Arch& arch, const TextOptions& options);

}  // namespace tilewright
