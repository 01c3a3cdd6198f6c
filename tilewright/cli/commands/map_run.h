// SPDX-License-Identifier: Apache-2.0
// One run of `tilewright map`: from options and files to a request, from the result to what is
// shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/cli/session.h"
#include "tilewright/io/read.h"
#include "tilewright/io/result.h"
#include "tilewright/mapper/map.h"

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
  MapRun(const MapOptions& options, const Documents& documents, Session& session)
      : options_(options), documents_(documents), session_(session) {}

  void run();

 private:
  bool read_request();
  void read_limits(Diagnostics& diagnostics);
  void note_ignored();
  MapResult search();
  void echo_constraints(const SpaceCount& count);
  void note_effort(const MapResult& mapped);
  RunRecord record(const MapResult& mapped) const;
  void show_best(const MapResult& mapped);
  void show_nothing(const MapResult& mapped);
  void save(const MapResult& mapped);
  void save_proof(const MapResult& mapped);

  const MapOptions& options_;
  const Documents& documents_;
  Session& session_;
  MapRequest request_;
};

}  // namespace tilewright
