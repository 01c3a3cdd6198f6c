// SPDX-License-Identifier: Apache-2.0
// A whole model: layers in the order in which they run, and the edges between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/workload/workload.h"

namespace tilewright {

/// Data that one layer produces and others use, or that comes from outside. It has its true size,
/// without the padding that a convolution reads around it.
struct Edge {
  std::string name;
  std::int64_t elements = 1;
  std::int64_t bits = 16;  ///< of an element
  bool operator==(const Edge&) const = default;
};

/// Which edge feeds, or is fed by, which tensor of a layer's workload.
struct EdgeUse {
  std::size_t edge = 0;            ///< in Network::edges
  std::optional<TensorId> tensor;  ///< nothing if the layer has no workload
  bool operator==(const EdgeUse&) const = default;
};

/// What a layer costs.
enum class LayerKind {
  kMapped,   ///< an einsum: has a workload
  kTraffic,  ///< hardly any multiply-accumulates: its edges and parameters are moved once
  kNothing,  ///< data stays where it is
};

/// One operator.
///
/// Invariant (checked by find_network_faults): kMapped if and only if there is a workload; `count`
/// >= 1; edges exist, and each is written by at most one layer, before it is read.
struct Layer {
  std::string name;
  std::string op;      ///< as its source calls it: "conv", "Softmax"
  std::string domain;  ///< what it is for, e.g. "vision"; may be empty
  LayerKind kind = LayerKind::kMapped;
  std::optional<Workload> workload;
  std::int64_t count = 1;       ///< how often it runs
  std::int64_t parameters = 0;  ///< learned elements in one run
  std::int64_t parameter_bits = 16;
  std::vector<EdgeUse> reads;
  std::vector<EdgeUse> writes;
  bool operator==(const Layer&) const = default;
};

/// A plain value. Without edges, nothing is known about which layer follows which.
struct Network {
  std::string name;
  std::string summary;  ///< one line, with its source; may be empty
  std::vector<Edge> edges;
  std::vector<Layer> layers;
  /// Learned elements that belong to no layer, e.g. an embedding table.
  std::int64_t other_parameters = 0;
  bool operator==(const Network&) const = default;
};

/// Why these parts do not form a network, one sentence each; empty if they do.
std::vector<std::string> find_network_faults(const Network& network);

/// Sums over all runs of all layers. Throws OverflowError.
struct NetworkTotals {
  std::int64_t computes = 0;      ///< multiply-accumulates of mapped layers
  std::int64_t parameters = 0;    ///< counted once for each run of a layer, and the others
  std::int64_t traffic_bits = 0;  ///< of layers that are traffic
  std::int64_t runs = 0;          ///< of mapped layers
};
NetworkTotals network_totals(const Network& network);

/// Bits that a layer which is traffic moves in one run. Throws OverflowError.
std::int64_t traffic_bits(const Network& network, const Layer& layer);

/// Layers whose workloads are equal up to their names, in groups; each is solved once. Groups come
/// in the order of their first layers, mapped layers only.
std::vector<std::vector<std::size_t>> equal_layers(const Network& network);

}  // namespace tilewright
