// SPDX-License-Identifier: Apache-2.0
// How large an accelerator is, where its file does not say so.
#pragma once

#include <string>
#include <vector>

#include "tilewright/arch/arch.h"

namespace tilewright {

/// The model (docs/sweeps.md "Area"): fits the 45 nm figures of the library's eyeriss-v4.
inline constexpr double kMacUm2 = 192;             ///< a compute unit
inline constexpr double kRegisterBitUm2 = 0.42;    ///< a bit of a small memory
inline constexpr double kSramBitUm2 = 0.2;         ///< a bit of a large memory ...
inline constexpr double kSramPortUm2 = 5200;       ///< ... and what surrounds its bits
inline constexpr double kMostRegisterBits = 2048;  ///< of a small memory

/// Of one memory: as its file says; otherwise by the model. One without a capacity has none.
double area_um2(const Memory& memory);
double area_um2(const Compute& compute);
/// Of everything on the chip, all instances.
double area_um2(const Arch& arch);
/// Names of what is on the chip and has its area from the model.
std::vector<std::string> estimated_areas(const Arch& arch);

}  // namespace tilewright
