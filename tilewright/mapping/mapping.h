// SPDX-License-Identifier: Apache-2.0
// How a workload runs on an architecture: a nest of keep nodes and loops, outermost first, with
// the compute units inside the last one. See docs/glossary.md ("mapping", "keep node", "loop").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/base/index.h"

namespace tilewright {

/// A set of tensors, one bit each.
using TensorSet = std::uint32_t;

/// The set that holds just `tensor`.
constexpr TensorSet only(TensorId tensor) { return TensorSet{1} << tensor.value; }

/// One node of the nest: a keep node, a temporal loop or a spatial loop.
struct NestNode {
  enum class Kind : std::uint8_t {
    kKeep,      ///< `memory` holds the tiles of `tensors` that the nodes inside it touch
    kTemporal,  ///< `factor` steps over `dim`
    kSpatial,   ///< `factor` children side by side along `axis` of fan-out `node`, over `dim`
  };

  Kind kind = Kind::kTemporal;
  NodeId node;              ///< the memory or the fan-out; unset for a temporal loop
  TensorSet tensors = 0;    ///< keep nodes only
  int axis = 0;             ///< spatial loops only: position in Fanout::axes
  DimId dim;                ///< loops only
  std::int64_t factor = 1;  ///< loops only, >= 1: iterations; the last pass may have fewer

  bool is_loop() const { return kind != Kind::kKeep; }
  bool operator==(const NestNode&) const = default;
};

NestNode keep(NodeId memory, TensorSet tensors);
NestNode temporal(DimId dim, std::int64_t factor);
NestNode spatial(NodeId fanout, int axis, DimId dim, std::int64_t factor);

/// A mapping, a plain value in canonical form: two mappings that differ only in meaningless details
/// are equal.
///
/// Canonical means: no loop of factor 1 and no keep node without tensors; neighbouring keep nodes
/// sorted by memory and merged where they name the same one; neighbouring spatial loops of one
/// fan-out sorted (mapping/canonical_order.h). The constructor does this. Factors are steady ones:
/// remainders follow from them and the dims' sizes (docs/model.md section 1), so an imperfect
/// mapping looks like a perfect one. find_violations (mapping/violation.h) says whether it covers
/// a workload and fits an architecture.
class Mapping {
 public:
  explicit Mapping(std::vector<NestNode> outermost_first);

  std::span<const NestNode> nodes() const { return nodes_; }
  bool operator==(const Mapping&) const = default;

 private:
  std::vector<NestNode> nodes_;
};

}  // namespace tilewright
