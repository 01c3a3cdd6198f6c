// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/results.h"

#include <fmt/format.h>

#include "tilewright/base/text/printable.h"
#include "tilewright/cli/input/inputs.h"

namespace tilewright {
void add_save(CLI::App& command, std::string& path) {
  command
      .add_option(
          "--save", path,
          "also write the result with its inputs as JSON, for `evaluate`, `diff` and `rerun`")
      ->option_text("FILE");
}

RunInputs inputs_of(const Session& session) { return {session.inputs, session.with}; }

void save_result(Session& session, const std::string& path, const std::string& json) {
  if (!path.empty()) session.save_file(path, json);
}

std::optional<OpenedResult> open_result(Session& session, const std::string& path) {
  Diagnostics diagnostics;
  std::optional<OpenedResult> opened;
  Sources sources;
  if (path == "-") {
    sources = read_sources({path}, session.console().in, diagnostics);
  } else if (auto text = read_text_file(path, diagnostics)) {
    sources.push_back(
        std::make_shared<const SourceFile>(SourceFile{printable(path), std::move(*text)}));
  }
  if (!sources.empty()) {
    if (auto result = read_result(sources.front(), diagnostics)) {
      opened = OpenedResult{sources.front(), std::move(*result)};
    }
  }
  if (opened && opened->result.run.command.empty()) {
    Diagnostic& found = diagnostics.error(
        "R0004",
        fmt::format("{} does not contain the inputs from which it was made", in_backticks(path)));
    found.labels.push_back({Span{opened->file, 0, 0, 1}, ""});
    found.notes.push_back(fmt::format("it was written by version {}, without `run`",
                                      printable(opened->result.version)));
    found.helps.emplace_back(
        "create it again: `--save FILE` and `--json` write everything that is needed");
    opened.reset();
  }
  session.show(diagnostics);
  if (!opened) session.exit_code = kInputError;
  return opened;
}

}  // namespace tilewright
