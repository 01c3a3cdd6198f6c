// SPDX-License-Identifier: Apache-2.0
// One dim at a time: the factors it may have on the axes, and the counts it may have at the
// memories with them (docs/optimal.md section 1).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "tilewright/verify/tree/frame.h"

namespace tilewright::verify {

/// Factors of one dim on the axes of one fan-out, outermost first.
using Stand = std::vector<std::int64_t>;

/// The counts of one dim at every memory, given its factors on the fan-outs and which memories may
/// have loops. Level m is the outside of memory m; the last level is the compute units.
struct Chain {
  struct Step {
    int to = 0;         ///< position among the counts of the level outside
    bool loop = false;  ///< the block has a loop over the dim
  };
  bool possible = false;
  std::vector<std::vector<std::int64_t>> counts;  ///< by level, ascending
  /// By memory and position among the counts of level m + 1: the count inside the block of m, and
  /// the steps outwards through the block.
  std::vector<std::vector<std::int64_t>> inside;
  std::vector<std::vector<std::vector<Step>>> steps;
  std::vector<double>
      least_active;            ///< by fan-out: children at work in a pass that is not the last
  std::vector<bool> may_loop;  ///< by memory: some step has a loop
};

/// The splits of one dim.
class Splits {
 public:
  Splits(const Frame& frame, int dim);

  /// A product of factors for every fan-out, and the ways to stand on the axes (all axes of all
  /// fan-outs in a row) that give it.
  struct Option {
    std::vector<std::int64_t> factors;  ///< by fan-out
    std::vector<Stand> stands;
  };
  const std::vector<Option>& options() const { return options_; }

  /// Whether the rules let the dim stand so on all axes of all fan-outs.
  bool allows(const Stand& stand) const;

  /// The counts with the products `factors` by fan-out, if memory m may have loops where bit m of
  /// `open` is set. `stands`: all ways to stand that are possible beside the other dims, if that
  /// is known: then counts at which a nest is the same as one with smaller factors are left to it.
  /// Good as long as this.
  const Chain& chain(const std::vector<std::int64_t>& factors, std::uint32_t open,
                     const std::vector<Stand>& stands = {});

  /// Factors of a block that lead from count `inside` to count `outside`, ascending; the least of
  /// them only, if that is enough.
  std::vector<std::int64_t> block_factors(int memory, std::int64_t inside, std::int64_t outside,
                                          bool least_only) const;

  /// Whether the axes of `fanout` may split `inside` by these factors.
  bool may_stand(int fanout, const Stand& stand, std::int64_t inside) const;

 private:
  void refuse_large() const;
  const std::vector<std::int64_t>& divisors(std::int64_t count) const;
  void add_stands(int fanout, std::size_t axis, std::int64_t least, Stand& stand);
  void add_options(std::size_t fanout, std::vector<std::int64_t>& factors, Stand& all);
  // What a chain is made for.
  struct Wanted {
    const std::vector<std::int64_t>& factors;
    std::uint32_t open = 0;
    const std::vector<Stand>& stands;
  };
  bool passes(int fanout, const Wanted& wanted, std::int64_t inside) const;
  bool is_beaten(int fanout, const Stand& stand, std::int64_t inside) const;
  Stand on_fanout(const Stand& stand, int fanout) const;
  void fill_counts(Chain& chain, const Wanted& wanted) const;
  void fill_steps(Chain& chain, const Wanted& wanted) const;
  bool through(int gap, const Wanted& wanted, std::int64_t& count) const;
  std::vector<std::int64_t> block_counts(int memory, std::int64_t inside, bool open) const;

  const Frame& frame_;
  int dim_;
  std::vector<std::map<std::int64_t, std::vector<Stand>>> stands_;  // by fan-out and product
  std::vector<Option> options_;
  mutable std::map<std::int64_t, std::vector<std::int64_t>> divisors_;  // once asked for
  std::map<std::tuple<std::vector<std::int64_t>, std::uint32_t, std::vector<Stand>>,
           std::unique_ptr<Chain>>
      chains_;
};

}  // namespace tilewright::verify
