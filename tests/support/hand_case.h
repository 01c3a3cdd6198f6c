// SPDX-License-Identifier: Apache-2.0
// Small problems and short names, for costs that are counted by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright::hand_case {

using Sizes = std::vector<std::pair<std::string, std::int64_t>>;

constexpr TensorSet kAll = 7;  // each workload here has three tensors
constexpr TensorSet kA = 1;
constexpr TensorSet kB = 2;
constexpr TensorSet kZ = 4;
constexpr std::size_t kOutput = 2;

inline Workload make_workload(const Sizes& sizes, std::vector<std::vector<Rank>> ranks) {
  std::vector<Dim> dims;
  for (const auto& [name, size] : sizes) dims.push_back({.name = name, .size = size});
  std::vector<Tensor> tensors;
  for (auto& r : ranks) {
    const std::string name(1, static_cast<char>("ABZ"[tensors.size()]));
    tensors.push_back({.name = name, .role = "", .bits = 16, .ranks = std::move(r)});
  }
  return Workload("test", dims, tensors);
}

inline Rank plain(int dim) { return {.terms = {{.dim = DimId(dim), .coefficient = 1}}}; }
inline Rank affine(std::int64_t m, int p, std::int64_t n, int r) {
  return {.terms = {{.dim = DimId(p), .coefficient = m}, {.dim = DimId(r), .coefficient = n}}};
}

/// Z[m,n] += A[m,k] * B[k,n], dims m, n, k.
constexpr int kM = 0;
constexpr int kN = 1;
constexpr int kK = 2;
inline Workload gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
  return make_workload({{"m", m}, {"n", n}, {"k", k}},
                       {{plain(kM), plain(kK)}, {plain(kK), plain(kN)}, {plain(kM), plain(kN)}});
}

/// Z[c,p] += A[stride p + dilation r] * B[c,r], dims c, p, r.
constexpr int kC = 0;
constexpr int kP = 1;
constexpr int kR = 2;
inline Workload conv(std::int64_t c, std::int64_t p, std::int64_t r, std::int64_t stride = 1,
                     std::int64_t dilation = 1) {
  return make_workload(
      {{"c", c}, {"p", p}, {"r", r}},
      {{affine(stride, kP, dilation, kR)}, {plain(kC), plain(kR)}, {plain(kC), plain(kP)}});
}

inline Memory memory(const std::string& name) {
  Memory result;
  result.name = name;
  return result;
}

inline Fanout fanout(const std::string& name, std::int64_t size,
                     Multicast multicast = Multicast::kEqual, bool reduction = true) {
  Fanout result;
  result.name = name;
  result.axes = {{.name = "X", .size = size}};
  result.multicast = multicast;
  result.reduction = reduction;
  return result;
}

inline Problem make_problem(Workload workload, std::vector<ArchNode> nodes, Compute compute = {}) {
  return Problem(std::move(workload),
                 Arch("test", "", std::nullopt, std::move(nodes), std::move(compute)));
}

inline NestNode keep(int node, TensorSet tensors) {
  return tilewright::keep(NodeId(node), tensors);
}
inline NestNode time(int dim, std::int64_t factor) { return temporal(DimId(dim), factor); }
inline NestNode space(int node, int dim, std::int64_t factor) {
  return spatial(NodeId(node), 0, DimId(dim), factor);
}

/// tile, reads, fills, updates; empty if the memory does not keep the tensor
using Row = std::vector<std::int64_t>;
inline Row row(const Evaluation& evaluation, std::size_t memory, std::size_t tensor) {
  const TensorCounts& counts = evaluation.memories[memory].tensors[tensor];
  if (!counts.kept) return {};
  return {counts.tile, counts.reads, counts.fills, counts.updates};
}

/// DRAM, GLB, 4 PEs with a buffer each.
inline Problem three_levels(Workload workload) {
  return make_problem(std::move(workload),
                      {memory("DRAM"), memory("GLB"), fanout("PE", 4), memory("PEB")});
}

/// DRAM and a buffer.
inline Problem two_levels(Workload workload, bool sliding = true) {
  Memory buffer = memory("BUF");
  buffer.sliding.all = sliding;
  return make_problem(std::move(workload), {memory("DRAM"), buffer});
}

/// gemm(10, 3, 2) on two_levels: three passes of four rows each, of which the last has two.
inline Mapping ragged_rows() {
  return Mapping(
      {keep(0, kAll), time(kM, 3), keep(1, kAll), time(kM, 4), time(kN, 3), time(kK, 2)});
}

}  // namespace tilewright::hand_case
