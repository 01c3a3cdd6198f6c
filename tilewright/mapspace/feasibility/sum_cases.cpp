// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/feasibility/sum_cases.h"

#include <algorithm>
#include <optional>

namespace tilewright {
namespace {

class Cases {
 public:
  Cases(const Problem& problem, const Rules& rules) : problem_(problem), rules_(rules) {
    const Workload& workload = problem.workload();
    output_ = only(workload.output());
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      if (rules.places[p].is_block()) blocks_.push_back(p);
    }
  }

  std::vector<SumCase> list() {
    if (!widths_differ()) return {{rules_, widths(false)}};
    choose(0, rules_);
    return std::move(cases_);
  }

 private:
  const ResolvedMemory& memory(std::size_t m) const {
    return problem_.memory(rules_.keeps[m].memory);
  }

  std::vector<std::int64_t> widths(bool unfinished) const {
    const std::size_t output = problem_.workload().output().pos();
    std::vector<std::int64_t> result;
    for (std::size_t m = 0; m < rules_.keeps.size(); ++m) {
      result.push_back((unfinished ? memory(m).partial_bits : memory(m).bits)[output]);
    }
    return result;
  }

  // In some memory whose room for the output is limited.
  bool widths_differ() const {
    const std::size_t output = problem_.workload().output().pos();
    for (std::size_t m = 0; m < rules_.keeps.size(); ++m) {
      const bool limited = problem_.arch().memory(rules_.keeps[m].memory).capacity_bits ||
                           memory(m).partition_bits[output];
      const bool kept = (rules_.keeps[m].allowed & output_) != 0;
      if (kept && limited && memory(m).partial_bits[output] != memory(m).bits[output]) return true;
    }
    return false;
  }

  // Memories from `m` on keep the output or do not.
  void choose(std::size_t m, const Rules& rules) {
    if (m == rules.keeps.size()) return add_cases(rules);
    if ((rules.keeps[m].required & output_) == 0) {
      Rules without = rules;
      without.keeps[m].allowed &= ~output_;
      choose(m + 1, without);
    }
    if ((rules.keeps[m].allowed & output_) != 0) {
      Rules with = rules;
      with.keeps[m].required |= output_;
      choose(m + 1, with);
    }
  }

  // Where sums arrive finished they do so further out as well: any number of the outermost
  // memories that keep the output.
  void add_cases(const Rules& rules) {
    std::vector<std::size_t> kept;
    for (std::size_t m = 0; m < rules.keeps.size(); ++m) {
      if ((rules.keeps[m].required & output_) != 0) kept.push_back(m);
    }
    const std::vector<std::int64_t> finished = widths(false);
    SumCase next{rules, widths(true)};
    cases_.push_back(next);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      next.output_bits[kept[i]] = finished[kept[i]];
      next.rules = rules;
      const bool last = i + 1 == kept.size();
      finish(kept[i], last ? std::nullopt : std::optional(kept[i + 1]), next.rules);
      cases_.push_back(next);
    }
  }

  // Sums arrive finished at `memory` from `child` (nothing: compute units): no loop adds to them in
  // time outside the child, nor in space but where the fan-outs between the two reduce.
  void finish(std::size_t memory, std::optional<std::size_t> child, Rules& rules) const {
    const std::size_t end = child ? blocks_[*child] : rules.places.size();
    for (std::size_t p = 0; p < end; ++p) {
      Place& place = rules.places[p];
      const bool reduces =
          !place.is_block() && p > blocks_[memory] && problem_.arch().fanout(place.node).reduction;
      for (std::size_t d = 0; d < place.rules.size(); ++d) {
        const bool meets = problem_.workload().relevant(problem_.workload().output(), DimId(d));
        if ((problem_.workload().summing_dims() >> d & 1U) == 0 || (reduces && !meets)) continue;
        place.rules[d].most = std::min<std::int64_t>(place.rules[d].most, 1);
      }
    }
  }

  const Problem& problem_;
  const Rules& rules_;
  TensorSet output_ = 0;
  std::vector<std::size_t> blocks_;  // by memory: its place
  std::vector<SumCase> cases_;
};

}  // namespace

std::vector<SumCase> sum_cases(const Problem& problem, const Rules& rules) {
  return Cases(problem, rules).list();
}

}  // namespace tilewright
