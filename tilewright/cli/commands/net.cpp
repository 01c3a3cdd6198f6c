// SPDX-License-Identifier: Apache-2.0
// tilewright net: the best mapping of every layer of a network, and what they come to.
#include <fmt/format.h>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/commands/net_run.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/input/wishes.h"
#include "tilewright/cli/searching.h"

namespace tilewright {
namespace {

constexpr const char* kFooter =
    "Layers are best one by one, equal ones are solved once, and the figures of a\n"
    "row are those of one run. Ctrl-C ends the searches and shows what is there.\n"
    "Layers without multiply-accumulates only move data: docs/networks.md. A\n"
    "constraint that does not fit a layer is dropped for that layer, which is marked;\n"
    "with --strict it is an error. The exit code is 3 if a layer has no mapping, 6 if\n"
    "none was found in time.";

// All but `pad`, which changes the layers.
std::vector<std::string> network_spaces() {
  std::vector<std::string> names = space_names();
  std::erase(names, "pad");
  return names;
}

void run_net(const NetOptions& options, Session& session) {
  const std::optional<NetInput> input = load_net(session, options);
  if (!input) return;
  refuse_hopeless(session, [&] { NetRun(options, *input, session).run(); });
}

void add_search_options(CLI::App& command, NetOptions& options) {
  command
      .add_option("--space", options.space,
                  "which loops may leave a remainder (ruby-s: those in space)")
      ->option_text(fmt::format("{}", fmt::join(network_spaces(), "|")))
      ->check(one_of(network_spaces()));
  command
      .add_option("--mapper", options.mapper,
                  "optimal (the default) proves the best; local is quick and proves nothing")
      ->option_text("optimal|local")
      ->check(one_of({"optimal", "local"}));
  command
      .add_option("--objective", options.objective,
                  "what is best for a layer, also a product such as energy^1*latency^2")
      ->option_text(objective_names())
      ->check(an_objective());
  command
      .add_option("--budget", options.budget,
                  "when the search of a layer ends at the latest: 10s, 2min; or, the same every "
                  "time, '1e6 nodes'")
      ->option_text("AMOUNT");
  command
      .add_option("--gap", options.gap,
                  "end a layer once it is proved that nothing is more than so much better")
      ->option_text("SHARE");
  command.add_option("--seed", options.seed, "local: another one starts elsewhere")
      ->option_text("N")
      ->check(a_count());
  command.add_option("--threads", options.threads, "the result is the same for any number")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
  command
      .add_flag("--keep-on-chip", options.keep_on_chip,
                "what one layer hands to the next stays in the buffer where it fits and helps")
      ->option_text("");
}

}  // namespace

void add_net(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("net", "the best mapping of every layer of a network");
  auto options = std::make_shared<NetOptions>();
  command
      ->add_option("FILES", options->files,
                   "an architecture, a network and perhaps constraints, in any order: files, "
                   "also .onnx, or names of the library (`arch list`, `workload list`)")
      ->required()
      ->option_text(" ");
  add_with(*command, session);
  add_search_options(*command, *options);
  add_model_options(*command, options->model);
  command->add_option("--csv", options->csv, "also write a table with a line for each layer")
      ->option_text("FILE");
  command
      ->add_option("--html", options->html,
                   "also write the result as a page to look at, one file by itself")
      ->option_text("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "also write each workload and its mapping, for `evaluate`")
      ->option_text("FOLDER");
  command->add_flag("--json", options->json, "the result as JSON, mappings included")
      ->option_text("");
  add_save(*command, options->result);
  add_conventions(*command, options->conventions);
  command->footer(kFooter);
  command->callback([options, &session] { run_net(*options, session); });
}

}  // namespace tilewright
