// SPDX-License-Identifier: Apache-2.0
// Manual pages and shell completions, made from the definitions of the commands.
#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The manual page, in roff, of the program or of one of its commands, with those inside it.
std::string manual_page(const CLI::App& app, std::string_view version);

/// "bash", "zsh", "fish".
std::vector<std::string> completion_shells();

/// The script that completes commands, options, their values, and where files are taken also
/// `names`, for one of completion_shells().
std::string completion_script(const CLI::App& app, std::string_view shell,
                              std::span<const std::string> names);

}  // namespace tilewright
