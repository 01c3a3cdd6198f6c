// SPDX-License-Identifier: Apache-2.0
#include "tests/support/search_case.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <set>
#include <utility>

#include "tests/support/random_case.h"
#include "tilewright/base/checked.h"
#include "tilewright/io/write.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/workload/footprint.h"

namespace tilewright::testing {
namespace {

using Kind = Constraint::Kind;

std::size_t pos(std::int64_t i) { return static_cast<std::size_t>(i); }

// Makes a case in steps: a problem, its mapspace shrunk, memories that bind, constraints, caps.
class Maker {
 public:
  Maker(std::uint64_t seed, std::uint64_t index, std::uint64_t most, Mix mix)
      : random_(Random(seed ^ (index * 0x9e3779b97f4a7c15ULL)).next()),
        base_(make_case(seed, index, mix)),
        most_(most) {
    constexpr SpaceKind kKinds[] = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                    SpaceKind::kRuby};
    kind_ = kKinds[index % 4];
    objective_ = index / 4 % 5;
    if (random_.one_in(3)) most_ /= 8;
    one_large_ = index % 8 == 7;
  }

  SearchCase make() {
    set_dims();
    set_nodes();
    shrink();
    for (ArchNode& node : nodes_) {
      if (auto* const memory = std::get_if<Memory>(&node)) bind(*memory);
    }
    if (random_.one_in(3)) constrain();
    SearchCase made{problem(), kind_, constraints_, {}, {}};
    made.options.threads = 1;
    made.options.orders = OrderMode::kWhole;
    made.options.objective = make_objective();
    add_caps(made);
    note_features(made);
    made.features.assign(features_.begin(), features_.end());
    return made;
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) { return random_.between(low, high); }
  double pick_pj(std::int64_t most) { return static_cast<double>(pick(0, most)) / 4; }

  Problem problem() const {
    return Problem(Workload("small", dims_, tensors_),
                   Arch("small", "", std::nullopt, nodes_, compute_), base_.problem.conventions());
  }
  Natural size() const {
    const Problem whole = problem();
    return Mapspace(whole, make_rules(whole, kind_, constraints_)).size();
  }

  // ---- The problem ----

  void set_dims() {
    const Workload& workload = base_.problem.workload();
    dims_.assign(workload.dims().begin(), workload.dims().end());
    tensors_.assign(workload.tensors().begin(), workload.tensors().end());
    if (random_.one_in(8)) make_bmm();
    std::int64_t large = random_.one_in(4) ? 1 : pick(2, 5);
    for (std::size_t left = dims_.size(); left > 0; --left) {
      Dim& dim = dims_[pos(pick(0, std::ssize(dims_) - 1))];
      dim.size =
          large-- > 0 ? pick(2, random_.one_in(4) ? 12 : 6) : std::min<std::int64_t>(dim.size, 2);
    }
    if (one_large_) dims_[pos(pick(0, std::ssize(dims_) - 1))].size = pick(13, 48);
  }

  void make_bmm() {
    const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
    dims_ = {{"b", 2}, {"m", 3}, {"n", 3}, {"k", 3}};
    tensors_ = {{"A", "input", pick(1, 16), {rank(0), rank(1), rank(3)}},
                {"B", "weight", pick(1, 16), {rank(0), rank(3), rank(2)}},
                {"Z", "output", pick(1, 16), {rank(0), rank(1), rank(2)}}};
    if (random_.one_in(2)) tensors_.back().partial_bits = tensors_.back().bits + pick(1, 16);
  }

  // At most six memories and two fan-outs; energies that fall inwards more often than not.
  void set_nodes() {
    std::int64_t memories = random_.one_in(3) ? 6 : pick(2, 4);
    std::int64_t fanouts = pick(0, 2);
    const bool leaks = random_.one_in(2);
    const bool waits = !random_.one_in(3);
    const bool blocks = random_.one_in(2);
    compute_ = base_.problem.arch().compute();
    if (!leaks) compute_.leakage_pj_per_cycle = 0;
    double scale = 16;
    for (const ArchNode& node : base_.problem.arch().nodes()) {
      if (const auto* fanout = std::get_if<Fanout>(&node)) {
        if (fanouts-- > 0) nodes_.emplace_back(*fanout);
        auto* const added = fanouts >= 0 ? &std::get<Fanout>(nodes_.back()) : nullptr;
        if (added != nullptr && added->axes.empty()) added->axes.push_back({"X", pick(2, 5)});
        continue;
      }
      if (memories-- <= 0) continue;
      Memory memory = std::get<Memory>(node);
      if (!leaks) memory.leakage_pj_per_cycle = 0;
      if (!waits) memory.read_bandwidth = memory.write_bandwidth = memory.shared_bandwidth = {};
      if (!blocks) memory.width_bits.reset();
      if (!random_.one_in(4)) {
        memory.energy.read_pj = scale * pick_pj(8);
        memory.energy.fill_pj = scale * pick_pj(8);
        memory.energy.update_pj = scale * pick_pj(8);
        scale /= 4;
      }
      if (random_.one_in(3)) select_sliding(memory);
      nodes_.emplace_back(std::move(memory));
    }
  }

