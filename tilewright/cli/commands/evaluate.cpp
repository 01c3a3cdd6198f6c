// SPDX-License-Identifier: Apache-2.0
// tilewright evaluate: what a mapping costs.
#include "tilewright/model/evaluate.h"

#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/evaluating.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/cli/input/validators.h"
#include "tilewright/compat/compare.h"
#include "tilewright/diff/timeloop/timeloop_diff.h"
#include "tilewright/html/page.h"
#include "tilewright/report/assumptions_text.h"
#include "tilewright/report/mapping/evaluation_text.h"
#include "tilewright/result/json/evaluation_json.h"

namespace tilewright {
namespace {

struct Options {
  std::vector<std::string> files;
  bool json = false;
  bool check = false;
  bool anyway = false;
  std::string vs;
  std::string html;
  std::string save;
  std::string objective;
  std::string compat;
  std::vector<std::string> without;
  Conventions conventions;
};

RunRecord record(const Options& options, const Conventions& conventions, const Session& session) {
  RunRecord run = make_record("evaluate", inputs_of(session), conventions);
  if (options.anyway) run.options["anyway"] = true;
  if (!options.objective.empty()) run.options["objective"] = options.objective;
  return run;
}

std::vector<std::string> convention_names() {
  std::vector<std::string> names;
  for (const auto& some : {compat::conventions(), compat::common_ground()}) {
    for (const compat::Convention& convention : some) names.emplace_back(convention.name);
  }
  return names;
}

compat::CompareOptions compare_options(const Options& options) {
  compat::CompareOptions result;
  for (const std::string& name : options.without) {
    result.rules.*compat::find_convention(name)->rule = false;
  }
  return result;
}

void run_evaluate(const Options& options, Session& session) {
  const std::optional<SavedEvaluation> before =
      options.vs.empty() ? std::nullopt : load_saved_evaluation(session, options.vs);
  if (session.exit_code != kOk) return;
  const std::optional<Documents> documents =
      load(session, options.files, Need::kMapping, options.conventions);
  const Misfit misfit = options.anyway ? Misfit::kWarn : Misfit::kOffer;
  if (!documents || !accept_mapping(session, *documents, misfit)) return;
  const Problem& problem = *documents->problem;
  const Mapping& mapping = *documents->mapping;
  const Evaluation evaluation = evaluate(problem, mapping);
  Evaluated evaluated{problem, mapping, evaluation, std::nullopt};
  std::string why;
  if (const auto objective = parse_objective(options.objective, why)) {
    evaluated.objective = NamedObjective{options.objective, *objective};
  }
  const TextOptions text = session.text_options();
  const bool wanted = options.json || !options.save.empty();
  const std::string json = wanted ? evaluation_json(evaluated, program_version(),
                                                    record(options, problem.conventions(), session))
                                  : "";
  const auto compared = options.compat.empty() ? std::nullopt
                                               : std::optional(compat::compare_with_timeloop(
                                                     problem, mapping, compare_options(options)));
  if (options.json) {
    session.out() << (compared ? with_timeloop_json(json, problem, *compared) : json);
  } else {
    session.out() << assumptions_text(problem.arch(), text) << evaluation_text(evaluated, text)
                  << left_out_text(session);
    if (compared) session.out() << "\n" << timeloop_text(problem, *compared, text);
  }
  save_result(session, options.save, json);
  if (before) session.out() << "\n" << compare_text(*before, to_saved(evaluated), text);
  if (!options.html.empty()) {
    session.save_file(options.html, mapping_page(evaluated, {program_version(), nullptr}));
  }
  if (options.check) check_by_walking(session, evaluated);
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("evaluate", "evaluate a mapping: energy, cycles and traffic");
  auto options = std::make_shared<Options>();
  add_files(*command, options->files);
  add_with(*command, session);
  add_timeloop(*command, session);
  CLI::Option* json =
      command->add_flag("--json", options->json, "print the result as JSON")->option_text("");
  command->add_flag("--check", options->check, "also execute the nest step by step and compare");
  command->add_option("--vs", options->vs, "compare with a result file")
      ->option_text("FILE")
      ->excludes(json);
  command
      ->add_option("--html", options->html, "also write the result as a self-contained HTML page")
      ->option_text("FILE");
  command->add_option("--objective", options->objective, "also show the score for this objective")
      ->option_text(objective_names())
      ->check(an_objective());
  CLI::Option* compat =
      command
          ->add_option("--compat", options->compat,
                       "also compare with what Timeloop counts, convention by convention")
          ->option_text("timeloop")
          ->check(one_of({"timeloop"}));
  command
      ->add_option("--without", options->without,
                   "with --compat: switch off one of Timeloop's conventions, such as "
                   "link_transfers; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false)
      ->check(one_of(convention_names()))
      ->needs(compat);
  command->add_flag("--anyway", options->anyway, "evaluate the mapping even if it does not fit");
  add_save(*command, options->save);
  add_conventions(*command, options->conventions);
  command->callback([options, &session] { run_evaluate(*options, session); });
}

}  // namespace tilewright
