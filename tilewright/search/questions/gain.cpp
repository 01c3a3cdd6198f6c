// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/questions/gain.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

using Kind = Limit::Kind;

constexpr std::int64_t kMostUnits = (std::int64_t{1} << 31) - 1;  // what an Arch may have
constexpr std::int64_t kStepsInCapacity = 128;

Problem with_node(const Problem& problem, NodeId node, ArchNode changed) {
  const Arch& arch = problem.arch();
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  nodes[node.pos()] = std::move(changed);
  return problem.with(
      Arch(arch.name(), arch.note(), arch.clock_hz(), std::move(nodes), arch.compute()));
}

constexpr Kind kBandwidths[] = {Kind::kReadBandwidth, Kind::kWriteBandwidth,
                                Kind::kSharedBandwidth};

std::optional<Rational>& bandwidth(Memory& memory, Kind kind) {
  return kind == Kind::kReadBandwidth    ? memory.read_bandwidth
         : kind == Kind::kWriteBandwidth ? memory.write_bandwidth
                                         : memory.shared_bandwidth;
}

// 128 KiB grow by 1 KiB; a few words by room for one element.
std::int64_t grown(const Problem& problem, NodeId node, std::int64_t bits, Relaxation relaxation) {
  if (relaxation == Relaxation::kTwice) return checked_mul(bits, 2);
  const std::vector<std::int64_t>& widths = problem.memory(node).partial_bits;
  const std::int64_t element = checked_mul(*std::max_element(widths.begin(), widths.end()),
                                           problem.arch().memory(node).buffering);
  const auto size = std::bit_floor(static_cast<std::uint64_t>(bits));
  return checked_add(bits, std::max(element, static_cast<std::int64_t>(size) / kStepsInCapacity));
}

std::optional<Problem> relax_memory(const Problem& problem, const Limit& limit,
                                    Relaxation relaxation) {
  Memory memory = problem.arch().memory(limit.node);
  if (limit.kind == Kind::kCapacity) {
    memory.capacity_bits = grown(problem, limit.node, *memory.capacity_bits, relaxation);
  } else if (limit.kind == Kind::kPartition) {
    const std::string& name = problem.workload().tensor(limit.tensor).name;
    const std::int64_t bits = *problem.memory(limit.node).partition_bits[limit.tensor.pos()];
    std::erase_if(memory.partitions, [&](const PerTensor& part) { return part.tensor == name; });
    memory.partitions.push_back({name, grown(problem, limit.node, bits, relaxation)});
  } else {
    if (relaxation != Relaxation::kTwice) return std::nullopt;
    std::optional<Rational>& rate = bandwidth(memory, limit.kind);
    rate = *rate * Rational{2, 1};
  }
  return with_node(problem, limit.node, std::move(memory));
}

std::optional<Problem> relax_axis(const Problem& problem, const Limit& limit,
                                  Relaxation relaxation) {
  Fanout fanout = problem.arch().fanout(limit.node);
  std::int64_t& size = fanout.axes[static_cast<std::size_t>(limit.axis)].size;
  const std::int64_t others = problem.arch().compute_units() / size;
  size = relaxation == Relaxation::kTwice ? checked_mul(size, 2) : checked_add(size, 1);
  if (size > kMostUnits / others) return std::nullopt;
  return with_node(problem, limit.node, std::move(fanout));
}

void add_limits(const Problem& problem, NodeId node, std::vector<Limit>& limits) {
  const Arch& arch = problem.arch();
  if (!arch.is_memory(node)) {
    for (std::size_t axis = 0; axis < arch.fanout(node).axes.size(); ++axis) {
      limits.push_back({.kind = Kind::kAxis, .node = node, .axis = static_cast<int>(axis)});
    }
    return;
  }
  if (arch.memory(node).capacity_bits) limits.push_back({.kind = Kind::kCapacity, .node = node});
  const auto& partitions = problem.memory(node).partition_bits;
  for (std::size_t t = 0; t < partitions.size(); ++t) {
    if (!partitions[t]) continue;
    limits.push_back({.kind = Kind::kPartition, .node = node, .tensor = TensorId(t)});
  }
  Memory memory = arch.memory(node);
  for (const Kind kind : kBandwidths) {
    if (bandwidth(memory, kind)) limits.push_back({.kind = kind, .node = node});
  }
}

}  // namespace

