// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/sections.h"
#include "tilewright/io/workload/short_form.h"
#include "tilewright/io/yaml/fault.h"

namespace tilewright {
namespace {

constexpr std::array<const char*, 4> kForms = {"einsum", "gemm", "bmm", "conv"};

TextFault to_text_fault(const EinsumFault& fault, std::string_view text) {
  TextFault result{.code = "W0001",
                   .message = fault.message,
                   .label = fault.offset == text.size() ? "the text ends here" : "here",
                   .offset = fault.offset,
                   .length = fault.length};
  if (!fault.help.empty()) result.helps.push_back(fault.help);
  return result;
}

class WorkloadReader {
 public:
  WorkloadReader(const YamlNode& node, ObjectReader& reader, std::int64_t bits,
                 Diagnostics& diagnostics)
      : node_(node), diagnostics_(diagnostics), reader_(reader), bits_(bits) {}

  std::optional<Workload> read(const std::optional<std::string>& name) {
    const int before = diagnostics_.errors();
    const YamlEntry* dims = reader_.take("dims");
    read_forms(dims);
    const YamlEntry* roles = reader_.take("roles");
    const YamlEntry* bits = reader_.take("bits");
    if (einsum_) {
      for (Tensor& tensor : einsum_->tensors) tensor.bits = bits_;
      if (roles != nullptr) read_roles(roles->value);
      if (bits != nullptr) read_bits_of(bits->value);
    }
    reader_.finish();
    check_forms();
    if (diagnostics_.errors() > before || !einsum_) return std::nullopt;
    return build(name.value_or(form_name_));
  }

 private:
  // Reads every form that is given, so that all are checked; einsum_ stays empty on an error.
  void read_forms(const YamlEntry* dims) {
    for (const char* key : kForms) {
      const YamlEntry* entry = reader_.take(key);
      if (entry == nullptr) continue;
      forms_.push_back(entry);
      form_name_ = entry->key == "einsum" ? "workload" : entry->key;
      place_ = entry->value.is_map() ? entry->key_span : entry->value.span;
      if (entry->key == "einsum") {
        read_einsum(entry->value, dims);
      } else {
        read_short_form(*entry);
      }
    }
  }

  void read_einsum(const YamlNode& node, const YamlEntry* dims) {
    const auto text = scalar_text(node, "`einsum`", "text", diagnostics_);
    if (!text) return;
    EinsumFault fault;
    einsum_ = parse_einsum(*text, fault);
    if (!einsum_) {
      report_fault(to_text_fault(fault, *text), node, "einsum", diagnostics_)
          .notes.push_back("an einsum looks like `O[n,m,p,q] += I[n,c,2p+r,2q+s] * W[m,c,r,s]`");
      if (dims != nullptr) read_sizes(dims->value);
      return;
    }
    if (dims == nullptr) return;  // check_forms
    read_sizes(dims->value);
    if (dims->value.is_map()) match_dims(dims->value);
  }

  void read_sizes(const YamlNode& node) {
    if (!node.is_map()) {
      diagnostics_.error("F0012", fmt::format("`dims` is {}, not a map", describe(node)))
          .labels.push_back({node.span, "expected sizes: `{m: 64, k: 3}`"});
      return;
    }
    for (const YamlEntry& entry : node.entries) {
      const std::string where = "size of dim " + in_backticks(entry.key);
      if (const auto size = read_count(entry.value, where, 1, diagnostics_)) {
        sizes_[entry.key] = *size;
      }
    }
  }

  void match_dims(const YamlNode& node) {
    std::vector<const YamlEntry*> unknown;
    std::vector<std::string> absent;
    std::vector<std::string> names;
    for (Dim& dim : einsum_->dims) {
      names.push_back(dim.name);
      if (node.find(dim.name) == nullptr) absent.push_back(dim.name);
      if (const auto size = sizes_.find(dim.name); size != sizes_.end()) dim.size = size->second;
    }
    for (const YamlEntry& entry : node.entries) {
      if (std::ranges::find(names, entry.key) == names.end()) unknown.push_back(&entry);
    }
    report_unknown_names(unknown, "dim of the einsum", "W0003", names, absent, diagnostics_);
    if (absent.empty()) return;
    const std::string message = absent.size() == 1
                                    ? "dim " + in_backticks(absent.front()) + " has no size"
                                    : "dims " + join_names(absent, "and") + " have no size";
    Diagnostic& error = diagnostics_.error("W0002", message);
    error.labels.push_back({node.span, "missing here"});
    error.labels.push_back({place_, "used here"});
  }

