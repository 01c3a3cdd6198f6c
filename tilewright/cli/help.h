// SPDX-License-Identifier: Apache-2.0
// How help looks, and what is said about words that the command line does not know.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilewright {

/// Help in 80 columns.
std::shared_ptr<CLI::FormatterBase> make_help_formatter();

/// What to say about a word that stands where a command must and is none: an error and its help, or
/// nothing if there is no such word.
std::string unknown_command(const CLI::App& app, std::span<const std::string> args);

/// What an unknown option may have meant, as one `help:` line with its end.
std::string usage_help(const CLI::App& app, std::span<const std::string> args);

/// Every command, in the order in which help lists them.
std::vector<std::string> command_names(const CLI::App& app);

}  // namespace tilewright
