// SPDX-License-Identifier: Apache-2.0
#include "tests/support/proof_text.h"

#include <algorithm>

#include "tilewright/io/write.h"

namespace tilewright::testing {
namespace {

using Json = nlohmann::ordered_json;
using verify::Proof;
using verify::ProofNode;
using verify::ProofRoot;

Json numbers_json(const Workload& workload, const std::int64_t* numbers) {
  Json object = Json::object();
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    if (numbers[d] > 1) object[workload.dims()[d].name] = numbers[d];
  }
  return object;
}

Json node_json(const Workload& workload, const ProofNode& node) {
  Json object;
  object["label"] = Json::array();
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    if ((node.label >> d & 1U) != 0) object["label"].push_back(workload.dims()[d].name);
  }
  object["counts"] = numbers_json(workload, node.counts.data());
  for (const ProofNode& child : node.open) object["open"].push_back(node_json(workload, child));
  return object;
}

Json root_json(const Problem& problem, const ProofRoot& root) {
  const Workload& workload = problem.workload();
  Json object;
  if (std::ranges::adjacent_find(root.memories) != root.memories.end()) {
    for (const NodeId memory : root.memories) {
      object["memories"].push_back(problem.arch().memory(memory).name);
    }
  }
  object["keeps"] = Json::array();
  for (const TensorSet kept : root.keeps) {
    Json names = Json::array();
    for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
      if ((kept >> t & 1U) != 0) names.push_back(workload.tensors()[t].name);
    }
    object["keeps"].push_back(names);
  }
  object["spatial"] = Json::array();
  for (std::size_t at = 0; at < root.factors.size(); at += workload.dims().size()) {
    object["spatial"].push_back(numbers_json(workload, root.factors.data() + at));
  }
  object["open"] = Json::array();
  for (const ProofNode& node : root.open) object["open"].push_back(node_json(workload, node));
  return object;
}

}  // namespace

Json roots_json(const Problem& problem, std::span<const ProofRoot> roots) {
  Json list = Json::array();
  for (const ProofRoot& root : roots) list.push_back(root_json(problem, root));
  return list;
}

Json proof_json(const Proof& proof, SpaceKind kind, std::span<const Constraint> constraints,
                const std::string& objective) {
  Json json;
  json["format"] = "tilewright-proof/1";
  json["workload"] = write_workload(proof.problem.workload());
  json["arch"] = write_arch(proof.problem.arch());
  json["constraints"] = constraints_to_yaml(proof.problem, constraints);
  json["space"] = space_name(kind);
  for (const NodeId memory : proof.placement.uneven) {
    json["uneven"].push_back(proof.problem.arch().memory(memory).name);
  }
  json["objective"] = objective;
  json["conventions"] = Json::array();
  if (proof.problem.conventions().drains_are_reads)
    json["conventions"].push_back("drains-are-reads");
  if (proof.problem.conventions().holes_are_data) json["conventions"].push_back("holes-are-data");
  json["mapping"] = write_nest(proof.problem, proof.mapping);
  json["score"] = proof.score;
  json["roots"] = roots_json(proof.problem, proof.roots);
  json["checksum"] = "0000000000000000";
  return json;
}

std::string seal(const Json& proof) {
  std::string text = proof.dump(1) + "\n";
  const std::size_t at = text.rfind("\"checksum\": \"") + 13;
  return text.replace(at, 16, verify::checksum_of(text));
}

}  // namespace tilewright::testing
