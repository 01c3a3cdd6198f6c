// SPDX-License-Identifier: Apache-2.0
// How flexible an accelerator is on a network, and what that is worth: as a value, as text for
// people and as JSON for programs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tilewright/flexibility/spaces/flexion.h"
#include "tilewright/flexibility/worth/worth.h"
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

/// The score of a row, with its unit; "no mapping" if a layer has none.
std::string score_text(const FlexAnswer& answer, const WorthRow& row);

/// The sentence that an architect would quote: "Freeing the parallelism is worth 62 % on mnasnet,
/// the loop order 7 % (latency)."
std::string flex_verdict(const FlexAnswer& answer);

/// True if all of class_rows() are solved.
bool has_classes(const FlexAnswer& answer);

/// The mean of a figure over all runs of all layers.
double flexion_mean(const FlexAnswer& answer, const std::function<double(const Flexion&)>& figure);

std::string flex_text(const FlexAnswer& answer, bool layers, const TextOptions& options);
std::string flex_json(const FlexAnswer& answer);

}  // namespace tilewright
