// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/json/proof_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tilewright/base/error.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

Json node_json(const Problem& problem, const OpenedNode& node, std::size_t memory,
               std::size_t memories) {
  Json json;
  json["label"] = Json::array();
  for (const DimId dim : node.label) json["label"].push_back(problem.workload().dim(dim).name);
  json["counts"] = Json::object();
  for (std::size_t d = 0; d < node.counts.size(); ++d) {
    if (problem.workload().dims()[d].size > 1) {
      json["counts"][problem.workload().dims()[d].name] = node.counts[d];
    }
  }
  if (memory == memories) return json;
  json["open"] = Json::array();
  for (const OpenedNode& inner : node.open) {
    json["open"].push_back(node_json(problem, inner, memory + 1, memories));
  }
  return json;
}

Json root_json(const Problem& problem, const OpenedRoot& root) {
  Json json;
  if (std::ranges::adjacent_find(root.memories) != root.memories.end()) {
    json["memories"] = Json::array();
    for (const NodeId memory : root.memories) {
      json["memories"].push_back(problem.arch().memory(memory).name);
    }
  }
  json["keeps"] = Json::array();
  for (const TensorSet kept : root.keeps) {
    json["keeps"].push_back(Json::array());
    for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
      if ((kept >> t & 1U) != 0)
        json["keeps"].back().push_back(problem.workload().tensors()[t].name);
    }
  }
  json["spatial"] = Json::array();
  const int axes = static_cast<int>(root.spatial.factors.size()) / root.spatial.dims;
  for (int axis = 0; axis < axes; ++axis) {
    json["spatial"].push_back(Json::object());
    for (int d = 0; d < root.spatial.dims; ++d) {
      const std::int64_t factor = root.spatial.at(axis, d);
      if (factor > 1) json["spatial"].back()[problem.workload().dim(DimId(d)).name] = factor;
    }
  }
  json["open"] = Json::array();
  for (const OpenedNode& node : root.open) {
    json["open"].push_back(node_json(problem, node, 1, root.keeps.size()));
  }
  return json;
}

constexpr const char* kNoChecksum = "0000000000000000";

std::string checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string proof_json(const Problem& problem, std::span<const Constraint> constraints,
                       SpaceKind space, const Placement& placement, const Objective& objective,
                       const SearchResult& result) {
  TW_CHECK(result.best && result.ending == Ending::kExhausted, "there is nothing to prove");
  Json json;
  json["format"] = "tilewright-proof/1";
  json["workload"] = write_workload(problem.workload());
  json["arch"] = write_arch(problem.arch());
  json["constraints"] =
      constraints.empty() ? std::string() : constraints_to_yaml(problem, constraints);
  json["space"] = space_name(space);
  if (!placement.uneven.empty()) {
    json["uneven"] = Json::array();
    for (const NodeId memory : placement.uneven) {
      json["uneven"].push_back(problem.arch().memory(memory).name);
    }
  }
  json["objective"] = to_product(objective);
  json["conventions"] = Json::array();
  if (problem.conventions().holes_are_data) json["conventions"].push_back("holes-are-data");
  if (problem.conventions().drains_are_reads) json["conventions"].push_back("drains-are-reads");
  json["mapping"] = write_nest(problem, result.best->mapping);
  json["score"] = result.best->score;
  json["roots"] = Json::array();
  for (const OpenedRoot& root : result.opened) json["roots"].push_back(root_json(problem, root));
  json["checksum"] = kNoChecksum;
  std::string text = json.dump(1) + "\n";
  const std::size_t at = text.rfind(kNoChecksum);
  return text.replace(at, 16, checksum(text));
}

std::string proof_json(const MapResult& mapped) {
  return proof_json(mapped.best_problem(), mapped.request.constraints, mapped.space.kind,
                    mapped.space.placement, mapped.request.objective.objective, mapped.search);
}

}  // namespace tilewright
