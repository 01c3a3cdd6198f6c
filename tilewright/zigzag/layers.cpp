// SPDX-License-Identifier: Apache-2.0
#include "tilewright/zigzag/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/workload/einsum.h"
#include "tilewright/workload/workload.h"
#include "tilewright/zigzag/fields.h"

namespace tilewright::zigzag {
namespace {

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// `ix=2*ox+1*fx`: what to write for `ix`.
std::map<std::string, std::string> relations_of(const std::vector<std::string>& relations) {
  std::map<std::string, std::string> result;
  for (const std::string& relation : relations) {
    std::string text;
    for (const char c : lowered(relation)) {
      if (c != ' ') text += c;
    }
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) result[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return result;
}

// `O[b][k]+=W[k][c]*I[b][c]` as our einsums have it: subscripts in one bracket, with relations put
// in. Tensors keep their names.
std::string to_einsum_text(const std::string& equation,
                           const std::map<std::string, std::string>& relations) {
  std::string result;
  std::size_t at = 0;
  while (at < equation.size()) {
    const char c = equation[at];
    if (c == '[') {
      const std::size_t end = std::min(equation.find(']', at), equation.size());
      const std::string subscript = lowered(equation.substr(at + 1, end - at - 1));
      const auto relation = relations.find(subscript);
      const bool goes_on = result.ends_with(']');
      if (goes_on) result.pop_back();
      result += goes_on ? "," : "[";
      result += (relation == relations.end() ? subscript : relation->second) + "]";
      at = end + 1;
    } else {
      if (c != ' ') result += c;
      ++at;
    }
  }
  return result;
}

const char* role_of(const std::string& tensor) {
  if (tensor == "W") return "weight";
  return tensor == "O" ? "output" : "input";
}

class LayerReader {
 public:
  LayerReader(const YamlNode& node, Diagnostics& diagnostics)
      : node_(node), diagnostics_(diagnostics), fields_(node, node.span, "a layer", diagnostics) {}

  // Nothing if the layer is no product of tensors, or is wrong.
  std::optional<Layer> read(std::vector<std::string>& left_out) {
    Layer layer;
    layer.name = name();
    layer.op = fields_.text("operator_type", false);
    const std::string equation = fields_.text("equation");
    if (equation.empty()) return std::nullopt;
    if (!is_product(equation)) {
      left_out.push_back(fmt::format(
          "layer `{}` ({}): not a product of two tensors that is summed up", layer.name, layer.op));
      return std::nullopt;
    }
    layer.workload = workload(layer.name, equation);
    return layer.workload ? std::optional(std::move(layer)) : std::nullopt;
  }

 private:
  std::string name() const {
    const std::string given = fields_.text("name", false);
    return given.empty() ? "layer_" + fields_.text("id", false) : given;
  }

  // A pooling has weights of no bits, an addition has no product.
  bool is_product(const std::string& equation) const {
    const YamlNode* precision = fields_.find("operand_precision", false);
    const YamlEntry* weights = precision == nullptr ? nullptr : precision->find("W");
    const bool weightless = weights != nullptr && weights->value.text == "0";
    return equation.find("+=") != std::string::npos && equation.find('*') != std::string::npos &&
           !weightless;
  }

  std::optional<Workload> workload(const std::string& name, const std::string& equation) {
    const std::string text =
        to_einsum_text(equation, relations_of(fields_.texts("dimension_relations", false)));
    EinsumFault fault;
    std::optional<Einsum> einsum = parse_einsum(text, fault);
    const Span& place = node_.find("equation")->value.span;
    if (!einsum) {
      Diagnostic& error =
          diagnostics_.error("Z0003", "an equation cannot be read: " + fault.message);
      error.labels.push_back({place, "read as " + in_backticks(text)});
      if (!fault.help.empty()) error.helps.push_back(fault.help);
      return std::nullopt;
    }
    if (!set_sizes(*einsum)) return std::nullopt;
    for (Tensor& tensor : einsum->tensors) set_bits(tensor);
    const std::vector<std::string> faults = find_workload_faults(einsum->dims, einsum->tensors);
    for (const std::string& one : faults) {
      diagnostics_.error("Z0003", one).labels.push_back({place, ""});
    }
    if (!faults.empty()) return std::nullopt;
    return Workload(name, einsum->dims, einsum->tensors);
  }

  bool set_sizes(Einsum& einsum) const {
    const std::vector<std::string> names = fields_.texts("loop_dims");
    const std::vector<std::int64_t> sizes = fields_.counts("loop_sizes");
    bool good = true;
    for (Dim& dim : einsum.dims) {
      const auto found = std::ranges::find_if(
          names, [&](const std::string& one) { return lowered(one) == dim.name; });
      const auto at = static_cast<std::size_t>(found - names.begin());
      good = at < sizes.size();
      if (!good) {
        fields_.wrong(node_.span,
                      fmt::format("dim {} of a layer has no size", in_backticks(dim.name)),
                      "it is not among `loop_dims`, or `loop_sizes` is too short");
        break;
      }
      dim.size = sizes[at];
    }
    return good;
  }

  void set_bits(Tensor& tensor) const {
    tensor.role = role_of(tensor.name);
    const YamlNode* precision = fields_.find("operand_precision", false);
    if (precision == nullptr) return;
    const Fields bits(*precision, precision->span, "`operand_precision`", diagnostics_);
    const auto own = bits.count(tensor.name.c_str(), false);
    const auto final_bits = bits.count((tensor.name + "_final").c_str(), false);
    if (own && *own > 0) tensor.bits = *own;
    if (own && final_bits && *final_bits > 0) {
      tensor.bits = *final_bits;
      if (*own > *final_bits) tensor.partial_bits = *own;
    }
  }

  const YamlNode& node_;
  Diagnostics& diagnostics_;
  Fields fields_;
};

}  // namespace

Network read_layers(const YamlNode& list, Diagnostics& diagnostics,
                    std::vector<std::string>& left_out) {
  Network network;
  network.name = "network";
  network.summary = "imported from a file of ZigZag's";
  for (const YamlNode& node : list.items) {
    if (auto layer = LayerReader(node, diagnostics).read(left_out)) {
      network.layers.push_back(*std::move(layer));
    }
  }
  return network;
}

}  // namespace tilewright::zigzag
