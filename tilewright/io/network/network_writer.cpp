// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/io/write.h"
#include "tilewright/io/yaml/yaml_scalar.h"

namespace tilewright {
namespace {

using Parts = std::vector<std::string>;

std::string braced(const Parts& parts) { return fmt::format("{{{}}}", fmt::join(parts, ", ")); }

void add(Parts& parts, const char* key, const std::string& value) {
  parts.push_back(fmt::format("{}: {}", key, value));
}

// What a `workload:` says, but its name.
void add_workload(Parts& parts, const Workload& workload) {
  add(parts, "einsum", yaml_scalar(to_einsum(workload)));
  Parts dims;
  for (const Dim& dim : workload.dims()) {
    dims.push_back(fmt::format("{}: {}", yaml_scalar(dim.name), dim.size));
  }
  add(parts, "dims", braced(dims));
  Parts bits;
  Parts roles;
  for (const Tensor& tensor : workload.tensors()) {
    bits.push_back(fmt::format("{}: {}", yaml_scalar(tensor.name),
                               write_widths(tensor.bits, tensor.partial_bits)));
    roles.push_back(fmt::format("{}: {}", yaml_scalar(tensor.name), yaml_scalar(tensor.role)));
  }
  add(parts, "bits", braced(bits));
  add(parts, "roles", braced(roles));
}

std::string uses(const Network& network, const Layer& layer, const std::vector<EdgeUse>& list) {
  Parts parts;
  for (const EdgeUse& use : list) {
    const std::string name = yaml_scalar(network.edges[use.edge].name);
    if (use.tensor) {
      parts.push_back(fmt::format("{{edge: {}, tensor: {}}}", name,
                                  yaml_scalar(layer.workload->tensor(*use.tensor).name)));
    } else {
      parts.push_back(layer.workload ? fmt::format("{{edge: {}}}", name) : name);
    }
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string write_layer(const Network& network, const Layer& layer) {
  Parts parts;
  add(parts, "name", yaml_scalar(layer.name));
  if (layer.workload) {
    TW_CHECK(layer.workload->name() == layer.name, "a workload has the name of its layer");
    if (layer.op != "einsum") add(parts, "op", yaml_scalar(layer.op));
    add_workload(parts, *layer.workload);
  } else {
    add(parts, layer.kind == LayerKind::kTraffic ? "traffic" : "nothing", yaml_scalar(layer.op));
  }
  if (!layer.domain.empty()) add(parts, "domain", yaml_scalar(layer.domain));
  if (layer.count != 1) add(parts, "count", std::to_string(layer.count));
  add(parts, "parameters", std::to_string(layer.parameters));
  add(parts, "parameter_bits", std::to_string(layer.parameter_bits));
  if (!layer.reads.empty()) add(parts, "from", uses(network, layer, layer.reads));
  if (!network.edges.empty()) add(parts, "to", uses(network, layer, layer.writes));
  return fmt::format("    - {}\n", braced(parts));
}

}  // namespace

std::string write_network(const Network& network) {
  TW_CHECK(find_network_faults(network).empty(), "a network to write is whole");
  std::string text = "network:\n";
  if (!network.name.empty()) text += fmt::format("  name: {}\n", yaml_scalar(network.name));
  if (!network.summary.empty()) {
    text += fmt::format("  summary: {}\n", yaml_scalar(network.summary));
  }
  if (network.other_parameters != 0) {
    text += fmt::format("  other_parameters: {}\n", network.other_parameters);
  }
  std::set<std::string> edges;
  if (!network.edges.empty()) text += "  edges:\n";
  for (const Edge& edge : network.edges) {
    TW_CHECK(edges.insert(edge.name).second, "edges have names, each its own");
    text += fmt::format("    - {{name: {}, elements: {}, bits: {}}}\n", yaml_scalar(edge.name),
                        edge.elements, edge.bits);
  }
  std::set<std::string> layers;
  text += "  layers:\n";
  for (const Layer& layer : network.layers) {
    TW_CHECK(!layer.name.empty() && layers.insert(layer.name).second,
             "layers have names, each its own");
    text += write_layer(network, layer);
  }
  return text;
}

}  // namespace tilewright
