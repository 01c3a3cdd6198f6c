// SPDX-License-Identifier: Apache-2.0
// One run of `tilewright map`: from the files to the best mapping, or to why there is none.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/cli/mapspaces.h"
#include "tilewright/cli/searching.h"
#include "tilewright/cli/session.h"
#include "tilewright/html/search_trace.h"
#include "tilewright/io/read.h"
#include "tilewright/report/search/not_found_text.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// The command line of `map`.
struct MapOptions {
  std::vector<std::string> files;
  std::string space = "ruby-s";
  std::string mapper = "optimal";
  std::string objective = "edp";
  std::vector<std::string> caps;
  std::string budget;
  std::string gap;
  int top = 1;
  bool front = false;
  std::string within;
  bool why = false;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> patience;
  int threads = 0;
  std::string output;
  std::string csv;
  std::string proof;
  std::string html;
  bool trace = false;
  std::string result;
  bool json = false;
  Conventions conventions;
};

/// Everything but reading files and the command line. Prints, and sets the session's exit code.
class MapRun {
 public:
  MapRun(const MapOptions& options, const Documents& documents, Session& session);

  void run();

 private:
  bool read_wishes();
  void refuse_proof(Diagnostics& diagnostics) const;
  void save_proof(const SpaceSearch& found);
  void save_page(const Searched& all, const Evaluated& evaluated);
  bool find_first();
  void report_conflict();
  void count();
  void echo_constraints();
  void offer_first(SpaceSearch& found) const;
  void read_limits(Diagnostics& diagnostics);
  void read_luck();
  void refuse_misfits(Diagnostics& diagnostics) const;
  bool refuse_exhaustive();
  double seconds_used() const;
  double seconds_left() const;
  SpaceSearch search(const Objective& objective, const std::vector<Cap>& caps,
                     SearchTrace* trace) const;
  void note_effort(const SearchResult& result);
  bool repeatable() const;
  RunRecord record(const SpaceSearch& found) const;
  Searched searched(const SpaceSearch& found) const;
  void look_further(const SpaceSearch& found, Searched& all);
  Simple find_simple(const SpaceSearch& found);
  Why find_why(const Found& best);
  void show_best(const SpaceSearch& found);
  void save(const Problem& problem, const Mapping& mapping);
  void show_nothing(const SpaceSearch& found);
  std::vector<CapBound> find_cap_bounds() const;

  const MapOptions& options_;
  const Documents& documents_;
  Session& session_;
  SearchOptions wishes_;
  Space space_;
  std::optional<SpaceFound> first_;  ///< any mapping that fits
  std::optional<Natural> size_;      ///< nothing: Ctrl-C came before it was known
  std::vector<ConstraintEffect> effects_;
  Mapper mapper_ = Mapper::kOptimal;
  double within_ = 0;
  SearchTrace trace_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tilewright