std::vector<Limit> list_limits(const Question& question) {
  std::vector<Limit> limits;
  for (std::size_t n = 0; n < question.problem.arch().nodes().size(); ++n) {
    add_limits(question.problem, NodeId(n), limits);
  }
  for (std::size_t c = 0; c < question.constraints.size(); ++c) {
    limits.push_back({.kind = Kind::kConstraint, .number = static_cast<int>(c)});
  }
  for (std::size_t c = 0; c < question.caps.size(); ++c) {
    limits.push_back({.kind = Kind::kCap, .number = static_cast<int>(c)});
  }
  return limits;
}

std::optional<Question> relax(const Question& question, const Limit& limit, Relaxation relaxation) {
  Question result = question;
  if (limit.kind == Kind::kConstraint || limit.kind == Kind::kCap) {
    if (relaxation != Relaxation::kTwice) return std::nullopt;
    if (limit.kind == Kind::kCap) {
      result.caps.erase(result.caps.begin() + limit.number);
    } else {
      result.constraints.erase(result.constraints.begin() + limit.number);
    }
    return result;
  }
  std::optional<Problem> problem = limit.kind == Kind::kAxis
                                       ? relax_axis(question.problem, limit, relaxation)
                                       : relax_memory(question.problem, limit, relaxation);
  if (!problem) return std::nullopt;
  result.problem = *std::move(problem);
  return result;
}

std::optional<Rational> limit_value(const Problem& problem, const Limit& limit) {
  const Arch& arch = problem.arch();
  switch (limit.kind) {
    case Kind::kCapacity:
      return Rational{*arch.memory(limit.node).capacity_bits, 1};
    case Kind::kPartition:
      return Rational{*problem.memory(limit.node).partition_bits[limit.tensor.pos()], 1};
    case Kind::kReadBandwidth:
    case Kind::kWriteBandwidth:
    case Kind::kSharedBandwidth: {
      Memory memory = arch.memory(limit.node);
      return bandwidth(memory, limit.kind);
    }
    case Kind::kAxis:
      return Rational{arch.fanout(limit.node).axes[static_cast<std::size_t>(limit.axis)].size, 1};
    case Kind::kConstraint:
    case Kind::kCap:
      break;
  }
  return std::nullopt;
}

std::optional<bool> binds(const Gain& gain, double best) {
  if (gain.tries.empty()) return std::nullopt;
  const Relaxed& most = gain.tries.back();
  if (most.score && *most.score < best) return true;
  if (most.proved || (most.bound && *most.bound >= best)) return false;
  return std::nullopt;
}

std::vector<Gain> find_gains(const Question& question, double best,
                             const std::function<SearchResult(const Question&)>& solve,
                             const std::function<bool()>& ended) {
  const auto attempt = [&](const Limit& limit, Relaxation relaxation) -> std::optional<Relaxed> {
    const std::optional<Question> relaxed = relax(question, limit, relaxation);
    if (!relaxed || ended()) return std::nullopt;
    const SearchResult result = solve(*relaxed);
    Relaxed found{.relaxation = relaxation,
                  .value = limit_value(relaxed->problem, limit),
                  .score = std::nullopt,
                  .bound = result.bound,
                  .proved = is_settled(status_of(result))};
    if (result.best) found.score = result.best->score;
    return found;
  };
  std::vector<Gain> gains;
  for (const Limit& limit : list_limits(question)) {
    Gain gain{limit, limit_value(question.problem, limit), {}};
    if (auto most = attempt(limit, Relaxation::kTwice)) gain.tries.push_back(*std::move(most));
    if (binds(gain, best).value_or(!gain.tries.empty())) {
      if (auto step = attempt(limit, Relaxation::kStep)) {
        gain.tries.insert(gain.tries.begin(), *std::move(step));
      }
    }
    gains.push_back(std::move(gain));
  }
  return gains;
}

}  // namespace tilewright
