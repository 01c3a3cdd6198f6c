// SPDX-License-Identifier: Apache-2.0
#include "tests/support/onnx_builder.h"

namespace tilewright::testing {

std::string OnnxBuilder::input(const std::string& name, const Names& dims, int type) {
  auto* info = graph().add_input();
  info->set_name(name);
  auto* tensor = info->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type == 0 ? type_ : type);
  for (const std::string& dim : dims) {
    const bool number = !dim.empty() && dim.find_first_not_of("0123456789") == std::string::npos;
    auto* added = tensor->mutable_shape()->add_dim();
    if (number) {
      added->set_dim_value(std::stoll(dim));
    } else {
      added->set_dim_param(dim);
    }
  }
  return name;
}

std::string OnnxBuilder::input(const std::string& name, const Ints& dims, int type) {
  Names names;
  for (const std::int64_t dim : dims) names.push_back(std::to_string(dim));
  return input(name, names, type);
}

std::string OnnxBuilder::weight(const Ints& dims, int type) {
  auto* tensor = graph().add_initializer();
  tensor->set_name(fresh("w"));
  tensor->set_data_type(type == 0 ? type_ : type);
  for (const std::int64_t dim : dims) tensor->add_dims(dim);
  tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* location = tensor->add_external_data();
  location->set_key("location");
  location->set_value("weights.bin");
  return tensor->name();
}

std::string OnnxBuilder::integers(const Ints& values) {
  auto* tensor = graph().add_initializer();
  tensor->set_name(fresh("i"));
  tensor->set_data_type(::onnx::TensorProto::INT64);
  tensor->add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor->add_int64_data(value);
  return tensor->name();
}

void OnnxBuilder::output(const std::string& name) { graph().add_output()->set_name(name); }

std::string OnnxBuilder::add(const std::string& op, const Names& inputs,
                             const std::string& domain) {
  auto* added = graph().add_node();
  added->set_op_type(op);
  added->set_domain(domain);
  added->set_name(fresh(op + "_"));
  for (const std::string& name : inputs) added->add_input(name);
  added->add_output(fresh("t"));
  return added->output(0);
}

OnnxBuilder& OnnxBuilder::set(const std::string& name, std::int64_t value) {
  auto* attribute = node().add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::INT);
  attribute->set_i(value);
  return *this;
}

OnnxBuilder& OnnxBuilder::set(const std::string& name, const Ints& values) {
  auto* attribute = node().add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute->add_ints(value);
  return *this;
}

OnnxBuilder& OnnxBuilder::set(const std::string& name, const std::string& text) {
  auto* attribute = node().add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::STRING);
  attribute->set_s(text);
  return *this;
}

std::string OnnxBuilder::conv(const std::string& x, std::int64_t c, std::int64_t m, std::int64_t k,
                              std::int64_t stride, std::int64_t groups, std::int64_t pad) {
  const std::int64_t p = pad < 0 ? k / 2 : pad;
  const std::string result = add("Conv", {x, weight({m, c / groups, k, k})});
  set("kernel_shape", Ints{k, k})
      .set("strides", Ints{stride, stride})
      .set("pads", Ints{p, p, p, p});
  set("group", groups);
  return result;
}

std::string OnnxBuilder::pool(const std::string& op, const std::string& x, std::int64_t k,
                              std::int64_t stride, std::int64_t pad) {
  const std::string result = add(op, {x});
  set("kernel_shape", Ints{k, k}).set("strides", Ints{stride, stride});
  set("pads", Ints{pad, pad, pad, pad});
  return result;
}

std::string OnnxBuilder::transpose(const std::string& x, const Ints& order) {
  const std::string result = add("Transpose", {x});
  set("perm", order);
  return result;
}

std::string OnnxBuilder::linear(const std::string& x, std::int64_t in, std::int64_t out,
                                bool bias) {
  const std::string product = add("MatMul", {x, weight({in, out})});
  return bias ? add("Add", {product, weight({out})}) : product;
}

std::string OnnxBuilder::fully_connected(const std::string& x, std::int64_t in, std::int64_t out) {
  const std::string result = add("Gemm", {x, weight({out, in}), weight({out})});
  set("transB", 1);
  return result;
}

std::string OnnxBuilder::bytes(const std::string& result) {
  output(result);
  return model_.SerializeAsString();
}

}  // namespace tilewright::testing
