// SPDX-License-Identifier: Apache-2.0
// What leaves the chip: how reports call that traffic, and what they assume about it.
#pragma once

#include <string>
#include <vector>

#include "tilewright/arch/arch.h"

namespace tilewright {

/// The heading of off-chip traffic: `DRAM`, the one memory that has it, or `off-chip`.
std::string off_chip_title(const Arch& arch);

/// The memories that have it: `DRAM and WeightsDRAM`; `no memory` if there is none.
std::string off_chip_names(const Arch& arch);

/// What is taken as true because the architecture does not say: `unlimited DRAM bandwidth`. Empty
/// if every memory off the chip has its bandwidths.
std::vector<std::string> find_assumptions(const Arch& arch);

/// The first line of a report: `assuming unlimited DRAM bandwidth`; empty if nothing is assumed.
std::string assumptions_words(const Arch& arch);

}  // namespace tilewright
