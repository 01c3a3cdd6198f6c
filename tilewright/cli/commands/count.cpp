// SPDX-License-Identifier: Apache-2.0
// tilewright count: how many mappings there are.
#include <fmt/format.h>

#include "tilewright/advice/conflict_text.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/cli/input/validators.h"
#include "tilewright/cli/searching.h"
#include "tilewright/report/search/mapspace_text.h"

namespace tilewright {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string space;
  bool exact = false;
  bool json = false;
};

void run_count(const Options& options, Session& session) {
  const std::optional<Documents> documents = load(session, options.files, Need::kProblem);
  if (!documents) return;
  refuse_hopeless(session, [&] {
    const MapspaceSizes sizes =
        measure_spaces(*documents->problem, documents->constraints,
                       place_texts(documents->constraint_source), options.space);
    session.out() << (options.json ? sizes_json(*documents->problem, sizes, program_version())
                                   : sizes_text(*documents->problem, sizes, options.exact,
                                                session.text_options()));
  });
}

}  // namespace

void add_count(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("count", "count the mappings, exactly");
  auto options = std::make_shared<Options>();
  add_files(*command, options->files);
  add_with(*command, session);
  add_timeloop(*command, session);
  command->add_option("--space", options->space, "count this space only; by default all")
      ->option_text(fmt::format("{}", fmt::join(space_names(), "|")))
      ->check(one_of(space_names()));
  command->add_flag("--exact", options->exact, "print all digits");
  command->add_flag("--json", options->json, "print the sizes as JSON")->option_text("");
  command->callback([options, &session] { run_count(*options, session); });
}

}  // namespace tilewright
