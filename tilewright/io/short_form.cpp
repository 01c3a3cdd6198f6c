// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/short_form.h"

#include <fmt/format.h>

#include <array>

#include "tilewright/io/object_reader.h"

namespace tilewright {
namespace {

std::optional<ShortForm> read_product(const YamlNode& node, ObjectId object, const char* what,
                                      const char* einsum, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  ObjectReader reader(node, object, what, diagnostics);
  ShortForm form{einsum, {}};
  for (const std::string& key : keys_of(object)) {
    if (const auto size = reader.take_count(key)) form.sizes[key] = *size;
  }
  reader.finish();
  if (diagnostics.errors() > before) return std::nullopt;
  return form;
}

/// What a `conv:` says beside its dims.
struct ConvOptions {
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 2> dilation{1, 1};
  std::int64_t groups = 1;
  bool depthwise = false;
  bool transposed = false;
};

class ConvReader {
 public:
  ConvReader(const YamlNode& node, Diagnostics& diagnostics)
      : node_(node),
        diagnostics_(diagnostics),
        reader_(node, ObjectId::kConv, "`conv`", diagnostics) {}

  std::optional<ShortForm> read() {
    const int before = diagnostics_.errors();
    std::map<std::string, std::int64_t> sizes;
    for (const char* dim : {"n", "m", "c", "p", "q", "r", "s"}) {
      sizes[dim] = reader_.take_count(dim).value_or(1);
    }
    ConvOptions options;
    take_pair("stride", options.stride);
    take_pair("dilation", options.dilation);
    options.groups = reader_.take_count("groups").value_or(1);
    options.depthwise = reader_.take_flag("depthwise").value_or(false);
    options.transposed = reader_.take_flag("transposed").value_or(false);
    reader_.finish();
    if (options.depthwise) check_depthwise();
    if (options.groups > 1 && diagnostics_.errors() == before) {
      divide(sizes, "m", options.groups);
      divide(sizes, "c", options.groups);
    }
    if (diagnostics_.errors() > before) return std::nullopt;
    if (options.depthwise) sizes.erase("m");
    if (options.groups > 1) sizes["g"] = options.groups;
    return ShortForm{einsum(options), sizes};
  }

 private:
  void take_pair(const char* key, std::array<std::int64_t, 2>& pair) {
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr) return;
    const YamlNode& value = entry->value;
    if (!value.is_list()) {
      pair.fill(read_count(value, reader_.where(key), 1, diagnostics_).value_or(1));
      return;
    }
    if (value.items.size() != 2) {
      diagnostics_
          .error("F0012",
                 fmt::format("{} has {} values, not 2", reader_.where(key), value.items.size()))
          .labels.push_back({value.span, "expected a number, or [along p, along q]"});
      return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      pair[i] = read_count(value.items[i], reader_.where(key), 1, diagnostics_).value_or(1);
    }
  }

  void check_depthwise() {
    for (const char* key : {"m", "groups"}) {
      const YamlEntry* entry = node_.find(key);
      if (entry == nullptr) continue;
      Diagnostic& error = diagnostics_.error(
          "F0015", fmt::format("`{}` and `depthwise` cannot be given together", key));
      error.labels.push_back({entry->key_span, "depthwise has one filter a channel"});
      error.labels.push_back({node_.find("depthwise")->key_span, ""});
      error.helps.push_back(fmt::format("leave `{}` out; `c` is the number of channels", key));
    }
  }

  void divide(std::map<std::string, std::int64_t>& sizes, const char* dim, std::int64_t groups) {
    std::int64_t& size = sizes[dim];
    if (size % groups == 0) {
      size /= groups;
      return;
    }
    Diagnostic& error = diagnostics_.error(
        "W0008",
        fmt::format("`groups` is {}, which does not divide `{}`, which is {}", groups, dim, size));
    error.labels.push_back({node_.find("groups")->value.span, "must divide `m` and `c`"});
    if (const YamlEntry* entry = node_.find(dim)) {
      error.labels.push_back(
          {entry->value.span,
           fmt::format("{} = {} * {} + {}", size, size / groups, groups, size % groups)});
    }
    const std::int64_t below = size / groups * groups;
    error.helps.push_back(below == 0 ? fmt::format("`{}: {}` is divisible", dim, groups)
                                     : fmt::format("`{}: {}` and `{}: {}` are divisible", dim,
                                                   below, dim, below + groups));
  }

  static std::string einsum(const ConvOptions& options) {
    const auto affine = [](std::int64_t stride, char out, std::int64_t dilation, char tap) {
      return fmt::format("{}*{}+{}*{}", stride, out, dilation, tap);
    };
    const std::string large = affine(options.stride[0], 'p', options.dilation[0], 'r') + "," +
                              affine(options.stride[1], 'q', options.dilation[1], 's');
    const std::string group = options.groups > 1 ? "g," : "";
    const std::string outputs =
        (options.depthwise ? "c," : group + "m,") + (options.transposed ? large : "p,q");
    const std::string inputs = group + "c," + (options.transposed ? "p,q" : large);
    const std::string weights = options.depthwise ? "c,r,s" : group + "m,c,r,s";
    return fmt::format("Outputs[n,{}] += Inputs[n,{}] * Weights[{}]", outputs, inputs, weights);
  }

  const YamlNode& node_;
  Diagnostics& diagnostics_;
  ObjectReader reader_;
};

}  // namespace

std::optional<ShortForm> read_gemm(const YamlNode& node, Diagnostics& diagnostics) {
  return read_product(node, ObjectId::kGemm, "`gemm`", "Z[m,n] += A[m,k] * B[k,n]", diagnostics);
}

std::optional<ShortForm> read_bmm(const YamlNode& node, Diagnostics& diagnostics) {
  return read_product(node, ObjectId::kBmm, "`bmm`", "Z[b,m,n] += A[b,m,k] * B[b,k,n]",
                      diagnostics);
}

std::optional<ShortForm> read_conv(const YamlNode& node, Diagnostics& diagnostics) {
  return ConvReader(node, diagnostics).read();
}

}  // namespace tilewright
