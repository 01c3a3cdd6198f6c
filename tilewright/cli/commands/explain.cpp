// SPDX-License-Identifier: Apache-2.0
// tilewright explain: where one figure comes from.
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/text/printable.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/error_codes.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/report/mapping/explain_text.h"

namespace tilewright {
namespace {

void explain_code(const std::string& word, Session& session) {
  const std::vector<ErrorCode> codes = error_codes();
  const auto found = std::ranges::find(codes, word, &ErrorCode::code);
  if (found != codes.end()) {
    session.out() << fmt::format("{} ({}): {}\n", found->code, found->about, found->meaning);
    return;
  }
  std::vector<std::string> names;
  for (const ErrorCode& code : codes) names.push_back(code.code);
  session.refuse_unknown("error code", word, names);
}

// The last argument is the path; the others are files. A code of a message may stand alone.
void run_explain(std::vector<std::string> arguments, Session& session) {
  if (arguments.size() == 1) {
    if (is_error_code(arguments.front())) return explain_code(arguments.front(), session);
    Diagnostics usage;
    usage
        .error("C0012",
               in_backticks(arguments.front()) + " is neither an error code nor files and a figure")
        .helps.emplace_back("write `tilewright explain FILES... PATH`, or a code such as `F0010`");
    session.show(usage);
    session.exit_code = kUsageError;
    return;
  }
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
  CLI::App* command = app.add_subcommand(
      "explain", "derive one figure of a report, or say what an error code means");
  auto arguments = std::make_shared<std::vector<std::string>>();
  command
      ->add_option("FILES... PATH", *arguments,
                   "the code of a message, such as F0010, alone; or files as for `evaluate`, then "
                   "the figure: DRAM.Weights.reads (or fills, "
                   "updates, tile, energy), DRAM.cycles, DRAM.energy, mac.energy, cycles, energy, "
                   "edp, utilization")
      ->required()
      ->option_text(" ")
      ->expected(1, -1);
  add_with(*command, session);
  command->callback([arguments, &session] { run_explain(*arguments, session); });
}

}  // namespace tilewright
