// SPDX-License-Identifier: Apache-2.0
// tilewright count: how many mappings there are.
#include <fmt/format.h>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/wishes.h"
#include "tilewright/cli/run.h"
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

MapspaceSizes count(const Documents& documents, const std::string& wanted) {
  const Problem& problem = *documents.problem;
  MapspaceSizes sizes;
  for (const std::string& name : space_names()) {
    if (!wanted.empty() && name != wanted) continue;
    const Space space = make_space(problem, name);
    if (wanted.empty() && !is_countable(space)) {
      sizes.spaces.push_back({.space = name,
                              .sizes = static_cast<std::int64_t>(space.problems.size()),
                              .counted = false});
    } else {
      sizes.spaces.push_back(measure(space, documents.constraints));
    }
  }
  const SpaceKind kind = wanted.empty() ? SpaceKind::kRubyS : kind_of_space(wanted);
  sizes.blocks = measure_orders(problem, make_rules(problem, kind, documents.constraints));
  sizes.constrained = space_name(kind);
  sizes.effects = name_effects(problem, documents.constraints, constraint_places(documents),
                               find_effects(problem, kind, documents.constraints));
  return sizes;
}

void run_count(const Options& options, Session& session) {
  const std::optional<Documents> documents = load(session, options.files, Need::kProblem);
  if (!documents) return;
  refuse_hopeless(session, [&] {
    const MapspaceSizes sizes = count(*documents, options.space);
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
  command->add_option("--space", options->space, "count this space only; by default all")
      ->option_text(fmt::format("{}", fmt::join(space_names(), "|")))
      ->check(one_of(space_names()));
  command->add_flag("--exact", options->exact, "print all digits");
  command->add_flag("--json", options->json, "print the sizes as JSON")->option_text("");
  command->callback([options, &session] { run_count(*options, session); });
}

}  // namespace tilewright
