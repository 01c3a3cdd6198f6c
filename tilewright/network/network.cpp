// SPDX-License-Identifier: Apache-2.0
#include "tilewright/network/network.h"

#include <algorithm>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// What a workload is without the names of it and of its dims and tensors; roles stay, because
// architectures speak of them.
bool equal_but_names(const Workload& a, const Workload& b) {
  return std::ranges::equal(a.dims(), b.dims(), {}, &Dim::size, &Dim::size) &&
         std::ranges::equal(a.tensors(), b.tensors(), [](const Tensor& x, const Tensor& y) {
           return x.role == y.role && x.bits == y.bits && x.partial_bits == y.partial_bits &&
                  x.ranks == y.ranks;
         });
}

// Faults of one layer; `written`: by edge, by the layers before it.
void find_layer_faults(const Network& network, const Layer& layer, std::vector<bool>& written,
                       std::vector<std::string>& faults) {
  const auto fault = [&](const std::string& what) {
    faults.push_back("layer " + layer.name + " " + what);
  };
  if ((layer.kind == LayerKind::kMapped) != layer.workload.has_value()) {
    fault(layer.workload ? "has a workload but is not mapped" : "is mapped but has no workload");
  }
  if (layer.count < 1) fault("runs less than once");
  if (layer.parameters < 0) fault("has less than no parameters");
  const auto known = [&](const EdgeUse& use) {
    if (use.edge >= network.edges.size()) {
      fault("has an edge that does not exist");
      return false;
    }
    if (use.tensor && (!layer.workload || use.tensor->pos() >= layer.workload->tensors().size())) {
      fault("has no such tensor for the edge " + network.edges[use.edge].name);
    }
    return true;
  };
  for (const EdgeUse& use : layer.reads) known(use);
  for (const EdgeUse& use : layer.writes) {
    if (!known(use)) continue;
    if (written[use.edge]) fault("writes " + network.edges[use.edge].name + " after another did");
    written[use.edge] = true;
  }
}

}  // namespace

std::vector<std::string> find_network_faults(const Network& network) {
  std::vector<std::string> faults;
  for (const Edge& edge : network.edges) {
    if (edge.elements < 1 || edge.bits < 1) faults.push_back("edge " + edge.name + " is empty");
  }
  std::vector<bool> ever(network.edges.size(), false);
  for (const Layer& layer : network.layers) {
    for (const EdgeUse& use : layer.writes) {
      if (use.edge < ever.size()) ever[use.edge] = true;
    }
  }
  std::vector<bool> written(network.edges.size(), false);
  for (const Layer& layer : network.layers) {
    for (const EdgeUse& use : layer.reads) {
      if (use.edge < ever.size() && ever[use.edge] && !written[use.edge]) {
        faults.push_back("layer " + layer.name + " reads " + network.edges[use.edge].name +
                         " before it is written");
      }
    }
    find_layer_faults(network, layer, written, faults);
  }
  return faults;
}

std::int64_t traffic_bits(const Network& network, const Layer& layer) {
  if (layer.kind != LayerKind::kTraffic) return 0;
  std::int64_t bits = checked_mul(layer.parameters, layer.parameter_bits);
  for (const auto* uses : {&layer.reads, &layer.writes}) {
    for (const EdgeUse& use : *uses) {
      const Edge& edge = network.edges[use.edge];
      bits = checked_add(bits, checked_mul(edge.elements, edge.bits));
    }
  }
  return bits;
}

NetworkTotals network_totals(const Network& network) {
  NetworkTotals totals;
  totals.parameters = network.other_parameters;
  const auto add = [](std::int64_t& sum, std::int64_t count, std::int64_t each) {
    sum = checked_add(sum, checked_mul(count, each));
  };
  for (const Layer& layer : network.layers) {
    add(totals.parameters, layer.count, layer.parameters);
    add(totals.traffic_bits, layer.count, traffic_bits(network, layer));
    if (!layer.workload) continue;
    add(totals.computes, layer.count, layer.workload->computes());
    add(totals.runs, layer.count, 1);
  }
  return totals;
}

std::vector<std::vector<std::size_t>> equal_layers(const Network& network) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const std::optional<Workload>& workload = network.layers[i].workload;
    if (!workload) continue;
    const auto same = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& group) {
      return equal_but_names(*network.layers[group.front()].workload, *workload);
    });
    if (same == groups.end()) {
      groups.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return groups;
}

}  // namespace tilewright
