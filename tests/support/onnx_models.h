// SPDX-License-Identifier: Apache-2.0
// ONNX models for tests, as bytes: real ones, broken ones, and ones that were changed at random.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/onnx/onnx.h"

namespace tilewright::testing {

struct OnnxModel {
  std::string name;
  std::string bytes;
  OnnxOptions options;
  std::string zoo;  ///< the network of the library with the same layers; may be empty
  /// Where the library has none: the layers to map, as lines of a `network:` file.
  std::string layers;
};

/// For messages of tests.
inline std::ostream& operator<<(std::ostream& out, const OnnxModel& model) {
  return out << model.name;
}

/// Whole models and parts of models, as exporters write them.
std::vector<OnnxModel> real_models();

/// A model of what compilers fuse, with what was counted by hand.
struct EpilogueModel {
  std::string name;
  std::string bytes;
  std::int64_t macs = 0;
  std::int64_t apart = 0;  ///< bits of layers that are traffic, each operator by itself
  std::int64_t fused = 0;  ///< the same with `--fuse epilogue`
  std::int64_t moved = 0;  ///< ... and bits of all layers: edges and parameters, each once a layer
  std::string fusions;     ///< `Conv + Relu; Gemm + Add (reads)`, in the order of the layers
};

inline std::ostream& operator<<(std::ostream& out, const EpilogueModel& model) {
  return out << model.name;
}

std::vector<EpilogueModel> epilogue_models();

struct BrokenModel {
  std::string name;
  std::string bytes;
  OnnxOptions options;
  std::string code;  ///< of an error that must be found
  std::string part;  ///< of its message
};

inline std::ostream& operator<<(std::ostream& out, const BrokenModel& model) {
  return out << model.name;
}

std::vector<BrokenModel> broken_models();

/// `bytes` with a few random changes: to the model if it is one, or to the bytes.
std::string spoil(const std::string& bytes, Random& random);

}  // namespace tilewright::testing
