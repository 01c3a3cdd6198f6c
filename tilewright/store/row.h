// SPDX-License-Identifier: Apache-2.0
// One answer in a store.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/sha256.h"

namespace tilewright {

/// The status of a problem that could not be answered: it crashed, ran out of memory or hung.
inline constexpr std::string_view kFailedStatus = "failed";

/// What is known about the problem of a key.
struct Row {
  Digest key = {};
  std::string status;  ///< status_name(), or kFailedStatus
  std::optional<double> score;
  std::optional<double> energy_pj;
  std::optional<std::int64_t> cycles;
  std::optional<double> bound;  ///< no mapping scores less
  std::uint64_t nodes = 0;      ///< of the search
  std::string body;             ///< the mapping as text; kFailedStatus: what happened
  double seconds = 0;           ///< CPU time; differs from run to run

  /// True if both say the same about the same problem; times aside.
  bool same_answer(const Row& other) const;
};

/// Rows as bytes, and back. Throws InputError if the bytes are no rows.
std::string rows_to_bytes(std::span<const Row> rows);
std::vector<Row> rows_from_bytes(std::string_view bytes);

}  // namespace tilewright
