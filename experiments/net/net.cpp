// SPDX-License-Identifier: Apache-2.0
// Whole networks proved in Ruby-S, and ResNet-50 from the command line in 5 s on two cores.
// experiments/net/README.md says what was found.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bench/support/arguments.h"
#include "experiments/support/program.h"
#include "experiments/support/runs.h"
#include "tilewright/cli/run.h"
#include "tilewright/files/files.h"
#include "tilewright/format/number_text.h"
#include "tilewright/plan/plan.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

constexpr double kResnetSeconds = 5;  // on two cores

struct Case {
  const char* network;
  const char* arch;
};

constexpr Case kCases[] = {{"resnet50", "eyeriss"},
                           {"mobilenetv2", "eyeriss"},
                           {"mobilenetv2", "simba"},
                           {"mobilenetv2", "gemmini"},
                           {"bert-base-128", "eyeriss"},
                           {"bert-base-128", "simba"},
                           {"bert-base-128", "gemmini"},
                           {"llama-3.2-1b-prefill-1k", "eyeriss"},
                           {"llama-3.2-1b-prefill-1k", "simba"},
                           {"llama-3.2-1b-prefill-1k", "gemmini"}};

// What came of one network.
struct Outcome {
  std::string name;
  std::size_t problems = 0;
  std::size_t proved = 0;
  double worst_gap = 0;  // of the problems that are not proved
  double seconds = 0;    // wall time
  double cpu = 0;
  PlanTotals totals;

  bool whole() const { return proved == problems; }
};

// The last stage alone: a network of seconds.
Network small_network() {
  Network network = library_network("resnet18");
  network.name = "last layers of resnet18";
  std::erase_if(network.layers, [](const Layer& layer) {
    return !layer.workload || !layer.name.starts_with("conv5");
  });
  for (Layer& layer : network.layers) {
    layer.reads.clear();
    layer.writes.clear();
  }
  return network;
}

Outcome solve(const Network& network, const std::string& arch, double limit) {
  PlanOptions options;
  options.seconds_per_layer = limit;
  const Plan plan = plan_network(network, library_arch(arch), options);
  Outcome outcome{.name = network.name + " on " + arch, .problems = plan.solved.size()};
  outcome.seconds = plan.seconds;
  outcome.totals = plan.totals;
  for (const Solved& solved : plan.solved) {
    outcome.cpu += solved.seconds;
    if (solved.status == Status::kProved) {
      ++outcome.proved;
      continue;
    }
    const double gap =
        solved.best && solved.bound ? find_gap(solved.best->score, *solved.bound) : 1;
    outcome.worst_gap = std::max(outcome.worst_gap, gap);
    fmt::print("  not proved: {}, gap {}, {:.1f} s\n", solved.problem->workload().name(),
               percent_text(gap), solved.seconds);
  }
  fmt::print(
      "{:<36} {:>2} of {:>2} proved  {:>7.2f} s ({:>7.2f} s of CPU)  {:>10}  {:>10} cycles\n",
      outcome.name, outcome.proved, outcome.problems, outcome.seconds, outcome.cpu,
      energy_text(outcome.totals.energy_pj),
      short_count_text(static_cast<std::int64_t>(outcome.totals.cycles)));
  std::fflush(stdout);
  return outcome;
}

// Wall time of `tilewright net eyeriss resnet50` on two threads, its report included.
double time_command() {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  const std::vector<std::string> words = {"net", "eyeriss", "resnet50", "--threads", "2"};
  const auto start = std::chrono::steady_clock::now();
  const int code = run(words, console);
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
  fmt::print("\ntilewright net eyeriss resnet50\n\n{}{}\n", out.str(), err.str());
  if (code != kOk) throw std::runtime_error("the command failed");
  return used.count();
}

void write_csv(const std::string& path, const std::vector<Outcome>& outcomes) {
  if (path.empty()) return;
  std::ofstream file(path, std::ios::binary);
  file << "network,problems,proved,worst_gap,wall_s,cpu_s,energy_pj,cycles,utilization,dram_bits\n";
  for (const Outcome& o : outcomes) {
    file << fmt::format("{},{},{},{:.6f},{:.3f},{:.3f},{:.17g},{:.17g},{:.6f},{:.17g}\n", o.name,
                        o.problems, o.proved, o.worst_gap, o.seconds, o.cpu, o.totals.energy_pj,
                        o.totals.cycles, o.totals.utilization, o.totals.dram_bits);
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
  fmt::print("wrote {}\n", path);
}

int run_all(const RunOptions& options) {
  Targets targets;
  std::vector<Outcome> outcomes;
  if (options.quick) {
    outcomes.push_back(solve(small_network(), "eyeriss", options.seconds()));
  }
  for (const Case& c : kCases) {
    const std::string name = fmt::format("{} on {}", c.network, c.arch);
    if (options.quick || !options.wants(name)) continue;
    outcomes.push_back(solve(library_network(c.network), c.arch, options.seconds()));
  }
  int whole = 0;
  double worst = 0;
  for (const Outcome& outcome : outcomes) {
    whole += outcome.whole() ? 1 : 0;
    worst = std::max(worst, outcome.worst_gap);
    targets.expect(outcome.whole(), outcome.name + ": every layer proved");
  }
  std::string command;
  if (!options.quick && options.wants("resnet50 on eyeriss")) {
    const double seconds = time_command();
    targets.at_most("tilewright net eyeriss resnet50, wall time in s on two cores", seconds,
                    kResnetSeconds);
    command = fmt::format("; ResNet-50 on Eyeriss from the command line in {:.1f} s", seconds);
  }
  const int code = targets.print();
  write_csv(options.csv, outcomes);
  fmt::print("net: {} of {} networks wholly proved in Ruby-S{}{}\n", whole, outcomes.size(),
             worst > 0 ? fmt::format(", the others within {}", percent_text(worst)) : "", command);
  return code;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Arguments arguments(
      "Whole networks on several accelerators: every layer proved in Ruby-S");
  tilewright::RunOptions options;
  options.limit = 20;
  options.add_to(arguments);
  if (const std::optional<int> code = arguments.read(argc, argv)) return *code;
  return tilewright::run_all(options);
}
