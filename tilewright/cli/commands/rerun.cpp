// SPDX-License-Identifier: Apache-2.0
// tilewright rerun: makes a result again from what it holds, and compares.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tilewright/base/text/printable.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/cli/input/results.h"
#include "tilewright/cli/run.h"
#include "tilewright/diff/rerun_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

// Commands whose `--json` holds all that they need.
constexpr const char* kCommands[] = {"evaluate", "map", "net"};

struct Options {
  std::string file;
  std::string save;
  bool json = false;
};

bool refuse_command(Session& session, const OpenedResult& old) {
  const std::string& command = old.result.run.command;
  if (std::ranges::find(kCommands, command) != std::end(kCommands)) return false;
  Diagnostics diagnostics;
  Diagnostic& found = diagnostics.error(
      "R0001", fmt::format("{} is not a command that can be rerun", in_backticks(command)));
  found.labels.push_back({Span{old.file, 0, 0, 1}, ""});
  found.helps.push_back(fmt::format("these can: {}", fmt::join(kCommands, ", ")));
  session.show(diagnostics);
  session.exit_code = kInputError;
  return true;
}

// What the same command writes now; nothing, with the exit code set, if it does not end well.
std::optional<std::string> make_again(Session& session, const RunRecord& run) {
  std::vector<std::string> args = {run.command, "-", "--json", "--color=" + session.color,
                                   "--error-format=" + session.error_format};
  for (std::string& argument : to_arguments(run)) args.push_back(std::move(argument));
  std::ostringstream out;
  const Console& outer = session.console();
  Console console = outer.with_streams(out, outer.err);
  console.out_terminal = false;
  const int code = tilewright::run(args, console, &run.inputs);
  // A network of which a layer has no mapping is a result, too.
  if (!out.str().empty()) return out.str();
  session.note(
      fmt::format("rerun: the command ended differently this time, with exit code {}", code));
  session.exit_code = code;
  return std::nullopt;
}

void note_doubts(Session& session, const ResultFile& old) {
  if (old.version != program_version()) {
    session.note(fmt::format("note: written by version {}, this is {}", printable(old.version),
                             program_version()));
  }
  if (!old.run.repeatable) {
    session.note("note: a time limit or Ctrl-C ended this search, so the result may differ");
  }
}

void run_rerun(const Options& options, Session& session) {
  const std::optional<OpenedResult> old = open_result(session, options.file);
  if (!old || refuse_command(session, *old)) return;
  note_doubts(session, old->result);
  const std::optional<std::string> now = make_again(session, old->result.run);
  if (!now) return;
  const RerunDifference difference = compare_results(old->file->text, *now);
  const std::string verdict = rerun_text(difference, session.text_options());
  if (options.json) {
    session.out() << *now;
    session.note(verdict.substr(0, verdict.size() - 1));
  } else {
    session.out() << verdict;
  }
  if (!difference.values.empty()) session.exit_code = kDisagreement;
  save_result(session, options.save, *now);
}

}  // namespace

void add_rerun(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("rerun", "reproduce a result from its file and compare byte by byte");
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "a result file written by `--save` or `--json`")
      ->required()
      ->option_text(" ");
  command->add_flag("--json", options->json, "print the new result instead of the verdict")
      ->option_text("");
  command->add_option("-o,--save", options->save, "also write the new result")->option_text("FILE");
  command->footer(
      "Exit codes: 0 same bytes, or same values if the file was reformatted or written\n"
      "by another version; 4 values differ; otherwise that of the command itself.");
  command->callback([options, &session] { run_rerun(*options, session); });
}

}  // namespace tilewright
