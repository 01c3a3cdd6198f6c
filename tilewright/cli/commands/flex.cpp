// SPDX-License-Identifier: Apache-2.0
// tilewright flex: how flexible an accelerator is on a network, and what that is worth.
#include <fmt/format.h>

#include <array>

#include "tilewright/base/input_error.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/commands/net_run.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/validators.h"
#include "tilewright/cli/searching.h"
#include "tilewright/flexibility/answer/answer.h"
#include "tilewright/flexibility/answer/flex_page.h"
#include "tilewright/flexibility/answer/market_answer.h"
#include "tilewright/flexibility/flexibility_file.h"
#include "tilewright/flexibility/worth/fix.h"
#include "tilewright/format/number_text.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

constexpr const char* kFooter =
    "One of the files has a section `flexibility` (`tilewright doc flexibility`), which\n"
    "says what the architecture may vary from layer to layer: tile sizes, loop order,\n"
    "which dims run in parallel, the shape of the array. The command prints its class,\n"
    "its flexion (the share of all choices that it has), and the best that the network\n"
    "can do on it with each axis fixed, partly flexible and fully flexible, all proved\n"
    "(docs/flexibility.md). The exit code is 3 if a layer has no mapping.\n"
    "\n"
    "`--buy area=0.2%` asks instead which axes to free, and how far, if flexibility may\n"
    "add that much area: the best choice over all networks (their geometric mean), and\n"
    "the Pareto front of area against the objective, proved.";

struct FlexCommand {
  NetCommand net;
  std::array<std::string, kFlexAxes> degrees;  ///< by FlexAxis; empty: as the file says
  std::string objective = "latency";
  std::string space = "ruby";
  int threads = 0;
  bool layers = false;
  bool classes = false;
  bool fix = false;
  std::string buy;                ///< an area budget; empty: nothing is bought
  std::vector<std::string> also;  ///< further networks to buy for
};

