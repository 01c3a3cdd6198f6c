// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/counts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tilewright/base/checked.h"
#include "tilewright/compat/chains.h"
#include "tilewright/compat/column.h"

namespace tilewright::compat {
namespace {

// Adds up what the columns say.
class Counter {
 public:
  Counter(const Problem& problem, const LevelNest& nest, const TimeloopRules& rules)
      : problem_(problem), nest_(nest), rules_(rules) {}

  TimeloopFigures count() {
    for (std::size_t t = 0; t < problem_.workload().tensors().size(); ++t) {
      columns_.emplace_back(problem_, nest_, rules_, TensorId(t));
    }
    number_instances();
    count_computes();
    for (const Level& level : nest_.levels) {
      MemoryFigures memory;
      memory.node = level.memory;
      memory.instances = numbers_.in_use[result_.memories.size()];
      result_.memories.push_back(memory);
    }
    for (const Column& column : columns_) {
      const std::vector<TensorFigures> figures = column.figures(numbers_);
      for (std::size_t l = 0; l < figures.size(); ++l) {
        result_.memories[l].tensors.push_back(figures[l]);
      }
    }
    for (MemoryFigures& memory : result_.memories) load_network(memory);
    result_.cycles = result_.compute_steps;
    for (MemoryFigures& memory : result_.memories) {
      pace(memory);
      result_.cycles = std::max(result_.cycles, memory.cycles);
    }
    charge_energy();
    result_.utilization = static_cast<double>(result_.computes) /
                          static_cast<double>(problem_.arch().compute_units()) /
                          static_cast<double>(result_.cycles);
    return std::move(result_);
  }

 private:
  // Section 13.
  void load_network(MemoryFigures& memory) const {
    const TensorId output = problem_.workload().output();
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      TensorFigures& tensor = memory.tensors[t];
      tensor.carried = tensor.accesses;
      if (TensorId(t) != output) continue;
      for (auto& [fanning, count] : tensor.carried) {
        if (problem_.arch().is_off_chip(memory.node)) {
          count = 2 * count - static_cast<double>(tensor.share);
        }
        tensor.spatial_reductions =
            static_cast<std::int64_t>(static_cast<double>(tensor.spatial_reductions) +
                                      static_cast<double>(fanning.multicast - 1) * count);
      }
    }
  }

  // Those that some link went through, else all that ever work.
  std::int64_t instances_counted(std::size_t level) const {
    for (const Column& column : columns_) {
      if (column.counted()[level] > 0) return column.counted()[level];
    }
    return instances_ever(nest_, level);
  }

  void number_instances() {
    const std::size_t levels = nest_.levels.size();
    for (std::size_t l = 0; l <= levels; ++l) {
      const bool unit_by_itself = l == levels && nest_.levels.back().spatial.empty();
      const std::size_t like = unit_by_itself ? l - 1 : l;
      const std::int64_t counted = rules_.space_extrapolation ? 1 : instances_counted(like);
      numbers_.counted.push_back(counted);
      if (rules_.time_averaged_instances) {
        // The fan-out to the units is not averaged.
        double average = instances_on_average(nest_, l == levels ? l - 1 : l);
        if (l == levels) average *= static_cast<double>(nest_.levels.back().children());
        numbers_.in_use.push_back(static_cast<std::int64_t>(average));
      } else if (rules_.renumbered_instances && !rules_.space_extrapolation) {
        numbers_.in_use.push_back(counted);
      } else {
        numbers_.in_use.push_back(instances_ever(nest_, l));
      }
    }
  }

  void count_computes() {
    const auto whole = static_cast<double>(problem_.workload().computes());
    const std::int64_t in_use = numbers_.in_use.back();
    double each = whole / static_cast<double>(numbers_.counted.back());
    if (rules_.space_extrapolation) {
      // The computes of the innermost memory's first instance, spread over its units.
      const std::size_t innermost = nest_.levels.size() - 1;
      const std::int64_t first = count_points(
          nest_, [&](const CountedLoop& loop) { return !loop.spatial || loop.level == innermost; });
      each = static_cast<double>(first) / static_cast<double>(nest_.levels.back().children());
    }
    result_.compute_instances = in_use;
    const bool exactly = !rules_.space_extrapolation && !rules_.time_averaged_instances;
    result_.computes = exactly ? problem_.workload().computes()
                               : static_cast<std::int64_t>(each * static_cast<double>(in_use));
    result_.compute_steps =
        rules_.steps_by_factors && nest_.ragged()
            ? temporal_product(nest_)
            : count_points(nest_, [](const CountedLoop& loop) { return !loop.spatial; });
  }

