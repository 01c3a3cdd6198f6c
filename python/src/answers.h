// SPDX-License-Identifier: Apache-2.0
// The values of the Python package that C++ has no type for: results that own all they refer to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tilewright/answers/map_options.h"
#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapper/plan.h"
#include "tilewright/mapper/result.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/result/evaluated.h"
#include "tilewright/result/planned.h"

namespace tilewright::python {

using ProblemPtr = std::shared_ptr<const Problem>;

/// A mapping and the problem whose dims, tensors and memories it speaks of.
struct BoundMapping {
  ProblemPtr problem;
  Mapping mapping;
};

/// An evaluated mapping.
struct EvaluationAnswer {
  ProblemPtr problem;
  Mapping mapping;
  Evaluation evaluation;
  std::string objective = "";  ///< whose score is shown; may be empty
  bool anyway = false;         ///< the mapping need not fit

  Evaluated view() const;
};

/// What `map` found, and how it was asked.
struct MapAnswer {
  MapOptions options;
  std::string constraints;  ///< YAML; empty: none
  MapResult result;
  bool stopped = false;  ///< by Ctrl-C
  std::string why_not;   ///< as the command says it; empty if there is a mapping
};

/// What `plan` found, and how it was asked.
struct PlanAnswer {
  NetOptions options;
  std::string constraints;
  PlanResult result;
  std::vector<LayerConstraints> layer_constraints;
  bool stopped = false;

  Planned view() const;
};

/// The texts that a result is made from, as files: `arch.yaml`, and those that are not empty.
RunInputs inputs_of(const Arch& arch, const Workload* workload, const Network* network,
                    const std::string& constraints);

/// Constraints, and where each of them stands.
struct PlacedConstraints {
  std::vector<Constraint> constraints;
  std::vector<std::string> places;
};

/// Those of a YAML text as they read for `problem`; none if it is empty. Throws FileError.
PlacedConstraints read_placed(const std::string& text, const Problem& problem);

/// The same for the layers of a network.
std::vector<LayerConstraints> read_placed(const std::string& text, const Network& network,
                                          const Arch& arch, bool strict);

/// The tile sizes by level and dim as JSON: a list of objects.
std::string tiles_text(const Problem& problem, const Mapping& mapping);

// The JSON that the command prints.
std::string to_json(const EvaluationAnswer& answer);
std::string to_json(const MapAnswer& answer);
std::string to_json(const PlanAnswer& answer);

}  // namespace tilewright::python
