// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/constraints/layer_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/read.h"

namespace tilewright {
namespace {

/// A constraint and the layers that it does not fit.
struct Misfit {
  UnfitConstraint first;  // as the first of them has it
  std::vector<std::string> layers;
};

bool is_same_place(const Span& a, const Span& b) {
  return a.line == b.line && a.column == b.column;
}

// `a`, `b` and 12 more
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  if (names.size() <= kNamed + 1) return join_names(names, "and");
  std::string text;
  for (std::size_t i = 0; i < kNamed; ++i) text += (i > 0 ? ", " : "") + in_backticks(names[i]);
  return text + fmt::format(" and {} more", names.size() - kNamed);
}

void report(const Misfit& misfit, std::size_t mapped, bool strict, Diagnostics& diagnostics) {
  const Diagnostic& why = misfit.first.finding;
  if (misfit.layers.size() == mapped) {  // it is wrong
    diagnostics.error("", "") = why;
    return;
  }
  const std::string words =
      fmt::format("{} does not apply to {} of {} layers: {}", in_backticks(misfit.first.words),
                  misfit.layers.size(), mapped, names_text(misfit.layers));
  Diagnostic& finding =
      strict ? diagnostics.error("C0015", words) : diagnostics.warning("C0015", words);
  finding.labels = why.labels;
  finding.notes.push_back(fmt::format("{}: {}", misfit.layers.front(), why.message));
  finding.helps.emplace_back(
      strict ? "without `--strict`, they are searched without it"
             : "they are searched without it; all other constraints apply to them");
}

}  // namespace

std::optional<std::vector<LayerConstraints>> read_layer_constraints(
    const std::shared_ptr<const SourceFile>& file, const Network& network, const Arch& arch,
    bool strict, Diagnostics& diagnostics) {
  std::vector<LayerConstraints> all;
  std::vector<Misfit> misfits;
  std::size_t mapped = 0;
  for (const Layer& layer : network.layers) {
    if (!layer.workload) continue;
    ++mapped;
    const LayerConstraints* known = find_layer_constraints(all, *layer.workload);
    if (known == nullptr) {
      LayerConstraints next{*layer.workload, {}, {}, {}};
      Diagnostics found;
      const auto read =
          read_constraints(file, Problem(*layer.workload, arch), found, &next.source, &next.unfit);
      if (!read) {  // wrong for every layer
        for (const Diagnostic& finding : found.all()) diagnostics.error("", "") = finding;
        return std::nullopt;
      }
      next.constraints = *read;
      known = &all.emplace_back(std::move(next));
    }
    for (const UnfitConstraint& unfit : known->unfit) {
      auto misfit = std::ranges::find_if(
          misfits, [&](const Misfit& m) { return is_same_place(m.first.place, unfit.place); });
      if (misfit == misfits.end()) misfit = misfits.insert(misfit, Misfit{unfit, {}});
      misfit->layers.push_back(layer.name);
    }
  }
  const int before = diagnostics.errors();
  for (const Misfit& misfit : misfits) report(misfit, mapped, strict, diagnostics);
  if (diagnostics.errors() > before) return std::nullopt;
  return all;
}

const LayerConstraints* find_layer_constraints(std::span<const LayerConstraints> all,
                                               const Workload& workload) {
  const auto found = std::ranges::find(all, workload, &LayerConstraints::workload);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tilewright
