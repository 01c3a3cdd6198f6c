// SPDX-License-Identifier: Apache-2.0
// Values from texts in the formats of docs/formats.md and from the library, for programs that have
// no use for findings as values: what is wrong is an exception that says all of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/base/input_error.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/mapper/plan.h"
#include "tilewright/mapper/result.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/network/network.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// What is wrong with a text; `what()` shows every finding with its line, as the command does.
class FileError : public InputError {
 public:
  explicit FileError(const Diagnostics& diagnostics);

  const std::vector<Diagnostic>& findings() const { return findings_; }

 private:
  std::vector<Diagnostic> findings_;
};

/// A section `arch:`, `workload:` or `network:` from YAML. `name` stands for the file in findings.
/// Throws FileError.
Arch arch_from_yaml(std::string text, std::string name = "arch.yaml");
Workload workload_from_yaml(std::string text, std::string name = "workload.yaml");
Network network_from_yaml(std::string text, std::string name = "network.yaml");

/// The constraints of a section `constraints:` as they read for `problem`. Throws FileError.
std::vector<Constraint> constraints_from_yaml(std::string text, const Problem& problem,
                                              std::string name = "constraints.yaml");

/// A mapping of `problem` from its text form (`name` ends in `.nest`) or from YAML. Throws
/// FileError, also if the text makes sense and the mapping does not (find_violations).
Mapping mapping_from_text(std::string text, const Problem& problem,
                          std::string name = "mapping.nest");

/// The same accelerator with other figures, written as `--with` has them: `GLB.capacity=64 KiB`,
/// `clock=200 MHz`, `PE.axes.X=16`. Throws FileError.
Arch with_figures(const Arch& arch, const std::vector<std::string>& figures);

/// An accelerator or a network that comes with the program (`tilewright arch list`,
/// `tilewright workload list`). Throws FileError, with the nearest name, if there is none.
Arch library_arch(std::string_view name);
Network library_network(std::string_view name);

/// A layer of a network of the library (`resnet50/conv1`), or an operator as on the command line
/// (`gemm 512 768 3072`, `conv m=64 c=3 p=112 q=112 r=7 s=7 stride=2`). Throws FileError.
Workload workload_from_words(const std::string& words);

}  // namespace tilewright
