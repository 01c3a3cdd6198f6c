// SPDX-License-Identifier: Apache-2.0
// What a flexible accelerator may do with one layer, as searches understand it: architectures and
// constraints, whose mappings together are those that the accelerator supports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/flexibility/flexibility.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/network/network.h"

namespace tilewright {

/// A layer as the accelerator runs it.
struct FlexLayer {
  Workload workload;         ///< dims that the accelerator does not know have size 1
  std::int64_t repeats = 1;  ///< how often it runs that, for all steps of those dims
};

/// Throws OverflowError if the repeats are too many.
FlexLayer view_layer(const Flexibility& flexibility, const Workload& workload);

/// The layers of a network that are mapped, equal ones once.
struct FlexNetworkLayer {
  std::size_t layer = 0;  ///< in Network::layers, the first of its equals
  Workload workload;      ///< of its FlexLayer
  double runs = 1;        ///< of that workload: counts and repeats
};
std::vector<FlexNetworkLayer> view_network(const Flexibility& flexibility, const Network& network);

/// Of the dim with that name; 1 if the workload has none.
std::int64_t size_of(const Workload& workload, const std::string& dim);

/// One choice on each axis, or several at once where no other choice depends on it.
struct Configuration {
  Arch arch;
  std::vector<Constraint> constraints;
};

/// All that an accelerator with these degrees can do with the workload of `problem`, which is that
/// of a FlexLayer. Choices whose mappings another one has too are left out. Empty if the fixed
/// tiles cannot be laid out on the array. Every memory keeps all that it may keep.
std::vector<Configuration> find_configurations(const Flexibility& flexibility,
                                               const Degrees& degrees, const Problem& problem);

/// A configuration whose mappings include those of all others at any degrees, and more: any dims on
/// one axis with all units of the array.
Configuration find_widest(const Flexibility& flexibility, const Problem& problem);

/// The partition of the buffer in bits, one entry for each tensor of the workload. Throws
/// InputError if it says nothing about one of them.
std::vector<PerTensor> divide_buffer(const Flexibility& flexibility, const Problem& problem);

}  // namespace tilewright
