// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/unit_spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tilewright/base/text/nearest.h"

namespace tilewright {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// What people write for a unit that we spell otherwise; empty if we know of nothing.
std::string usual_spelling(std::string_view unit) {
  constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"bits", "bit"},       {"b", "bit"},
      {"byte", "B"},         {"bytes", "B"},
      {"words", "word"},     {"um^2", "um2"},
      {"mm^2", "mm2"},       {"\xC2\xB5m2", "um2"},
      {"cycles", "cycle"},   {"\xC2\xB5m\xC2\xB2", "um2"},
      {"mm\xC2\xB2", "mm2"}, {"\xC2\xB5J", "uJ"},
      {"kib", "KiB"},        {"mib", "MiB"},
      {"gib", "GiB"},        {"tib", "TiB"},
      {"k", "KiB"},          {"m", "MiB"},
      {"g", "GiB"},          {"t", "TiB"}};
  for (const auto& [written, ours] : kSpellings) {
    if (lower(unit) == written || unit == written) return std::string(ours);
  }
  return {};
}

// For `kb`, `Mb` and the like, which may be a thousand or 1024, and bytes or bits; `tail` is what
// follows, such as `/s`.
std::string suggest_bytes(const std::string& unit, const std::string& tail) {
  struct Meaning {
    char written;  // in lower case
    char decimal;
    const char* decimal_size;
    const char* binary_size;
  };
  constexpr std::array<Meaning, 4> kMeanings = {{{'k', 'k', "1000 B", "1024 B"},
                                                 {'m', 'M', "1000000 B", "1024 KiB"},
                                                 {'g', 'G', "1000000000 B", "1024 MiB"},
                                                 {'t', 'T', "1000 GB", "1024 GiB"}}};
  const char prefix = lower(unit).front();
  const Meaning& meaning = *std::ranges::find(kMeanings, prefix, &Meaning::written);
  const char binary = static_cast<char>(prefix - 'a' + 'A');
  std::string text = fmt::format("did you mean `{}B{}` ({}) or `{}iB{}` ({})?", meaning.decimal,
                                 tail, meaning.decimal_size, binary, tail, meaning.binary_size);
  if (unit.ends_with('b') && unit.front() == meaning.decimal) {
    text += fmt::format(" If these are bits: 8 {0} are 1 {1}B.", unit, meaning.decimal);
  }
  return text;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string suggest_unit(std::string_view unit, UnitFamily family,
                         std::span<const std::string> names) {
  const std::size_t slash = std::min(unit.find('/'), unit.size());
  const std::string head(without_blanks(unit.substr(0, slash)));
  const std::string tail(family == UnitFamily::kRates ? without_blanks(unit.substr(slash)) : "");
  const std::string low = lower(head);
  const bool size_like = family != UnitFamily::kOthers;
  if (size_like && (low == "kb" || low == "mb" || low == "gb" || low == "tb")) {
    return suggest_bytes(head, tail);
  }
  const std::string ours = usual_spelling(head);
  if (!ours.empty()) {
    if (std::ranges::find(names, ours + tail) != names.end()) {
      return "did you mean `" + ours + tail + "`?";
    }
  }
  if (const auto near = nearest(unit, names)) return "did you mean `" + *near + "`?";
  return {};
}

}  // namespace tilewright
