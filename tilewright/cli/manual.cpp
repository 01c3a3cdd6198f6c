// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// With the names of the commands around it, `tilewright sweep run`.
std::string full_name(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// What its value looks like: `FILE`, `even|uneven`; nothing for a flag.
std::string value_of(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return "";
  const std::string& text = option.get_option_text();
  return text == " " ? "" : text;
}

// The words that are its values, if it says them all.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string text = value_of(option);
  if (text.find('|') == std::string::npos) return {};
  std::vector<std::string> words{""};
  for (const char c : text) {
    if (c == '|') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase_if(words, [](const std::string& word) {  // MEMORY stands for others
    return word.empty() || std::ranges::any_of(word, [](unsigned char c) {
             return std::isupper(c) != 0 || std::isspace(c) != 0;
           });
  });
  return words;
}

bool takes_files(const CLI::App& app) {
  return std::ranges::any_of(app.get_options(),
                             [](const CLI::Option* option) { return option->get_positional(); });
}

// ---- Manual pages ----

// Text of ours, in which code stands between backticks, as roff.
std::string roff(std::string_view text) {
  std::string result;
  bool code = false;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    begins = c == '\n';
    if (c == '`') {
      code = !code;
      result += code ? "\\fB" : "\\fR";
    } else if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return code ? result + "\\fR" : result;
}

void add_option(const CLI::Option& option, std::string& page) {
  std::vector<std::string> names = names_of(option);
  if (names.empty()) names.push_back(option.get_name(true));
  for (std::string& name : names) name = "\\fB" + roff(name) + "\\fR";
  const std::string value = value_of(option);
  page += fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "),
                      value.empty() ? "" : " \\fI" + roff(value) + "\\fR",
                      roff(option.get_description()));
}

void add_options(const CLI::App& app, const char* section, std::string& page) {
  bool begun = false;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    if (!begun && section != nullptr) page += std::string(section) + "\n";
    begun = true;
    add_option(*option, page);
  }
}

// A command inside another one, and those inside it.
void add_command(const CLI::App& app, std::string& page) {
  page += ".SS \"" + roff(full_name(app)) + "\"\n" + roff(app.get_description()) + ".\n";
  add_options(app, nullptr, page);
  for (const CLI::App* command : commands_of(app)) add_command(*command, page);
}

// ---- Completions ----

// For single quotes.
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : commands_of(app)) words.push_back(command->get_name());
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    for (const CLI::Option* option : level->get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

// The program and every command, the outer one first.
void list_apps(const CLI::App& app, std::vector<const CLI::App*>& all) {
  all.push_back(&app);
  for (const CLI::App* command : commands_of(app)) list_apps(*command, all);
}

// `$path` is the command so far.
std::string bash_script(const CLI::App& app, std::span<const std::string> names) {
  std::vector<const CLI::App*> all;
  list_apps(app, all);
  std::string words;
  std::string values;
  for (const CLI::App* one : all) {
    words += fmt::format("    {}) words={}; files={} ;;\n", shell_quoted(full_name(*one)),
                         shell_quoted(words_of(*one)), takes_files(*one) ? 1 : 0);
    for (const CLI::Option* option : one->get_options()) {
      const std::vector<std::string> choices = choices_of(*option);
      for (const std::string& name : names_of(*option)) {
        if (choices.empty()) continue;
        values += fmt::format("    {}) words={}; chosen=1 ;;\n",
                              shell_quoted(full_name(*one) + " " + name),
                              shell_quoted(fmt::format("{}", fmt::join(choices, " "))));
      }
    }
  }
  std::string commands;
  for (const CLI::App* one : all) commands += " " + shell_quoted(full_name(*one));
  return fmt::format(R"(# bash completion of tilewright; made by `tilewright completion bash`
_tilewright() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local path=tilewright words= files=0 chosen=0 i known
  local -a commands=({} )
  for ((i = 1; i < COMP_CWORD; ++i)); do
    for known in "${{commands[@]}}"; do
      [[ $known == "$path ${{COMP_WORDS[i]}}" ]] && path=$known && break
    done
  done
  case $path in
{}  esac
  case "$path $before" in
{}  esac
  COMPREPLY=()
  if ((files && !chosen)) && [[ $word != -* ]]; then
    COMPREPLY=($(compgen -f -- "$word") $(compgen -W {} -- "$word"))
  fi
  COMPREPLY+=($(compgen -W "$words" -- "$word"))
}}
complete -o filenames -F _tilewright tilewright
)",
                     commands, words, values,
                     shell_quoted(fmt::format("{}", fmt::join(names, " "))));
}

