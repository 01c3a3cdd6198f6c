// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/problem/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/timeloop/document/reading.h"
#include "tilewright/workload/einsum.h"

namespace tilewright::timeloop {
namespace {

// The shape that old files name instead of writing it out.
constexpr const char* kCnnLayer = R"(
name: cnn-layer
dimensions: [R, S, P, Q, C, K, N]
coefficients:
- {name: Wstride, default: 1}
- {name: Hstride, default: 1}
- {name: Wdilation, default: 1}
- {name: Hdilation, default: 1}
data_spaces:
- {name: Weights, projection: [[[C]], [[K]], [[R]], [[S]]]}
- name: Inputs
  projection: [[[N]], [[C]], [[R, Wdilation], [P, Wstride]], [[S, Hdilation], [Q, Hstride]]]
- {name: Outputs, projection: [[[N]], [[K]], [[Q]], [[P]]], read_write: True}
)";

// Sizes of images and their borders, given for information: they follow from the others.
constexpr std::array<std::string_view, 10> kInformation = {
    "H", "W", "Hpad", "Wpad", "Hpadding", "Wpadding", "name", "version", "densities", "type"};

std::string role_of(const std::string& name, bool output) {
  if (output) return "output";
  for (const char* word :
       {"Weights", "Weight", "weights", "weight", "Filter", "Filters", "W", "B"}) {
    if (name == word) return "weight";
  }
  return "input";
}

class ProblemReader {
 public:
  ProblemReader(const Section& section, const Names& names, std::int64_t bits, Findings& findings)
      : section_(section),
        names_(names),
        bits_(bits),
        findings_(findings),
        diagnostics_(findings.diagnostics) {}

  std::optional<Workload> read() {
    const int before = diagnostics_.errors();
    if (!section_.node.is_map()) {
      error_at(diagnostics_, "F0012", "`problem` is " + describe(section_.node) + ", not a map",
               section_.place);
      return std::nullopt;
    }
    const YamlNode* shape = find_shape();
    if (shape == nullptr) return std::nullopt;
    read_dimensions(*shape);
    read_coefficients(*shape);
    const YamlEntry* instance = section_.node.find("instance");
    read_instance(instance != nullptr ? instance->value : section_.node, instance != nullptr);
    if (diagnostics_.errors() > before) return std::nullopt;
    read_data_spaces(*shape);
    check_keys(*shape);
    if (diagnostics_.errors() > before) return std::nullopt;
    return build(*shape);
  }

 private:
  const YamlNode* find_shape() {
    const YamlEntry* entry = section_.node.find("shape");
    if (entry == nullptr) {
      error_at(diagnostics_, "F0011", "the problem has no `shape`", section_.place)
          .helps.emplace_back("`shape` has `dimensions` and `data_spaces`");
      return nullptr;
    }
    if (entry->value.is_map()) return &entry->value;
    const std::string name = entry->value.is_scalar() ? entry->value.text : "";
    if (name == "cnn-layer" || name == "cnn_layer") {
      const auto text = std::make_shared<const SourceFile>(SourceFile{"cnn-layer", kCnnLayer});
      built_in_ = parse_yaml(text, diagnostics_);
      return built_in_ ? &*built_in_ : nullptr;
    }
    error_at(diagnostics_, "T0006", fmt::format("shape {} is not known", describe(entry->value)),
             entry->value.span)
        .helps.emplace_back(
            "write the shape out: `shape: {dimensions: [...], data_spaces: [...]}`; the only one "
            "known by name is `cnn-layer`");
    return nullptr;
  }

  // The value of a key that is a list; null, and reported, if it is missing or none.
  const YamlNode* list_of(const YamlNode& map, const char* key, bool required) {
    const YamlEntry* entry = map.find(key);
    if (entry == nullptr) {
      if (required)
        error_at(diagnostics_, "F0011", fmt::format("the shape has no `{}`", key), map.span);
      return nullptr;
    }
    if (entry->value.is_list()) return &entry->value;
    if (!entry->value.is_null() || required) {
      error_at(diagnostics_, "F0012",
               fmt::format("`{}` is {}, not a list", key, describe(entry->value)),
               entry->value.span);
    }
    return nullptr;
  }

  void read_dimensions(const YamlNode& shape) {
    const YamlNode* list = list_of(shape, "dimensions", true);
    if (list == nullptr) return;
    for (const YamlNode& item : list->items) {
      if (!item.is_scalar() || item.text.empty()) {
        error_at(diagnostics_, "F0012", "a dimension is " + describe(item) + ", not a name",
                 item.span);
      } else if (!dims_.emplace(item.text, order_.size()).second) {
        error_at(diagnostics_, "F0009", "dimension " + in_backticks(item.text) + " is given twice",
                 item.span);
      } else {
        order_.push_back({item.text, 0});
      }
    }
  }

