// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/field_kinds.h"

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

using enum FieldKind;

std::string in_units(const char* what, Quantity quantity) {
  return std::string(what) + " in " + join_names(unit_names(quantity), "or");
}

// What every language has.
std::string describe_plain_kind(FieldKind kind) {
  switch (kind) {
    case kText:
      return "text";
    case kName:
      return "a name";
    case kCount:
      return "a whole number from 1 up";
    case kCountOrPair:
      return "a whole number from 1 up, or a list of two";
    case kCountPerName:
      return "a map of names to whole numbers from 1 up";
    case kFlag:
      return "true or false";
    default:
      return "";
  }
}

// Figures with a unit.
std::string describe_figure_kind(FieldKind kind) {
  switch (kind) {
    case kSize:
      return in_units("a size", Quantity::kSize);
    case kBits:
      return "a number of bits";
    case kBandwidth:
      return in_units("a bandwidth", Quantity::kBandwidth);
    case kEnergy:
      return in_units("an energy", Quantity::kEnergy);
    case kAccessEnergy:
      return in_units("an energy per access, per bit or per word,", Quantity::kAccessEnergy);
    case kLeakage:
      return in_units("an energy per cycle", Quantity::kLeakage);
    case kArea:
      return in_units("an area", Quantity::kArea);
    case kClock:
      return in_units("a frequency", Quantity::kClock);
    default:
      return "";
  }
}

// The kinds that only networks have.
std::string describe_network_kind(FieldKind kind) {
  switch (kind) {
    case kCountFromZero:
      return "a whole number from 0 up";
    case kLayers:
      return "a list of layers";
    case kEdges:
      return "a list of edges";
    case kEdgeUses:
      return "a list of names, or of maps";
    case kPhase:
      return "`prefill` or `decode`";
    default:
      return "";
  }
}

// The kinds that only sweeps have.
std::string describe_sweep_kind(FieldKind kind) {
  switch (kind) {
    case kParameters:
      return "a map of names to lists, or to ranges such as `2..16:+2` and `8 KiB..1024 KiB:*2`";
    case kSettings:
      return "a map of figures of the architecture to expressions";
    case kTexts:
      return "a list of texts";
    case kWeighted:
      return "a list of names, or of maps";
    default:
      return "";
  }
}

// The kinds that only flexibility has.
std::string describe_flexibility_kind(FieldKind kind) {
  switch (kind) {
    case kDegree:
      return "`fixed`, `partial` or `full`";
    case kNamePerName:
      return "a map of names to names";
    case kLoopsPerMemory:
      return "a map of memories to maps of dims to whole numbers from 1 up";
    case kDimLists:
      return "a list of lists of dims";
    default:
      return "";
  }
}

// The kinds that only constraints have.
std::string describe_constraint_kind(FieldKind kind) {
  switch (kind) {
    case kConstraints:
      return "a list of constraints";
    case kFactors:
      return "a list of factors: a dim, `=`, `<=` or `>=`, a whole number from 1 up";
    case kOrder:
      return "a list of dims, with `...` at most once";
    case kDimsPerAxis:
      return "a map of axes to lists of dims";
    case kShare:
      return "a percentage, or a fraction of 1";
    default:
      return "";
  }
}

// What names tensors or roles.
std::string describe_tensor_kind(FieldKind kind) {
  switch (kind) {
    case kSizePerTensor:
      return in_units("a map of tensors or roles to sizes", Quantity::kSize);
    case kBitsPerTensor:
      return "a map of tensors or roles to numbers of bits (for the output also a map of `final` "
             "and `partial`), or one number";
    case kRolePerTensor:
      return "a map of tensors to `input`, `weight` or `output`";
    case kTensors:
      return "a list of tensors or roles";
    case kTensorsOrFlag:
      return "true, false, or a list of tensors or roles";
    default:
      return "";
  }
}

// The kinds that only one section has.
std::string describe_section_kind(FieldKind kind) {
  switch (kind) {
    case kConstraints:
    case kFactors:
    case kOrder:
    case kDimsPerAxis:
    case kShare:
      return describe_constraint_kind(kind);
    case kCountFromZero:
    case kLayers:
    case kEdges:
    case kEdgeUses:
    case kPhase:
      return describe_network_kind(kind);
    case kParameters:
    case kSettings:
    case kTexts:
    case kWeighted:
      return describe_sweep_kind(kind);
    case kDegree:
    case kNamePerName:
    case kLoopsPerMemory:
    case kDimLists:
      return describe_flexibility_kind(kind);
    default:
      return "";
  }
}

}  // namespace

std::string describe_kind(FieldKind kind) {
  switch (kind) {
    case kText:
    case kName:
    case kCount:
    case kCountOrPair:
    case kCountPerName:
    case kFlag:
      return describe_plain_kind(kind);
    case kSize:
    case kBits:
    case kBandwidth:
    case kEnergy:
    case kAccessEnergy:
    case kLeakage:
    case kArea:
    case kClock:
      return describe_figure_kind(kind);
    case kSizePerTensor:
    case kBitsPerTensor:
    case kRolePerTensor:
    case kTensors:
    case kTensorsOrFlag:
      return describe_tensor_kind(kind);
    case kMulticast:
      return "`none`, `equal` or `overlap`";
    case kEinsum:
      return "an einsum";
    case kObject:
      return "a map";
    case kComputeEnergy:
      return in_units("a map, or an energy", Quantity::kEnergy);
    case kArchNodes:
      return "a list of nodes";
    case kMapping:
      return "a list of nodes, or the text form";
    case kLoops:
      return "a list of loops";
    default:
      return describe_section_kind(kind);
  }
}

}  // namespace tilewright
