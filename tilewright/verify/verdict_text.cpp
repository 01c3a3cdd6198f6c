// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/verdict_text.h"

#include <cstdio>
#include <span>

#include "tilewright/base/text/printable.h"

namespace tilewright::verify {
namespace {

std::string with_commas(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string join(std::span<const std::string> words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  }
  return text;
}

// `  workload      gemm: ...`
std::string row(const std::string& title, const std::string& text) {
  constexpr std::size_t kWidth = 13;
  return "  " + title + std::string(kWidth - title.size(), ' ') + text + "\n";
}

std::string claim_text(const Verdict& verdict) {
  char score[32];
  std::snprintf(score, sizeof score, "%.6g", verdict.score);
  const std::size_t constraints = verdict.claim.constraints.size();
  const std::string obeying =
      constraints == 0   ? ""
      : constraints == 1 ? " that obeys this constraint"
                         : " that obeys these " + std::to_string(constraints) + " constraints";
  return "no mapping" + obeying + " scores below " + score;
}

std::string effort_text(const Verdict& verdict) {
  return std::string("score confirmed by the ") + (verdict.walked ? "walker" : "model") + "; " +
         with_commas(verdict.roots) + " roots, " + with_commas(verdict.opened) + " opened, " +
         with_commas(verdict.nodes) + " nodes, " + with_commas(verdict.evaluated) +
         " mappings evaluated";
}

}  // namespace

std::string verdict_text(const std::string& name, const Verdict& verdict) {
  if (!verdict.ok) return printable(name) + ": refused: " + verdict.why + "\n";
  const Claim& claim = verdict.claim;
  std::string text = printable(name) + ": ok: " + claim_text(verdict) + "\n";
  text += row("workload", claim.workload) + row("arch", claim.arch) + row("space", claim.space) +
          row("placement", claim.placement) + row("objective", claim.objective);
  for (std::size_t i = 0; i < claim.constraints.size(); ++i) {
    text += row(i == 0 ? "constraints" : "", claim.constraints[i]);
  }
  if (claim.constraints.empty()) text += row("constraints", "none");
  text += row("conventions",
              claim.conventions.empty() ? "the usual ones" : join(claim.conventions, " and "));
  text += row("checked", effort_text(verdict));
  text +=
      row("your files", verdict.compared.empty()
                            ? "not compared: give arch, workload and constraints after the proof"
                            : "the same " + join(verdict.compared, " and "));
  return text;
}

}  // namespace tilewright::verify
