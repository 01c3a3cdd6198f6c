// SPDX-License-Identifier: Apache-2.0
// tilewright demo: a small example that needs no files.
#include <fmt/format.h>

#include <filesystem>

#include "tilewright/cli/commands.h"
#include "tilewright/cli/commands/demo_files.h"
#include "tilewright/cli/input/inputs.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/report/assumptions_text.h"
#include "tilewright/report/mapping/evaluation_text.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNext =
    "next: tilewright demo --save DIR       writes the three files into DIR\n"
    "      tilewright evaluate DIR          gives this report: change a number\n"
    "      tilewright arch list             has accelerators to start from\n"
    "      tilewright doc                   explains every key\n";

void run_demo(Session& session) {
  Diagnostics diagnostics;
  std::vector<std::shared_ptr<const SourceFile>> files;
  for (const DemoFile& file : demo_files()) {
    files.push_back(std::make_shared<const SourceFile>(
        SourceFile{std::string(file.name), std::string(file.text)}));
  }
  const Documents documents = read_documents(files, diagnostics);
  session.show(diagnostics);
  TW_CHECK(documents.mapping.has_value(), "the demo's files are right");
  const Evaluation evaluation = evaluate(*documents.problem, *documents.mapping);
  const TextOptions options = session.text_options();
  session.out() << assumptions_text(*documents.arch, options)
                << evaluation_text({*documents.problem, *documents.mapping, evaluation}, options)
                << "\n"
                << kNext;
}

// Never overwrites.
void save_demo(const std::string& folder, Session& session) {
  Diagnostics diagnostics;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    diagnostics.error("C0010",
                      fmt::format("cannot create folder `{}`: {}", folder, error.message()));
  }
  for (const DemoFile& file : demo_files()) {
    const std::string path = (fs::path(folder) / file.name).string();
    if (!error && fs::exists(path)) {
      diagnostics.error("C0010", fmt::format("`{}` exists already", path))
          .helps.emplace_back("choose another folder");
    }
  }
  session.show(diagnostics);
  if (diagnostics.has_errors()) {
    session.exit_code = kInputError;
    return;
  }
  for (const DemoFile& file : demo_files()) {
    if (!session.write_file((fs::path(folder) / file.name).string(), file.text)) return;
  }
  session.out() << fmt::format("saved in {0}; now: tilewright evaluate {0}\n", folder);
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("demo", "run a small example that needs no files");
  auto folder = std::make_shared<std::string>();
  command->add_option("--save", *folder, "write the example's files into this folder")
      ->option_text("DIR");
  command->callback([folder, &session] {
    if (folder->empty()) {
      run_demo(session);
    } else {
      save_demo(*folder, session);
    }
  });
}

}  // namespace tilewright
