// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "tilewright/base/error.h"
#include "tilewright/format/number_text.h"
#include "tilewright/result/json/evaluation_json.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;

SavedEvaluation read_object(const Json& root) {
  SavedEvaluation saved;
  saved.title = root.at("workload").at("name").get<std::string>() + " on " +
                root.at("arch").at("name").get<std::string>();
  saved.energy_pj = root.at("energy_pj").get<double>();
  saved.cycles = root.at("cycles").get<std::int64_t>();
  saved.edp_pj_cycles = root.at("edp_pj_cycles").get<double>();
  saved.utilization = root.at("utilization").at("total").get<double>();
  saved.bottleneck = root.at("bottleneck").get<std::string>();
  if (const auto search = root.find("search"); search != root.end()) {
    saved.proved = search->at("proved").get<bool>();
  }
  const Json& compute = root.at("compute");
  saved.figures.push_back({compute.at("name").get<std::string>() + ".cycles",
                           compute.at("cycles").get<std::int64_t>(), 0});
  for (const Json& memory : root.at("memories")) {
    const std::string name = memory.at("name").get<std::string>();
    saved.figures.push_back({name + ".cycles", memory.at("cycles").get<std::int64_t>(), 0});
    for (const Json& tensor : memory.at("tensors")) {
      const std::string path = name + "." + tensor.at("name").get<std::string>() + ".";
      const double energy = tensor.at("energy_pj").get<double>();
      for (const char* action : {"tile", "reads", "fills", "updates"}) {
        saved.figures.push_back({path + action, tensor.at(action).get<std::int64_t>(), energy});
      }
    }
  }
  return saved;
}

struct Change {
  std::string path;
  std::int64_t before = 0;
  std::int64_t after = 0;
  double energy = 0;  // change of its tensor's energy at its memory
};

// How far from equal, for sorting: 2x and 0.5x weigh the same.
double distance(const Change& change) {
  const double r = ratio_of(static_cast<double>(change.before), static_cast<double>(change.after));
  return r == 0 ? INFINITY : std::abs(std::log(r));
}

std::vector<Change> find_changes(const SavedEvaluation& before, const SavedEvaluation& after,
                                 std::size_t& equal) {
  std::map<std::string, Change> changes;
  std::vector<std::string> order;
  for (const SavedFigure& figure : before.figures) {
    changes[figure.path] = {figure.path, figure.value, 0, -figure.energy_pj};
    order.push_back(figure.path);
  }
  for (const SavedFigure& figure : after.figures) {
    if (!changes.contains(figure.path)) order.push_back(figure.path);
    Change& change = changes[figure.path];
    change.path = figure.path;
    change.after = figure.value;
    change.energy += figure.energy_pj;
  }
  std::vector<Change> result;
  for (const std::string& path : order) {
    if (changes[path].before != changes[path].after) result.push_back(changes[path]);
  }
  equal = order.size() - result.size();
  std::stable_sort(result.begin(), result.end(), [](const Change& a, const Change& b) {
    const double left = std::abs(a.energy);
    const double right = std::abs(b.energy);
    return left != right ? left > right : distance(a) > distance(b);
  });
  return result;
}

// One row for each count that differs; returns the line on those that do not.
std::string add_changes(const SavedEvaluation& before, const SavedEvaluation& after,
                        SideTable& table) {
  std::size_t equal = 0;
  const std::vector<Change> changes = find_changes(before, after, equal);
  for (const Change& change : changes) table.add_count(change.path, change.before, change.after);
  return fmt::format("  {} {} counts are the same\n", changes.empty() ? "all" : "the other", equal);
}

