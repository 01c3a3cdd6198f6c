// SPDX-License-Identifier: Apache-2.0
// tilewright show: what was understood.
#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/io/write.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/report/mapping/nest_text.h"
#include "tilewright/report/mapping/problem_text.h"
#include "tilewright/report/network/network_text.h"

namespace tilewright {
namespace {

struct Options {
  std::vector<std::string> files;
  bool yaml = false;
  bool nest = false;
};

// Tile sizes make sense only for a nest that does.
bool makes_sense(const Documents& documents) {
  const auto violations = find_violations(*documents.problem, *documents.mapping);
  return violations.empty() || !is_structural(violations.front().kind);
}

std::string overview(const Documents& documents, const TextOptions& options) {
  std::string result;
  const auto add = [&](const std::string& section) {
    result += (result.empty() ? "" : "\n") + section;
  };
  if (documents.workload) add(workload_text(*documents.workload, options));
  if (documents.arch) add(arch_text(*documents.arch, options));
  if (documents.network) add(network_text(*documents.network, options));
  if (documents.mapping) {
    const std::string nest = makes_sense(documents)
                                 ? nest_text(*documents.problem, *documents.mapping, options)
                                 : write_nest(*documents.problem, *documents.mapping);
    add(paint("mapping", Style::kHeading, options) + "\n" + nest);
  }
  return result;
}

std::string as_yaml(const Documents& documents) {
  std::string result;
  if (documents.workload) result += write_workload(*documents.workload);
  if (documents.arch) result += write_arch(*documents.arch);
  if (documents.network) result += write_network(*documents.network);
  if (documents.mapping) result += write_mapping(*documents.problem, *documents.mapping);
  return result;
}

void run_show(const Options& options, Session& session) {
  const Need need = options.nest ? Need::kMapping : Need::kAnything;
  const std::optional<Documents> documents = load(session, options.files, need);
  if (!documents) return;
  if (options.nest) {
    session.out() << write_nest(*documents->problem, *documents->mapping);
  } else if (options.yaml) {
    session.out() << as_yaml(*documents);
  } else {
    session.out() << overview(*documents, session.text_options());
    const bool illegal = documents->mapping && !makes_sense(*documents);
    if (illegal) accept_mapping(session, *documents, Misfit::kRefuse);
  }
}

}  // namespace

void add_show(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("show", "print the inputs in canonical form");
  auto options = std::make_shared<Options>();
  add_files(*command, options->files);
  add_with(*command, session);
  add_timeloop(*command, session);
  CLI::Option* yaml =
      command->add_flag("--yaml", options->yaml, "print everything as one YAML file");
  command->add_flag("--nest", options->nest, "print just the mapping, in text form")
      ->option_text(" ")
      ->excludes(yaml->option_text(" "));
  command->callback([options, &session] { run_show(*options, session); });
}

}  // namespace tilewright
