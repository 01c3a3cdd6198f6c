// SPDX-License-Identifier: Apache-2.0
// What figures are taken at all (docs/formats.md, "Limits"): beyond lies nothing that is built, and
// scores would soon be no numbers any more.
#pragma once

#include <string_view>

#include "tilewright/io/yaml/fault.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {

/// True if `value`, in the base unit of a file's quantity, is in its range or 0, which is for the
/// caller to judge; else says why `text` is not taken.
bool in_range(std::string_view text, double value, Quantity quantity, TextFault& fault);

/// The least figure in the range of a quantity that is not 0.
double least_figure(Quantity quantity);

}  // namespace tilewright
