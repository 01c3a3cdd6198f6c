// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/run.h"

#include <CLI/CLI.hpp>

#include "tilewright/base/error.h"
#include "tilewright/base/nearest.h"
#include "tilewright/cli/commands.h"

namespace tilewright {
namespace {

constexpr const char* kFooter =
    "Start with `tilewright demo`. Files are described by `tilewright doc`.\n"
    "Exit codes: 0 ok; 1 an input is wrong; 2 the command line is wrong; 3 the mapping\n"
    "is illegal or does not fit; 4 --check found a difference; 70 a bug in tilewright.";

void add_commands(CLI::App& app, Session& session) {
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "this text");
  app.footer(kFooter);
  app.get_formatter()->column_width(28);
  app.add_option("--color", session.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--error-format", session.error_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  app.fallthrough();
  add_evaluate(app, session);
  add_check(app, session);
  add_show(app, session);
  add_explain(app, session);
  add_demo(app, session);
  add_arch(app, session);
  add_doc(app, session);
  add_schema(app, session);
  add_version(app, session);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// A first word that is no command: CLI11 would call it "not expected".
bool report_unknown_command(const CLI::App& app, std::span<const std::string> args,
                            Console& console) {
  if (args.empty() || args.front().starts_with('-')) return false;
  const std::vector<std::string> names = command_names(app);
  if (std::find(names.begin(), names.end(), args.front()) != names.end()) return false;
  console.err << "error: unknown command `" << args.front() << "`\n";
  if (const auto meant = nearest(args.front(), names)) {
    console.err << "help: did you mean `tilewright " << *meant << "`?\n";
  } else {
    console.err << "help: `tilewright --help` lists the commands\n";
  }
  return true;
}

int parse_and_run(std::span<const std::string> args, Console& console) {
  CLI::App app("Tilewright: what tensor computations cost on accelerators.", "tilewright");
  Session session(console);
  add_commands(app, session);
  if (args.empty()) {
    console.out << app.help();
    return kOk;
  }
  if (report_unknown_command(app, args, console)) return kUsageError;
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error, console.out, console.err);
    console.err << "error: " << error.what() << "\n"
                << "help: `tilewright --help`, or --help after a command, shows what there is\n";
    return kUsageError;
  }
  return session.exit_code;
}

}  // namespace

CLI::Option* add_files(CLI::App& command, std::vector<std::string>& files) {
  return command
      .add_option("FILES", files,
                  "workload, arch and mapping in any order: files, folders (their *.yaml and "
                  "*.nest), names of library architectures, - for standard input")
      ->required();
}

int run(std::span<const std::string> args, Console& console) {
  try {
    return parse_and_run(args, console);
  } catch (const OverflowError& error) {
    console.err << "error[C0008]: " << error.what()
                << "\nhelp: the counts of this mapping are too large to be exact; use smaller "
                   "dims\n";
    return kInputError;
  } catch (const std::exception& error) {
    console.err << "internal error: this is a bug in tilewright, not in your files\n  "
                << error.what() << "\n";
    return kInternalError;
  }
}

}  // namespace tilewright
