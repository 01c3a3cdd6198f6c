// SPDX-License-Identifier: Apache-2.0
// The compute units as a plane, and what each computes in one pass: all fan-outs together, axes
// named X across, those named Y down, others where there is more room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// One axis of a fan-out, and the loops on it.
struct UnitAxis {
  std::string name;         ///< `PE.X`
  std::int64_t size = 1;    ///< copies there are
  std::int64_t used = 1;    ///< by the loops
  std::string loops;        ///< `c 3 x s 3`
  std::vector<int> places;  ///< of the loops in Mapping::nodes()
};

/// The axes along one side of the plane, those of outer fan-outs first.
struct UnitSide {
  std::vector<UnitAxis> axes;
  std::int64_t size = 1;
};

/// One step of every loop in time that lies outside a loop in space: the index at which each
/// spatial dim starts.
using Pass = std::vector<std::int64_t>;

/// Units that stand together in one pass.
struct UnitBlock {
  std::int64_t all = 0;  ///< units
  std::int64_t active = 0;
  std::int64_t columns = 0;  ///< that hold an active unit
  std::int64_t rows = 0;
  std::int64_t group = 0;          ///< units of one group share the steps of the outer loops
  std::vector<std::int64_t> from;  ///< by UnitArray::dims(): the least index computed
  std::vector<std::int64_t> to;    ///< and the largest
};

class UnitArray {
 public:
  UnitArray(const Problem& problem, const Mapping& mapping);

  const UnitSide& across() const { return across_; }
  const UnitSide& down() const { return down_; }
  std::int64_t size() const { return size_; }
  /// False if there are too many units to look at each; passes may then not be asked for.
  bool drawable() const { return size_ <= kMostUnits; }
  /// Those that loops in space are over.
  const std::vector<DimId>& dims() const { return dims_; }

  Pass first_pass() const { return Pass(dims_.size(), 0); }
  /// The one with the last element of every dim.
  Pass last_pass() const;
  std::int64_t count_active(const Pass& pass) const;
  /// The units at (x, y) and beside it, `width` by `height` as far as there are some.
  UnitBlock look(const Pass& pass, std::int64_t x, std::int64_t y, std::int64_t width,
                 std::int64_t height) const;

 private:
  static constexpr std::int64_t kMostUnits = std::int64_t{1} << 22;

  // Where the work of a place on one side starts in each dim.
  struct Offset {
    bool used = false;
    std::int64_t group = 0;
    std::vector<std::int64_t> start;  // by dims()
  };

  void add_axes(const Problem& problem, const Mapping& mapping);
  std::vector<Offset> offsets(const UnitSide& side, const Mapping& mapping) const;
  void add_loops(const UnitAxis& axis, std::int64_t index, const Mapping& mapping,
                 Offset& offset) const;
  std::size_t slot(DimId dim) const;

  UnitSide across_;
  UnitSide down_;
  std::int64_t size_ = 1;
  std::vector<DimId> dims_;
  std::vector<std::int64_t> sizes_;   // by dims_
  std::vector<std::int64_t> inside_;  // by dims_: what one unit computes in a pass
  std::vector<std::int64_t> steps_;   // by place in the nest
  Pass last_;
  std::vector<Offset> columns_;
  std::vector<Offset> rows_;
};

}  // namespace tilewright
