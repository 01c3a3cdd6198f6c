// SPDX-License-Identifier: Apache-2.0
// How costs are counted where tools disagree.
#pragma once

namespace tilewright {

/// Rules that differ between tools. The defaults are ours; docs/model.md names Timeloop's.
struct Conventions {
  /// Input tiles of a strided rank count their bounding box, holes included.
  bool holes_are_data = false;
  /// A memory is charged a read for every result that it hands to the next memory outwards.
  bool drains_are_reads = false;

  bool operator==(const Conventions&) const = default;
};

}  // namespace tilewright