  void pace(MemoryFigures& memory) const {
    if (rules_.average_demand) {
      pace_by_average(memory);
    } else {
      pace_by_first_instance(memory);
    }
  }

  // Section 11. Words are elements; bandwidths are given in bits.
  void pace_by_average(MemoryFigures& memory) const {
    const ResolvedMemory& resolved = problem_.memory(memory.node);
    const auto bits = static_cast<double>(resolved.bits.front());
    const auto steps = static_cast<double>(result_.compute_steps);
    const auto level = static_cast<std::size_t>(&memory - result_.memories.data());
    std::int64_t places = 1;
    for (std::size_t l = 0; l < level; ++l) places *= nest_.levels[l].children();
    const double idle = static_cast<double>(places) / static_cast<double>(memory.instances);
    double read = 0;
    double write = 0;
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      const TensorFigures& tensor = memory.tensors[t];
      const double width = static_cast<double>(resolved.bits[t]) / bits;
      read += std::ceil(static_cast<double>(tensor.reads) / idle) / steps * width;
      write += std::ceil(static_cast<double>(tensor.fills + tensor.updates) / idle) / steps * width;
    }
    const Memory& spec = problem_.arch().memory(memory.node);
    const auto limit = [&](const std::optional<Rational>& rate, double demand) {
      if (!rate) return;
      const double words = to_double(*rate) / bits;
      if (words < demand) memory.slowdown = std::min(memory.slowdown, words / demand);
    };
    limit(spec.read_bandwidth, read);
    limit(spec.write_bandwidth, write);
    limit(spec.shared_bandwidth, read + write);
    memory.cycles = static_cast<std::int64_t>(std::ceil(steps / memory.slowdown));
  }

  // docs/model.md (15).
  void pace_by_first_instance(MemoryFigures& memory) const {
    std::int64_t read = 0;
    std::int64_t written = 0;
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      const TensorFigures& tensor = memory.tensors[t];
      const std::int64_t bits = problem_.memory(memory.node).bits[t];
      read = checked_add(read, checked_mul(std::llround(tensor.peak_reads), bits));
      written = checked_add(written, checked_mul(std::llround(tensor.peak_writes), bits));
    }
    const Memory& spec = problem_.arch().memory(memory.node);
    const auto limit = [&](const std::optional<Rational>& rate, std::int64_t moved) {
      if (rate) memory.cycles = std::max(memory.cycles, ceil_div(moved, *rate));
    };
    limit(spec.read_bandwidth, read);
    limit(spec.write_bandwidth, written);
    limit(spec.shared_bandwidth, checked_add(read, written));
  }

  // Accesses of an action: of every instance as many as on average, or docs/model.md (17).
  double accesses(std::int64_t each, std::int64_t total, std::int64_t instances,
                  std::int64_t block) const {
    if (rules_.averaged_instances) return static_cast<double>(ceil_div(each, block) * instances);
    const std::int64_t q = total / instances;
    const std::int64_t r = total % instances;
    return static_cast<double>(r * ceil_div(q + 1, block) + (instances - r) * ceil_div(q, block));
  }

  void charge_energy() {
    const Arch& arch = problem_.arch();
    const auto cycles = static_cast<double>(result_.cycles);
    for (MemoryFigures& memory : result_.memories) {
      const Memory& spec = arch.memory(memory.node);
      for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
        TensorFigures& tensor = memory.tensors[t];
        const Charge charge = charge_of(spec, problem_.memory(memory.node).bits[t]);
        const auto of = [&](std::int64_t each, std::int64_t total,
                            const std::optional<double>& pj) {
          return accesses(each, total, memory.instances, charge.block) * charge.factor *
                 pj.value_or(0);
        };
        tensor.energy_pj = of(tensor.reads, tensor.total_reads, spec.energy.read_pj) +
                           of(tensor.fills, tensor.total_fills, spec.energy.fill_pj) +
                           of(tensor.updates, tensor.total_updates, spec.energy.update_pj);
        memory.energy_pj += tensor.energy_pj;
      }
      const std::int64_t leaking =
          rules_.leakage_in_use ? memory.instances : arch.instances(memory.node);
      memory.leakage_pj = spec.leakage_pj_per_cycle * cycles * static_cast<double>(leaking);
      memory.energy_pj += memory.leakage_pj;
      result_.energy_pj += memory.energy_pj;
    }
    const Compute& unit = arch.compute();
    result_.compute_energy_pj = static_cast<double>(result_.computes) * unit.energy_pj.value_or(0);
    if (!rules_.leakage_in_use) {
      result_.compute_energy_pj +=
          unit.leakage_pj_per_cycle * cycles * static_cast<double>(arch.compute_units());
    }
    result_.energy_pj += result_.compute_energy_pj;
  }

  const Problem& problem_;
  const LevelNest& nest_;
  TimeloopRules rules_;
  std::vector<Column> columns_;
  InstanceNumbers numbers_;
  TimeloopFigures result_;
};

