// SPDX-License-Identifier: Apache-2.0
// The designs of a sweep: an architecture with parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/sweep/plan/amount.h"
#include "tilewright/sweep/plan/expression.h"

namespace tilewright {

struct Parameter {
  std::string name;
  std::vector<Amount> values;
};

/// A figure of the architecture that depends on parameters.
struct Setting {
  std::string path;  ///< as `--with` has it: `GLB.capacity`
  Expression value;
};

/// Combinations of values that a plan may have.
inline constexpr std::uint64_t kMostPoints = 100'000'000;

/// Designs one by one, none of them kept. They are numbered from 0; the last parameter varies
/// fastest.
class DesignSpace {
 public:
  /// Throws InputError if a condition cannot be decided or there are too many designs, and
  /// OverflowError.
  DesignSpace(std::vector<Parameter> parameters, std::vector<Setting> settings,
              const std::vector<Condition>& conditions);

  const std::vector<Parameter>& parameters() const { return parameters_; }
  /// How many combinations meet all conditions.
  std::uint64_t size() const { return points_.size(); }
  /// How many there are without the conditions.
  std::uint64_t grid() const { return grid_; }

  /// One value for each parameter.
  std::vector<Amount> values(std::uint64_t design) const;
  /// What the design changes of the architecture, as `--with` has it. Throws InputError,
  /// OverflowError.
  std::vector<std::string> figures(std::uint64_t design) const;
  /// `x=4, glb=64 KiB`
  std::string to_text(std::uint64_t design) const;

 private:
  std::vector<Amount> values_at(std::uint64_t point) const;

  std::vector<Parameter> parameters_;
  std::vector<Setting> settings_;
  std::uint64_t grid_ = 1;
  std::vector<std::uint32_t> points_;  // of the grid, those that meet all conditions
};

}  // namespace tilewright
