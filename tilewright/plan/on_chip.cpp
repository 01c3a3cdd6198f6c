// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/on_chip.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/plan/traffic.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

// How many tenants after one are tried together with it.
constexpr std::size_t kNear = 8;

// All edges that a layer reads or writes, each use.
template <typename Call>
void for_uses(const Layer& layer, const Call& call) {
  for (const EdgeUse& use : layer.reads) call(use, false);
  for (const EdgeUse& use : layer.writes) call(use, true);
}

// By edge, the first edge of those that hold the same data.
std::vector<std::size_t> join_edges(const Network& network) {
  std::vector<std::size_t> root(network.edges.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  for (const Layer& layer : network.layers) {
    if (layer.kind != LayerKind::kNothing) continue;
    std::size_t least = root.size();
    std::set<std::size_t> roots;
    for_uses(layer, [&](const EdgeUse& use, bool) {
      roots.insert(root[use.edge]);
      least = std::min(least, root[use.edge]);
    });
    for (std::size_t& r : root) {
      if (roots.contains(r)) r = least;
    }
  }
  return root;
}

}  // namespace

OnChip::OnChip(const Network& network, const Arch& arch, std::vector<std::size_t> first_equal)
    : network_(network),
      arch_(arch),
      first_equal_(std::move(first_equal)),
      joined_(join_edges(network)) {
  for (const NodeId memory : arch.memories().subspan(1)) {
    if (arch.instances(memory) != 1) break;
    if (arch.is_off_chip(memory)) continue;
    tenants_ = find_tenants(memory);
    if (tenants_.empty()) continue;
    buffer_ = memory;
    break;
  }
}

std::int64_t OnChip::edge_bits(std::size_t edge, NodeId buffer) const {
  const Edge& e = network_.edges[edge];
  return checked_mul(e.elements, bits_in(arch_.memory(buffer), "input", e.bits));
}

// What the tile of a whole tensor takes in the buffer: less than the edge if a stride skips some of
// it, more with padding.
std::int64_t OnChip::tensor_bits(std::size_t layer, TensorId tensor) const {
  const Workload& workload = *network_.layers[layer].workload;
  std::vector<std::int64_t> sizes;
  for (const Dim& dim : workload.dims()) sizes.push_back(dim.size);
  const std::int64_t elements = TileForm(workload, tensor, false).elements(sizes);
  return checked_mul(elements, Problem(workload, arch_).memory(buffer_).bits[tensor.pos()]);
}

// All that may stay in `buffer`.
std::vector<Tenant> OnChip::find_tenants(NodeId buffer) const {
  std::vector<Tenant> tenants;
  for (std::size_t root = 0; root < joined_.size(); ++root) {
    Tenant tenant;
    for (std::size_t e = root; e < joined_.size(); ++e) {
      if (joined_[e] == root) tenant.edges.push_back(e);
    }
    if (tenant.edges.empty()) continue;
    const auto is_mine = [&](const EdgeUse& use) { return joined_[use.edge] == root; };
    // Where it comes from counts; what is made of it by doing nothing is the same data, unless it
    // is more.
    std::int64_t made = 0;
    std::int64_t most = 0;
    tenant.first = network_.layers.size();
    for (const std::size_t e : tenant.edges) most = std::max(most, edge_bits(e, buffer));
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      for_uses(network_.layers[l], [&](const EdgeUse& use, bool writes) {
        if (!is_mine(use)) return;
        tenant.last = l;
        tenant.first = std::min(tenant.first, l);
        if (writes && network_.layers[l].kind != LayerKind::kNothing) {
          made = checked_add(made, edge_bits(use.edge, buffer));
        }
      });
    }
    tenant.bits = std::max(made, most);
    if (may_stay(tenant, buffer)) tenants.push_back(std::move(tenant));
  }
  std::ranges::stable_sort(tenants, {}, &Tenant::first);
  return tenants;
}