  void select_sliding(Memory& memory) {
    memory.sliding = {false, {}};
    for (const Tensor& tensor : tensors_) {
      if (random_.one_in(2)) memory.sliding.names.push_back(tensor.name);
    }
  }

  // Fewer choices of what is kept, and smaller dims, until the space can be gone through.
  void shrink() {
    while (true) {
      const Problem whole = problem();
      const Rules rules = make_rules(whole, kind_, constraints_);
      int choices = 0;
      for (const KeepRule& rule : rules.keeps) {
        choices += std::popcount(rule.allowed & ~rule.required);
      }
      if (choices > 7 || (choices > 3 && random_.one_in(3))) {
        settle_keep(rules);
        continue;
      }
      if (Mapspace(whole, rules).size() <= Natural(most_)) return;
      Dim& dim = dims_[pos(pick(0, std::ssize(dims_) - 1))];
      if (one_large_ && dim.size > 12 && !random_.one_in(12)) continue;
      if (dim.size == 1) {
        if (choices > 0) settle_keep(rules);
        continue;
      }
      dim.size = random_.one_in(4) ? 1 : dim.size - 1;
    }
  }

  // Decides for one tensor and memory, whether by a constraint or in the arch.
  void settle_keep(const Rules& rules) {
    const KeepRule& rule = rules.keeps[pos(pick(0, std::ssize(rules.keeps) - 1))];
    const TensorSet open = rule.allowed & ~rule.required;
    if (open == 0) return;
    const int tensor = std::countr_zero(open);
    if (random_.one_in(2)) {
      Constraint made{.kind = random_.one_in(3) ? Kind::kBypass : Kind::kKeep, .node = rule.memory};
      made.tensors = TensorSet{1} << tensor;
      constraints_.push_back(made);
      return;
    }
    auto& memory = std::get<Memory>(nodes_[rule.memory.pos()]);
    std::vector<std::string> names;
    for (std::size_t t = 0; t < tensors_.size(); ++t) {
      const bool stays = static_cast<int>(t) != tensor && (rule.allowed >> t & 1U) != 0;
      if (stays) names.push_back(tensors_[t].name);
    }
    memory.keep = {false, std::move(names)};
  }

  // ---- What binds ----

  // Of the bounding box.
  std::int64_t whole_bits(const Tensor& tensor) const {
    std::int64_t elements = 1;
    for (const Rank& rank : tensor.ranks) {
      std::int64_t extent = 1;
      for (const Term& term : rank.terms) {
        extent += std::abs(term.coefficient) * (dims_[term.dim.pos()].size - 1);
      }
      elements *= extent;
    }
    return elements * tensor.bits;
  }

  void bind(Memory& memory) {
    const bool outermost = memory.name == node_name(nodes_.front());
    std::int64_t all = 0;
    for (const Tensor& tensor : tensors_) all += whole_bits(tensor);
    if (random_.one_in(outermost ? 20 : 5)) {
      for (const Tensor& tensor : tensors_) {
        if (!random_.one_in(3)) continue;
        memory.partitions.push_back({tensor.name, pick(tensor.bits, whole_bits(tensor))});
      }
    }
    if (!outermost && random_.one_in(8)) {
      memory.capacity_bits = pick(1, 3) * tensors_[pos(pick(0, std::ssize(tensors_) - 1))].bits;
    } else if (outermost ? random_.one_in(16) : !random_.one_in(4)) {
      memory.capacity_bits = std::max<std::int64_t>(1, all * pick(outermost ? 6 : 1, 16) / 12);
    }
    if (random_.one_in(6)) memory.buffering = 2;
  }

  // ---- Constraints ----

  void constrain() {
    for (std::int64_t left = pick(1, 3); left > 0; --left) {
      constraints_.push_back(make_constraint());
      if (size().is_zero() && !random_.one_in(12)) constraints_.pop_back();
    }
  }

