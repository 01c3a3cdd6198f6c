// SPDX-License-Identifier: Apache-2.0
// tilewright import: Timeloop's and ZigZag's files as files of our own.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/timeloop_input.h"
#include "tilewright/timeloop/native.h"
#include "tilewright/zigzag/zigzag.h"

namespace tilewright {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string folder;
};

bool make_folder(Session& session, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return true;
  Diagnostics diagnostics;
  diagnostics.error("C0010", fmt::format("cannot make folder `{}`: {}", folder, error.message()));
  session.show(diagnostics);
  session.exit_code = kInputError;
  return false;
}

// What the files hold; nothing, with findings shown, if they are wrong.
std::optional<Documents> read_files(const Options& options, Session& session) {
  Diagnostics diagnostics;
  const Sources sources = read_sources(options.files, session.console().in, diagnostics);
  const auto is_zigzag = [](const auto& file) { return zigzag::is_zigzag(*file); };
  if (!diagnostics.has_errors() && std::ranges::none_of(sources, is_zigzag)) {
    return load(session, sources, Need::kAnything);
  }
  zigzag::Reading reading;
  if (!diagnostics.has_errors()) reading = zigzag::read_documents(sources, diagnostics);
  session.left_out = reading.left_out;
  session.show(diagnostics);
  if (!diagnostics.has_errors()) return std::move(reading.documents);
  session.exit_code = kInputError;
  return std::nullopt;
}

void run_import(const Options& options, Session& session) {
  const std::optional<Documents> documents = read_files(options, session);
  if (!documents || !make_folder(session, options.folder)) return;
  std::string names;
  for (const auto& file : timeloop::write_native(*documents)) {
    const std::string path = (std::filesystem::path(options.folder) / file->name).string();
    if (!session.write_file(path, file->text)) return;
    names += " " + path;
  }
  if (documents->has_mapping_section && !documents->mapping) {
    session.note("note: the mapping was not written: that needs a problem and an architecture");
  }
  session.out() << "wrote" << names << "\n";
  if (documents->problem && documents->problem->conventions().holes_are_data) {
    session.out() << "give --holes-are-data with them to count as Timeloop does\n";
  }
  session.out() << left_out_text(session);
}

}  // namespace

void add_import(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("import", "write Timeloop's or ZigZag's files as files of our own");
  auto options = std::make_shared<Options>();
  command
      ->add_option("FILES", options->files,
                   "Timeloop's or ZigZag's files, or folders that hold them")
      ->required()
      ->option_text(" ");
  command
      ->add_option("-o,--output", options->folder,
                   "the folder for arch.yaml, workload.yaml or network.yaml, constraints.yaml and "
                   "mapping.nest")
      ->required()
      ->option_text("FOLDER");
  add_timeloop(*command, session);
  command->callback([options, &session] { run_import(*options, session); });
}

}  // namespace tilewright