  void read_coefficients(const YamlNode& shape) {
    const YamlNode* list = list_of(shape, "coefficients", false);
    if (list == nullptr) return;
    for (const YamlNode& item : list->items) {
      const YamlEntry* name = item.find("name");
      if (name == nullptr || !name->value.is_scalar()) {
        error_at(diagnostics_, "F0011", "a coefficient has no `name`", item.span);
        continue;
      }
      std::int64_t value = 1;
      if (const YamlEntry* given = item.find("default")) {
        const std::string where = "the default of " + in_backticks(name->value.text);
        value = names_.whole(given->value, where, 1, diagnostics_).value_or(1);
      }
      coefficients_[name->value.text] = value;
    }
  }

  // Sizes and coefficients, and nothing else: Timeloop takes no notice of a key that it does not
  // know, which hides a misspelt one.
  void read_instance(const YamlNode& node, bool own) {
    if (!node.is_map()) {
      error_at(diagnostics_, "F0012", "`instance` is " + describe(node) + ", not a map", node.span);
      return;
    }
    for (const YamlEntry& entry : node.entries) {
      const std::string where = "the size of " + in_backticks(entry.key);
      const auto dim = dims_.find(entry.key);
      if (dim != dims_.end()) {
        if (const auto size = names_.whole(entry.value, where, 1, diagnostics_)) {
          order_[dim->second].size = *size;
        }
      } else if (coefficients_.contains(entry.key)) {
        if (const auto value = names_.whole(entry.value, where, 1, diagnostics_)) {
          coefficients_[entry.key] = *value;
        }
      } else if (entry.key == "densities") {
        if (!entry.value.entries.empty()) {
          findings_.not_modelled("`densities` of the problem: all data is counted as dense",
                                 entry.key_span);
        }
      } else if (own && std::ranges::find(kInformation, entry.key) == kInformation.end()) {
        report_unused(entry);
      }
    }
    for (const Dim& dim : order_) {
      if (dim.size > 0 || node.find(dim.name) != nullptr) continue;
      error_at(diagnostics_, "W0002", "dimension " + in_backticks(dim.name) + " has no size",
               section_.place, "missing here");
    }
  }

  void report_unused(const YamlEntry& entry) {
    std::vector<std::string> known;
    for (const Dim& dim : order_) known.push_back(dim.name);
    for (const auto& [name, value] : coefficients_) known.push_back(name);
    Diagnostic& found =
        diagnostics_.warning("T0007", in_backticks(entry.key) +
                                          " is neither a dimension nor a coefficient of the shape");
    found.labels.push_back({entry.key_span, "this has no effect, nor has it in Timeloop"});
    if (const auto near = nearest(entry.key, known)) {
      found.helps.push_back("did you mean `" + *near + "`?");
    }
  }

  void read_data_spaces(const YamlNode& shape) {
    const YamlNode* list = list_of(shape, "data_spaces", true);
    if (list == nullptr) return;
    std::vector<Tensor> outputs;
    for (const YamlNode& item : list->items) {
      const YamlEntry* name = item.find("name");
      const YamlEntry* projection = item.find("projection");
      if (name == nullptr || !name->value.is_scalar() || projection == nullptr) {
        error_at(diagnostics_, "F0011", "a data space needs `name` and `projection`", item.span);
        continue;
      }
      Tensor tensor{name->value.text, "", bits_, {}};
      read_projection(projection->value, tensor);
      const YamlEntry* written = item.find("read_write");
      const bool output = written != nullptr &&
                          names_.flag(written->value, "`read_write`", diagnostics_).value_or(false);
      tensor.role = role_of(tensor.name, output);
      (output ? outputs : tensors_).push_back(std::move(tensor));
    }
    if (outputs.size() != 1) {
      error_at(diagnostics_, "T0006",
               fmt::format("{} data spaces are `read_write`; the output must be the only one",
                           outputs.empty() ? "no" : std::to_string(outputs.size())),
               list->span);
      return;
    }
    tensors_.push_back(std::move(outputs.front()));
  }

  // A list of ranks; a rank is a list of terms, which are summed; a term is [dim] or [dim, c].
  void read_projection(const YamlNode& node, Tensor& tensor) {
    const std::string where = "the projection of " + in_backticks(tensor.name);
    if (!node.is_list()) {
      error_at(diagnostics_, "F0012", where + " is " + describe(node) + ", not a list", node.span)
          .helps.emplace_back("write `[ [[C]], [[P, Wstride], [R, Wdilation]] ]`");
      return;
    }
    for (const YamlNode& rank : node.items) {
      Rank& ranks = tensor.ranks.emplace_back();
      if (!rank.is_list()) {
        error_at(diagnostics_, "F0012",
                 fmt::format("a rank in {} is {}, not a list of terms", where, describe(rank)),
                 rank.span);
        continue;
      }
      for (const YamlNode& term : rank.items) read_term(term, where, ranks);
    }
  }

