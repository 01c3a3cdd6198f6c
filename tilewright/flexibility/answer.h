// SPDX-License-Identifier: Apache-2.0
// How flexible an accelerator is on a network, and what that is worth: as a value, as text for
// people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "tilewright/flexibility/flexion.h"
#include "tilewright/flexibility/worth.h"
#include "tilewright/format/layout.h"

namespace tilewright {

struct FlexAnswer {
  Flexibility flexibility;
  Arch arch;
  Network network;
  NamedObjective objective;
  SpaceKind space = SpaceKind::kRuby;
  FlexWorth worth;               ///< of isolation_rows(), and of class_rows() if asked for
  std::vector<Flexion> flexion;  ///< as supported, by FlexWorth::layers
};

/// Counts the map spaces of every layer and solves all of isolation_rows(); `classes`: and all of
/// class_rows().
FlexAnswer find_flex_answer(const Flexibility& flexibility, const Arch& arch,
                            const Network& network, bool classes, const WorthOptions& options);

/// The row with these degrees, which must be one of the answer's.
const WorthRow& row_of(const FlexAnswer& answer, const Degrees& degrees);

std::string flex_text(const FlexAnswer& answer, bool layers, const TextOptions& options);
std::string flex_json(const FlexAnswer& answer);

}  // namespace tilewright