  void read_short_form(const YamlEntry& entry) {
    einsum_ = entry.key == "gemm"  ? read_gemm(entry.value, diagnostics_)
              : entry.key == "bmm" ? read_bmm(entry.value, diagnostics_)
                                   : read_conv(entry.value, diagnostics_);
    if (!einsum_ || coefficients_fit(*einsum_)) return;
    einsum_.reset();  // a stride that is too large
    diagnostics_.error("W0001", kCoefficientTooLarge).labels.push_back({entry.key_span, ""});
  }

  void check_forms() {
    const auto place_dims = [&] { return node_.find("dims")->key_span; };
    if (forms_.empty()) {
      for (const char* form : {"einsum", "gemm", "bmm", "conv", "traffic", "nothing"}) {
        if (reader_.suggested(form)) return;
      }
      Diagnostic& error =
          diagnostics_.error("W0005", reader_.what() + " does not say what to compute");
      error.labels.push_back({node_.span, "no `einsum`, `gemm`, `bmm` or `conv`"});
      error.helps.push_back("for example `gemm: {m: 512, n: 768, k: 3072}`");
      return;
    }
    if (forms_.size() > 1) {
      Diagnostic& error = diagnostics_.error(
          "F0015",
          fmt::format("`{}` and `{}` cannot be given together", forms_[0]->key, forms_[1]->key));
      error.labels.push_back({forms_[1]->key_span, "a second form"});
      error.labels.push_back({forms_[0]->key_span, "the first form"});
      return;
    }
    const bool has_dims = reader_.has("dims");
    if (forms_[0]->key == "einsum" && !has_dims && !reader_.suggested("dims")) {
      Diagnostic& error = diagnostics_.error("F0011", reader_.what() + " has no `dims`");
      error.labels.push_back({forms_[0]->key_span, "an einsum needs the sizes of its dims"});
      if (einsum_) error.helps.push_back("add `dims: " + example_sizes() + "`");
    } else if (forms_[0]->key != "einsum" && has_dims) {
      Diagnostic& error = diagnostics_.error(
          "F0015", fmt::format("`dims` and `{}` cannot be given together", forms_[0]->key));
      error.labels.push_back({place_dims(), "sizes belong to an `einsum`"});
      error.labels.push_back({forms_[0]->key_span, "this form has sizes of its own"});
    }
  }

  std::string example_sizes() const {
    std::string text;
    for (const Dim& dim : einsum_->dims) {
      text += (text.empty() ? "{" : ", ") + dim.name + ": 1";
    }
    return text + "}";
  }

  Tensor* find_tensor(const std::string& name) {
    const auto it = std::ranges::find(einsum_->tensors, name, &Tensor::name);
    return it == einsum_->tensors.end() ? nullptr : &*it;
  }

  std::vector<std::string> tensor_names() const {
    std::vector<std::string> names;
    for (const Tensor& tensor : einsum_->tensors) names.push_back(tensor.name);
    return names;
  }