  void read_term(const YamlNode& node, const std::string& where, Rank& rank) {
    std::vector<const YamlNode*> parts;
    if (node.is_list()) {
      for (const YamlNode& part : node.items) parts.push_back(&part);
    } else {
      parts.push_back(&node);
    }
    const bool words = std::ranges::all_of(parts, [](auto* part) { return part->is_scalar(); });
    if (parts.empty() || parts.size() > 2 || !words) {
      error_at(diagnostics_, "F0012",
               fmt::format("a term in {} is not `[dim]` or `[dim, coefficient]`", where),
               node.span);
      return;
    }
    const auto dim = dims_.find(parts[0]->text);
    if (dim == dims_.end()) {
      report_unknown(*parts[0], "dimension", dim_names());
      return;
    }
    std::int64_t coefficient = 1;
    if (parts.size() == 2) {
      const auto found = coefficients_.find(parts[1]->text);
      if (found == coefficients_.end()) {
        std::vector<std::string> known;
        for (const auto& [name, value] : coefficients_) known.push_back(name);
        report_unknown(*parts[1], "coefficient", known);
        return;
      }
      coefficient = found->second;
    }
    rank.terms.push_back({DimId(dim->second), coefficient});
  }

  std::vector<std::string> dim_names() const {
    std::vector<std::string> names;
    for (const Dim& dim : order_) names.push_back(dim.name);
    return names;
  }

  void report_unknown(const YamlNode& node, const char* what,
                      const std::vector<std::string>& known) {
    Diagnostic& found =
        error_at(diagnostics_, "T0006",
                 fmt::format("the shape has no {} {}", what, in_backticks(node.text)), node.span);
    if (const auto near = nearest(node.text, known)) {
      found.helps.push_back("did you mean `" + *near + "`?");
    }
  }

  void check_keys(const YamlNode& shape) {
    const std::vector<std::string> known{"name", "dimensions", "coefficients", "data_spaces"};
    for (const YamlEntry& entry : shape.entries) {
      if (entry.key == "version") continue;
      if (std::ranges::find(known, entry.key) == known.end()) {
        report_unknown_key(entry, "a shape", known, diagnostics_);
      }
    }
  }

  std::optional<Workload> build(const YamlNode& shape) {
    const std::vector<std::string> faults = find_workload_faults(order_, tensors_);
    for (const std::string& fault : faults) error_at(diagnostics_, "W0004", fault, section_.place);
    if (!faults.empty()) return std::nullopt;
    const YamlEntry* name = shape.find("name");
    const bool named = name != nullptr && name->value.is_scalar() && !name->value.text.empty();
    const std::string title = named ? printable(name->value.text) : "problem";
    return in_our_order(Workload(title, std::move(order_), std::move(tensors_)));
  }

  // Dims in the order in which they occur in the einsum, as our own files have them: written as
  // one, the workload stays the same.
  std::optional<Workload> in_our_order(const Workload& given) {
    EinsumFault fault;
    std::optional<Einsum> einsum = parse_einsum(to_einsum(given), fault);
    if (!einsum) {
      error_at(diagnostics_, "T0006", "the shape cannot be written as an einsum: " + fault.message,
               section_.place)
          .notes.push_back(to_einsum(given));
      return std::nullopt;
    }
    for (Dim& dim : einsum->dims) dim.size = given.dim(*given.find_dim(dim.name)).size;
    for (std::size_t t = 0; t < einsum->tensors.size(); ++t) {
      einsum->tensors[t].role = given.tensors()[t].role;
      einsum->tensors[t].bits = bits_;
    }
    return Workload(given.name(), std::move(einsum->dims), std::move(einsum->tensors));
  }

  const Section& section_;
  const Names& names_;
  std::int64_t bits_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  std::optional<YamlNode> built_in_;
  std::vector<Dim> order_;
  std::map<std::string, std::size_t> dims_;
  std::map<std::string, std::int64_t> coefficients_;
  std::vector<Tensor> tensors_;
};

}  // namespace

std::optional<Workload> read_problem(const Section& section, const Names& names, std::int64_t bits,
                                     Findings& findings) {
  return ProblemReader(section, names, bits, findings).read();
}

std::vector<DimId> shape_order(const Section& section, const Workload& workload) {
  std::vector<DimId> order;
  const auto add = [&](DimId dim) {
    if (std::ranges::find(order, dim) == order.end()) order.push_back(dim);
  };
  const YamlEntry* shape = section.node.find("shape");
  const YamlEntry* dims = shape == nullptr ? nullptr : shape->value.find("dimensions");
  if (dims != nullptr) {
    for (const YamlNode& item : dims->value.items) {
      if (const auto dim = workload.find_dim(item.text)) add(*dim);
    }
  }
  for (std::size_t d = 0; d < workload.dims().size(); ++d) add(DimId(d));
  return order;
}

Workload with_bits(const Workload& workload, std::int64_t bits) {
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  for (Tensor& tensor : tensors) tensor.bits = bits;
  return {workload.name(), {workload.dims().begin(), workload.dims().end()}, std::move(tensors)};
}

}  // namespace tilewright::timeloop
