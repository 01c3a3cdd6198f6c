// SPDX-License-Identifier: Apache-2.0
// What changed between two evaluations that were saved as JSON, and whether two evaluations of one
// mapping agree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/diff/sides.h"
#include "tilewright/format/layout.h"
#include "tilewright/result/evaluated.h"

namespace tilewright {

/// One count or cycle figure of a saved evaluation, e.g. `DRAM.Weights.reads`.
struct SavedFigure {
  std::string path;
  std::int64_t value = 0;
  double energy_pj = 0;  ///< of the memory and tensor that it belongs to
};

/// What `evaluation_json` wrote, as far as it is compared.
struct SavedEvaluation {
  std::string title;  ///< `conv2 on eyeriss`
  double energy_pj = 0;
  std::int64_t cycles = 0;
  double edp_pj_cycles = 0;
  double utilization = 0;
  std::string bottleneck;
  std::optional<bool> proved;  ///< of a search: nothing is better
  std::vector<SavedFigure> figures;
};

/// Reads what evaluation_json wrote. Nothing if it is something else; `why` then says so in a line.
std::optional<SavedEvaluation> read_saved_evaluation(std::string_view json, std::string& why);

/// What a saved result would hold.
SavedEvaluation to_saved(const Evaluated& evaluated);

/// The totals side by side.
SideTable totals_table(const SavedEvaluation& before, const SavedEvaluation& after,
                       const SideNames& names, const TextOptions& options);

/// A table of what differs, totals first, then the largest change of energy first.
std::string compare_text(const SavedEvaluation& before, const SavedEvaluation& after,
                         const TextOptions& options);

/// The rows of the counts that differ alone, under the heading `counts`.
std::string counts_text(const SavedEvaluation& before, const SavedEvaluation& after,
                        const SideNames& names, const TextOptions& options);

/// Figures on which two evaluations of the same mapping disagree, one line each; energies may
/// differ by rounding. Empty: they agree.
std::vector<std::string> find_disagreements(const Problem& problem, const Evaluation& model,
                                            const Evaluation& walker);

}  // namespace tilewright