// True if all of it is made by one layer and used by another, each as often, by way of tensors that
// the buffer may keep in the room that all share.
bool OnChip::may_stay(const Tenant& tenant, NodeId buffer) const {
  const Memory& memory = arch_.memory(buffer);
  if (memory.capacity_bits && tenant.bits > *memory.capacity_bits) return false;
  std::set<std::size_t> written;
  bool used = false;
  bool possible = true;
  std::set<std::int64_t> counts;
  for (std::size_t l = tenant.first; l <= tenant.last && l < network_.layers.size(); ++l) {
    const Layer& layer = network_.layers[l];
    std::optional<Problem> problem;
    for_uses(layer, [&](const EdgeUse& use, bool writes) {
      if (!std::ranges::binary_search(tenant.edges, use.edge)) return;
      counts.insert(layer.count);
      if (writes) written.insert(use.edge);
      used = used || (!writes && layer.kind != LayerKind::kNothing);
      if (layer.kind != LayerKind::kMapped) return;
      if (!use.tensor) {
        possible = false;
        return;
      }
      if (!problem) problem.emplace(*layer.workload, arch_);
      const ResolvedMemory& resolved = problem->memory(buffer);
      possible = possible && (resolved.may_keep & only(*use.tensor)) != 0 &&
                 !resolved.partition_bits[use.tensor->pos()];
    });
  }
  return possible && used && counts.size() == 1 && written.size() == tenant.edges.size();
}

Ask OnChip::ask(std::size_t layer, const Chosen& chosen) const {
  Ask result{first_equal_[layer], 0, 0};
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    const Tenant& tenant = tenants_[i];
    if (!chosen[i] || layer < tenant.first || layer > tenant.last) continue;
    std::map<std::size_t, std::int64_t> counted;  // by edge: bits that the layer's tiles count
    for_uses(network_.layers[layer], [&](const EdgeUse& use, bool) {
      if (!use.tensor || !std::ranges::binary_search(tenant.edges, use.edge)) return;
      result.resident |= only(*use.tensor);
      std::int64_t& bits = counted[use.edge];
      bits = checked_add(bits, tensor_bits(layer, *use.tensor));
    });
    std::int64_t rest = tenant.bits;
    for (const auto& [edge, bits] : counted) rest -= std::min(bits, edge_bits(edge, buffer_));
    result.reserved_bits = checked_add(result.reserved_bits, std::max<std::int64_t>(0, rest));
  }
  return result;
}

bool OnChip::fits(const Chosen& chosen) const {
  const std::optional<std::int64_t>& capacity = arch_.memory(buffer_).capacity_bits;
  if (!capacity) return true;
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    std::int64_t bits = 0;
    for (std::size_t i = 0; i < tenants_.size(); ++i) {
      const bool there = chosen[i] && tenants_[i].first <= l && l <= tenants_[i].last;
      if (there) bits = checked_add(bits, tenants_[i].bits);
    }
    const bool mapped = network_.layers[l].kind == LayerKind::kMapped;
    if (bits > *capacity || (mapped && ask(l, chosen).reserved_bits >= *capacity)) return false;
  }
  return true;
}

std::vector<std::vector<std::size_t>> OnChip::flips() const {
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t i = 0; i < tenants_.size(); ++i) result.push_back({i});
  for (const bool three : {false, true}) {
    for (std::size_t i = 0; i < tenants_.size(); ++i) {
      // Tenants stand in the order of their first layers, so the latest of some is there while the
      // others are, if it comes before the end of each.
      const std::size_t end = std::min(tenants_.size(), i + 1 + kNear);
      for (std::size_t j = i + 1; j < end && tenants_[j].first <= tenants_[i].last; ++j) {
        if (!three) result.push_back({i, j});
        const std::size_t last = std::min(tenants_[i].last, tenants_[j].last);
        for (std::size_t k = j + 1; three && k < end && tenants_[k].first <= last; ++k) {
          result.push_back({i, j, k});
        }
      }
    }
  }
  return result;
}

std::vector<bool> OnChip::resident(const Chosen& chosen) const {
  std::vector<bool> result(network_.edges.size(), false);
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    for (const std::size_t edge : tenants_[i].edges) result[edge] = chosen[i];
  }
  return result;
}

}  // namespace tilewright
