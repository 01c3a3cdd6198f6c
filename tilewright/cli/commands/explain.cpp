// SPDX-License-Identifier: Apache-2.0
// tilewright explain: where one figure comes from.
#include <fmt/format.h>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/report/mapping/explain_text.h"

namespace tilewright {
namespace {

// The last argument is the path; the others are files.
void run_explain(std::vector<std::string> arguments, Session& session) {
  const std::string path = arguments.back();
  arguments.pop_back();
  const std::optional<Documents> documents = load(session, arguments, Need::kMapping);
  if (!documents || !accept_mapping(session, *documents, Misfit::kWarn)) return;
  const Problem& problem = *documents->problem;
  const Evaluation evaluation = evaluate(problem, *documents->mapping);
  const Evaluated evaluated{problem, *documents->mapping, evaluation};
  Diagnostics diagnostics;
  for (const std::string& line :
       explain_lines(evaluated, path, session.text_options(), diagnostics)) {
    session.out() << line << "\n";
  }
  session.show(diagnostics);
  if (diagnostics.has_errors()) session.exit_code = kInputError;
}

}  // namespace

void add_explain(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("explain", "derive one figure of a report");
  auto arguments = std::make_shared<std::vector<std::string>>();
  command
      ->add_option("FILES... PATH", *arguments,
                   "files as for `evaluate`, then the figure: DRAM.Weights.reads (or fills, "
                   "updates, tile, energy), DRAM.cycles, DRAM.energy, mac.energy, cycles, energy, "
                   "edp, utilization")
      ->required()
      ->option_text(" ")
      ->expected(2, -1);
  add_with(*command, session);
  command->callback([arguments, &session] { run_explain(*arguments, session); });
}

}  // namespace tilewright
