// SPDX-License-Identifier: Apache-2.0
// tilewright map: the best mapping of a workload on an architecture.
#include <fmt/format.h>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/commands/map_run.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/input/wishes.h"
#include "tilewright/cli/searching.h"

namespace tilewright {
namespace {

void run_map(const MapOptions& options, Session& session) {
  const std::optional<Documents> documents =
      load(session, options.files, Need::kProblem, options.conventions);
  if (!documents) return;
  refuse_hopeless(session, [&] { MapRun(options, *documents, session).run(); });
}

void add_search_options(CLI::App& command, MapOptions& options) {
  command
      .add_option(
          "--space", options.space,
          "which loops may leave a remainder (ruby-s: those in space); pad rounds dims up instead")
      ->option_text(fmt::format("{}", fmt::join(space_names(), "|")))
      ->check(one_of(space_names()));
  command
      .add_option("--mapper", options.mapper,
                  "how to search: optimal (the default) proves the best; local is quick and proves "
                  "nothing; random draws; exhaustive sees all")
      ->option_text(fmt::format("{}", fmt::join(mapper_names(), "|")))
      ->check(one_of(mapper_names()));
  command
      .add_option(
          "--objective", options.objective,
          "what is best, also a product such as energy^1*latency^2; exponents are 0.1 to 12")
      ->option_text(objective_names())
      ->check(an_objective());
  command
      .add_option("--cap", options.caps,
                  "a limit, e.g. 'latency <= 2 ms', 'energy <= 3 uJ'; may be repeated")
      ->option_text("LIMIT")
      ->allow_extra_args(false);
  command
      .add_option("--budget", options.budget,
                  "when to end at the latest: 10s, 500ms, 2min; or, the same every time, "
                  "'1e6 nodes' (optimal), '1e6 mappings' (random)")
      ->option_text("AMOUNT");
  command
      .add_option(
          "--gap", options.gap,
          "optimal: end once it is proved that nothing is more than so much better, e.g. 1%")
      ->option_text("SHARE");
  command
      .add_option("--patience", options.patience,
                  "random: end after N in a row that fit and are no better, or 1000 N of which "
                  "none fits (0: never)")
      ->option_text("N")
      ->check(a_count());
  command.add_option("--seed", options.seed, "random, local: another one draws other mappings")
      ->option_text("N")
      ->check(a_count());
  command.add_option("--threads", options.threads, "the result is the same for any number")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
}

// More than the best mapping; all of it takes the optimal mapper.
void add_answers(CLI::App& command, MapOptions& options) {
  CLI::Option* top =
      command.add_option("--top", options.top, "a table of the N best mappings, proved")
          ->option_text("N")
          ->check(CLI::Range(1, 10'000));
  CLI::Option* front = command
                           .add_flag("--front", options.front,
                                     "all mappings that no other beats in energy and cycles")
                           ->option_text("")
                           ->excludes(top);
  command
      .add_option(
          "--within", options.within,
          "the simplest mapping at most so much above the best, e.g. 5%: fewest loops, then "
          "fewest bypasses")
      ->option_text("SHARE")
      ->excludes(top)
      ->excludes(front);
  command
      .add_flag("--why", options.why,
                "which capacity, axis, bandwidth, constraint or cap binds, and what more of it "
                "would be worth: searches again for each")
      ->option_text("");
}

}  // namespace

void add_map(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("map", "the best mapping there is, or that a search finds");
  auto options = std::make_shared<MapOptions>();
  add_files(*command, options->files);
  add_with(*command, session);
  add_search_options(*command, *options);
  add_answers(*command, *options);
  command->add_option("-o,--output", options->output, "also write the mapping, as .nest or .yaml")
      ->option_text("FILE")
      ->check(a_mapping_file());
  command
      ->add_option("--proof", options->proof,
                   "also write what is needed to check that nothing is better, for "
                   "tilewright-verify")
      ->option_text("FILE");
  CLI::Option* html =
      command
          ->add_option("--html", options->html,
                       "also write the result as a page to look at, one file by itself")
          ->option_text("FILE");
  command
      ->add_flag("--trace", options->trace,
                 "on the page, also how best and bound came together over time; differs from run "
                 "to run")
      ->option_text("")
      ->needs(html);
  CLI::Option* json =
      command->add_flag("--json", options->json, "the result as JSON")->option_text("");
  command
      ->add_option(
          "--csv", options->csv,
          "also write the tile sizes by level and dim; - prints them instead of the report")
      ->option_text("FILE")
      ->excludes(json);
  add_save(*command, options->result);
  add_conventions(*command, options->conventions);
  command->callback([options, &session] { run_map(*options, session); });
}

}  // namespace tilewright
