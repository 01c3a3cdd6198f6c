// SPDX-License-Identifier: Apache-2.0
// Files in, values out. Never throws for bad input and never reads the outside world by itself:
// the caller hands over texts; every finding goes to Diagnostics.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/io/arch/overrides.h"
#include "tilewright/io/constraints/constraint_reader.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/network/network.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// Where each node of a mapping stands in the user's file, for messages about it.
struct MappingSource {
  Span whole;
  std::vector<Span> nodes;  ///< one per Mapping::nodes() entry
};

/// Where an architecture says what limits its mappings, for messages about it. A span without a
/// file: it does not say so.
struct ArchSource {
  struct Node {
    Span name;
    Span capacity;
    Span keep;
    std::vector<Span> partitions;  ///< one per Memory::partitions entry
    std::vector<Span> axes;        ///< one per Fanout::axes entry
  };
  std::vector<Node> nodes;  ///< by NodeId
};

/// The entry of `partition` that holds for `tensor`; a span without a file if there is none.
Span partition_span(const Problem& problem, const ArchSource& source, NodeId memory,
                    TensorId tensor);

/// An architecture that is read again and again, each time with other overrides: its text is parsed
/// only once.
class ArchTemplate {
 public:
  /// Nothing, and findings, if the file has no section `arch:` or the architecture is wrong even
  /// without overrides.
  static std::optional<ArchTemplate> read(const std::shared_ptr<const SourceFile>& file,
                                          Diagnostics& diagnostics);

  /// As read_arch.
  std::optional<Arch> with(const Overrides& overrides, Diagnostics& diagnostics) const;

 private:
  explicit ArchTemplate(YamlNode node) : node_(std::make_shared<const YamlNode>(std::move(node))) {}

  std::shared_ptr<const YamlNode> node_;
};

/// What a set of files holds. A section that is absent or has errors is empty.
struct Documents {
  std::optional<Workload> workload;
  std::optional<Arch> arch;
  ArchSource arch_source;
  std::optional<Problem> problem;  ///< if both are there
  std::optional<Mapping> mapping;  ///< needs both; not yet checked against them (find_violations)
  MappingSource mapping_source;
  bool has_mapping_section = false;
  std::vector<Constraint> constraints;  ///< needs workload and arch, as the mapping does
  std::vector<Span> constraint_source;  ///< one per constraint
  bool has_constraints_section = false;
  std::shared_ptr<const SourceFile> constraints_file;  ///< that has them
  std::optional<Network> network;
  /// Those with a section `flexibility`, which is not read here.
  std::vector<std::shared_ptr<const SourceFile>> flexibility_files;
};

/// Reads files together (docs/formats.md); a file whose name ends in `.nest` is a mapping in text
/// form. `overrides` change the architecture among them, after those of a result that is one of
/// the files.
Documents read_documents(const std::vector<std::shared_ptr<const SourceFile>>& files,
                         Diagnostics& diagnostics, const Overrides& overrides = {});

/// One section from one text; nothing if there were errors. For tests, bindings, the command line.
std::optional<Workload> read_workload(std::shared_ptr<const SourceFile> file,
                                      Diagnostics& diagnostics);
std::optional<Arch> read_arch(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics,
                              const Overrides& overrides = {});
std::optional<Network> read_network(std::shared_ptr<const SourceFile> file,
                                    Diagnostics& diagnostics);
std::optional<Mapping> read_mapping(std::shared_ptr<const SourceFile> file, const Problem& problem,
                                    Diagnostics& diagnostics, MappingSource* source = nullptr);
/// `source`, `unfit`: as for read_constraints_node.
std::optional<std::vector<Constraint>> read_constraints(
    std::shared_ptr<const SourceFile> file, const Problem& problem, Diagnostics& diagnostics,
    std::vector<Span>* source = nullptr, std::vector<UnfitConstraint>* unfit = nullptr);

}  // namespace tilewright
