// SPDX-License-Identifier: Apache-2.0
// What was asked for in two runs: the first part of every diff.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/io/result.h"

namespace tilewright {

/// Something that was asked for: a dim, a line of the architecture, an option. An empty text: it is
/// not there.
struct SettingDifference {
  std::string what;
  std::string before;
  std::string after;
};

struct SettingsDiff {
  std::vector<std::string> same;  ///< `command map`, `--space pfm`
  std::vector<SettingDifference> different;

  /// Does nothing if both are the same.
  void add(const std::string& what, const std::string& before, const std::string& after);
};

/// What both runs were told; their inputs aside.
SettingsDiff compare_runs(const RunRecord& before, const std::string& before_version,
                          const RunRecord& after, const std::string& after_version);

/// Differences first, for then little else can be compared.
std::string settings_text(const SettingsDiff& settings, const TextOptions& options);

/// `same` and `settings` of a diff in JSON.
void add_settings(const SettingsDiff& settings, nlohmann::ordered_json& root);

}  // namespace tilewright
