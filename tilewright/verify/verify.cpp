// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/verify.h"

#include <cmath>

#include "tilewright/base/error.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/verify/proof/compare.h"
#include "tilewright/verify/proof/proof.h"
#include "tilewright/verify/tolerance.h"
#include "tilewright/verify/tree/checker.h"
#include "tilewright/verify/tree/member.h"
#include "tilewright/walker/walk.h"

namespace tilewright::verify {
namespace {

constexpr std::int64_t kWalkable = 300'000;  // computes: a walk of a second or less

std::string describe(const Workload& workload) {
  std::string text = printable(workload.name()) + ": " + to_einsum(workload) + ";";
  for (const Dim& dim : workload.dims()) text += " " + dim.name + "=" + std::to_string(dim.size);
  return text;
}

std::string describe(const Arch& arch) {
  std::string text = arch.name().empty() ? "without a name" : printable(arch.name());
  text += ":";
  for (const ArchNode& node : arch.nodes()) {
    if (const auto* const memory = std::get_if<Memory>(&node)) {
      text += " " + memory->name + ",";
      continue;
    }
    const auto& fanout = std::get<Fanout>(node);
    text += " " + fanout.name;
    const char* between = " ";
    for (const Axis& axis : fanout.axes) {
      text += between + std::to_string(axis.size);
      between = "x";
    }
    text += ",";
  }
  return text + " " + arch.compute().name;
}

std::string describe(const Placement& placement, const Arch& arch) {
  if (placement.uneven.empty()) return "even";
  std::string text;
  for (const NodeId memory : placement.uneven) {
    text += (text.empty() ? "uneven at " : ", ") + printable(arch.memory(memory).name);
  }
  return text;
}

Claim describe(const Proof& proof) {
  Claim claim;
  claim.workload = describe(proof.problem.workload());
  claim.arch = describe(proof.problem.arch());
  claim.space = space_name(proof.space);
  claim.placement = describe(proof.placement, proof.problem.arch());
  claim.objective = to_product(proof.objective);
  for (const NamedObjective& named : named_objectives()) {
    if (named.objective == proof.objective) claim.objective = named.name;
  }
  for (const Constraint& constraint : proof.constraints) {
    claim.constraints.push_back(constraint_text(proof.problem, constraint));
  }
  if (proof.problem.conventions().holes_are_data) claim.conventions.emplace_back("holes-are-data");
  if (proof.problem.conventions().drains_are_reads)
    claim.conventions.emplace_back("drains-are-reads");
  return claim;
}

void compare(const Proof& proof, const Documents& own, Verdict& verdict) {
  const std::vector<std::string> differences = find_differences(proof, own);
  if (!differences.empty()) {
    const std::size_t more = differences.size() - 1;
    throw Refusal(differences.front() +
                  (more > 0 ? ", and " + std::to_string(more) + " more" : std::string()));
  }
  if (own.workload) verdict.compared.emplace_back("workload");
  if (own.arch) verdict.compared.emplace_back("arch");
  if (own.problem) verdict.compared.emplace_back("constraints");
}

// From here on the proof is about the figure itself, if its objective has but one.
void check_claim(Proof& proof, Verdict& verdict) {
  const std::string fault = find_fault(proof);
  if (!fault.empty()) throw Refusal(fault);
  const WalkOptions options{.max_points = kWalkable};
  std::optional<Evaluation> evaluation = walk(proof.problem, proof.mapping, options);
  verdict.walked = evaluation.has_value();
  if (!evaluation) evaluation = evaluate(proof.problem, proof.mapping);
  verdict.score = score(proof.objective, *evaluation);
  const double off = std::abs(verdict.score - proof.score);
  if (!(off <= tolerance(proof.objective) * verdict.score)) {
    throw Refusal("its mapping has another score than it says");
  }
  proof.objective = ranking(proof.objective);
  proof.score = score(proof.objective, *evaluation);
}

}  // namespace

Verdict verify_proof(std::string_view text, const Documents& own) {
  Verdict verdict;
  try {
    Proof proof = read_proof(text);
    compare(proof, own, verdict);
    verdict.claim = describe(proof);
    check_claim(proof, verdict);
    check_roots(proof, verdict);
    verdict.ok = true;
  } catch (const Refusal& refusal) {
    verdict.why = refusal.what();
  } catch (const OverflowError& error) {
    verdict.why = std::string("its numbers are too large to check: ") + error.what();
  }
  return verdict;
}

}  // namespace tilewright::verify
