// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/mapper/mapper.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright::timeloop {
namespace {

constexpr std::array<std::string_view, 22> kSearch = {"algorithm",
                                                      "num_threads",
                                                      "timeout",
                                                      "victory_condition",
                                                      "search_size",
                                                      "sync_interval",
                                                      "live_status",
                                                      "diagnostics",
                                                      "log_interval",
                                                      "log_oaves",
                                                      "log_oaves_mappings",
                                                      "log_stats",
                                                      "log_suboptimal",
                                                      "log_all_mappings",
                                                      "out_prefix",
                                                      "penalize_consecutive_bypass_fails",
                                                      "emit_whoop_nest",
                                                      "max_temporal_loops_in_a_mapping",
                                                      "filter_revisits",
                                                      "max_permutations_per_if_visit",
                                                      "if_visits",
                                                      "version"};

// Timeloop's words for ours; empty if there is no such objective here.
std::string objective_of(const std::string& metric) {
  if (metric == "edp" || metric == "energy") return metric;
  if (metric == "delay") return "latency";
  return "";
}

}  // namespace

std::optional<std::string> read_mapper(const Section& section, Findings& findings) {
  std::optional<std::string> objective;
  std::vector<std::string> unused;
  for (const YamlEntry& entry : section.node.entries) {
    if (entry.key == "optimization_metric" || entry.key == "optimization_metrics") {
      std::vector<std::string> metrics;
      if (entry.value.is_scalar()) metrics.push_back(entry.value.text);
      for (const YamlNode& item : entry.value.items) metrics.push_back(item.text);
      if (metrics.empty()) continue;
      const std::string ours = objective_of(metrics.front());
      if (!ours.empty()) {
        objective = ours;
      } else {
        findings.notes.push_back(fmt::format("the mapper's objective {} is not known here",
                                             in_backticks(metrics.front())));
      }
      if (metrics.size() > 1) {
        findings.notes.push_back(
            fmt::format("of the mapper's objectives only the first, {}, is used; --objective and "
                        "--cap say more",
                        in_backticks(metrics.front())));
      }
      continue;
    }
    if (entry.key == "version") continue;
    unused.push_back("`" + entry.key + "`");
    if (std::ranges::find(kSearch, entry.key) != kSearch.end()) continue;
    std::vector<std::string> known(kSearch.begin(), kSearch.end());
    known.emplace_back("optimization_metrics");
    Diagnostic& found = findings.diagnostics.warning(
        "T0007", fmt::format("the mapper has no key {}", in_backticks(entry.key)));
    found.labels.push_back({entry.key_span, "this has no effect, nor has it in Timeloop"});
    if (const auto near = nearest(entry.key, known)) {
      found.helps.push_back("did you mean `" + *near + "`?");
    }
  }
  if (!unused.empty()) {
    findings.notes.push_back("of the section `mapper`, these keys have no effect here: " +
                             join_names(unused, "and"));
  }
  return objective;
}

}  // namespace tilewright::timeloop
