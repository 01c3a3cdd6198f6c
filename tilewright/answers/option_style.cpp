// SPDX-License-Identifier: Apache-2.0
#include "tilewright/answers/option_style.h"

#include <fmt/format.h>

namespace tilewright {

std::string_view option_prefix(OptionStyle style) {
  return style == OptionStyle::kCommand ? "--" : "";
}

std::string option_name(OptionStyle style, std::string_view name) {
  return fmt::format("{}{}", option_prefix(style), name);
}

std::string option_example(OptionStyle style, std::string_view name, std::string_view value) {
  if (style == OptionStyle::kPython) return fmt::format("{}=\"{}\"", name, value);
  const char* const quote = value.find(' ') != std::string_view::npos ? "'" : "";
  return fmt::format("--{} {}{}{}", name, quote, value, quote);
}

}  // namespace tilewright
