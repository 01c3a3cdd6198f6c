// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/workload/short_form.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/workload/operators.h"

namespace tilewright {
namespace {

// The sizes of a product by the names of its dims, all of them.
std::optional<std::map<std::string, std::int64_t>> read_sizes(const YamlNode& node, ObjectId object,
                                                              const char* what,
                                                              Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  ObjectReader reader(node, object, what, diagnostics);
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& key : keys_of(object)) {
    if (const auto size = reader.take_count(key)) sizes[key] = *size;
  }
  reader.finish();
  if (diagnostics.errors() > before) return std::nullopt;
  return sizes;
}

class ConvReader {
 public:
  ConvReader(const YamlNode& node, Diagnostics& diagnostics)
      : node_(node),
        diagnostics_(diagnostics),
        reader_(node, ObjectId::kConv, "`conv`", diagnostics) {}

  std::optional<Einsum> read() {
    const int before = diagnostics_.errors();
    ConvShape sizes;
    sizes.n = take_size("n");
    sizes.m = take_size("m");
    sizes.c = take_size("c");
    sizes.p = take_size("p");
    sizes.q = take_size("q");
    sizes.r = take_size("r");
    sizes.s = take_size("s");
    sizes.stride = take_steps("stride");
    sizes.dilation = take_steps("dilation");
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
    return conv_einsum(sizes);
  }

 private:
  std::int64_t take_size(const char* key) { return reader_.take_count(key).value_or(1); }

  Steps take_steps(const char* key) {
    const YamlEntry* entry = reader_.take(key);
    if (entry == nullptr) return {};
    const YamlNode& value = entry->value;
    const auto read = [&](const YamlNode& node) {
      return read_count(node, reader_.where(key), 1, diagnostics_).value_or(1);
    };
    if (!value.is_list()) return {read(value)};
    if (value.items.size() != 2) {
      diagnostics_
          .error("F0012",
                 fmt::format("{} has {} values, not 2", reader_.where(key), value.items.size()))
          .labels.push_back({value.span, "expected a number, or [along p, along q]"});
      return {};
    }
    const std::int64_t along_p = read(value.items[0]);
    return {along_p, read(value.items[1])};
  }

  void check_depthwise() {
    for (const char* key : {"m", "groups"}) {
      const YamlEntry* entry = node_.find(key);
      if (entry == nullptr) continue;
      Diagnostic& error = diagnostics_.error(
          "F0015", fmt::format("`{}` and `depthwise` cannot be given together", key));
      error.labels.push_back(
          {entry->key_span, "a depthwise convolution has one filter per channel"});
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

std::optional<Einsum> read_gemm(const YamlNode& node, Diagnostics& diagnostics) {
  const auto sizes = read_sizes(node, ObjectId::kGemm, "`gemm`", diagnostics);
  if (!sizes) return std::nullopt;
  return gemm_einsum(sizes->at("m"), sizes->at("n"), sizes->at("k"));
}

std::optional<Einsum> read_bmm(const YamlNode& node, Diagnostics& diagnostics) {
  const auto sizes = read_sizes(node, ObjectId::kBmm, "`bmm`", diagnostics);
  if (!sizes) return std::nullopt;
  return bmm_einsum(sizes->at("b"), sizes->at("m"), sizes->at("n"), sizes->at("k"));
}

std::optional<Einsum> read_conv(const YamlNode& node, Diagnostics& diagnostics) {
  return ConvReader(node, diagnostics).read();
}

}  // namespace tilewright
