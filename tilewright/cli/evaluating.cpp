// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/evaluating.h"

#include <fmt/format.h>

#include "tilewright/cli/input/inputs.h"
#include "tilewright/format/number_text.h"
#include "tilewright/model/laws.h"
#include "tilewright/walker/walk.h"

namespace tilewright {

std::optional<SavedEvaluation> load_saved_evaluation(Session& session, const std::string& path) {
  Diagnostics diagnostics;
  std::optional<SavedEvaluation> saved;
  if (const std::optional<std::string> text = read_text_file(path, diagnostics)) {
    std::string why;
    saved = read_saved_evaluation(*text, why);
    if (!saved) {
      diagnostics.error("C0005", fmt::format("cannot compare with `{}`: {}", path, why))
          .helps.emplace_back("save one with `tilewright evaluate ... --json > old.json`");
    }
  }
  session.show(diagnostics);
  if (!saved) session.exit_code = kInputError;
  return saved;
}

namespace {

// What a controller that compares tiles would save over one that goes by loop counters.
void note_tile_comparison(Session& session, const Evaluated& evaluated) {
  WalkOptions options;
  options.compare_tiles = true;
  const std::optional<Evaluation> compared = walk(evaluated.problem, evaluated.mapping, options);
  if (!compared || compared->energy_pj >= evaluated.evaluation.energy_pj) return;
  session.note(fmt::format("check: a controller that compares tiles would save {} of the energy",
                           percent_text(1 - compared->energy_pj / evaluated.evaluation.energy_pj)));
}

}  // namespace

void check_by_walking(Session& session, const Evaluated& evaluated) {
  WalkOptions options;
  const std::optional<Evaluation> walked = walk(evaluated.problem, evaluated.mapping, options);
  const std::string computes = count_text(evaluated.evaluation.computes);
  if (!walked) {
    Diagnostics diagnostics;
    diagnostics
        .error("C0006",
               fmt::format("not checked: the workload has {} MACs, and --check executes at most {}",
                           computes, count_text(options.max_points)))
        .helps.emplace_back("check the mapping with smaller dims");
    session.show(diagnostics);
    session.exit_code = kInputError;
    return;
  }
  const LawReport laws = check_laws(evaluated.problem, evaluated.mapping, evaluated.evaluation);
  std::vector<std::string> wrong =
      find_disagreements(evaluated.problem, evaluated.evaluation, *walked);
  wrong.insert(wrong.end(), laws.broken.begin(), laws.broken.end());
  if (wrong.empty()) {
    session.note(
        fmt::format("check: ok, {} conservation laws hold, and executing all {} MACs gives "
                    "the same counts",
                    laws.checked, computes));
    note_tile_comparison(session, evaluated);
    return;
  }
  Diagnostics diagnostics;
  Diagnostic& found = diagnostics.error(
      "I0001", "the model and the execution disagree: this is a bug in tilewright");
  found.notes = wrong;
  found.helps.emplace_back("please report it with your files");
  session.show(diagnostics);
  session.exit_code = kDisagreement;
}

}  // namespace tilewright
