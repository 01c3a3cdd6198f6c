// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/workload/short_form.h"

#include <fmt/format.h>

#include <array>

#include "tilewright/io/yaml/object_reader.h"

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

constexpr const char* kGemm = "Z[m,n] += A[m,k] * B[k,n]";
constexpr const char* kBmm = "Z[b,m,n] += A[b,m,k] * B[b,k,n]";

class ConvReader {
 public:
  ConvReader(const YamlNode& node, Diagnostics& diagnostics)
      : node_(node),
        diagnostics_(diagnostics),
        reader_(node, ObjectId::kConv, "`conv`", diagnostics) {}

  std::optional<ShortForm> read() {
    const int before = diagnostics_.errors();
    ConvSizes sizes;
    sizes.n = take_size("n");
    sizes.m = take_size("m");
    sizes.c = take_size("c");
    sizes.axes[0].windows = take_size("p");
    sizes.axes[1].windows = take_size("q");
    sizes.axes[0].taps = take_size("r");
    sizes.axes[1].taps = take_size("s");
    take_pair("stride", sizes, &ConvAxis::stride);
    take_pair("dilation", sizes, &ConvAxis::dilation);
    sizes.groups = take_size("groups");
    sizes.depthwise = reader_.take_flag("depthwise").value_or(false);
    sizes.transposed = reader_.take_flag("transposed").value_or(false);
    reader_.finish();
    if (sizes.depthwise) check_depthwise();
    if (sizes.groups > 1 && diagnostics_.errors() == before) {
      check_divides("m", sizes.m, sizes.groups);
      check_divides("c", sizes.c, sizes.groups);
    }
    if (diagnostics_.errors() > before) return std::nullopt;
    return conv_form(sizes);
  }

 private:
  std::int64_t take_size(const char* key) { return reader_.take_count(key).value_or(1); }

  void take_pair(const char* key, ConvSizes& sizes, std::int64_t ConvAxis::*field) {
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr) return;
    const YamlNode& value = entry->value;
    if (!value.is_list()) {
      const auto both = read_count(value, reader_.where(key), 1, diagnostics_).value_or(1);
      sizes.axes[0].*field = both;
      sizes.axes[1].*field = both;
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
      sizes.axes[i].*field =
          read_count(value.items[i], reader_.where(key), 1, diagnostics_).value_or(1);
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

  void check_divides(const char* dim, std::int64_t size, std::int64_t groups) {
    if (size % groups == 0) return;
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

  const YamlNode& node_;
  Diagnostics& diagnostics_;
  ObjectReader reader_;
};

}  // namespace

ShortForm conv_form(const ConvSizes& sizes) {
  constexpr std::array<std::array<char, 2>, 3> kNames = {{{'p', 'r'}, {'q', 's'}, {'o', 't'}}};
  ShortForm form;
  std::string small;  // by window
  std::string large;  // by window and tap
  std::string taps;
  for (std::size_t i = 0; i < (sizes.third_axis ? 3U : 2U); ++i) {
    const ConvAxis& axis = sizes.axes[i];
    const auto [window, tap] = kNames[i];
    small += fmt::format(",{}", window);
    large += fmt::format(",{}*{}+{}*{}", axis.stride, window, axis.dilation, tap);
    taps += fmt::format(",{}", tap);
    form.sizes[std::string(1, window)] = axis.windows;
    form.sizes[std::string(1, tap)] = axis.taps;
  }
  const bool grouped = sizes.groups > 1;
  form.sizes["n"] = sizes.n;
  form.sizes["c"] = sizes.c / sizes.groups;
  if (!sizes.depthwise) form.sizes["m"] = sizes.m / sizes.groups;
  if (grouped) form.sizes["g"] = sizes.groups;
  const std::string group = grouped ? "g," : "";
  form.einsum =
      fmt::format("Outputs[n,{}{}] += Inputs[n,{}c{}] * Weights[{}{}]",
                  sizes.depthwise ? "c" : group + "m", sizes.transposed ? large : small, group,
                  sizes.transposed ? small : large, sizes.depthwise ? "c" : group + "m,c", taps);
  return form;
}

ShortForm gemm_form(std::int64_t m, std::int64_t n, std::int64_t k) {
  return {kGemm, {{"m", m}, {"n", n}, {"k", k}}};
}

ShortForm bmm_form(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k) {
  return {kBmm, {{"b", b}, {"m", m}, {"n", n}, {"k", k}}};
}

std::optional<ShortForm> read_gemm(const YamlNode& node, Diagnostics& diagnostics) {
  return read_product(node, ObjectId::kGemm, "`gemm`", kGemm, diagnostics);
}

std::optional<ShortForm> read_bmm(const YamlNode& node, Diagnostics& diagnostics) {
  return read_product(node, ObjectId::kBmm, "`bmm`", kBmm, diagnostics);
}

std::optional<ShortForm> read_conv(const YamlNode& node, Diagnostics& diagnostics) {
  return ConvReader(node, diagnostics).read();
}

}  // namespace tilewright