// Nothing, with findings, if it is not in the files, or the options do not agree with it.
std::optional<Flexibility> read_flexibility(const FlexCommand& command, const NetInput& input,
                                            Diagnostics& diagnostics) {
  if (input.flexibility.empty()) {
    diagnostics.error("C0004", "no `flexibility` in the files given")
        .helps.emplace_back("`tilewright doc flexibility` lists what belongs in it");
    return std::nullopt;
  }
  if (input.flexibility.size() > 1) {
    Diagnostic& error = diagnostics.error("F0013", "section `flexibility` is given twice");
    for (const auto& file : input.flexibility) error.labels.push_back({Span{file, 0, 0, 1}, ""});
    return std::nullopt;
  }
  auto flexibility = read_flexibility_file(input.flexibility.front(), input.arch, diagnostics);
  if (!flexibility) return std::nullopt;
  for (const FlexAxis axis : kAllFlexAxes) {
    const std::string& name = command.degrees[static_cast<std::size_t>(axis)];
    if (name.empty()) continue;
    flexibility->supports[axis] = *degree_by_name(name);
    if (name == "partial" && !has_partial(*flexibility, axis)) {
      constexpr std::array<const char*, kFlexAxes> kKeys = {"partition", "orders", "parallelisms",
                                                            "block"};
      Diagnostic& error = diagnostics.error(
          "X0002",
          fmt::format("`--{} partial`: the file does not say what that is", flex_axis_name(axis)));
      error.labels.push_back({Span{input.flexibility.front(), 0, 0, 1}, ""});
      error.helps.push_back(
          fmt::format("`tilewright doc flexibility.{}`", kKeys[static_cast<std::size_t>(axis)]));
    }
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return flexibility;
}

WorthOptions options_of(const FlexCommand& command, Session& session) {
  WorthOptions options;
  std::string why;
  options.objective = {command.objective, *parse_objective(command.objective, why)};
  options.space = *space_by_name(command.space);
  options.threads = command.threads;
  options.stop = session.console().interrupted;
  return options;
}

FlexAnswer search(const FlexCommand& command, const NetInput& input, const Flexibility& flexibility,
                  Session& session) {
  WorthOptions options = options_of(command, session);
  LiveLine line(session);
  if (line.visible()) {
    options.progress = [&](std::size_t done, std::size_t all) {
      line.show(fmt::format("{} of {} optima", done, all));
    };
  }
  return find_flex_answer(flexibility, input.arch, input.network, command.classes, options);
}

// Prints files that `flex` reads.
void fix(const FlexCommand& command, const NetInput& input, const Flexibility& flexibility,
         Session& session) {
  FixOptions options;
  options.worth = options_of(command, session);
  const FixedAccelerator found =
      find_fixed_accelerator(flexibility, input.arch, input.network, options);
  if (found.row.status > Status::kNotProved) {
    session.note("no accelerator that varies nothing was found for all layers");
    session.exit_code = kNotFound;
    return;
  }
  session.out() << fmt::format(
      "# For {}: {:.0f} cycles, if nothing may vary from layer to layer; no such accelerator\n"
      "# takes fewer than {:.0f} ({}).\n",
      input.network.name, found.row.score, found.bound,
      found.row.status == Status::kProved
          ? "proved"
          : percent_text(1 - found.bound / found.row.score) + " less");
  session.out() << write_arch(found.arch) << "\n" << write_flexibility(found.flexibility);
}

// The network of the files, and those of `--also`. Nothing, with findings shown, if one is missing.
std::optional<std::vector<Network>> read_networks(const FlexCommand& command, const NetInput& input,
                                                  Session& session) {
  std::vector<Network> networks = {input.network};
  Diagnostics diagnostics;
  for (const std::string& name : command.also) {
    const Sources sources = read_sources({name}, session.console().in, diagnostics);
    if (diagnostics.has_errors()) continue;
    Documents documents = read_documents(sources, diagnostics);
    if (documents.network) {
      networks.push_back(std::move(*documents.network));
    } else if (!diagnostics.has_errors()) {
      diagnostics.error("C0004", fmt::format("no `network` in {}", in_backticks(name)));
    }
  }
  session.show(diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return networks;
}

void buy(const FlexCommand& command, const NetInput& input, const Flexibility& flexibility,
         Session& session) {
  MarketOptions options;
  options.worth = options_of(command, session);
  Diagnostics diagnostics;
  const auto budget =
      parse_area_budget(command.buy, costs_of(flexibility, input.arch), diagnostics);
  session.show(diagnostics);
  const auto networks = read_networks(command, input, session);
  if (!budget || !networks) {
    session.exit_code = budget ? kInputError : kUsageError;
    return;
  }
  options.most_added_um2 = *budget;
  LiveLine line(session);
  std::string solved;
  if (line.visible()) {
    options.progress = [&](std::size_t done, std::size_t all) {
      solved = fmt::format("{} of at most {} choices solved", done, all);
      line.show(solved);
    };
    options.worth.progress = [&](std::size_t done, std::size_t all) {
      line.show(fmt::format("{}; {} of {} optima", solved, done, all));
    };
  }
  const MarketAnswer answer{flexibility,
                            input.arch,
                            *networks,
                            options.worth.objective,
                            options.worth.space,
                            command.buy,
                            find_flex_market(flexibility, input.arch, *networks, options)};
  session.out() << (command.net.json ? market_json(answer)
                                     : market_text(answer, session.text_options()));
  if (!command.net.html.empty()) {
    session.save_file(command.net.html, market_page(answer, program_version()));
  }
  if (answer.market.front.empty()) session.exit_code = kNotFound;
}

void answer(const FlexCommand& command, const NetInput& input, const Flexibility& flexibility,
            Session& session) {
  if (!session.can_write({command.net.html})) return;
  if (command.fix) {
    fix(command, input, flexibility, session);
    return;
  }
  if (!command.buy.empty()) {
    buy(command, input, flexibility, session);
    return;
  }
  const FlexAnswer found = search(command, input, flexibility, session);
  session.out() << (command.net.json ? flex_json(found)
                                     : flex_text(found, command.layers, session.text_options()));
  if (!command.net.html.empty()) {
    session.save_file(command.net.html, flex_page(found, program_version()));
  }
  const Status status = row_of(found, flexibility.supports).status;
  if (status == Status::kInfeasible) session.exit_code = kIllegal;
  if (status == Status::kNotFound) session.exit_code = kNotFound;
}

void run_flex(const FlexCommand& command, Session& session) {
  const std::optional<NetInput> input = load_net(session, command.net);
  if (!input) return;
  Diagnostics diagnostics;
  const auto flexibility = read_flexibility(command, *input, diagnostics);
  session.show(diagnostics);
  if (!flexibility) {
    session.exit_code = kInputError;
    return;
  }
  if (command.fix && command.objective != "latency") {
    Diagnostics usage;
    usage.error("X0002", "`--fix` minimizes the runtime: only `--objective latency` works with it");
    session.show(usage);
    session.exit_code = kUsageError;
    return;
  }
  if (session.console().catch_interrupts != nullptr) session.console().catch_interrupts();
  refuse_hopeless(session, [&] {
    try {
      answer(command, *input, *flexibility, session);
    } catch (const InputError& error) {
      Diagnostics found;
      found.error("X0001", error.what());
      session.show(found);
      session.exit_code = kInputError;
    }
  });
}

}  // namespace

void add_flex(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("flex", "how flexible an accelerator is, and what that is worth");
  auto wanted = std::make_shared<FlexCommand>();
  command
      ->add_option("FILES", wanted->net.files,
                   "an architecture, its flexibility and a network, in any order: files (also "
                   ".onnx) or names from the library")
      ->required()
      ->option_text(" ");
  add_with(*command, session);
  for (const FlexAxis axis : kAllFlexAxes) {
    command
        ->add_option(fmt::format("--{}", flex_axis_name(axis)),
                     wanted->degrees[static_cast<std::size_t>(axis)],
                     fmt::format("flexibility of the axis {}, instead of what the file says",
                                 flex_axis_name(axis)))
        ->option_text("fixed|partial|full")
        ->check(one_of({"fixed", "partial", "full"}));
  }
  command
      ->add_option("--objective", wanted->objective,
                   "what to minimize for each layer; the network is the sum of its layers")
      ->option_text(objective_names())
      ->check(an_objective());
  command->add_option("--space", wanted->space, "which loops may leave a remainder (ruby: all)")
      ->option_text("pfm|ruby-s|ruby-t|ruby")
      ->check(one_of({"pfm", "ruby-s", "ruby-t", "ruby"}));
  command->add_option("--threads", wanted->threads, "number of threads; does not change the result")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--layers", wanted->layers, "also print a line for every layer")
      ->option_text("");
  command
      ->add_flag("--classes", wanted->classes,
                 "also print the optimum for each of the 16 classes, and with all axes partial")
      ->option_text("");
  command
      ->add_flag("--fix", wanted->fix,
                 "print the best accelerator found that varies nothing, with a bound, as a file; "
                 "its runtime is what counts")
      ->option_text("");
  CLI::Option* buy = command
                         ->add_option("--buy", wanted->buy,
                                      "which flexibility to buy if it may add this much area, and "
                                      "the Pareto front")
                         ->option_text("area=5%|area=2000um2");
  command
      ->add_option("--also", wanted->also,
                   "with --buy: a further network that counts as much; may be repeated")
      ->option_text("NETWORK")
      ->needs(buy);
  command->add_option("--html", wanted->net.html, "also write a page with pictures")
      ->option_text("FILE");
  command->add_flag("--json", wanted->net.json, "print the result as JSON")->option_text("");
  command->footer(kFooter);
  command->callback([wanted, &session] { run_flex(*wanted, session); });
}

}  // namespace tilewright
