// SPDX-License-Identifier: Apache-2.0
// A feature of Timeloop's files, with files that use it and what reading them must give.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/timeloop/timeloop.h"

namespace tilewright::test {

/// What was read, for a check.
struct FeatureResult {
  timeloop::Reading reading;
  Diagnostics diagnostics;

  const Arch& arch() const { return *reading.documents.arch; }
  const Workload& workload() const { return *reading.documents.workload; }
  const Problem& problem() const { return *reading.documents.problem; }
  const Memory& memory(const std::string& name) const { return arch().memory(*arch().find(name)); }
  const Fanout& fanout(const std::string& name) const { return arch().fanout(*arch().find(name)); }
  /// The mapping as a `.nest` file, its lines joined by `; `, indentation and comments dropped.
  std::string nest() const;
  /// The constraints as words, joined by `; `.
  std::string constraints() const;
  /// Whether some finding has this code.
  bool has(const std::string& code) const;
};

struct Feature {
  std::string name;
  std::vector<std::pair<std::string, std::string>> files;  ///< name and text
  std::function<bool(const FeatureResult&)> check;
  bool reads = true;  ///< without an error
  bool ignore_unsupported = false;
  std::vector<std::pair<std::string, std::string>> definitions = {};
};

/// A convolution in one dimension: sizes P 16, R 3, C 4, K 8; Weights, Inputs, Outputs.
std::string conv_problem();
/// DRAM, GLB, an array `PE` of 4 x 2, RF, mac: v0.4, 16-bit words. `more` goes into the GLB.
std::string small_arch(const std::string& more = "");

std::vector<Feature> architecture_features();
std::vector<Feature> document_features();
std::vector<Feature> mapping_features();
std::vector<Feature> constraint_features();

}  // namespace tilewright::test
