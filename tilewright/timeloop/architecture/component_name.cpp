// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/architecture/component_name.h"

#include <charconv>

namespace tilewright::timeloop {
namespace {

std::int64_t number_of(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

ComponentName parse_component_name(std::string_view text) {
  ComponentName result;
  const std::size_t dots = text.rfind("..");
  const std::size_t close = text.rfind(']');
  std::string_view name = text;
  // Only a range at the end counts: containers on the way have theirs.
  const std::size_t last_open = text.rfind('[');
  const bool ranged = last_open != std::string_view::npos && dots != std::string_view::npos &&
                      close != std::string_view::npos && last_open < dots && dots < close;
  if (ranged) {
    const std::int64_t first = number_of(text.substr(last_open + 1, dots - last_open - 1));
    const std::int64_t last = number_of(text.substr(dots + 2, close - dots - 2));
    constexpr std::int64_t kMost = std::int64_t{1} << 40U;
    if (last >= first && first >= 0 && last < kMost) result.copies = last - first + 1;
  }
  if (last_open != std::string_view::npos) name = text.substr(0, last_open);
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
  result.name = name;
  return result;
}

}  // namespace tilewright::timeloop
