// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"

namespace tilewright {
namespace {

struct Row {
  std::string name;
  double energy_pj = 0;
  std::vector<Piece> pieces;  // shares still in pJ
};

Row memory_row(const Evaluated& evaluated, const MemoryEvaluation& memory) {
  const Workload& workload = evaluated.problem.workload();
  Row row{evaluated.problem.arch().memory(memory.node).name, memory.energy_pj, {}};
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    const TensorCounts& counts = memory.tensors[t];
    if (counts.energy_pj <= 0) continue;
    row.pieces.push_back(
        {counts.energy_pj, tensor_class(TensorId(t)),
         fmt::format("{}: {} ({} reads, {} fills, {} updates)", workload.tensors()[t].name,
                     energy_text(counts.energy_pj), count_text(counts.reads),
                     count_text(counts.fills), count_text(counts.updates))});
  }
  if (memory.leakage_pj > 0) {
    row.pieces.push_back({memory.leakage_pj, "leak", "leakage: " + energy_text(memory.leakage_pj)});
  }
  return row;
}

std::vector<Row> rows_of(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  std::vector<Row> rows;
  for (const MemoryEvaluation& memory : evaluation.memories) {
    if (keeps_anything(memory) || memory.energy_pj > 0) {
      rows.push_back(memory_row(evaluated, memory));
    }
  }
  const std::string name = evaluated.problem.arch().compute().name;
  rows.push_back({name,
                  evaluation.compute_energy_pj,
                  {{evaluation.compute_energy_pj, "unit",
                    fmt::format("{} computes: {}", count_text(evaluation.computes),
                                energy_text(evaluation.compute_energy_pj))}}});
  return rows;
}

std::string label(const Row& row) {
  std::string text = row.name;
  for (const Piece& piece : row.pieces) text += "; " + piece.title;
  return text;
}

bool leaks(const Evaluation& evaluation) {
  return std::ranges::any_of(evaluation.memories,
                             [](const MemoryEvaluation& memory) { return memory.leakage_pj > 0; });
}

}  // namespace

void energy_figure(Markup& out, const Evaluated& evaluated) {
  const double total = evaluated.evaluation.energy_pj;
  std::vector<Row> rows = rows_of(evaluated);
  const auto figure = out.in("figure");
  std::vector<LegendEntry> entries;
  for (std::size_t t = 0; t < evaluated.problem.workload().tensors().size(); ++t) {
    entries.push_back({tensor_class(TensorId(t)), evaluated.problem.workload().tensors()[t].name});
  }
  entries.push_back({"unit", evaluated.problem.arch().compute().name});
  if (leaks(evaluated.evaluation)) entries.push_back({"leak", "leakage"});
  legend(out, entries);
  const auto table = out.in("table", {{"class", "bars"}});
  head_row(out, {{"level"}, {"energy", true}, {"share", true}, {"by tensor, of 100 %"}});
  const auto body = out.in("tbody");
  for (Row& row : rows) {
    const std::string words = label(row);
    if (total > 0) {
      for (Piece& piece : row.pieces) piece.share /= total;
    }
    const auto line = out.in("tr");
    {
      const auto head = out.in("th", {{"scope", "row"}});
      breakable(out, row.name);
    }
    out.leaf("td", {{"class", "number"}}, energy_text(row.energy_pj));
    out.leaf("td", {{"class", "number"}}, percent_text(total > 0 ? row.energy_pj / total : 0));
    const auto cell = out.in("td");
    bar(out, row.pieces, words);
  }
}

}  // namespace tilewright
