// SPDX-License-Identifier: Apache-2.0
// Timeloop's way of counting (tilewright/compat) against what Timeloop answered for 700 mappings
// (../shared/oracle): every figure of every record must be the same.
// And every difference between our model and the records is explained by named conventions, and the
// record as a report is verified; with --every N only for every Nth record, because that takes
// long.
//   oracle.timeloop-counting [--data FOLDER] [--every N]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/oracle_cases.h"
#include "tilewright/compat/compare.h"
#include "tilewright/compat/counts.h"
#include "tilewright/timeloop/stats/check.h"

namespace {

using namespace tilewright;
using compat::count_timeloop;
using compat::Fanning;
using compat::LevelNest;
using compat::MemoryFigures;
using compat::TensorFigures;
using compat::TimeloopAnswer;
using compat::TimeloopFigures;
using compat::TimeloopRules;
using nlohmann::json;
using oracle_case::OracleCase;
using oracle_case::RecordFile;

// The nest of a record; the order of spatial loops along an axis, which our mappings do not have,
// is the record's.
LevelNest nest_of(const OracleCase& oracle) {
  LevelNest nest = compat::read_levels(oracle.problem, oracle.mapping).nest;
  for (std::size_t l = 0; l < nest.levels.size(); ++l) {
    const json& level = oracle.record.at("mapping").at(l);
    if (!level.contains("spatial")) continue;
    std::map<std::string, int> depth;
    for (const std::string dim : level.at("spatial").at("order_inner_to_outer")) {
      depth.emplace(dim, static_cast<int>(depth.size()));
    }
    std::ranges::sort(nest.levels[l].spatial, [&](const auto& a, const auto& b) {
      const auto of = [&](const auto& loop) {
        return depth.at(oracle.problem.workload().dim(loop.dim).name);
      };
      return of(a) > of(b);
    });
  }
  nest.settle();
  return nest;
}

// Collects what differs.
class Comparison {
 public:
  void equal(const std::string& what, std::int64_t ours, const json& theirs) {
    ++figures_;
    if (ours == theirs.get<std::int64_t>()) return;
    found_.push_back(what + " " + std::to_string(ours) + " not " + theirs.dump());
  }
  void close(const std::string& what, double ours, const json& theirs) {
    ++figures_;
    const double expected = theirs;
    if (std::abs(ours - expected) <= 1e-9 * std::abs(expected)) return;
    found_.push_back(what + " " + std::to_string(ours) + " not " + theirs.dump());
  }

  void compare(const std::string& where, const TensorFigures& ours, const json& theirs,
               std::int64_t instances) {
    equal(where + "tile", ours.tile, theirs.at("tile_size"));
    equal(where + "share", ours.share, theirs.at("partition_size"));
    equal(where + "instances", instances, theirs.at("utilized_instances"));
    equal(where + "reads", ours.reads, theirs.at("reads_per_instance"));
    equal(where + "fills", ours.fills, theirs.at("fills_per_instance"));
    equal(where + "updates", ours.updates, theirs.at("updates_per_instance"));
    close(where + "energy", ours.energy_pj, theirs.at("energy_total_pJ"));
    const json& network = theirs.at("network");
    close(where + "link transfers", ours.link_transfers, network.at("link_transfers"));
    equal(where + "spatial reductions", ours.spatial_reductions, network.at("spatial_reductions"));
    std::map<Fanning, double> expected;
    for (const json& one : network.at("ingresses")) {
      expected[{one.at("multicast"), one.at("scatter")}] += one.at("accesses").get<double>();
    }
    std::erase_if(expected, [](const auto& one) { return one.second == 0; });
    equal(where + "ways of fanning out", static_cast<std::int64_t>(ours.carried.size()),
          json(expected.size()));
    for (const auto& [fanning, count] : ours.carried) {
      close(where + "accesses to " + std::to_string(fanning.multicast) + " x " +
                std::to_string(fanning.scatter),
            count, json(expected[fanning]));
    }
  }

