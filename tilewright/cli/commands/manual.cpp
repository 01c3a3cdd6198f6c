// SPDX-License-Identifier: Apache-2.0
// tilewright manual and tilewright completion: pages and scripts that packages install.
#include "tilewright/cli/manual.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tilewright/base/version.h"
#include "tilewright/cli/commands.h"
#include "tilewright/cli/help.h"
#include "tilewright/cli/input/validators.h"
#include "tilewright/library/library.h"

namespace tilewright {
namespace {

// What may stand where files do.
std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const LibraryEntry& entry : library_archs()) names.emplace_back(entry.name);
  for (const LibraryEntry& entry : library_networks()) names.emplace_back(entry.name);
  return names;
}

void print_page(const CLI::App& app, const std::string& name, Session& session) {
  const std::vector<std::string> names = command_names(app);
  if (!name.empty() && std::ranges::find(names, name) == names.end()) {
    return session.refuse_unknown("command", name, names);
  }
  session.out() << manual_page(name.empty() ? app : *app.get_subcommand(name), program_version());
}

}  // namespace

void add_manual(CLI::App& app, Session& session) {
  struct Wanted {
    std::string command;
    bool list = false;
  };
  CLI::App* command =
      app.add_subcommand("manual", "print a manual page: `tilewright manual map | man -l -`");
  auto wanted = std::make_shared<Wanted>();
  command
      ->add_option("COMMAND", wanted->command,
                   "a command; without it, the page of the whole program")
      ->option_text(" ");
  command->add_flag("--list", wanted->list, "print the names of the commands that have a page")
      ->option_text("");
  command->callback([wanted, &app, &session] {
    if (!wanted->list) return print_page(app, wanted->command, session);
    for (const std::string& name : command_names(app)) session.out() << name << "\n";
  });
}

void add_completion(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "completion", "print a script that completes commands and options in your shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->option_text(" ")
      ->check(one_of(completion_shells()));
  command->footer(
      "For this session: `source <(tilewright completion bash)`. For every one, write it to\n"
      "~/.local/share/bash-completion/completions/tilewright, to a file `_tilewright` in a\n"
      "folder of zsh's fpath, or to ~/.config/fish/completions/tilewright.fish.");
  command->callback([shell, &app, &session] {
    session.out() << completion_script(app, *shell, library_names());
  });
}

}  // namespace tilewright
