// SPDX-License-Identifier: Apache-2.0
// How much memory this process occupies, and how much it may. Linux only; elsewhere unknown.
#pragma once

#include <cstdint>
#include <optional>

namespace tilewright {

/// Bytes that the process occupies at the moment (its resident set).
std::optional<std::uint64_t> memory_in_use();

/// Bytes that it can have: those of the machine, or of its control group if that allows less.
std::optional<std::uint64_t> memory_of_machine();

/// Returns memory that has been freed, but that the C library still keeps, to the system.
void release_freed_memory();

}  // namespace tilewright
