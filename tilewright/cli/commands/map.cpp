// SPDX-License-Identifier: Apache-2.0
// tilewright map: the best mapping of a workload on an architecture.
#include <fmt/format.h>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/commands/map_run.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/cli/input/validators.h"
#include "tilewright/cli/searching.h"

namespace tilewright {
namespace {

void run_map(MapCommand command, Session& session) {
  MapOptions& options = command.options;
  const std::optional<Documents> documents =
      load(session, command.files, Need::kProblem, options.conventions,
           command.objective_given ? nullptr : &options.objective);
  if (!documents) return;
  options.conventions = documents->problem->conventions();
  refuse_hopeless(session, [&] { MapRun(command, *documents, session).run(); });
  if (!command.json && command.csv != "-") session.out() << left_out_text(session);
}

void add_search_options(CLI::App& command, MapOptions& options) {
  command
      .add_option(
          "--space", options.space,
          "which loops may leave a remainder (ruby-s: spatial ones); pad rounds dims up instead")
      ->option_text(fmt::format("{}", fmt::join(space_names(), "|")))
      ->check(one_of(space_names()));
  add_placement(command, options.placement);
  command
      .add_option("--mapper", options.mapper,
                  "how to search: optimal (the default) proves the best; local is quick and proves "
                  "nothing; random samples; exhaustive evaluates every mapping")
      ->option_text(fmt::format("{}", fmt::join(mapper_names(), "|")))
      ->check(one_of(mapper_names()));
  command
      .add_option("--objective", options.objective,
                  "what to minimize; also a product such as energy^1*latency^2, with exponents "
                  "from 0.1 to 12")
      ->option_text(objective_names())
      ->check(an_objective());
  command
      .add_option("--cap", options.caps,
                  "an upper limit, e.g. 'latency <= 2 ms' or 'energy <= 3 uJ'; may be repeated")
      ->option_text("LIMIT")
      ->allow_extra_args(false);
  command
      .add_option("--budget", options.budget,
                  "when to stop: after a time (10s, 500ms, 2min) or, reproducibly, after '1e6 "
                  "nodes' (optimal) or '1e6 mappings' (random)")
      ->option_text("AMOUNT");
  add_memory(command, options.memory);
  command
      .add_option(
          "--gap", options.gap,
          "optimal: stop once it is proved that no mapping is better by more than this, e.g. 1%")
      ->option_text("SHARE");
  command
      .add_option("--patience", options.patience,
                  "random: stop after N mappings in a row that fit but are no better, or after "
                  "1000 N if none fits (0: never)")
      ->option_text("N")
      ->check(a_count());
  command.add_option("--seed", options.seed, "random, local: seed of the random numbers")
      ->option_text("N")
      ->check(a_count());
  command.add_option("--threads", options.threads, "number of threads; does not change the result")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
}

// More than the best mapping; all of it takes the optimal mapper.
void add_answers(CLI::App& command, MapOptions& options) {
  CLI::Option* top = command.add_option("--top", options.top, "list the N best mappings, proved")
                         ->option_text("N")
                         ->check(CLI::Range(1, 10'000));
  CLI::Option* front =
      command
          .add_flag(
              "--front", options.front,
              "list the Pareto front: all mappings that no other beats in both energy and cycles")
          ->option_text("")
          ->excludes(top);
  command
      .add_option("--within", options.within,
                  "find the simplest mapping (fewest loops, then fewest bypasses) that is at most "
                  "this much worse than the best, e.g. 5%")
      ->option_text("SHARE")
      ->excludes(top)
      ->excludes(front);
  command
      .add_flag("--why", options.why,
                "show which capacity, axis, bandwidth, constraint or cap limits the result, and "
                "what relaxing it would gain, by searching again for each")
      ->option_text("");
}

}  // namespace

void add_map(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("map", "find the best mapping and prove that it is the best");
  auto wanted = std::make_shared<MapCommand>();
  add_files(*command, wanted->files);
  add_with(*command, session);
  add_timeloop(*command, session);
  add_search_options(*command, wanted->options);
  add_answers(*command, wanted->options);
  command->add_option("-o,--output", wanted->output, "also write the mapping, as .nest or .yaml")
      ->option_text("FILE")
      ->check(a_mapping_file());
  command
      ->add_option("--proof", wanted->proof,
                   "also write a proof that nothing is better, for tilewright-verify")
      ->option_text("FILE");
  CLI::Option* html = command
                          ->add_option("--html", wanted->html,
                                       "also write the result as a self-contained HTML page")
                          ->option_text("FILE");
  command
      ->add_flag("--trace", wanted->options.trace,
                 "on the page, also show best and bound over time; differs from run to run")
      ->option_text("")
      ->needs(html);
  CLI::Option* json =
      command->add_flag("--json", wanted->json, "print the result as JSON")->option_text("");
  command
      ->add_option(
          "--csv", wanted->csv,
          "also write the tile sizes by level and dim; - prints them instead of the report")
      ->option_text("FILE")
      ->excludes(json);
  add_save(*command, wanted->result);
  add_conventions(*command, wanted->options.conventions);
  command->callback([wanted, command, &session] {
    wanted->objective_given = command->count("--objective") > 0;
    run_map(*wanted, session);
  });
}

}  // namespace tilewright
