// SPDX-License-Identifier: Apache-2.0
// Constraints of a problem whose dims have names of one letter, written down shortly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"

namespace tilewright {

/// The dim of that name. Throws std::runtime_error if there is none; likewise below.
DimId dim_by_letter(const Problem& problem, char name);
int axis_by_name(const Fanout& fanout, const std::string& name);

/// A list of constraints. A place is a memory (`GLB`) or an axis of a fan-out (`PE.X`). `problem`
/// must outlive it.
class Demands {
 public:
  explicit Demands(const Problem& problem) : problem_(problem) {}

  /// The factor of each of `dims` is `value`, or the dim's size if that is less.
  Demands& equal(const std::string& place, const std::string& dims, std::int64_t value);
  /// All of `dims` runs here.
  Demands& whole(const std::string& place, const std::string& dims);
  /// No dims but these on the axis.
  Demands& only_dims(const std::string& place, const std::string& dims);
  /// Nothing bypasses a memory that may keep it.
  Demands& keep_all();

  const std::vector<Constraint>& all() const { return all_; }

 private:
  Constraint at(const std::string& place, Constraint::Kind kind) const;

  const Problem& problem_;
  std::vector<Constraint> all_;
};

/// Rows of the filter and of the input stay in the PEs and partial sums run along the columns: the
/// constraints of the Timeloop+Accelergy exercises' eyeriss_like, from which the Ruby paper starts.
/// Every scratchpad is used. For `eyeriss` of the library and dims n, m, c, p, q, r, s.
std::vector<Constraint> row_stationary(const Problem& problem);

/// The axes as in the exercises' simba_like: c and m over the PEs, m over the lanes, c along the
/// vectors. Every buffer is used. For the library's `simba` and its relatives.
std::vector<Constraint> simba_axes(const Problem& problem);

}  // namespace tilewright
