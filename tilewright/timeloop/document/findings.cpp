// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/findings.h"

#include <fmt/format.h>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright::timeloop {

void report_unsupported(const Findings& findings, bool ignore) {
  if (findings.unsupported.empty()) return;
  constexpr std::size_t kMostShown = 20;
  Diagnostics& diagnostics = findings.diagnostics;
  const std::string message = fmt::format(
      "{} {} not modelled{}", findings.unsupported.size(),
      findings.unsupported.size() == 1 ? "thing in these files is" : "things in these files are",
      ignore ? " and ignored" : "");
  Diagnostic& found =
      ignore ? diagnostics.warning("T0001", message) : diagnostics.error("T0001", message);
  for (const Unsupported& one : findings.unsupported) {
    if (found.labels.size() == kMostShown) break;
    found.labels.push_back({one.place, one.what});
  }
  if (findings.unsupported.size() > kMostShown) {
    found.notes.push_back(fmt::format("and {} more", findings.unsupported.size() - kMostShown));
  }
  if (!ignore) {
    found.helps.emplace_back("--ignore-unsupported goes on as if they were not there");
  }
}

void report_unknown_key(const YamlEntry& entry, const std::string& what,
                        const std::vector<std::string>& known, Diagnostics& diagnostics) {
  Diagnostic& error = diagnostics.error(
      "F0010", fmt::format("unknown key {} in {}", in_backticks(entry.key), what));
  error.labels.push_back({entry.key_span, "not a key of " + what});
  if (const auto near = nearest(entry.key, known)) {
    error.helps.push_back("did you mean `" + *near + "`?");
  }
}

}  // namespace tilewright::timeloop
