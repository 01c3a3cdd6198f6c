// SPDX-License-Identifier: Apache-2.0
// tilewright workload: the networks that come with the program.
#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "tilewright/base/text/nearest.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/networks.h"
#include "tilewright/format/number_text.h"
#include "tilewright/library/library.h"

namespace tilewright {
namespace {

void run_list(Session& session) {
  const TextOptions options = session.text_options();
  Table table(
      {{"network", Table::Align::kLeft, 0}, {"layers"}, {"runs"}, {"MACs"}, {"parameters"}});
  for (const LibraryEntry& entry : library_networks()) {
    const Network network = *find_network(entry.name);
    const NetworkTotals totals = network_totals(network);
    table.add_row({paint(entry.name, Style::kMemory, options),
                   count_text(static_cast<std::int64_t>(network.layers.size())),
                   count_text(totals.runs), short_count_text(totals.computes),
                   short_count_text(totals.parameters)});
    std::istringstream lines(wrap_words("  ", entry.summary, options.width));
    for (std::string line; std::getline(lines, line);) {
      table.add_line(paint(line, Style::kDim, options));
    }
  }
  session.out() << table.text(options);
}

void report_unknown(const std::string& name, Session& session) {
  std::vector<std::string> names;
  for (const LibraryEntry& entry : library_networks()) names.emplace_back(entry.name);
  Diagnostics diagnostics;
  Diagnostic& found =
      diagnostics.error("C0007", fmt::format("the library has no network `{}`", name));
  if (const auto meant = nearest(name, names)) {
    found.helps.push_back(fmt::format("did you mean `{}`?", *meant));
  } else {
    found.helps.emplace_back("`tilewright workload list` lists them");
  }
  session.show(diagnostics);
  session.exit_code = kInputError;
}

void run_show(const std::string& name, const std::string& layer, Session& session) {
  const LibraryEntry* entry = find_library_network(name);
  if (entry == nullptr) return report_unknown(name, session);
  if (layer.empty()) {
    session.out() << entry->text;
    return;
  }
  Diagnostics diagnostics;
  if (const auto text = layer_file(*find_network(name), layer, diagnostics)) {
    session.out() << *text;
    return;
  }
  session.show(diagnostics);
  session.exit_code = kInputError;
}

}  // namespace

void add_workload(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("workload", "list and show the networks in the library");
  command->require_subcommand(1);
  command->fallthrough();
  CLI::App* list = command->add_subcommand("list", "list names, totals and descriptions");
  list->fallthrough();
  list->callback([&session] { run_list(session); });
  CLI::App* show = command->add_subcommand("show", "print one of them, as a file to start from");
  show->fallthrough();
  auto name = std::make_shared<std::string>();
  auto layer = std::make_shared<std::string>();
  show->add_option("NAME", *name, "a name from `workload list`")->required()->option_text(" ");
  show->add_option("--layer", *layer, "print just this layer, as a workload that `map` reads")
      ->option_text("NAME");
  show->callback([name, layer, &session] { run_show(*name, *layer, session); });
}

}  // namespace tilewright
