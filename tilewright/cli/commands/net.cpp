// SPDX-License-Identifier: Apache-2.0
// tilewright net: the best mapping of every layer of a network, and what they come to.
#include <fmt/format.h>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/commands/net_run.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/input/validators.h"
#include "tilewright/cli/searching.h"

namespace tilewright {
namespace {

constexpr const char* kFooter =
    "Each layer is optimized on its own, and equal layers are solved once; the\n"
    "figures in a row are those of one run. Ctrl-C ends the search and shows the\n"
    "results so far. Layers without multiply-accumulates only move data\n"
    "(docs/networks.md). A constraint that does not apply to a layer is dropped for\n"
    "that layer, which is marked; with --strict it is an error. The exit code is 3 if\n"
    "a layer has no mapping, and 6 if none was found in time.";

// All but `pad`, which changes the layers.
std::vector<std::string> network_spaces() {
  std::vector<std::string> names = space_names();
  std::erase(names, "pad");
  return names;
}

void run_net(const NetCommand& command, Session& session) {
  const std::optional<NetInput> input = load_net(session, command);
  if (!input) return;
  refuse_hopeless(session, [&] { NetRun(command, *input, session).run(); });
}

void add_search_options(CLI::App& command, NetOptions& options) {
  command
      .add_option("--space", options.space,
                  "which loops may leave a remainder (ruby-s: spatial ones)")
      ->option_text(fmt::format("{}", fmt::join(network_spaces(), "|")))
      ->check(one_of(network_spaces()));
  add_placement(command, options.placement);
  command
      .add_option("--mapper", options.mapper,
                  "optimal (the default) proves the best; local is quick and proves nothing")
      ->option_text("optimal|local")
      ->check(one_of({"optimal", "local"}));
  command
      .add_option("--objective", options.objective,
                  "what to minimize for each layer; also a product such as energy^1*latency^2")
      ->option_text(objective_names())
      ->check(an_objective());
  command
      .add_option("--budget", options.budget,
                  "when to stop the search of a layer: after a time (10s, 2min) or, reproducibly, "
                  "after '1e6 nodes'")
      ->option_text("AMOUNT");
  add_memory(command, options.memory);
  command
      .add_option("--gap", options.gap,
                  "stop the search of a layer once it is proved that no mapping is better by more "
                  "than this")
      ->option_text("SHARE");
  command.add_option("--seed", options.seed, "local: seed of the random numbers")
      ->option_text("N")
      ->check(a_count());
  command.add_option("--threads", options.threads, "number of threads; does not change the result")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
  command
      .add_flag("--keep-on-chip", options.keep_on_chip,
                "keep activations in the on-chip buffer between layers where they fit and it helps")
      ->option_text("");
}

}  // namespace

void add_net(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("net", "the best mapping of every layer of a network");
  auto wanted = std::make_shared<NetCommand>();
  command
      ->add_option("FILES", wanted->files,
                   "an architecture, a network and optionally constraints, in any order: files "
                   "(also .onnx) or names from the library (`arch list`, `workload list`)")
      ->required()
      ->option_text(" ");
  add_with(*command, session);
  add_search_options(*command, wanted->options);
  add_model_options(*command, wanted->model);
  command->add_option("--csv", wanted->csv, "also write a table with one line per layer")
      ->option_text("FILE");
  command->add_option("--html", wanted->html, "also write the result as a self-contained HTML page")
      ->option_text("FILE");
  command
      ->add_option("-o,--output", wanted->output,
                   "also write each workload and its mapping, for `evaluate`")
      ->option_text("FOLDER");
  command->add_flag("--json", wanted->json, "print the result as JSON, mappings included")
      ->option_text("");
  add_save(*command, wanted->result);
  add_conventions(*command, wanted->options.conventions);
  command->footer(kFooter);
  command->callback([wanted, &session] { run_net(*wanted, session); });
}

}  // namespace tilewright