  void compare(const Problem& problem, const TimeloopFigures& ours, const json& theirs) {
    for (std::size_t l = 0; l < ours.memories.size(); ++l) {
      const MemoryFigures& memory = ours.memories[l];
      const json& level = theirs.at("levels").at(l);
      const std::string name = problem.arch().memory(memory.node).name + ".";
      for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
        const std::string& tensor = problem.workload().tensors()[t].name;
        compare(name + tensor + " ", memory.tensors[t], level.at("tensors").at(tensor),
                memory.instances);
      }
      equal(name + "cycles", memory.cycles, level.at("cycles"));
      close(name + "slowdown", memory.slowdown, level.at("slowdown"));
      close(name + "energy", memory.energy_pj, level.at("energy_pJ"));
    }
    equal("computes", ours.computes, theirs.at("computes"));
    equal("compute steps", ours.compute_steps, theirs.at("arithmetic").at("cycles"));
    close("compute energy", ours.compute_energy_pj, theirs.at("arithmetic").at("energy_pJ"));
    equal("cycles", ours.cycles, theirs.at("cycles"));
    close("utilization", ours.utilization, theirs.at("utilization"));
    close("energy", ours.energy_pj, theirs.at("energy_pJ"));
  }

  const std::vector<std::string>& found() const { return found_; }
  int figures() const { return figures_; }

 private:
  std::vector<std::string> found_;
  int figures_ = 0;
};

struct Tally {
  int records = 0, equal = 0, figures = 0;
};

void check(const OracleCase& oracle, const char* which, const json& theirs,
           const TimeloopRules& rules, Tally& tally) {
  const LevelNest nest = nest_of(oracle);
  const TimeloopAnswer ours = count_timeloop(oracle.problem, nest, rules);
  Comparison comparison;
  ++tally.records;
  const bool accepted = ours.refusals.empty();
  if (!theirs.at("success").get<bool>()) {
    std::string reason = "none";
    if (!ours.refusals.empty()) {
      const compat::Refusal& first = ours.refusals.front();
      reason = oracle.problem.arch().memory(nest.levels[first.level].memory).name +
               ": mapped tile size " + std::to_string(first.value) + " exceeds buffer capacity " +
               std::to_string(first.limit) + "; ";
    }
    if (reason == theirs.at("fail_reason").get<std::string>()) {
      ++tally.equal;
    } else {
      std::printf("  %s %s: refused because of '%s' not %s\n", oracle.id.c_str(), which,
                  reason.c_str(), theirs.at("fail_reason").dump().c_str());
    }
    return;
  }
  if (!accepted) std::printf("  %s: refused\n", oracle.id.c_str());
  comparison.compare(oracle.problem, ours.figures, theirs);
  tally.figures += comparison.figures();
  if (accepted && comparison.found().empty()) ++tally.equal;
  for (const std::string& one : comparison.found()) {
    std::printf("  %s %s: %s\n", oracle.id.c_str(), which, one.c_str());
  }
}

// A record as the report that Timeloop would have left.
timeloop::Stats report_of(const OracleCase& oracle) {
  const json& theirs = oracle.record.at("timeloop");
  timeloop::Stats stats;
  for (const json& level : theirs.at("levels")) {
    timeloop::LevelStats one;
    one.name = level.at("name");
    one.cycles = level.at("cycles");
    for (const auto& [name, tensor] : level.at("tensors").items()) {
      if (!tensor.at("keep").get<bool>()) continue;
      one.tensors.push_back({.name = name,
                             .tile = tensor.at("tile_size"),
                             .instances = tensor.at("utilized_instances"),
                             .reads = tensor.at("reads_per_instance"),
                             .fills = tensor.at("fills_per_instance"),
                             .updates = tensor.at("updates_per_instance"),
                             .energy_pj = tensor.at("energy_total_pJ")});
    }
    stats.levels.push_back(std::move(one));
  }
  stats.computes = theirs.at("computes");
  stats.cycles = theirs.at("cycles");
  stats.energy_pj = theirs.at("energy_pJ");
  return stats;
}

// What `tilewright verify` does with such a report: it must find that links were off, at most, and
// explain every figure.
bool verifies(const OracleCase& oracle) {
  const timeloop::StatsCheck check =
      timeloop::check_stats(oracle.problem, oracle.mapping, report_of(oracle));
  const bool links_only = std::ranges::all_of(check.other, [](const auto& other) {
    return other.convention.name == "link_transfers" && !other.on;
  });
  if (check.disagreements() == 0 && links_only && check.unknown.empty()) return true;
  std::printf("  %s verified: %zu figures disagree, %zu conventions changed\n", oracle.id.c_str(),
              check.disagreements(), check.other.size());
  return false;
}

