// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/format/layout.h"
#include "tilewright/io/yaml/fields.h"

namespace tilewright {
namespace {

constexpr int kWidth = 80;
constexpr int kColumn = 24;

std::string entry(const std::string& name, const std::string& description) {
  const std::string start = pad_right("  " + name + " ", kColumn);
  if (display_width(start) <= kColumn) return wrap_words(start, description, kWidth);
  return "  " + name + "\n" + wrap_words(std::string(kColumn, ' '), description, kWidth);
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool positional) const override {
    std::string name = make_option_name(option, positional);
    const std::string& text = option->get_option_text();
    if (!text.empty() && text != " ") name += " " + text;
    return entry(name, make_option_desc(option));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }
};

void add_option_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
}

bool is_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = command_names(app);
  return std::find(names.begin(), names.end(), word) != names.end();
}

// How a sweep is searched is part of its file: `--budget` is the key `budget`, `--space` is
// `spaces`.
std::string sweep_key_help(const std::string& option) {
  const std::string name = option.substr(2);
  for (const Field& field : fields_of(ObjectId::kSweep).fields) {
    if (field.key != name && field.key != name + "s") continue;
    const std::string key(field.key);
    return "help: " + in_backticks(option) + " is not an option: write `" + key + ": " +
           std::string(field.example) + "` into the sweep's file (`tilewright doc sweep." + key +
           "`)\n";
  }
  return "";
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_formatter() {
  return std::make_shared<HelpFormatter>();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string unknown_command(const CLI::App& app, std::span<const std::string> args) {
  // A command may have commands of its own: `sweep run`.
  const CLI::App* command = &app;
  std::string path = "tilewright";
  for (const std::string& word : args) {
    const std::vector<std::string> names = command_names(*command);
    if (names.empty() || word.starts_with('-')) break;
    if (!is_command(*command, word)) {
      const auto meant = nearest(word, names);
      const std::string help = meant ? "did you mean `" + path + " " + *meant + "`?"
                                     : "`" + path + " --help` lists the commands";
      return "error: unknown command " + in_backticks(word) + "\nhelp: " + help + "\n";
    }
    command = command->get_subcommand(word);
    path += " " + word;
  }
  return "";
}

std::string usage_help(const CLI::App& app, std::span<const std::string> args) {
  std::vector<std::string> options;
  add_option_names(app, options);
  const CLI::App* command = &app;
  std::string path = "tilewright";
  for (const std::string& word : args) {
    if (!is_command(*command, word)) break;
    command = command->get_subcommand(word);
    path += " " + word;
    add_option_names(*command, options);
  }
  for (const std::string& arg : args) {
    const std::string name = arg.substr(0, arg.find('='));
    const bool known = std::find(options.begin(), options.end(), name) != options.end();
    if (!name.starts_with("--") || known) continue;
    if (path.starts_with("tilewright sweep")) {
      if (std::string help = sweep_key_help(name); !help.empty()) return help;
    }
    const bool is_other = name == "--threads" || name == "--jobs";  // sweeps have processes
    const std::string other = name == "--threads" ? "--jobs" : "--threads";
    const bool has_other = is_other && std::ranges::find(options, other) != options.end();
    const auto meant = has_other ? other : nearest(name, options);
    if (meant) return "help: did you mean `" + *meant + "`?\n";
  }
  return "help: `" + path + " --help` lists the options\n";
}

}  // namespace tilewright
