// SPDX-License-Identifier: Apache-2.0
// tilewright check: is everything in these files right?
#include <fmt/format.h>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

std::string summary(const Documents& documents) {
  std::vector<std::string> parts;
  if (documents.workload) {
    parts.push_back(fmt::format("workload {} ({})", documents.workload->name(),
                                plural_text(documents.workload->computes(), "MAC")));
  }
  if (documents.arch) {
    parts.push_back(fmt::format("arch {} ({})", documents.arch->name(),
                                plural_text(documents.arch->compute_units(), "unit")));
  }
  if (documents.network) {
    parts.push_back(fmt::format(
        "network {} ({})", documents.network->name,
        plural_text(static_cast<std::int64_t>(documents.network->layers.size()), "layer")));
  }
  if (documents.mapping) parts.emplace_back("the mapping is legal and fits");
  return parts.empty() ? "nothing in these files" : fmt::format("{}", fmt::join(parts, ", "));
}

void run_check(const std::vector<std::string>& files, Session& session) {
  const std::optional<Documents> documents = load(session, files, Need::kAnything);
  if (!documents) return;
  if (documents->mapping && !accept_mapping(session, *documents, Misfit::kRefuse)) return;
  session.out() << "ok: " << summary(*documents) << "\n";
  if (documents->has_mapping_section && !documents->mapping) {
    session.note(
        "note: the mapping was not checked, because that needs a workload and an arch as well");
  }
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("check", "read and validate the inputs without evaluating anything");
  auto files = std::make_shared<std::vector<std::string>>();
  add_files(*command, *files);
  add_with(*command, session);
  add_timeloop(*command, session);
  command->callback([files, &session] { run_check(*files, session); });
}

}  // namespace tilewright