  DimId any_dim() { return DimId(pos(pick(0, std::ssize(dims_) - 1))); }

  Constraint make_constraint() {
    const Problem whole = problem();
    const Arch& arch = whole.arch();
    Constraint made{.node = NodeId(pos(pick(0, std::ssize(arch.nodes()) - 1)))};
    const bool memory = arch.is_memory(made.node);
    made.dim = any_dim();
    made.value = pick(1, 3);
    if (!memory && arch.fanout(made.node).axes.empty()) {
      made.kind = Kind::kPerfect;
      return made;
    }
    if (!memory) made.axis = static_cast<int>(pick(0, std::ssize(arch.fanout(made.node).axes) - 1));
    constexpr Kind kFactors[] = {Kind::kEqual, Kind::kAtMost, Kind::kAtLeast, Kind::kPerfect};
    if (random_.one_in(2)) {
      made.kind = kFactors[pick(0, 3)];
    } else if (!memory) {
      made.kind = random_.one_in(3) ? Kind::kAxisDims : Kind::kUtilization;
      made.dims = {any_dim()};
      made.share = make_rational(pick(1, 4), 4);
    } else if (random_.one_in(2)) {
      made.kind = Kind::kOrder;
      (random_.one_in(2) ? made.outermost : made.innermost) = {made.dim};
    } else {
      made.kind = random_.one_in(3) ? Kind::kBypass : Kind::kKeep;
      made.tensors = TensorSet{1} << pick(0, std::ssize(tensors_) - 1);
    }
    return made;
  }

  // ---- Objective and caps ----

  Objective make_objective() {
    constexpr const char* kNames[] = {"energy", "latency", "edp", "edp"};
    if (objective_ < 4) {
      features_.insert(std::string("objective: ") + kNames[objective_]);
      return *objective_by_name(kNames[objective_]);
    }
    if (random_.one_in(2)) {
      features_.insert("objective: traffic");
      return *objective_by_name("traffic");
    }
    features_.insert("objective: mixed exponents");
    const auto exponent = [&] { return static_cast<double>(pick(0, 4)) / 2; };
    return {exponent(), exponent(), exponent()};
  }

  // Caps that some mapping meets, more often than not.
  void add_caps(SearchCase& made) {
    if (!random_.one_in(5)) return;
    const Mapspace space(made.problem, made.rules());
    if (space.size().is_zero()) return;
    for (std::int64_t left = pick(1, 2); left > 0; --left) {
      const Mapping mapping = space.sample(random_);
      const Evaluation cost = evaluate(made.problem, mapping);
      const auto figure = static_cast<Cap::Figure>(pick(0, 2));
      const double value = figure == Cap::Figure::kEnergy ? cost.energy_pj
                           : figure == Cap::Figure::kCycles
                               ? static_cast<double>(cost.cycles)
                               : static_cast<double>(outermost_traffic(cost));
      made.options.caps.push_back({figure, random_.one_in(6) ? value / 2 : value});
    }
    features_.insert("caps");
  }

  // ---- The mix ----

  void note_features(const SearchCase& made) {
    const bool bmm = dims_.front().name == "b" && dims_.size() == 4 && tensors_.front().name == "A";
    for (const std::string& feature : base_.features) {
      if (feature.starts_with("workload: ") && !bmm) features_.insert(feature);
      if (feature.starts_with("convention: ")) features_.insert(feature);
    }
    if (bmm) features_.insert("workload: bmm");
    features_.insert("space: " + std::string(space_name(kind_)));
    const Arch& arch = made.problem.arch();
    features_.insert("arch: " + std::to_string(arch.memories().size()) + " memories");
    features_.insert("arch: " + std::to_string(arch.fanouts().size()) + " fan-outs");
    for (const NodeId id : arch.fanouts()) note_fanout(arch.fanout(id));
    if (!arch.is_memory(NodeId(arch.nodes().size() - 1))) features_.insert("arch: lanes");
    for (const NodeId id : arch.memories()) note_memory(arch.memory(id));
    if (arch.compute().leakage_pj_per_cycle > 0) features_.insert("arch: leakage");
    for (const KeepRule& rule : made.rules().keeps) {
      if (rule.allowed != rule.required) features_.insert("keeps: free");
      if (std::popcount(rule.allowed) < std::ssize(tensors_)) features_.insert("keeps: bypass");
    }
    constexpr const char* kKinds[] = {"keep",    "bypass", "equal",     "at most",    "at least",
                                      "perfect", "order",  "axis dims", "utilization"};
    for (const Constraint& constraint : constraints_) {
      features_.insert(std::string("constraint: ") + kKinds[static_cast<int>(constraint.kind)]);
    }
  }

