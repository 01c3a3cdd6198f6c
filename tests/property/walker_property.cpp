// SPDX-License-Identifier: Apache-2.0
// Model equals walker on random cases: every count, tile, instance number, cycle; energy to 1e-12.
//   property.walker [--cases N] [--seed S] [--first I] [--wider-sums 1]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/support/options.h"
#include "tests/support/random_case.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapping/sums.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/derive.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/model/laws.h"
#include "tilewright/walker/walk.h"

namespace {

using namespace tilewright;
using testing::RandomCase;

bool close(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

std::string compare_counts(const std::string& where, const TensorCounts& model,
                           const TensorCounts& walker) {
  const auto differ = [&](const char* what, std::int64_t a, std::int64_t b) {
    return where + what + ": model " + std::to_string(a) + ", walker " + std::to_string(b);
  };
  if (model.kept != walker.kept) return differ("kept", model.kept, walker.kept);
  if (model.tile != walker.tile) return differ("tile", model.tile, walker.tile);
  if (model.accesses != walker.accesses) return differ("accesses", model.accesses, walker.accesses);
  if (model.reads != walker.reads) return differ("reads", model.reads, walker.reads);
  if (model.fills != walker.fills) return differ("fills", model.fills, walker.fills);
  if (model.updates != walker.updates) return differ("updates", model.updates, walker.updates);
  if (model.peak_reads != walker.peak_reads)
    return differ("peak_reads", model.peak_reads, walker.peak_reads);
  if (model.peak_writes != walker.peak_writes) {
    return differ("peak_writes", model.peak_writes, walker.peak_writes);
  }
  if (model.unfinished != walker.unfinished) {
    return differ("unfinished", model.unfinished, walker.unfinished);
  }
  if (model.finished_updates != walker.finished_updates) {
    return differ("finished_updates", model.finished_updates, walker.finished_updates);
  }
  if (!close(model.energy_pj, walker.energy_pj)) return where + "energy";
  return "";
}

// What the nest says of unfinished sums and of tiles that fit is what the walker saw.
std::string compare_sums(const RandomCase& c, const Evaluation& walked) {
  const auto nodes = c.mapping.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is_loop() || (nodes[i].tensors & only(c.problem.workload().output())) == 0)
      continue;
    for (const MemoryEvaluation& memory : walked.memories) {
      if (memory.node != nodes[i].node) continue;
      if (sums_unfinished(c.problem, nodes, static_cast<int>(i)) !=
          memory.tensors.back().unfinished)
        return "sums_unfinished";
    }
  }
  const auto too_large = [](const Violation& v) {
    return v.kind == Violation::Kind::kCapacity || v.kind == Violation::Kind::kPartition;
  };
  const auto found = find_violations(c.problem, c.mapping);
  const bool fits = std::none_of(found.begin(), found.end(), too_large);
  return Fit(c.problem).fits(nodes) == fits ? "" : "fit";
}

// Empty if equal.
std::string compare(const Problem& problem, const Evaluation& model, const Evaluation& walker) {
  for (std::size_t m = 0; m < model.memories.size(); ++m) {
    const MemoryEvaluation& a = model.memories[m];
    const MemoryEvaluation& b = walker.memories[m];
    const std::string name = problem.arch().memory(a.node).name + ".";
    for (std::size_t t = 0; t < a.tensors.size(); ++t) {
      const std::string where = name + problem.workload().tensors()[t].name + ".";
      const std::string text = compare_counts(where, a.tensors[t], b.tensors[t]);
      if (!text.empty()) return text;
    }
    if (a.instances != b.instances) return name + "instances";
    if (a.cycles != b.cycles) return name + "cycles";
    if (!close(a.energy_pj, b.energy_pj)) return name + "energy";
  }
  if (model.computes != walker.computes) return "computes";
  if (model.compute_steps != walker.compute_steps) return "compute_steps";
  if (model.compute_instances != walker.compute_instances) return "compute_instances";
  if (model.cycles != walker.cycles) return "cycles";
  if (model.bottleneck != walker.bottleneck) return "bottleneck";
  if (!close(model.compute_energy_pj, walker.compute_energy_pj)) return "compute energy";
  if (!close(model.energy_pj, walker.energy_pj)) return "energy";
  return "";
}

