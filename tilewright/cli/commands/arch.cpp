// SPDX-License-Identifier: Apache-2.0
// tilewright arch: the accelerators that come with the program.
#include <fmt/format.h>

#include "tilewright/base/text/nearest.h"
#include "tilewright/cli/commands.h"
#include "tilewright/io/read.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"

namespace tilewright {
namespace {

void run_list(Session& session) {
  const TextOptions options = session.text_options();
  int widest = 0;
  for (const LibraryEntry& entry : library_archs()) {
    widest = std::max(widest, display_width(entry.name));
  }
  for (const LibraryEntry& entry : library_archs()) {
    const std::string name = pad_right(paint(entry.name, Style::kMemory, options), widest);
    session.out() << wrap_words(name + "  ", entry.summary, options.width);
  }
}

// As it is; or, with figures of the user's, as it is understood.
void show_entry(const std::string& name, const std::string& text, Session& session) {
  if (session.with.empty()) {
    session.out() << text;
    return;
  }
  Diagnostics diagnostics;
  const auto file = std::make_shared<const SourceFile>(SourceFile{"library:" + name, text});
  const auto arch = read_arch(file, diagnostics, make_overrides(session.with, "--with"));
  session.show(diagnostics);
  if (arch) {
    session.out() << write_arch(*arch);
  } else {
    session.exit_code = kInputError;
  }
}

void run_show(const std::string& name, Session& session) {
  if (const LibraryEntry* entry = find_library_arch(name)) {
    show_entry(name, std::string(entry->text), session);
    return;
  }
  std::vector<std::string> names;
  for (const LibraryEntry& entry : library_archs()) names.emplace_back(entry.name);
  Diagnostics diagnostics;
  Diagnostic& found =
      diagnostics.error("C0007", fmt::format("the library has no architecture `{}`", name));
  if (const auto meant = nearest(name, names)) {
    found.helps.push_back(fmt::format("did you mean `{}`?", *meant));
  } else {
    found.helps.emplace_back("`tilewright arch list` lists them");
  }
  session.show(diagnostics);
  session.exit_code = kInputError;
}

}  // namespace

void add_arch(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("arch", "list and show the architectures in the library");
  command->require_subcommand(1);
  command->fallthrough();
  CLI::App* list = command->add_subcommand("list", "list names and descriptions");
  list->fallthrough();
  list->callback([&session] { run_list(session); });
  CLI::App* show = command->add_subcommand("show", "print one of them, as a file to start from");
  show->fallthrough();
  auto name = std::make_shared<std::string>();
  show->add_option("NAME", *name, "a name from `arch list`")->required()->option_text(" ");
  add_with(*show, session);
  show->callback([name, &session] { run_show(*name, session); });
}

}  // namespace tilewright
