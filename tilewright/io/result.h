// SPDX-License-Identifier: Apache-2.0
// Result files read back: what `--json` and `--save` write, with the texts that they were made from
// (docs/formats.md, "Result files"). result/json/run_json.h writes the record.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// Grows when a key of a result changes its meaning or goes away; new keys may come at any time.
inline constexpr int kResultSchema = 1;

/// A flag that was given, a number, a text, or an option that was given several times.
using OptionValue = std::variant<bool, std::uint64_t, std::string, std::vector<std::string>>;

/// What made a result: enough to make it again.
struct RunRecord {
  std::string command;                         ///< "evaluate"; empty: there is no record
  std::map<std::string, OptionValue> options;  ///< by name without dashes, as far as they matter
  bool repeatable = true;                      ///< false: a time or Ctrl-C ended it
  std::vector<std::shared_ptr<const SourceFile>> inputs;  ///< sorted by name
};

/// The options as a command line: `--space=pfm`, `--front`.
std::vector<std::string> to_arguments(const RunRecord& run);

/// A result file, as far as it is more than figures.
struct ResultFile {
  std::string version;  ///< of the program that wrote it
  RunRecord run;
  std::shared_ptr<const SourceFile> mapping;  ///< text form; null if it has none
  std::vector<Dim> dims;                      ///< that it is about; padded ones may be larger
};

/// True if the tree is a result, right or wrong.
bool is_result(const YamlNode& root);

/// Nothing, and findings, if it is damaged, changed, or too new.
std::optional<ResultFile> read_result_node(const YamlNode& root, Diagnostics& diagnostics);
std::optional<ResultFile> read_result(std::shared_ptr<const SourceFile> file,
                                      Diagnostics& diagnostics);

}  // namespace tilewright
