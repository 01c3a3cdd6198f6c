// SPDX-License-Identifier: Apache-2.0
// The options of `map` and `net` as users write them, on a command line or in Python: from texts
// to requests, and into the record of a result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/answers/option_style.h"
#include "tilewright/answers/record.h"
#include "tilewright/arch/arch.h"
#include "tilewright/io/constraints/layer_constraints.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/mapper/plan.h"
#include "tilewright/mapper/result.h"

namespace tilewright {

/// As in MapRequest; empty texts: not given.
struct MapOptions {
  std::string space = "ruby-s";
  std::string placement = "even";
  std::string mapper = "optimal";
  std::string objective = "edp";
  std::vector<std::string> caps = {};  ///< `latency <= 2 ms`
  std::string budget = "";             ///< `10s`, `1e6 nodes`
  std::string memory = "";             ///< `4 GiB`
  std::string gap = "";                ///< `1%`
  int top = 1;
  bool front = false;
  std::string within = "";  ///< `5%`
  bool why = false;
  bool proof = false;
  bool trace = false;
  std::optional<std::uint64_t> seed = {};
  std::optional<std::uint64_t> patience = {};
  int threads = 0;
  Conventions conventions = {};
};

/// The request, without constraints and callbacks; nothing, with findings, if an option cannot be
/// read or met. Times in caps need the clock of `arch`.
std::optional<MapRequest> read_request(const MapOptions& options, const Arch& arch,
                                       OptionStyle style, Diagnostics& diagnostics);

/// What a result of these options was made from. `stopped`: from outside, before its end.
RunRecord make_record(const MapOptions& options, const RunInputs& inputs, const MapResult& mapped,
                      bool stopped);

/// As in PlanRequest; empty texts: not given.
struct NetOptions {
  std::string space = "ruby-s";
  std::string placement = "even";
  std::string mapper = "optimal";
  std::string objective = "edp";
  std::string budget = "";  ///< for each layer
  std::string memory = "";
  std::string gap = "";
  std::optional<std::uint64_t> seed = {};
  int threads = 0;
  bool keep_on_chip = false;
  bool strict = false;    ///< a constraint that does not fit a layer is an error
  std::string fuse = "";  ///< how an ONNX model was read; empty: the network is none
  Conventions conventions = {};
};

std::optional<PlanRequest> read_request(const NetOptions& options, OptionStyle style,
                                        Diagnostics& diagnostics);

RunRecord make_record(const NetOptions& options, const RunInputs& inputs, const PlanResult& planned,
                      bool stopped);

/// PlanRequest::constraints from what read_layer_constraints read, which must outlive it.
std::function<FittingConstraints(const Problem&)> constraints_of_layers(
    std::span<const LayerConstraints> read);

/// C0012, one for each fault.
void report_faults(std::span<const RequestFault> faults, Diagnostics& diagnostics);

}  // namespace tilewright