  void note_fanout(const Fanout& fanout) {
    constexpr const char* kNames[] = {"none", "equal", "overlap"};
    features_.insert("arch: fan-out with " + std::to_string(fanout.axes.size()) + " axes");
    if (fanout.axes.empty()) return;
    features_.insert(std::string("arch: multicast ") + kNames[static_cast<int>(fanout.multicast)]);
    features_.insert(fanout.reduction ? "arch: reduction on" : "arch: reduction off");
  }

  void note_memory(const Memory& memory) {
    if (memory.read_bandwidth || memory.write_bandwidth || memory.shared_bandwidth) {
      features_.insert("arch: bandwidth limits");
    }
    if (memory.width_bits) features_.insert("arch: block width");
    if (memory.leakage_pj_per_cycle > 0) features_.insert("arch: leakage");
    if (!memory.partitions.empty()) features_.insert("arch: partitions");
    if (memory.buffering > 1) features_.insert("arch: double buffering");
    if (!memory.bits.empty()) features_.insert("arch: bits differ per memory");
    if (memory.energy.per_bit) features_.insert("arch: energy per bit");
    features_.insert(!memory.sliding.all ? memory.sliding.names.empty() ? "arch: sliding off"
                                                                        : "arch: sliding in part"
                                         : "arch: sliding on");
    if (!memory.capacity_bits) return;
    const auto one_word = [&](const Tensor& tensor) {
      return *memory.capacity_bits / memory.buffering < 2 * tensor.bits;
    };
    features_.insert("arch: capacities");
    if (std::ranges::any_of(tensors_, one_word)) features_.insert("arch: latch");
  }

  Random random_;
  RandomCase base_;
  std::uint64_t most_;
  bool one_large_ = false;  // a dim of more counts than the others have
  SpaceKind kind_ = SpaceKind::kPfm;
  std::uint64_t objective_ = 0;
  std::vector<Dim> dims_;
  std::vector<Tensor> tensors_;
  std::vector<ArchNode> nodes_;
  Compute compute_;
  std::vector<Constraint> constraints_;
  std::set<std::string> features_;
};

}  // namespace

bool meets_caps(const SearchCase& made, const Evaluation& cost) {
  return std::ranges::all_of(made.options.caps, [&](const Cap& cap) {
    const auto figure = cap.figure == Cap::Figure::kEnergy ? cost.energy_pj
                        : cap.figure == Cap::Figure::kCycles
                            ? static_cast<double>(cost.cycles)
                            : static_cast<double>(outermost_traffic(cost));
    return figure <= cap.limit;
  });
}

std::string text(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

std::vector<Rules> SearchCase::arrangements() const {
  std::vector<Rules> all;
  for (const Arrangement& arrangement : list_arrangements(problem, constraints, placement)) {
    all.push_back(make_rules(problem, kind, constraints, arrangement));
  }
  return all;
}

SearchCase make_search_case(std::uint64_t seed, std::uint64_t index, std::uint64_t most, Mix mix) {
  return Maker(seed, index, most, mix).make();
}

std::string to_yaml(const SearchCase& made) {
  const Objective& objective = made.options.objective;
  std::string text = "# --space " + std::string(space_name(made.kind)) + " --objective 'energy^" +
                     std::to_string(objective.energy) + "*latency^" +
                     std::to_string(objective.latency) + "*traffic^" +
                     std::to_string(objective.traffic) + "'";
  if (made.problem.conventions().holes_are_data) text += " --holes-are-data";
  if (made.problem.conventions().drains_are_reads) text += " --drains-are-reads";
  constexpr std::pair<const char*, const char*> kFigures[] = {
      {"energy", "pJ"}, {"latency", "cycles"}, {"traffic", "elements"}};
  for (const Cap& cap : made.options.caps) {
    const auto [name, unit] = kFigures[static_cast<int>(cap.figure)];
    text += " --cap '" + std::string(name) + " <= " + std::to_string(cap.limit) + " " + unit + "'";
  }
  text += "\n" + write_workload(made.problem.workload()) + write_arch(made.problem.arch());
  if (!made.constraints.empty()) text += constraints_to_yaml(made.problem, made.constraints);
  return text;
}

}  // namespace tilewright::testing
