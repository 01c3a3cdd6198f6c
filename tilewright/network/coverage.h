// SPDX-License-Identifier: Apache-2.0
// How much of a model became layers of a network, and what happened to the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// What became of an operator. The first three are kinds of layers (LayerKind).
enum class Treatment {
  kMapped,   ///< arithmetic and data are counted
  kTraffic,  ///< data is counted, arithmetic estimated
  kNothing,  ///< data stays where it is, or is known before the model runs
  kIgnored,  ///< has a cost that nobody counts
};

/// One operator of the model, all its nodes together.
struct CoverageRow {
  std::string op;
  Treatment treatment = Treatment::kMapped;
  std::int64_t nodes = 0;
  /// Multiply-accumulates if mapped; else an estimate, for what is ignored from below.
  std::int64_t operations = 0;
  std::int64_t bits = 0;  ///< of what is read and written, each tensor once a node
  bool operator==(const CoverageRow&) const = default;
};

struct Coverage {
  std::vector<CoverageRow> rows;  ///< by treatment, then by name; each pair once

  /// Adds to the row of `row.op` and `row.treatment`. Throws OverflowError.
  void add(const CoverageRow& row);
  /// Sums over one treatment, without a name. Throws OverflowError.
  CoverageRow total(Treatment treatment) const;
  /// Sums over all of them.
  CoverageRow total() const;
  bool operator==(const Coverage&) const = default;
};

/// "mapped", "traffic", "nothing", "ignored".
const char* treatment_name(Treatment treatment);

}  // namespace tilewright
