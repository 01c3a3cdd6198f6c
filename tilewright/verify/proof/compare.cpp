// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/proof/compare.h"

#include <algorithm>
#include <variant>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/write.h"

namespace tilewright::verify {
namespace {

Workload bare(const Workload& workload) {
  return {"workload",
          {workload.dims().begin(), workload.dims().end()},
          {workload.tensors().begin(), workload.tensors().end()}};
}

Arch bare(const Arch& arch) {
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  for (ArchNode& node : nodes) {
    if (auto* const memory = std::get_if<Memory>(&node)) memory->energy.source.clear();
  }
  Compute compute = arch.compute();
  compute.source.clear();
  return {"", "", arch.clock_hz(), std::move(nodes), std::move(compute)};
}

// The lines of a text, each with the node it belongs to.
struct Line {
  std::string node;  // `memory: DRAM`, or nothing
  std::string text;
  bool operator==(const Line&) const = default;
};

std::vector<Line> lines_of(const std::string& text) {
  constexpr std::string_view kItem = "    - ";
  std::vector<Line> lines;
  std::string node;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.starts_with(kItem)) node = line.substr(kItem.size());
    line.erase(0, std::min(line.find_first_not_of(" -"), line.size()));
    lines.push_back({line == node ? "" : node, std::move(line)});
    begin = end + 1;
  }
  return lines;
}

std::string quoted(const Line& line) {
  return in_backticks(line.text) + (line.node.empty() ? "" : " (" + printable(line.node) + ")");
}

// The first line of each that the other has not.
std::string first_difference(const std::string& what, const std::string& own,
                             const std::string& proved) {
  const std::vector<Line> here = lines_of(own);
  const std::vector<Line> there = lines_of(proved);
  const auto missing = [](const std::vector<Line>& from, const std::vector<Line>& in) {
    const auto at = std::ranges::find_if(
        from, [&](const Line& line) { return std::ranges::find(in, line) == in.end(); });
    return at == from.end() ? std::string() : quoted(*at);
  };
  const std::string mine = missing(here, there);
  const std::string theirs = missing(there, here);
  if (mine.empty() && theirs.empty()) return "its " + what + " has the same parts in another order";
  return "its " + what + " differs: " + (theirs.empty() ? "nothing" : theirs) + " in the proof, " +
         (mine.empty() ? "nothing" : mine) + " in your files";
}

void compare_constraints(const Proof& proof, const Documents& own,
                         std::vector<std::string>& differences) {
  std::vector<Constraint> left = own.constraints;
  for (const Constraint& constraint : proof.constraints) {
    const auto same = std::ranges::find(left, constraint);
    if (same != left.end()) {
      left.erase(same);
      continue;
    }
    differences.push_back("it takes for granted what your files do not demand: " +
                          constraint_text(proof.problem, constraint));
  }
  for (const Constraint& constraint : left) {
    differences.push_back("it leaves out what your files demand: " +
                          constraint_text(proof.problem, constraint));
  }
}

}  // namespace

std::vector<std::string> find_differences(const Proof& proof, const Documents& own) {
  std::vector<std::string> differences;
  const Problem& problem = proof.problem;
  if (own.workload && bare(*own.workload) != bare(problem.workload())) {
    differences.push_back(first_difference("workload", write_workload(bare(*own.workload)),
                                           write_workload(bare(problem.workload()))));
  }
  if (own.arch && bare(*own.arch) != bare(problem.arch())) {
    differences.push_back(first_difference("architecture", write_arch(bare(*own.arch)),
                                           write_arch(bare(problem.arch()))));
  }
  if (own.problem && differences.empty()) compare_constraints(proof, own, differences);
  return differences;
}

}  // namespace tilewright::verify
