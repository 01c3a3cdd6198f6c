// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/verify.h"

#include <cmath>

#include "tilewright/base/error.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/verify/checker.h"
#include "tilewright/verify/member.h"
#include "tilewright/verify/proof.h"
#include "tilewright/walker/walk.h"

namespace tilewright::verify {
namespace {

constexpr std::int64_t kWalkable = 300'000;  // computes: a walk of a second or less
constexpr double kTolerance = 1e-9;

void check_claim(const Proof& proof, Verdict& verdict) {
  const std::string fault = find_fault(proof);
  if (!fault.empty()) throw Refusal(fault);
  const WalkOptions options{.conventions = proof.conventions, .max_points = kWalkable};
  std::optional<Evaluation> evaluation = walk(proof.problem, proof.mapping, options);
  verdict.walked = evaluation.has_value();
  if (!evaluation) evaluation = evaluate(proof.problem, proof.mapping, proof.conventions);
  verdict.score = score(proof.objective, *evaluation);
  if (!(std::abs(verdict.score - proof.score) <= kTolerance * verdict.score)) {
    throw Refusal("its mapping has another score than it says");
  }
}

}  // namespace

Verdict verify_proof(std::string_view text) {
  Verdict verdict;
  try {
    const Proof proof = read_proof(text);
    check_claim(proof, verdict);
    Checker(proof).check(verdict);
    verdict.ok = true;
  } catch (const Refusal& refusal) {
    verdict.why = refusal.what();
  } catch (const OverflowError&) {
    verdict.why = "its numbers are too large to check";
  }
  return verdict;
}

}  // namespace tilewright::verify