bool close(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

class Judge {
 public:
  void count(const std::string& path, std::int64_t model, std::int64_t walker) {
    if (model == walker) return;
    lines_.push_back(
        fmt::format("{}: model {}, walk {}", path, count_text(model), count_text(walker)));
  }
  void energy(const std::string& path, double model, double walker) {
    if (close(model, walker)) return;
    lines_.push_back(fmt::format("{}: model {} pJ, walk {} pJ", path, model, walker));
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

}  // namespace

std::optional<SavedEvaluation> read_saved_evaluation(std::string_view json, std::string& why) {
  const Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) {
    why = "it is not JSON";
    return std::nullopt;
  }
  try {
    const int schema = root.at("tilewright").at("schema").get<int>();
    if (schema > kResultSchema) {
      why = fmt::format("it has schema {}, this program reads up to {}", schema, kResultSchema);
      return std::nullopt;
    }
    return read_object(root);
  } catch (const Json::exception&) {
    why = "it is not what `tilewright evaluate --json` writes";
    return std::nullopt;
  }
}

SavedEvaluation to_saved(const Evaluated& evaluated) {
  std::string why;
  std::optional<SavedEvaluation> saved = read_saved_evaluation(evaluation_json(evaluated, ""), why);
  TW_CHECK(saved.has_value(), "what we write we can read");
  return *saved;
}

SideTable totals_table(const SavedEvaluation& before, const SavedEvaluation& after,
                       const SideNames& names, const TextOptions& options) {
  SideTable table(names, options);
  table.add_energy(before.energy_pj, after.energy_pj);
  table.add_ratio("cycles", before.cycles, after.cycles,
                  [](std::int64_t cycles) { return count_text(cycles); });
  table.add_edp(before.edp_pj_cycles, after.edp_pj_cycles);
  table.add_utilization(before.utilization, after.utilization);
  table.add_words("bottleneck", before.bottleneck, after.bottleneck);
  if (before.proved || after.proved) table.add_proofs(before.proved, after.proved);
  return table;
}

std::string compare_text(const SavedEvaluation& before, const SavedEvaluation& after,
                         const TextOptions& options) {
  SideTable table = totals_table(before, after, {}, options);
  const std::string others = add_changes(before, after, table);
  std::string result = paint("compared with before", Style::kHeading, options);
  if (before.title != after.title) {
    result += clip(" (before: " + before.title + ")", options.width - 20, options);
  }
  return result + "\n" + table.text() + others;
}

std::string counts_text(const SavedEvaluation& before, const SavedEvaluation& after,
                        const SideNames& names, const TextOptions& options) {
  SideTable table(names, options);
  const std::string others = add_changes(before, after, table);
  return paint("counts", Style::kHeading, options) + "\n" + table.text() + others;
}

std::vector<std::string> find_disagreements(const Problem& problem, const Evaluation& model,
                                            const Evaluation& walker) {
  Judge judge;
  judge.count("computes", model.computes, walker.computes);
  judge.count("cycles", model.cycles, walker.cycles);
  judge.count("compute.instances", model.compute_instances, walker.compute_instances);
  judge.count("compute.steps", model.compute_steps, walker.compute_steps);
  judge.energy("energy", model.energy_pj, walker.energy_pj);
  for (std::size_t m = 0; m < model.memories.size() && m < walker.memories.size(); ++m) {
    const MemoryEvaluation& left = model.memories[m];
    const MemoryEvaluation& right = walker.memories[m];
    const std::string memory = problem.arch().memory(left.node).name;
    judge.count(memory + ".instances", left.instances, right.instances);
    judge.count(memory + ".cycles", left.cycles, right.cycles);
    for (std::size_t t = 0; t < left.tensors.size(); ++t) {
      const TensorCounts& a = left.tensors[t];
      const TensorCounts& b = right.tensors[t];
      const std::string path = memory + "." + problem.workload().tensor(TensorId(t)).name + ".";
      judge.count(path + "tile", a.tile, b.tile);
      judge.count(path + "reads", a.reads, b.reads);
      judge.count(path + "fills", a.fills, b.fills);
      judge.count(path + "updates", a.updates, b.updates);
      judge.count(path + "peak_reads", a.peak_reads, b.peak_reads);
      judge.count(path + "peak_writes", a.peak_writes, b.peak_writes);
      judge.energy(path + "energy", a.energy_pj, b.energy_pj);
    }
  }
  return judge.take();
}

}  // namespace tilewright