// Section 14: the tiles of a memory, all as large as they get, must fit.
void check_capacity(const Problem& problem, const MemoryFigures& memory, std::size_t level,
                    std::vector<Refusal>& refusals) {
  const Memory& spec = problem.arch().memory(memory.node);
  if (!spec.capacity_bits) return;
  const std::vector<std::int64_t>& bits = problem.memory(memory.node).bits;
  const bool words = std::ranges::all_of(bits, [&](std::int64_t b) { return b == bits.front(); });
  std::int64_t needed = 0;
  for (std::size_t t = 0; t < bits.size(); ++t) {
    needed = checked_add(needed, checked_mul(memory.tensors[t].tile, words ? 1 : bits[t]));
  }
  const std::int64_t limit = *spec.capacity_bits / (words ? bits.front() : 1) / spec.buffering;
  if (needed > limit) {
    refusals.push_back({.kind = words ? Refusal::Kind::kWords : Refusal::Kind::kBits,
                        .level = level,
                        .value = needed,
                        .limit = limit});
  }
}

// Section 14: side by side, from the outermost memory on, the factors must fit what exists.
void check_axes(const LevelNest& nest, std::vector<Refusal>& refusals) {
  std::array<std::int64_t, 2> used = {1, 1};
  std::array<std::int64_t, 2> exist = {1, 1};
  for (std::size_t l = 0; l < nest.levels.size(); ++l) {
    const Level& level = nest.levels[l];
    for (const CountedLoop& loop : level.spatial) used[loop.along_y ? 1 : 0] *= loop.factor;
    exist[0] *= level.fanout_x;
    exist[1] *= level.fanout_y;
    for (const auto& [kind, axis] : {std::pair{Refusal::Kind::kAxisX, std::size_t{0}},
                                     {Refusal::Kind::kAxisY, std::size_t{1}}}) {
      if (used[axis] <= exist[axis]) continue;
      refusals.push_back({.kind = kind, .level = l + 1, .value = used[axis], .limit = exist[axis]});
    }
  }
}

}  // namespace

std::string to_text(const Problem& problem, const Refusal& refusal) {
  const auto memories = problem.arch().memories();
  const std::string where = refusal.level < memories.size()
                                ? problem.arch().memory(memories[refusal.level]).name
                                : problem.arch().compute().name;
  const std::string value = std::to_string(refusal.value);
  const std::string limit = std::to_string(refusal.limit);
  switch (refusal.kind) {
    case Refusal::Kind::kWords:
      return "the tiles in " + where + " need " + value + " words; " + limit + " fit";
    case Refusal::Kind::kBits:
      return "the tiles in " + where + " need " + value + " bits; " + limit + " fit";
    case Refusal::Kind::kAxisX:
      return value + " instances of " + where + " along X; " + limit + " exist";
    case Refusal::Kind::kAxisY:
      return value + " instances of " + where + " along Y; " + limit + " exist";
  }
  return "";
}

TimeloopAnswer count_timeloop(const Problem& problem, const LevelNest& nest,
                              const TimeloopRules& rules) {
  TimeloopAnswer answer;
  answer.figures = Counter(problem, nest, rules).count();
  check_axes(nest, answer.refusals);
  for (std::size_t l = 0; l < answer.figures.memories.size(); ++l) {
    check_capacity(problem, answer.figures.memories[l], l, answer.refusals);
  }
  std::ranges::stable_sort(answer.refusals, std::ranges::greater(), &Refusal::level);
  return answer;
}

double steps_to_count(const LevelNest& nest) {
  double all = 0;
  double outside = 1;    // iterations of the loops down to here
  TensorSet spread = 0;  // tensors with a fan-out inside the innermost memory so far
  for (const Level& level : nest.levels) {
    for (const auto* loops : {&level.temporal, &level.spatial}) {
      for (const CountedLoop& loop : *loops) outside *= static_cast<double>(loop.factor);
    }
    spread &= ~level.kept;
    if (!level.spatial.empty()) spread = ~TensorSet{0};
    // To a compute unit by itself no steps are gone through.
    if (&level != &nest.levels.back() || spread != 0) all += outside;
  }
  return all;
}

}  // namespace tilewright::compat
