// SPDX-License-Identifier: Apache-2.0
// How options are written where the user writes them, for messages about them.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

enum class OptionStyle {
  kCommand,  ///< `--budget 10s`
  kPython,   ///< `budget="10s"`
};

/// What stands before the name of an option: `--` or nothing.
std::string_view option_prefix(OptionStyle style);

/// `--budget`, or `budget`.
std::string option_name(OptionStyle style, std::string_view name);

/// The option with a value: `--budget '1e6 nodes'`, or `budget="1e6 nodes"`.
std::string option_example(OptionStyle style, std::string_view name, std::string_view value);

}  // namespace tilewright
