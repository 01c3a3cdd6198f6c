// SPDX-License-Identifier: Apache-2.0
// Every key of the input language, once: the readers take their keys from here, and so do the JSON
// Schema and `tilewright doc KEY`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// What the value of a key looks like.
enum class FieldKind {
  kText,          ///< any text
  kName,          ///< a word: letters, digits, `_`, `-`, `.`
  kCount,         ///< a whole number >= 1
  kCountOrPair,   ///< a whole number >= 1, or a list of two
  kCountPerName,  ///< {name: whole number}
  kFlag,          ///< true or false
  kSize,          ///< a number with a unit, see io/yaml/units.h; so are the next six
  kBits,
  kBandwidth,
  kEnergy,
  kAccessEnergy,
  kLeakage,
  kArea,
  kClock,
  kSizePerTensor,   ///< {tensor or role: size}
  kBitsPerTensor,   ///< {tensor or role: bits}, or one value for all
  kRolePerTensor,   ///< {tensor: role}
  kTensors,         ///< a list of tensors or roles
  kTensorsOrFlag,   ///< the same, or true (all) or false (none)
  kMulticast,       ///< none, equal or overlap
  kEinsum,          ///< see workload/einsum.h
  kObject,          ///< a map with keys of its own
  kComputeEnergy,   ///< an energy, or a map with keys of its own
  kArchNodes,       ///< a list of memories, fan-outs and the compute unit
  kMapping,         ///< a list of mapping nodes, or text
  kLoops,           ///< a list of loops: `p 8`
  kConstraints,     ///< a list of constraints
  kFactors,         ///< a list of factors: `c <= 4`, see io/constraints/factor_text.h
  kOrder,           ///< a list of dims, and `...` for the others
  kDimsPerAxis,     ///< {axis: list of dims}
  kShare,           ///< `75 %` or 0.75
  kCountFromZero,   ///< a whole number >= 0
  kLayers,          ///< a list of layers
  kEdges,           ///< a list of edges
  kEdgeUses,        ///< a list of edges by name, or with the tensor that they stand for
  kPhase,           ///< prefill or decode
  kParameters,      ///< {name: list or range of numbers with units}
  kSettings,        ///< {figure of the architecture: expression}
  kTexts,           ///< a list of texts
  kWeighted,        ///< a list of names, or of maps of a name and a weight
  kDegree,          ///< fixed, partial or full
  kNamePerName,     ///< {name: name}
  kLoopsPerMemory,  ///< {memory: {dim: whole number}}
  kDimLists,        ///< a list of lists of dims
};

/// The maps of the language, each with keys of its own.
enum class ObjectId {
  kDocument,
  kWorkload,
  kGemm,
  kBmm,
  kConv,
  kArch,
  kMemory,
  kMemoryEnergy,
  kElementWidth,
  kFanout,
  kCompute,
  kComputeEnergy,
  kMappingMemory,
  kMappingLoops,
  kMappingFanout,
  kMappingCompute,
  kConstraint,
  kNetwork,
  kLayer,
  kEdge,
  kEdgeUse,
  kLlm,
  kSweep,
  kSweepNetwork,
  kSweepWorkload,
  kFlexibility,
  kFlexibilityArea,
};

/// One key.
struct Field {
  std::string_view key;
  FieldKind kind = FieldKind::kText;
  bool required = false;
  std::string_view default_text;          ///< what its absence means; empty if it is required
  std::string_view meaning;               ///< one sentence
  std::string_view example;               ///< a value
  ObjectId object = ObjectId::kDocument;  ///< the keys inside it, for kObject and kComputeEnergy
};

/// The keys of one map.
struct ObjectFields {
  ObjectId id;
  std::string_view name;   ///< for `tilewright doc NAME.KEY`
  std::string_view title;  ///< for messages: "a memory"
  std::span<const Field> fields;
};

std::span<const ObjectFields> all_objects();
const ObjectFields& fields_of(ObjectId id);
std::vector<std::string> keys_of(ObjectId id);

/// One key as `tilewright doc` shows it.
struct DocEntry {
  std::string object;  ///< "memory"
  std::string key;     ///< "capacity"
  std::string kind;    ///< "a size in `bit`, `B`, ..."
  bool required = false;
  std::string default_text;
  std::string meaning;
  std::string example;  ///< "capacity: 128 KiB"
};

/// All keys, in the order of the documentation.
std::vector<DocEntry> doc_entries();

/// The entries for `capacity` or `memory.capacity`; all keys of an object for `memory`, after the
/// key of that name if there is one.
std::vector<DocEntry> find_doc(std::string_view key);

/// The language as a JSON Schema (2020-12), for editors.
std::string json_schema();

}  // namespace tilewright