// zsh runs bash's.
std::string zsh_script(const CLI::App& app, std::span<const std::string> names) {
  return "#compdef tilewright\n# zsh completion of tilewright; made by `tilewright completion "
         "zsh`\n"
         "autoload -Uz bashcompinit && bashcompinit\n" +
         bash_script(app, names);
}

std::string fish_script(const CLI::App& app, std::span<const std::string> names) {
  std::string script =
      "# fish completion of tilewright; made by `tilewright completion fish`\n"
      "complete -c tilewright -e\n";
  std::vector<const CLI::App*> all;
  list_apps(app, all);
  for (const CLI::App* one : all) {
    // Where the words of the command stand, and none of the commands inside it.
    std::vector<std::string> inside;
    for (const CLI::App* command : commands_of(*one)) inside.push_back(command->get_name());
    std::vector<std::string> tests;
    for (const CLI::App* level = one; level->get_parent() != nullptr; level = level->get_parent()) {
      tests.insert(tests.begin(), "__fish_seen_subcommand_from " + level->get_name());
    }
    if (!inside.empty()) {
      tests.push_back(fmt::format("not __fish_seen_subcommand_from {}", fmt::join(inside, " ")));
    }
    const std::string when =
        tests.empty()
            ? ""
            : fmt::format(" -n {}", shell_quoted(fmt::format("{}", fmt::join(tests, "; and "))));
    for (const CLI::App* command : commands_of(*one)) {
      script +=
          fmt::format("complete -c tilewright -f{} -a {} -d {}\n", when,
                      shell_quoted(command->get_name()), shell_quoted(command->get_description()));
    }
    if (takes_files(*one)) {
      script += fmt::format("complete -c tilewright{} -a {}\n", when,
                            shell_quoted(fmt::format("{}", fmt::join(names, " "))));
    }
    for (const CLI::Option* option : one->get_options()) {
      if (names_of(*option).empty()) continue;
      std::string line = "complete -c tilewright" + (one->get_parent() == nullptr ? "" : when);
      for (const std::string& name : option->get_snames()) line += " -s " + name;
      for (const std::string& name : option->get_lnames()) line += " -l " + name;
      const std::vector<std::string> choices = choices_of(*option);
      if (!choices.empty()) {
        line += fmt::format(" -x -a {}", shell_quoted(fmt::format("{}", fmt::join(choices, " "))));
      } else if (option->get_expected_max() > 0) {
        line += " -r";
      }
      script += fmt::format("{} -d {}\n", line, shell_quoted(option->get_description()));
    }
  }
  return script;
}

}  // namespace

std::string manual_page(const CLI::App& app, std::string_view version) {
  std::string name = full_name(app);
  std::ranges::replace(name, ' ', '-');
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const bool whole = app.get_parent() == nullptr;
  std::string page =
      fmt::format(".TH {} 1 \"\" \"tilewright {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n\\fB{}\\fR",
                  roff(upper), version, roff(name),
                  whole ? "optimal mappings of tensor operations onto accelerators"
                        : roff(app.get_description()),
                  roff(full_name(app)));
  if (!commands_of(app).empty()) page += " \\fICOMMAND\\fR";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) page += " \\fI" + roff(option->get_name(true)) + "\\fR ...";
  }
  page += " [\\fIOPTIONS\\fR]\n";
  add_options(app, ".SH OPTIONS", page);
  if (!commands_of(app).empty()) page += ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) {
    if (whole) {
      page +=
          fmt::format(".TP\n\\fB{}\\fR\n{}; see tilewright\\-{}(1)\n", roff(command->get_name()),
                      roff(command->get_description()), roff(command->get_name()));
    } else {
      add_command(*command, page);
    }
  }
  if (!app.get_footer().empty()) page += ".SH NOTES\n" + roff(app.get_footer()) + "\n";
  if (!whole) page += ".SH SEE ALSO\n\\fBtilewright\\fR(1)\n";
  return page;
}

std::vector<std::string> completion_shells() { return {"bash", "zsh", "fish"}; }

std::string completion_script(const CLI::App& app, std::string_view shell,
                              std::span<const std::string> names) {
  if (shell == "bash") return bash_script(app, names);
  if (shell == "zsh") return zsh_script(app, names);
  TW_CHECK(shell == "fish", "the shell is one of completion_shells()");
  return fish_script(app, names);
}

}  // namespace tilewright