// How our model's differences from the records are explained.
struct Census {
  int records = 0, equal = 0, unexplained = 0, verified = 0;
  std::map<std::string, int> touched;  // records by convention
};

void explain(const OracleCase& oracle, Census& census) {
  if (!oracle.record.at("timeloop").at("success").get<bool>()) return;
  ++census.records;
  census.verified += verifies(oracle) ? 1 : 0;
  const compat::TimeloopComparison comparison =
      compare_with_timeloop(oracle.problem, oracle.mapping, nest_of(oracle), {});
  const json& theirs = oracle.record.contains("timeloop_linkxfer")
                           ? oracle.record.at("timeloop_linkxfer")
                           : oracle.record.at("timeloop");
  Comparison check;
  check.compare(oracle.problem, comparison.theirs, theirs);
  for (const std::string& one : check.found()) {
    std::printf("  %s compared: %s\n", oracle.id.c_str(), one.c_str());
  }
  std::set<std::size_t> touched;
  bool explained = comparison.separated && check.found().empty();
  for (const compat::ComparedFigure& figure : comparison.figures) {
    for (const compat::Contribution& part : figure.contributions) touched.insert(part.convention);
    if (figure.unexplained == 0) continue;
    explained = false;
    std::printf("  %s %s: ours %.10g, left over %.10g\n", oracle.id.c_str(),
                to_text(oracle.problem, figure.name).c_str(), figure.ours, figure.unexplained);
  }
  if (touched.empty()) ++census.equal;
  if (!explained) ++census.unexplained;
  for (const std::size_t one : touched) {
    ++census.touched[std::string(comparison.conventions[one].name)];
  }
}

bool print_census(const std::string& name, const Census& census) {
  std::printf(
      "%-14s  equal to our model %d of %d records, unexplained %d, verified as reports %d; touched "
      "by\n",
      name.c_str(), census.equal, census.records, census.unexplained, census.verified);
  for (const compat::Convention& convention : compat::conventions()) {
    const auto touched = census.touched.find(std::string(convention.name));
    if (touched == census.touched.end()) continue;
    std::printf("    %-24s %4d\n", touched->first.c_str(), touched->second);
  }
  return census.unexplained == 0 && census.verified == census.records && census.records > 0;
}

}  // namespace

int main(int argc, char** argv) {
  int every = 1;
  const auto folder = oracle_case::find_records(argc, argv, &every);
  if (!folder) return 77;
  TimeloopRules without_links;
  without_links.link_transfers = false;
  TimeloopRules iterating = compat::iterating_rules();
  iterating.link_transfers = false;
  bool holds = true;
  for (const RecordFile& file : oracle_case::record_files()) {
    Tally plain, linked, exact;
    oracle_case::for_each_case(*folder, file, {}, [&](const OracleCase& oracle) {
      const json& record = oracle.record;
      const json& theirs = record.at("timeloop");
      check(oracle, "timeloop", theirs, without_links, plain);
      const auto changed = [&](const char* key) -> const json& {
        return record.contains(key) ? record.at(key) : theirs;
      };
      check(oracle, "timeloop_linkxfer", changed("timeloop_linkxfer"), {}, linked);
      check(oracle, "timeloop_exact", changed("timeloop_exact"), iterating, exact);
    });
    std::printf("%-14s", file.name.c_str());
    for (const auto& [name, tally] :
         {std::pair{"links off", plain}, {"links on", linked}, {"every iteration", exact}}) {
      std::printf("  %s: %d of %d records, %d figures", name, tally.equal, tally.records,
                  tally.figures);
      holds = holds && tally.equal == tally.records && tally.records > 0;
    }
    std::printf("\n");
  }
  for (const RecordFile& file : oracle_case::record_files()) {
    Census census;
    int number = 0;
    oracle_case::for_each_case(*folder, file, {}, [&](const OracleCase& oracle) {
      if (number++ % every == 0) explain(oracle, census);
    });
    holds = print_census(file.name, census) && holds;
  }
  std::printf(
      "timeloop-oracle: %s\n",
      holds ? "every figure is Timeloop's, every difference from ours is explained" : "FAILED");
  return holds ? 0 : 1;
}
