// SPDX-License-Identifier: Apache-2.0
// Internal to compat: one tensor through all memories, from the accesses of its links to reads,
// fills and updates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tilewright/compat/counts.h"

namespace tilewright::compat {

/// Instances in use, the compute units last.
struct InstanceNumbers {
  std::vector<std::int64_t> in_use;   ///< by level
  std::vector<std::int64_t> counted;  ///< by level: those that the links go through
  double computes = 0;                ///< of one compute unit, on average
};

/// Counts one tensor.
class Column {
 public:
  Column(const Problem& problem, const LevelNest& nest, const TimeloopRules& rules,
         TensorId tensor);

  /// One per level. `numbers` must fit `links()`.
  std::vector<TensorFigures> figures(const InstanceNumbers& numbers) const;

  /// Instances of each level, the compute units last, that the links went through; 0: not known.
  const std::vector<std::int64_t>& counted() const { return counted_; }

 private:
  // One level; sums over the instances counted, or averages of them.
  struct Entry {
    bool kept = false;
    bool counted = false;  // has a link
    std::map<Fanning, double> accesses;
    double content = 0;   // accesses in total
    double received = 0;  // what arrives from outside, or Timeloop's share of it
    double linked = 0;
    double passed_on = 0;  // by neighbours, per instance
    std::int64_t tile = 0;
    std::int64_t held = 0;  // Timeloop's share of the tensor, of an instance
    double first_content = 0;
    double first_received = 0;
  };

  void count_links();
  void add_link(std::size_t parent, std::size_t child);
  void settle_shares();
  bool output() const;
  std::int64_t tile_at(std::size_t level, bool with_fanout) const;

  std::vector<Entry> averages(const InstanceNumbers& numbers) const;
  void bypass_by_average(std::vector<Entry>& entries) const;
  void pass_on(std::vector<Entry>& entries, const InstanceNumbers& numbers) const;
  std::vector<TensorFigures> average_figures(const InstanceNumbers& numbers) const;

  std::vector<Entry> sums(const InstanceNumbers& numbers) const;
  void bypass_by_sum(std::vector<Entry>& entries) const;
  std::vector<TensorFigures> sum_figures(const InstanceNumbers& numbers) const;

  const Problem& problem_;
  const LevelNest& nest_;
  TimeloopRules rules_;
  TensorId tensor_;
  TileMaker maker_;
  std::vector<Entry> entries_;
  std::vector<std::int64_t> around_;  // by level: what its children cover together
  std::vector<std::int64_t> counted_;
};

}  // namespace tilewright::compat
