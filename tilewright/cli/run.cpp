// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/run.h"

#include <CLI/CLI.hpp>

#include "tilewright/base/error.h"
#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/help.h"
#include "tilewright/cli/shown_stream.h"

namespace tilewright {
namespace {

constexpr const char* kFooter =
    "Start with `tilewright demo`. `tilewright doc` describes the input files.\n"
    "Exit codes: 0 success; 1 an input is wrong; 2 the command line is wrong; 3 the\n"
    "mapping is illegal or does not fit, or it is proved that none exists; 4 --check,\n"
    "rerun or verify found a difference; 5 the constraints contradict each other; 6 a\n"
    "search ended without a mapping, although one may exist; 70 a bug in tilewright.";

void add_commands(CLI::App& app, Session& session) {
  app.require_subcommand(1);
  app.formatter(make_help_formatter());
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", "tilewright " + program_version(), "print the version");
  app.fallthrough();
  add_evaluate(app, session);
  add_map(app, session);
  add_import(app, session);
  add_verify(app, session);
  add_net(app, session);
  add_flex(app, session);
  add_sweep(app, session);
  add_store(app, session);
  add_count(app, session);
  add_check(app, session);
  add_show(app, session);
  add_diff(app, session);
  add_rerun(app, session);
  add_explain(app, session);
  add_demo(app, session);
  add_arch(app, session);
  add_workload(app, session);
  add_onnx(app, session);
  add_doc(app, session);
  add_schema(app, session);
  add_manual(app, session);
  add_completion(app, session);
  add_version(app, session);
  // What comes after the commands is not inherited by their help.
  app.footer(kFooter);
  app.add_option("--color", session.color, "when to colour the output")
      ->option_text("auto|always|never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_flag("--wide", session.wide,
               "do not shorten names, however long the lines get; by default lines are at most 80 "
               "columns wide, or as wide as the terminal or COLUMNS says")
      ->option_text(" ");
  app.add_option("--error-format", session.error_format, "format of error messages")
      ->option_text("text|json")
      ->check(CLI::IsMember({"text", "json"}));
}

int parse_and_run(std::span<const std::string> args, Console& console, const Sources* given) {
  CLI::App app("Tilewright: optimal mappings of tensor operations onto accelerators.",
               "tilewright");
  Session session(console, given);
  add_commands(app, session);
  if (args.empty()) {
    console.out << app.help();
    return kOk;
  }
  if (const std::string unknown = unknown_command(app, args); !unknown.empty()) {
    console.err << unknown;
    return kUsageError;
  }
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error, console.out, console.err);
    console.err << "error: " << error.what() << "\n" << usage_help(app, args);
    return kUsageError;
  }
  if (session.cut()) session.note("note: names with a ~ were shortened; --wide shows them in full");
  return session.exit_code;
}

}  // namespace

CLI::Option* add_files(CLI::App& command, std::vector<std::string>& files) {
  return command
      .add_option("FILES", files,
                  "workload, arch, mapping and constraints, in any order: files (Timeloop's too), "
                  "folders (their "
                  "*.yaml and *.nest files), names of library architectures, layers of library "
                  "networks (resnet50/conv1), an operator in quotes ('gemm 512 768 3072', 'conv "
                  "m=64 c=3 p=112 q=112 r=7 s=7 stride=2', 'Z[m,n] += A[m,k] * B[k,n]; m=4 n=4 "
                  "k=4'), or - for standard input")
      ->required()
      ->option_text(" ");
}

void add_with(CLI::App& command, Session& session) {
  command
      .add_option("--with", session.with,
                  "override a figure of the architecture, written as in its file: "
                  "DRAM.bandwidth='12.8 GB/s', clock='200 MHz', PE.axes.X=16; may be repeated")
      ->option_text("NODE.key=VALUE")
      ->allow_extra_args(false);
}

int run(std::span<const std::string> args, Console& outer, const Sources* given) {
  ShownStream out(outer.out);
  ShownStream err(outer.err);
  Console console = outer.with_streams(out, err);
  try {
    return parse_and_run(args, console, given);
  } catch (const OverflowError& error) {
    console.err << "error[C0008]: " << error.what()
                << "\nhelp: use smaller dims, energies or exponents; counts must stay below 2^63 "
                   "and scores below 10^308\n";
    return kInputError;
  } catch (const std::exception& error) {
    console.err << "internal error: this is a bug in tilewright, not in your files\n  "
                << error.what() << "\n";
    return kInternalError;
  }
}

}  // namespace tilewright
