// SPDX-License-Identifier: Apache-2.0
// All problems of a sweep: every design with every workload and every request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/base/sha256.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/io/read.h"
#include "tilewright/mapper/request.h"
#include "tilewright/network/network.h"
#include "tilewright/plan/plan.h"
#include "tilewright/sweep/plan/bundle.h"
#include "tilewright/sweep/plan/design_space.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// A network, or a workload by itself, and how much it counts.
struct SweepTarget {
  std::string name;
  double weight = 1;
  Network network;
  /// One for each layer: in SweepPlan::workloads(); nothing if it is not mapped.
  std::vector<std::optional<std::size_t>> workloads;
};

/// A workload that some target has.
struct SweepWorkload {
  std::string name;  ///< of the first layer that has it: `resnet50/conv1`
  Workload workload;
  FittingConstraints asked;  ///< the sweep's constraints, as they apply to it
  Digest digest;             ///< of what it computes and `asked`; the name does not matter
};

/// How every problem is searched.
struct SweepRequest {
  MapRequest request;
  Digest digest;
};

/// What is searched, for tables: `ruby-s`, or `ruby-s uneven`.
std::string space_text(const MapRequest& request);

/// One accelerator.
struct Design {
  std::uint64_t number = 0;
  Arch arch;
  Digest digest;  ///< of all that costs depend on; names, sources and areas do not matter
};

/// Design::digest.
Digest digest_of(const Arch& arch);

/// One problem: its number says which design, workload and request it has.
struct SweepProblem {
  std::uint64_t number = 0;
  std::uint64_t design = 0;
  std::size_t workload = 0;
  std::size_t request = 0;
};

/// A value. Designs are made when they are asked for; none is kept.
class SweepPlan {
 public:
  SweepPlan(SweepBundle bundle, std::string name, ArchTemplate arch, DesignSpace designs,
            std::vector<SweepTarget> targets, std::vector<SweepWorkload> workloads,
            std::vector<SweepRequest> requests);

  const std::string& name() const { return name_; }
  /// What it was made from.
  const SweepBundle& bundle() const { return bundle_; }
  /// What the designs are made from.
  const ArchTemplate& arch() const { return arch_; }
  const DesignSpace& designs() const { return designs_; }
  const std::vector<SweepTarget>& targets() const { return targets_; }
  const std::vector<SweepWorkload>& workloads() const { return workloads_; }
  const std::vector<SweepRequest>& requests() const { return requests_; }

  /// How many problems each design has.
  std::uint64_t problems_per_design() const { return workloads_.size() * requests_.size(); }
  std::uint64_t problems() const { return designs_.size() * problems_per_design(); }
  SweepProblem problem(std::uint64_t number) const;

  /// Throws InputError, which names the design, if it cannot be built.
  Design design(std::uint64_t number) const;
  /// The key of a problem in a store: equal for equal problems, whatever sweep they belong to.
  Digest key(const Design& design, std::size_t workload, std::size_t request) const;

 private:
  SweepBundle bundle_;
  std::string name_;
  ArchTemplate arch_;
  DesignSpace designs_;
  std::vector<SweepTarget> targets_;
  std::vector<SweepWorkload> workloads_;
  std::vector<SweepRequest> requests_;
};

/// The designs of problems that come one after the other: each is made once. The plan must outlive
/// it.
class DesignCursor {
 public:
  explicit DesignCursor(const SweepPlan& plan) : plan_(plan) {}

  /// Valid until the next call. Throws as SweepPlan::design does.
  const Design& at(const SweepProblem& problem);
  Digest key(const SweepProblem& problem) {
    return plan_.key(at(problem), problem.workload, problem.request);
  }

 private:
  const SweepPlan& plan_;
  std::optional<Design> design_;
};

/// Nothing, with findings, if something is wrong. The first and the last design are tried.
std::optional<SweepPlan> make_plan(const SweepBundle& bundle, Diagnostics& diagnostics);

/// The same for a bundle that has to be completed first.
std::optional<SweepPlan> read_plan(SweepBundle bundle, const ReadFile& read,
                                   Diagnostics& diagnostics);

/// The same for a bundle that made a plan before. Throws InputError.
SweepPlan plan_from_json(std::string_view bundle);

}  // namespace tilewright
