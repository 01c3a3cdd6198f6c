// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/why_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/format/number_text.h"
#include "tilewright/io/constraints/constraint_text.h"

namespace tilewright {
namespace {

using Kind = Limit::Kind;

std::string change_text(double change) {
  if (change == 0) return "0 %";
  const std::string sign = change < 0 ? "-" : "+";
  const double percent = std::abs(change) * 100;
  return percent < 0.05 ? sign + fmt::format("{:.1g} %", percent)
                        : sign + fmt::format("{:.1f} %", percent);
}

double found_change(double best, const Gain& gain) {
  return gain.tries.empty() ? 0 : score_change(best, gain.tries.back().score.value_or(best));
}

}  // namespace

std::string limit_text(const MapResult& mapped, const Limit& limit) {
  const Arch& arch = mapped.given().arch();
  const auto number = static_cast<std::size_t>(limit.number);
  switch (limit.kind) {
    case Kind::kCapacity:
      return arch.memory(limit.node).name + " capacity";
    case Kind::kPartition:
      return fmt::format("{} partition of {}", arch.memory(limit.node).name,
                         mapped.given().workload().tensor(limit.tensor).name);
    case Kind::kReadBandwidth:
      return arch.memory(limit.node).name + " read bandwidth";
    case Kind::kWriteBandwidth:
      return arch.memory(limit.node).name + " write bandwidth";
    case Kind::kSharedBandwidth:
      return arch.memory(limit.node).name + " bandwidth";
    case Kind::kAxis: {
      const Fanout& fanout = arch.fanout(limit.node);
      return fmt::format("axis {} of {}", fanout.axes[static_cast<std::size_t>(limit.axis)].name,
                         fanout.name);
    }
    case Kind::kConstraint: {
      const auto& places = mapped.request.constraint_places;
      const std::string place = places.empty() ? "" : places[number];
      return fmt::format("{} ({})",
                         constraint_text(mapped.given(), mapped.request.constraints[number]),
                         place.substr(place.find_last_of('/') + 1));
    }
    case Kind::kCap:
      break;
  }
  return mapped.request.caps[number].text;
}

std::string limit_value_text(const Limit& limit, const Rational& value) {
  switch (limit.kind) {
    case Kind::kCapacity:
    case Kind::kPartition:
      return bits_text(value.num);
    case Kind::kReadBandwidth:
    case Kind::kWriteBandwidth:
    case Kind::kSharedBandwidth:
      return rational_text(value) + " bit/cycle";
    case Kind::kAxis:
    case Kind::kConstraint:
    case Kind::kCap:
      break;
  }
  return rational_text(value);
}

double score_change(double best, double score) { return best > 0 ? score / best - 1 : 0; }

std::string worth_text(double best, const Relaxed& relaxed) {
  if (relaxed.proved) {
    return relaxed.score ? change_text(score_change(best, *relaxed.score)) : "no mapping exists";
  }
  const double found = score_change(best, relaxed.score.value_or(best));
  return change_text(std::min(found, 0.0)) +
         (relaxed.bound ? " to " + change_text(score_change(best, *relaxed.bound)) : " or more");
}

WhyView view_why(const MapResult& mapped) {
  const double best = mapped.why->best;
  WhyView view;
  for (const Gain& gain : mapped.why->gains) {
    if (gain.tries.empty()) {
      view.untried.push_back(limit_text(mapped, gain.limit));
    } else if (binds(gain, best).value_or(true)) {
      view.binding.push_back(gain);
    } else {
      view.idle.push_back(limit_text(mapped, gain.limit));
    }
  }
  view.proved = std::ranges::all_of(view.binding, [](const Gain& gain) {
    return std::ranges::all_of(gain.tries, &Relaxed::proved);
  });
  std::ranges::stable_sort(view.binding, {},
                           [&](const Gain& gain) { return found_change(best, gain); });
  return view;
}

}  // namespace tilewright
