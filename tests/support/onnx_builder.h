// SPDX-License-Identifier: Apache-2.0
// Writes ONNX models node by node. Weights have a shape and no data ("external"), as in files of
// large models. Includes headers of libonnx: only for tests/support/onnx_*.cpp.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::testing {

using Ints = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

constexpr int kHalf = ::onnx::TensorProto::FLOAT16;

class OnnxBuilder {
 public:
  /// `type` is that of weights and inputs unless they say otherwise.
  explicit OnnxBuilder(int type = kHalf, int opset = 17) : type_(type) {
    model_.set_ir_version(8);
    auto* standard = model_.add_opset_import();
    standard->set_domain("");
    standard->set_version(opset);
    auto* microsoft = model_.add_opset_import();
    microsoft->set_domain("com.microsoft");
    microsoft->set_version(1);
    model_.mutable_graph()->set_name("built");
  }

  ::onnx::ModelProto& model() { return model_; }
  ::onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  int type() const { return type_; }

  /// A size that is a name stays open.
  std::string input(const std::string& name, const Names& dims, int type = 0);
  std::string input(const std::string& name, const Ints& dims, int type = 0);
  std::string weight(const Ints& dims, int type = 0);
  std::string integers(const Ints& values);  ///< an initializer with data
  void output(const std::string& name);

  /// Adds a node with one output and returns its name; `node()` is the one added last.
  std::string add(const std::string& op, const Names& inputs, const std::string& domain = "");
  ::onnx::NodeProto& node() { return *graph().mutable_node(graph().node_size() - 1); }
  OnnxBuilder& set(const std::string& name, std::int64_t value);
  OnnxBuilder& set(const std::string& name, const Ints& values);
  OnnxBuilder& set(const std::string& name, const std::string& text);

  /// Square windows, `same` padding for odd ones.
  std::string conv(const std::string& x, std::int64_t c, std::int64_t m, std::int64_t k,
                   std::int64_t stride = 1, std::int64_t groups = 1, std::int64_t pad = -1);
  std::string pool(const std::string& op, const std::string& x, std::int64_t k, std::int64_t stride,
                   std::int64_t pad);
  std::string relu(const std::string& x) { return add("Relu", {x}); }
  std::string reshape(const std::string& x, const Ints& shape) {
    return add("Reshape", {x, integers(shape)});
  }
  std::string transpose(const std::string& x, const Ints& order);
  /// x * W + b.
  std::string linear(const std::string& x, std::int64_t in, std::int64_t out, bool bias = true);
  std::string fully_connected(const std::string& x, std::int64_t in, std::int64_t out);

  std::string bytes(const std::string& result);

 private:
  std::string fresh(const std::string& start) { return start + std::to_string(++count_); }

  ::onnx::ModelProto model_;
  int type_;
  int count_ = 0;
};

}  // namespace tilewright::testing
