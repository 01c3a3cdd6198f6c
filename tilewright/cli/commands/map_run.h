// SPDX-License-Identifier: Apache-2.0
// One run of `tilewright map`: from options and files to a request, from the result to what is
// shown.
#pragma once

#include <string>
#include <vector>

#include "tilewright/answers/map_options.h"
#include "tilewright/cli/session.h"
#include "tilewright/io/read.h"
#include "tilewright/mapper/map.h"

namespace tilewright {

/// The command line of `map`.
struct MapCommand {
  MapOptions options;
  std::vector<std::string> files;
  std::string output;
  std::string csv;
  std::string proof;
  std::string html;
  std::string result;
  bool json = false;
  bool objective_given = false;
};

/// Everything but reading files and the command line. Prints, and sets the session's exit code.
class MapRun {
 public:
  MapRun(const MapCommand& command, const Documents& documents, Session& session)
      : command_(command), documents_(documents), session_(session) {}

  void run();

 private:
  bool read_request();
  void note_ignored();
  MapResult search();
  void echo_constraints(const SpaceCount& count);
  void note_effort(const MapResult& mapped);
  void show_best(const MapResult& mapped);
  void show_nothing(const MapResult& mapped);
  void save(const MapResult& mapped);
  void save_proof(const MapResult& mapped);

  const MapCommand& command_;
  const Documents& documents_;
  Session& session_;
  MapRequest request_;
};

}  // namespace tilewright
