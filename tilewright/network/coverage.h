// SPDX-License-Identifier: Apache-2.0
// How much of a model became layers of a network, and what happened to the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// What became of an operator. All but the second and the last are kinds of layers (LayerKind).
enum class Treatment {
  kMapped,   ///< arithmetic and data are counted
  kFused,    ///< runs as part of another: only operands that it still reads are counted
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

/// How an operator became part of another one.
enum class FusedHow {
  kFolded,  ///< multiplied into its weights before the model runs
  kOut,     ///< applied to each element before it is written
  kIn,      ///< applied to each element as it is read
};

/// One operator of the model that has no layer of its own.
struct FusedNode {
  std::string name;
  std::string op;
  FusedHow how = FusedHow::kOut;
  std::int64_t bits = 0;  ///< of operands and parameters that it still reads
  bool operator==(const FusedNode&) const = default;
};

/// A layer and what runs as part of it, in the order in which it runs.
struct Fusion {
  std::string layer;
  std::string op;
  std::vector<FusedNode> nodes;
  bool operator==(const Fusion&) const = default;
};

struct Coverage {
  std::vector<CoverageRow> rows;  ///< by treatment, then by name; each pair once
  std::vector<Fusion> fusions;    ///< in the order of the layers; each of them once

  /// Adds to the row of `row.op` and `row.treatment`. Throws OverflowError.
  void add(const CoverageRow& row);
  /// Sums over one treatment, without a name. Throws OverflowError.
  CoverageRow total(Treatment treatment) const;
  /// Sums over all of them.
  CoverageRow total() const;
  bool operator==(const Coverage&) const = default;
};

/// "mapped", "fused", "traffic", "nothing", "ignored".
const char* treatment_name(Treatment treatment);

/// "weights", "output", "input": what of the layer it became part of.
const char* fused_name(FusedHow how);

}  // namespace tilewright
