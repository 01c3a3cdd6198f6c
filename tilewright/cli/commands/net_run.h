// SPDX-License-Identifier: Apache-2.0
// One run of `tilewright net`: from an accelerator and a network to the best mapping of every
// layer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/answers/map_options.h"
#include "tilewright/cli/input/models.h"
#include "tilewright/cli/session.h"
#include "tilewright/io/constraints/layer_constraints.h"
#include "tilewright/io/read.h"
#include "tilewright/mapper/plan.h"

namespace tilewright {

/// The command line of `net`.
struct NetCommand {
  NetOptions options;  ///< without `strict` and `fuse`
  ModelOptions model;  ///< its `strict` holds for constraints too
  std::vector<std::string> files;
  std::string csv;
  std::string html;
  std::string output;
  std::string result;
  bool json = false;
};

/// What the files of `net` hold.
struct NetInput {
  Network network;
  Arch arch;
  ArchSource arch_source;
  /// With a section `constraints`; null if there is none.
  std::shared_ptr<const SourceFile> constraints;
  /// Those with a section `flexibility`.
  std::vector<std::shared_ptr<const SourceFile>> flexibility;
};

/// Reads all files and shows what is wrong with them; nothing if there were errors (the session
/// then has its exit code).
std::optional<NetInput> load_net(Session& session, const NetCommand& command);

/// Everything but reading the files. Prints, and sets the session's exit code.
class NetRun {
 public:
  NetRun(const NetCommand& command, const NetInput& input, Session& session)
      : command_(command), input_(input), session_(session) {}

  void run();

 private:
  bool read_request();
  bool read_constraints();
  PlanResult search();
  void note_effort(const Plan& plan);
  NetOptions recorded_options() const;
  void show(const PlanResult& result);
  void save_folder(const Plan& plan);

  const NetCommand& command_;
  const NetInput& input_;
  Session& session_;
  PlanRequest request_;
  std::vector<LayerConstraints> constraints_;
};

}  // namespace tilewright
