// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle_record.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/workload/einsum.h"

namespace tilewright::test {
namespace {

using nlohmann::json;

// As the reader of Timeloop's files names them.
std::string role_of(const json& tensor) {
  if (tensor.at("read_write")) return "output";
  const std::string name = tensor.at("name");
  return name == "Weights" || name == "B" ? "weight" : "input";
}

Workload read_workload(const json& record, std::int64_t bits) {
  std::vector<Dim> dims;
  std::map<std::string, int> ids;
  for (const std::string name : record.at("dim_order")) {
    ids[name] = static_cast<int>(dims.size());
    dims.push_back({name, record.at("dims").at(name)});
  }
  std::vector<Tensor> tensors;
  for (const json& tensor : record.at("tensors")) {
    Tensor one{tensor.at("name"), role_of(tensor), bits, {}};
    for (const json& rank : tensor.at("projection")) {
      Rank terms;
      for (const json& term : rank) {
        const std::int64_t c =
            term.size() > 1 ? record.at("coefficients").at(std::string(term[1])).get<std::int64_t>()
                            : 1;
        terms.terms.push_back({DimId(ids.at(term[0])), c});
      }
      one.ranks.push_back(terms);
    }
    tensors.push_back(one);
  }
  // Dims in the order of the einsum, as files have them.
  const Workload workload(record.at("type"), std::move(dims), std::move(tensors));
  EinsumFault fault;
  Einsum einsum = parse_einsum(to_einsum(workload), fault).value();
  for (Dim& dim : einsum.dims) dim.size = workload.dim(*workload.find_dim(dim.name)).size;
  for (std::size_t t = 0; t < einsum.tensors.size(); ++t) {
    einsum.tensors[t].role = workload.tensors()[t].role;
    einsum.tensors[t].bits = bits;
  }
  return Workload(workload.name(), std::move(einsum.dims), std::move(einsum.tensors));
}

std::optional<Rational> read_rate(const json& words, std::int64_t bits) {
  if (words.is_null()) return std::nullopt;
  return make_rational(std::llround(words.get<double>() * 1e6) * bits, 1'000'000);
}

Memory read_memory(const json& level) {
  Memory memory;
  memory.name = level.at("name");
  const std::int64_t bits = level.at("word_bits");
  for (const char* role : {"input", "output", "weight"}) memory.bits.push_back({role, bits});
  if (!level.at("capacity_words").is_null())
    memory.capacity_bits = level.at("capacity_words").get<std::int64_t>() * bits;
  memory.buffering = level.at("multiple_buffering");
  // Timeloop divides words, not bits: make the division come out in whole words.
  if (memory.capacity_bits) {
    memory.capacity_bits =
        *memory.capacity_bits / bits / memory.buffering * bits * memory.buffering;
  }
  memory.width_bits = level.at("block_size").get<std::int64_t>() * bits;
  memory.read_bandwidth = read_rate(level.at("read_bandwidth"), bits);
  memory.write_bandwidth = read_rate(level.at("write_bandwidth"), bits);
  const json& energy = level.at("energy_pJ");
  memory.energy = {energy.at("read").get<double>(), energy.at("fill").get<double>(),
                   energy.at("update").get<double>(), "ERT"};
  return memory;
}

std::vector<Axis> read_axes(const json& level) {
  std::vector<Axis> axes;
  for (const auto& [name, key] : {std::pair{"X", "fanout_x"}, {"Y", "fanout_y"}}) {
    const std::int64_t size = level.at(key);
    if (size > 1) axes.push_back({name, size});
  }
  return axes;
}

Arch read_arch(const json& record) {
  std::vector<ArchNode> nodes;
  const json& levels = record.at("storage_levels");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    nodes.emplace_back(read_memory(levels[i]));
    const std::string inner = i + 1 < levels.size() ? levels[i + 1].at("name") : "MAC";
    std::vector<Axis> axes = read_axes(levels[i]);
    if (!axes.empty()) nodes.emplace_back(Fanout{inner + "_array", std::move(axes)});
  }
  Compute compute{.name = "MAC", .source = "ERT"};
  compute.energy_pj = record.at("mac").at("energy_pJ").get<double>();
  return Arch("oracle", "", std::nullopt, std::move(nodes), compute);
}

}  // namespace

Problem oracle_problem(const json& record) {
  const json& arch = record.at("architecture");
  const std::int64_t bits = arch.at("storage_levels").at(0).at("word_bits");
  return {read_workload(record.at("workload"), bits), read_arch(arch), kTimeloop};
}

Mapping oracle_mapping(const json& record, const Problem& problem) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  std::vector<NestNode> nodes;
  int node = 0;
  for (const json& level : record.at("mapping")) {
    TensorSet kept = 0;
    for (const auto& [name, keeps] : level.at("keep").items()) {
      if (keeps) kept |= only(*workload.find_tensor(name));
    }
    nodes.push_back(keep(NodeId(node++), kept));
    const json& order = level.at("temporal").at("order_inner_to_outer");
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::string dim = order[i];
      nodes.push_back(
          temporal(*workload.find_dim(dim), level.at("temporal").at("factors").at(dim)));
    }
    const bool spreads =
        node < static_cast<int>(arch.nodes().size()) && !arch.is_memory(NodeId(node));
    if (!spreads) continue;
    const NodeId fanout(node++);
    if (!level.contains("spatial")) continue;
    const json& spread = level.at("spatial");
    const std::vector<Axis>& axes = arch.fanout(fanout).axes;
    for (const auto& [key, name] : {std::pair{"x_dims", "X"}, {"y_dims", "Y"}}) {
      for (const std::string dim : spread.at(key)) {
        const std::int64_t factor = spread.at("factors").at(dim);
        if (factor == 1) continue;
        const int axis = axes.front().name == name ? 0 : 1;
        nodes.push_back(spatial(fanout, axis, *workload.find_dim(dim), factor));
      }
    }
  }
  return Mapping(std::move(nodes));
}

}  // namespace tilewright::test
