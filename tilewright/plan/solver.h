// SPDX-License-Identifier: Apache-2.0
// Many searches side by side: the problems that the layers of a network pose, each solved once.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tilewright/plan/plan.h"

namespace tilewright {

/// One problem: a layer, and what is on chip while it runs.
struct Ask {
  std::size_t layer = 0;           ///< the first of its equals
  TensorSet resident = 0;          ///< tensors whose home is the buffer
  std::int64_t reserved_bits = 0;  ///< of the buffer, for edges that pass by

  auto operator<=>(const Ask&) const = default;
};

/// By layer, the first one that poses the same problem: an equal workload, of which the
/// architecture and the constraints say the same.
std::vector<std::size_t> find_first_equal(const Network& network, const Arch& arch,
                                          const PlanOptions& options);

/// `arch` for a layer with some tensors that never leave `buffer` and with less room there. The
/// room must not be all of the buffer.
Arch arch_for(const Workload& workload, const Arch& arch, NodeId buffer, const Ask& ask);

/// Solves asks and remembers the answers.
class Solver {
 public:
  /// All three must outlive it.
  Solver(const Network& network, const Arch& arch, const PlanOptions& options)
      : network_(network), arch_(arch), options_(options) {}

  /// Where resident tensors stay.
  void set_buffer(NodeId buffer) { buffer_ = buffer; }

  /// Solves those of `asks` that have no answer yet, the costliest first, on all threads.
  void solve(std::span<const Ask> asks);
  /// Where the answer to `ask`, which must have one, stands in solved().
  std::size_t index(const Ask& ask) const { return index_.at(ask); }
  const std::vector<Solved>& solved() const { return solved_; }
  bool stopped() const;

 private:
  Solved solve_one(const Ask& ask, int threads);
  void search(const Ask& ask, int threads, Solved& solved);
  void tell(const Ask& ask, const Progress& progress);

  const Network& network_;
  const Arch& arch_;
  const PlanOptions& options_;
  NodeId buffer_;
  std::map<Ask, std::size_t> index_;
  std::vector<Solved> solved_;
  std::mutex mutex_;  // guards what follows, and the user's progress
  std::size_t done_ = 0;
};

}  // namespace tilewright
