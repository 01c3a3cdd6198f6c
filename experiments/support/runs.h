// SPDX-License-Identifier: Apache-2.0
// Many searches, one after the other on one core: what they found, how long they took, and whether
// that is what was promised.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/arguments.h"
#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/search/search.h"
#include "tilewright/search/strategy.h"

namespace tilewright {

/// CPU time of this process so far, which other work on the machine does not lengthen.
double cpu_seconds();

/// What all programs with long searches let the user choose.
struct RunOptions {
  bool quick = false;
  double limit = 60;  ///< CPU seconds for each search, unless it is to be quick
  std::string only;   ///< instances whose name contains it
  std::string csv;    ///< a file for all searches; empty: none

  void add_to(Arguments& arguments);
  /// Some instances are left out, so that "57 of 60" cannot be asked of the rest.
  bool is_partial() const { return quick || !only.empty(); }
  bool wants(std::string_view instance) const;
  /// CPU seconds for each search.
  double seconds() const;
};

/// One search.
struct Task {
  std::string instance;
  SpaceKind space = SpaceKind::kPfm;
  Mapper mapper = Mapper::kOptimal;
  std::string objective = "edp";
  std::vector<Constraint> constraints;
  std::uint64_t seed = 1;  ///< random and local
};

/// What became of it.
struct Run {
  Task task;
  bool proved = false;         ///< the best there is, or that there is nothing
  double seconds = 0;          ///< CPU time
  std::uint64_t nodes = 0;     ///< random: draws
  std::optional<Found> found;  ///< the best mapping
  double bound = 0;            ///< no mapping scores less; 0: nothing is known
  Utilization utilization;

  double score() const;  ///< infinite if nothing was found
  double gap() const;    ///< how far below the score the bound lies, as a share: 0 to 1
  double energy_pj() const;
  double cycles() const;
};

/// On one thread, for at most `limit` CPU seconds. Random search ends after 3000 mappings that fit
/// and are no better, or after two million draws of which none fits.
Run run_search(const Problem& problem, const Task& task, double limit);

/// Prints a row for each run as it comes, and keeps all of them.
class RunLog {
 public:
  explicit RunLog(const RunOptions& options) : options_(options) {}

  /// Runs `task` and prints its row.
  Run add(const Problem& problem, Task task);
  const std::vector<Run>& runs() const { return runs_; }
  /// Writes the file of `--csv`, if one was asked for. Throws std::runtime_error if it cannot.
  void write_csv() const;

 private:
  const RunOptions& options_;
  std::vector<Run> runs_;
};

/// Many runs in a line.
struct Summary {
  int count = 0;
  int proved = 0;
  double geomean_seconds = 0;
  double most_seconds = 0;
  double worst_gap = 0;
};

Summary summarize(std::span<const Run> runs);

double geomean(std::span<const double> values);  ///< of positive ones; 0 if there are none
double median(std::vector<double> values);       ///< 0 if there are none

/// What was promised, each with what was measured. Printed whether it holds or not.
class Targets {
 public:
  void at_least(std::string_view what, double measured, double wanted);
  void at_most(std::string_view what, double measured, double wanted);
  /// At least `wanted` of `all`; of all if only some instances were run.
  void count(std::string_view what, int measured, int all, int wanted, const RunOptions& options);
  void expect(bool holds, std::string_view what);

  /// Prints one line per target, `held` or `MISSED`; returns the exit code.
  int print() const;

 private:
  struct Target {
    std::string text;
    bool held = false;
  };
  std::vector<Target> targets_;
};

}  // namespace tilewright
