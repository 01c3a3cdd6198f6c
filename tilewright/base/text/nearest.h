// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the candidate closest to what somebody typed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// Damerau-Levenshtein distance (restricted): insert, delete, replace, swap neighbours; case counts
/// half.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate with the least distance, if it is close enough to be meant; ties go to the first.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace tilewright