std::string describe(const RandomCase& c) {
  const Workload& w = c.problem.workload();
  std::string text = to_einsum(w) + "\n ";
  for (const Dim& dim : w.dims()) text += " " + dim.name + "=" + std::to_string(dim.size);
  text += "\n";
  for (const NestNode& node : c.mapping.nodes()) {
    if (node.kind == NestNode::Kind::kKeep) {
      text += "  " + c.problem.arch().memory(node.node).name + " keeps";
      for (std::size_t t = 0; t < w.tensors().size(); ++t) {
        if ((node.tensors >> t & 1U) != 0) text += " " + w.tensors()[t].name;
      }
    } else if (node.kind == NestNode::Kind::kTemporal) {
      text += "  for " + w.dim(node.dim).name + " " + std::to_string(node.factor);
    } else {
      const Fanout& f = c.problem.arch().fanout(node.node);
      const char* kinds[] = {"none", "equal", "overlap"};
      text += "  parfor " + w.dim(node.dim).name + " " + std::to_string(node.factor) + " on " +
              f.name + " (" + kinds[static_cast<int>(f.multicast)] +
              (f.reduction ? ", reduces)" : ")");
    }
    text += "\n";
  }
  for (const std::string& feature : c.features) text += "  [" + feature + "]\n";
  return text;
}

// Every count can be derived, and the derivation ends on it.
std::string check_derivations(const RandomCase& c, const Evaluation& walked) {
  for (const MemoryEvaluation& memory : walked.memories) {
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      const TensorCounts& counts = memory.tensors[t];
      if (!counts.kept) continue;
      for (const auto& [action, value] : {std::pair{Action::kReads, counts.reads},
                                          {Action::kFills, counts.fills},
                                          {Action::kUpdates, counts.updates}}) {
        const Derivation d = derive(c.problem, c.mapping, memory.node, TensorId(t), action);
        if (d.value != value) {
          return "derivation of action " + std::to_string(static_cast<int>(action)) + " ends on " +
                 std::to_string(d.value) + ", counted " + std::to_string(value);
        }
      }
    }
  }
  return "";
}

// The model's answer for the case, also after that for another nest.
std::string check(const RandomCase& c, std::uint64_t index) {
  for (const Violation& v : find_violations(c.problem, c.mapping)) {
    if (is_structural(v.kind) || v.kind == Violation::Kind::kAxis) return "generator: illegal nest";
  }
  const auto walked = walk(c.problem, c.mapping);
  if (!walked) return "walker refused";
  Evaluator evaluator(c.problem);
  const std::string direct = compare(c.problem, evaluator.evaluate(c.mapping), *walked);
  if (!direct.empty()) return direct;
  const std::string sums = compare_sums(c, *walked);
  if (!sums.empty()) return sums;
  const LawReport laws = check_laws(c.problem, c.mapping, *walked);
  if (!laws.broken.empty()) return "law broken: " + laws.broken.front();
  const std::string derived = check_derivations(c, *walked);
  if (!derived.empty()) return derived;
  // After another nest of the same problem: nothing of it is left.
  const DimId dim(static_cast<int>(index % c.problem.workload().dims().size()));
  std::vector<NestNode> nodes(c.mapping.nodes().begin(), c.mapping.nodes().end());
  NestNode* outermost = nullptr;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (!node->is_loop() || node->dim != dim) continue;
    node->factor = 1;
    outermost = &*node;
  }
  if (outermost == nullptr) return "";
  outermost->factor = c.problem.workload().dim(dim).size;
  evaluator.evaluate(nodes);
  const std::string again = compare(c.problem, evaluator.evaluate(c.mapping), *walked);
  return again.empty() ? "" : "after another nest: " + again;
}

}  // namespace

int main(int argc, char** argv) {
  const testing::Options options = testing::read_options(
      argc, argv, {{"--cases", 20'000}, {"--seed", 1}, {"--first", 0}, {"--wider-sums", 0}});
  const std::uint64_t cases = options.at("--cases");
  const std::uint64_t seed = options.at("--seed");
  const std::uint64_t first = options.at("--first");
  const bool wider = options.at("--wider-sums") != 0;
  const testing::Mix mixed = wider ? testing::Mix::kWiderSums : testing::Mix::kAny;
  std::map<std::string, std::uint64_t> mix;
  std::uint64_t mismatches = 0;
  for (std::uint64_t i = first; i < first + cases; ++i) {
    const RandomCase c = testing::make_case(seed, i, mixed);
    for (const std::string& feature : c.features) ++mix[feature];
    std::string wrong;
    try {
      wrong = check(c, i);
    } catch (const std::exception& error) {
      wrong = std::string("exception: ") + error.what();
    }
    if (wrong.empty()) continue;
    if (++mismatches <= 3) {
      std::printf("case %llu of seed %llu: %s\n%s", static_cast<unsigned long long>(i),
                  static_cast<unsigned long long>(seed), wrong.c_str(), describe(c).c_str());
    }
  }
  for (const auto& [feature, count] : mix) {
    std::printf("%8llu  %s\n", static_cast<unsigned long long>(count), feature.c_str());
  }
  std::printf("walker: %llu cases, %llu mismatches\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(mismatches));
  return mismatches == 0 ? 0 : 1;
}