  void read_roles(const YamlNode& node) {
    if (!node.is_map()) {
      diagnostics_.error("F0012", fmt::format("`roles` is {}, not a map", describe(node)))
          .labels.push_back({node.span, "expected roles: `{W: weight}`"});
      return;
    }
    std::vector<const YamlEntry*> unknown;
    for (const YamlEntry& entry : node.entries) {
      const std::string where = "role of " + in_backticks(entry.key);
      const auto role = scalar_text(entry.value, where, "a role", diagnostics_);
      Tensor* tensor = find_tensor(entry.key);
      if (tensor == nullptr) unknown.push_back(&entry);
      if (!role) continue;
      const std::vector<std::string> roles{"input", "weight", "output"};
      if (std::ranges::find(roles, *role) == roles.end()) {
        Diagnostic& error = diagnostics_.error("W0007", in_backticks(*role) + " is not a role");
        error.labels.push_back({entry.value.span, "expected `input`, `weight` or `output`"});
        if (const auto near = nearest(*role, roles)) {
          error.helps.push_back("did you mean `" + *near + "`?");
        }
      } else if (tensor != nullptr) {
        tensor->role = *role;
      }
    }
    std::vector<std::string> absent;
    report_unknown_names(unknown, "tensor of the einsum", "W0006", tensor_names(), absent,
                         diagnostics_);
  }

  static void set_bits(Tensor& tensor, const ElementBits& bits) {
    tensor.bits = bits.bits;
    tensor.partial_bits = bits.partial_bits;
  }

  void read_bits_of(const YamlNode& node) {
    if (!node.is_map()) {
      const auto bits = read_element_width(node, "`bits`", diagnostics_);
      if (!bits) return;
      for (Tensor& tensor : einsum_->tensors) set_bits(tensor, {*bits, std::nullopt});
      return;
    }
    std::vector<const YamlEntry*> unknown;
    std::vector<std::pair<Tensor*, ElementBits>> by_name;  // a name overrides its role
    for (const YamlEntry& entry : node.entries) {
      const Tensor& output = einsum_->tensors.back();
      const bool is_output = entry.key == output.name || entry.key == output.role;
      const auto bits = read_element_bits(entry.value, "bits of " + in_backticks(entry.key),
                                          is_output, diagnostics_);
      bool known = false;
      for (Tensor& tensor : einsum_->tensors) {
        const bool named = tensor.name == entry.key;
        const bool meant = named || tensor.role == entry.key;
        known = known || meant;
        if (!meant || !bits) continue;
        if (named) by_name.emplace_back(&tensor, *bits);
        if (!named) set_bits(tensor, *bits);
      }
      if (!known) unknown.push_back(&entry);
    }
    for (const auto& [tensor, bits] : by_name) set_bits(*tensor, bits);
    std::vector<std::string> known = tensor_names();
    for (const Tensor& tensor : einsum_->tensors) {
      if (std::ranges::find(known, tensor.role) == known.end()) known.push_back(tensor.role);
    }
    std::vector<std::string> absent;
    report_unknown_names(unknown, "tensor or role of the workload", "W0006", known, absent,
                         diagnostics_);
  }

  std::optional<Workload> build(std::string name) {
    const std::vector<std::string> faults = find_workload_faults(einsum_->dims, einsum_->tensors);
    for (const std::string& fault : faults) {
      diagnostics_.error("W0004", fault).labels.push_back({place_, ""});
    }
    if (!faults.empty()) return std::nullopt;
    return Workload(std::move(name), std::move(einsum_->dims), std::move(einsum_->tensors));
  }

  const YamlNode& node_;
  Diagnostics& diagnostics_;
  ObjectReader& reader_;
  std::int64_t bits_;
  std::vector<const YamlEntry*> forms_;
  std::string form_name_;
  Span place_;  // of what is computed
  std::optional<Einsum> einsum_;
  std::map<std::string, std::int64_t> sizes_;  // of an einsum, as `dims` has them
};

}  // namespace

std::optional<Workload> read_workload_node(const YamlNode& node, Diagnostics& diagnostics) {
  ObjectReader reader(node, ObjectId::kWorkload, "the workload", diagnostics);
  if (!reader.is_map()) return std::nullopt;
  constexpr std::int64_t kBits = 16;
  const std::optional<std::string> name = reader.take_text("name");
  return WorkloadReader(node, reader, kBits, diagnostics).read(name);
}

std::optional<Workload> read_workload_keys(const YamlNode& node, ObjectReader& reader,
                                           const std::string& name, std::int64_t bits,
                                           Diagnostics& diagnostics) {
  return WorkloadReader(node, reader, bits, diagnostics).read(name);
}

}  // namespace tilewright
