// SPDX-License-Identifier: Apache-2.0
// Small networks and an accelerator for them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/plan/plan.h"

namespace tilewright::plan_test {

/// Z[m,n] += A[m,k] * B[k,n].
inline Workload product(const std::string& name, std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
  return Workload(name, {{"m", m}, {"n", n}, {"k", k}},
                  {{"A", "input", 8, {plain(0), plain(2)}},
                   {"B", "weight", 8, {plain(2), plain(1)}},
                   {"Z", "output", 8, {plain(0), plain(1)}}});
}

/// One product on the edges `from` and `to`.
inline Layer mapped(const std::string& name, Workload workload, std::size_t from, std::size_t to) {
  Layer layer{.name = name, .op = "gemm", .workload = std::move(workload)};
  layer.reads = {{from, TensorId(0)}};
  layer.writes = {{to, TensorId(2)}};
  return layer;
}

inline Layer unmapped(const std::string& name, LayerKind kind, std::vector<std::size_t> from,
                      std::vector<std::size_t> to) {
  Layer layer{.name = name, .op = name, .kind = kind};
  for (const std::size_t edge : from) layer.reads.push_back({edge, std::nullopt});
  for (const std::size_t edge : to) layer.writes.push_back({edge, std::nullopt});
  return layer;
}

/// x -> a -> y -> b -> z -> c -> w, all with two rows.
inline Network chain(std::int64_t y = 6, std::int64_t z = 3) {
  Network network{.name = "chain"};
  network.edges = {{"x", 8, 8}, {"y", 2 * y, 8}, {"z", 2 * z, 8}, {"w", 4, 8}};
  network.layers = {mapped("a", product("a", 2, y, 4), 0, 1),
                    mapped("b", product("b", 2, z, y), 1, 2),
                    mapped("c", product("c", 2, 2, z), 2, 3)};
  return network;
}

/// DRAM, a buffer, two units.
inline Arch small_arch(std::optional<std::int64_t> capacity_bits = 256) {
  Memory dram;
  dram.name = "DRAM";
  dram.energy = {100, 100, 100, ""};
  dram.shared_bandwidth = make_rational(16, 1);
  Memory buffer;
  buffer.name = "buf";
  buffer.capacity_bits = capacity_bits;
  buffer.energy = {2, 3, 4, ""};
  Fanout pe;
  pe.name = "PE";
  pe.axes = {{"X", 2}};
  Compute mac;
  mac.energy_pj = 1;
  return {"small", "", make_rational(1'000'000, 1), {dram, buffer, pe}, mac};
}

/// Its nodes, to be changed.
inline std::vector<ArchNode> small_nodes() {
  const Arch arch = small_arch();
  return {arch.nodes().begin(), arch.nodes().end()};
}

inline PlanOptions options(bool keep_on_chip = false) {
  PlanOptions result;
  result.search.threads = 2;
  result.keep_on_chip = keep_on_chip;
  return result;
}

}  // namespace tilewright::plan_test
