// SPDX-License-Identifier: Apache-2.0
// tilewright verify: an old run of Timeloop against what we count.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/diff/timeloop/stats_diff.h"
#include "tilewright/timeloop/stats/stats.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder;
  std::vector<std::string> files;
  bool json = false;
};

// What a run leaves in its output folder, by the ends of the names.
struct RunFolder {
  std::vector<std::string> reports;   // *.stats.txt
  std::vector<std::string> inputs;    // parsed-processed-input.yaml
  std::vector<std::string> energies;  // *.ERT.yaml, *.ART.yaml
  std::vector<std::string> mappings;  // *.map.yaml
};

RunFolder list_run(const std::string& folder) {
  RunFolder run;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (path.ends_with(".stats.txt")) run.reports.push_back(path);
    if (it->path().filename() == "parsed-processed-input.yaml") run.inputs.push_back(path);
    if (path.ends_with(".ERT.yaml") || path.ends_with(".ART.yaml")) run.energies.push_back(path);
    if (path.ends_with(".map.yaml")) run.mappings.push_back(path);
  }
  for (auto* list : {&run.reports, &run.inputs, &run.energies, &run.mappings}) {
    std::ranges::sort(*list);
  }
  return run;
}

void fail(Session& session, const std::string& message, const std::string& help) {
  Diagnostics diagnostics;
  diagnostics.error("C0017", message).helps.push_back(help);
  session.show(diagnostics);
  session.exit_code = kInputError;
}

// The files to read: those that were given in place of what the run says it was given.
std::vector<std::string> inputs_of_run(const RunFolder& run, std::vector<std::string> given) {
  std::vector<std::string> files = given.empty() ? run.inputs : std::move(given);
  files.insert(files.end(), run.energies.begin(), run.energies.end());
  files.insert(files.end(), run.mappings.begin(), run.mappings.end());
  return files;
}

void run_verify(const Options& options, Session& session) {
  std::error_code error;
  if (!fs::is_directory(options.folder, error)) {
    return fail(session, fmt::format("`{}` is not a folder", options.folder),
                "give the folder in which Timeloop left its report");
  }
  const RunFolder run = list_run(options.folder);
  if (run.reports.size() != 1) {
    return fail(session,
                fmt::format("`{}` has {} reports (`*.stats.txt`), not one", options.folder,
                            run.reports.size()),
                "give the folder in which a single run of Timeloop left its report");
  }
  if (run.inputs.empty() && options.files.empty()) {
    return fail(session, fmt::format("`{}` has no `parsed-processed-input.yaml`", options.folder),
                "give the architecture and the problem of the run after the folder");
  }
  Diagnostics diagnostics;
  const std::optional<std::string> text = read_text_file(run.reports.front(), diagnostics);
  session.show(diagnostics);
  const std::optional<timeloop::Stats> stats = text ? timeloop::read_stats(*text) : std::nullopt;
  if (!stats) {
    return fail(session, fmt::format("`{}` is not a report of Timeloop's", run.reports.front()),
                "a report begins with `Buffer and Arithmetic Levels` and ends with a summary");
  }
  const std::optional<Documents> documents =
      load(session, inputs_of_run(run, options.files), Need::kMapping);
  if (!documents || !accept_mapping(session, *documents, Misfit::kWarn)) return;
  const timeloop::StatsCheck check =
      timeloop::check_stats(*documents->problem, *documents->mapping, *stats);
  const std::string name = fs::path(run.reports.front()).filename().string();
  if (options.json) {
    session.out() << stats_json(*documents->problem, check, name);
  } else {
    session.out() << stats_text(*documents->problem, check, name, session.text_options())
                  << left_out_text(session);
  }
  if (check.disagreements() > 0 || !check.comparison.obstacles.empty()) {
    session.exit_code = kDisagreement;
  }
}

}  // namespace

void add_verify(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "verify", "compare the report of an old run of Timeloop with what is counted here");
  auto options = std::make_shared<Options>();
  command
      ->add_option("FOLDER", options->folder,
                   "the output folder of the run, with its *.stats.txt, energies and mapping")
      ->required()
      ->option_text(" ");
  command
      ->add_option("FILES", options->files,
                   "the inputs of the run, if the folder has no parsed-processed-input.yaml")
      ->option_text(" ");
  command->add_flag("--json", options->json, "print all figures as JSON")->option_text("");
  add_timeloop(*command, session);
  command->callback([options, &session] { run_verify(*options, session); });
}

}  // namespace tilewright
