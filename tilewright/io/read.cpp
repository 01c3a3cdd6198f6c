// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/mapping/mapping_reader.h"
#include "tilewright/io/result.h"
#include "tilewright/io/sections.h"
#include "tilewright/io/workload/operator_text.h"
#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {
namespace {

/// A section as found: a tree, or for a mapping a whole file in text form.
struct Section {
  Span place;
  const YamlNode* node = nullptr;
  std::shared_ptr<const SourceFile> nest;
};

/// Finds the sections of some files; owns the trees.
class SectionFinder {
 public:
  explicit SectionFinder(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const std::shared_ptr<const SourceFile>& file) { add(file, 0); }

  const Section* find(const std::string& name) const {
    const auto it = sections_.find(name);
    return it == sections_.end() ? nullptr : &it->second;
  }

  /// The sizes that a result is about, and where it says so; empty if no file is one.
  const std::vector<Dim>& result_dims() const { return result_dims_; }
  const Span& result_place() const { return result_place_; }

  /// Those with a section `flexibility`.
  const std::vector<std::shared_ptr<const SourceFile>>& flexibility_files() const {
    return flexibility_files_;
  }

  /// The section `arch` as overrides leave it: those of results, then `overrides`. Null if there
  /// is none.
  const YamlNode* find_arch(const Overrides& overrides) {
    const Section* section = find("arch");
    if (section == nullptr) {
      if (!overrides.empty() && !diagnostics_.has_errors()) {
        diagnostics_.error("A0010", "there is no architecture to change")
            .labels.push_back({Span{overrides.front(), 1, 1, 1}, ""});
      }
      return nullptr;
    }
    roots_.push_back(std::make_unique<YamlNode>(*section->node));
    for (const Overrides& earlier : overrides_) {
      apply_overrides(earlier, *roots_.back(), diagnostics_);
    }
    apply_overrides(overrides, *roots_.back(), diagnostics_);
    return roots_.back().get();
  }

 private:
  // `depth`: how many results the file lies in; only that of the outermost one has the mapping.
  void add(const std::shared_ptr<const SourceFile>& file, int depth) {
    if (ends_with_ignoring_case(file->name, ".nest")) {
      if (depth == 0) add_section("mapping", Section{Span{file, 0, 0, 1}, nullptr, file});
      return;
    }
    std::optional<YamlNode> root =
        is_operator(*file) ? parse_operator(file, diagnostics_) : parse_yaml(file, diagnostics_);
    if (!root) return;
    if (root->is_null()) {
      diagnostics_.warning("F0016", in_backticks(file->name) + " is empty")
          .labels.push_back({Span{file, 0, 0, 1}, ""});
      return;
    }
    if (is_result(*root)) {
      add_result(*root, depth);
      return;
    }
    roots_.push_back(std::make_unique<YamlNode>(std::move(*root)));
    const YamlNode& node = *roots_.back();
    ObjectReader reader(node, ObjectId::kDocument, in_backticks(file->name), diagnostics_);
    for (const char* key : {"workload", "arch", "mapping", "constraints", "network"}) {
      const YamlEntry* entry = reader.take(key);
      if (entry == nullptr || (depth > 0 && entry->key == "mapping")) continue;
      add_section(key, Section{entry->key_span, &entry->value, nullptr});
    }
    // For `tilewright sweep` and `tilewright flex`, which read them by themselves.
    reader.take("sweep");
    if (reader.take("flexibility") != nullptr && depth == 0) flexibility_files_.push_back(file);
    reader.finish();
  }

  // The sections of its inputs, as files inside it, and the mapping that it is about: a search may
  // have had another one among its files.
  void add_result(const YamlNode& root, int depth) {
    constexpr int kMostNested = 8;
    if (depth > kMostNested) {
      diagnostics_.error("R0001", "results are nested more than 8 levels deep")
          .labels.push_back({root.span, ""});
      return;
    }
    const std::optional<ResultFile> result = read_result_node(root, diagnostics_);
    if (!result) return;
    for (const auto& input : result->run.inputs) {
      const std::string last = input->name.substr(input->name.rfind('/') + 1);
      add(std::make_shared<const SourceFile>(
              SourceFile{root.span.file->name + "/" + last, input->text}),
          depth + 1);
    }
    const auto with = result->run.options.find("with");
    if (with != result->run.options.end()) {
      if (const auto* texts = std::get_if<std::vector<std::string>>(&with->second)) {
        overrides_.push_back(make_overrides(*texts, root.span.file->name + "/--with"));
      }
    }
    if (depth > 0) return;
    if (!result->run.inputs.empty()) {
      result_dims_ = result->dims;
      result_place_ = root.span;
    }
    if (result->mapping) {
      add_section("mapping", Section{root.find("mapping")->key_span, nullptr, result->mapping});
    }
  }

  void add_section(const std::string& name, Section section) {
    const auto [first, added] = sections_.emplace(name, section);
    if (added) return;
    Diagnostic& error = diagnostics_.error("F0013", "section `" + name + "` is given twice");
    error.labels.push_back({section.place, "given again here"});
    error.labels.push_back({first->second.place, "first given here"});
    error.helps.push_back("give only one of the two files, or remove one of the sections");
  }

  Diagnostics& diagnostics_;
  std::vector<std::unique_ptr<YamlNode>> roots_;
  std::map<std::string, Section> sections_;
  std::vector<Overrides> overrides_;  // of results, the innermost first
  std::vector<Dim> result_dims_;
  Span result_place_;
  std::vector<std::shared_ptr<const SourceFile>> flexibility_files_;
};

// A search in a padded space has a result about larger dims than those of its inputs.
std::optional<Workload> with_dims(const Workload& workload, const std::vector<Dim>& dims,
                                  const Span& place, Diagnostics& diagnostics) {
  std::vector<Dim> sizes(workload.dims().begin(), workload.dims().end());
  bool agree = dims.size() == sizes.size();
  for (const Dim& dim : dims) {
    const auto it = std::ranges::find(sizes, dim.name, &Dim::name);
    agree = agree && it != sizes.end() && it->size <= dim.size;
    if (agree) it->size = dim.size;
  }
  const std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  if (agree && find_workload_faults(sizes, tensors).empty()) {
    return Workload(workload.name(), sizes, tensors);
  }
  diagnostics.error("R0001", "the dims of the result are not those of its inputs")
      .labels.push_back({place, ""});
  return std::nullopt;
}

// The tensors of a workload, or of all layers of a network.
std::vector<std::string> tensor_names(const Documents& documents) {
  std::vector<std::string> names;
  const auto add = [&](const Workload& workload) {
    for (const Tensor& tensor : workload.tensors()) names.push_back(tensor.name);
  };
  if (documents.workload) add(*documents.workload);
  if (!documents.network) return names;
  for (const Layer& layer : documents.network->layers) {
    if (layer.workload) add(*layer.workload);
  }
  return names;
}

// An architecture serves many workloads, so a tensor that these lack is no error; a name that is
// nearly a role or one of theirs is a slip. Not for certain one if the short forms have a tensor
// of that name, if it has only few letters, or if it is not known which tensors there are.
void check_tensor_names(const std::vector<PlacedName>& used, std::vector<std::string> known,
                        Diagnostics& diagnostics) {
  constexpr std::string_view kUsual[] = {"Inputs", "Weights", "Outputs", "A", "B", "Z"};
  constexpr std::size_t kFewLetters = 3;
  const bool complete = !known.empty();
  for (const char* role : {"input", "weight", "output"}) known.emplace_back(role);
  for (const PlacedName& name : used) {
    if (std::ranges::find(known, name.name) != known.end()) continue;
    const auto near = nearest(name.name, known);
    const bool usual = std::ranges::find(kUsual, name.name) != std::end(kUsual);
    if (!near || (usual && !complete)) continue;
    const std::string message =
        complete ? "the workload has no tensor or role " + in_backticks(name.name)
                 : in_backticks(name.name) + " is not a role";
    const bool certain = complete && !usual && name.name.size() > kFewLetters;
    Diagnostic& found =
        certain ? diagnostics.error("A0009", message) : diagnostics.warning("A0009", message);
    found.labels.push_back({name.span, complete
                                           ? "this has no effect"
                                           : "this has no effect unless a tensor has that name"});
    found.helps.push_back("did you mean `" + *near + "`?");
  }
}

std::optional<Mapping> read_section(const Section& section, const Problem& problem,
                                    Diagnostics& diagnostics, MappingSource* source) {
  if (section.nest) return read_nest(section.nest, problem, diagnostics, source);
  return read_mapping_node(*section.node, problem, diagnostics, source);
}

const Section* require_section(const SectionFinder& finder, const char* name,
                               const std::shared_ptr<const SourceFile>& file, int errors_before,
                               Diagnostics& diagnostics) {
  const Section* section = finder.find(name);
  if (section == nullptr && diagnostics.errors() == errors_before) {
    diagnostics
        .error("F0011", fmt::format("{} has no section `{}`", in_backticks(file->name), name))
        .labels.push_back({Span{file, 0, 0, 1}, ""});
  }
  return section;
}

// Hands findings on in the order of the files and of their lines.
void add_in_order(const Diagnostics& found,
                  const std::vector<std::shared_ptr<const SourceFile>>& files, Diagnostics& out) {
  const auto place = [&](const Diagnostic* finding) {
    if (finding->labels.empty()) return std::tuple(files.size(), 0, 0);
    const Span& span = finding->labels.front().span;
    std::size_t file = 0;
    while (file < files.size() && span.file && files[file]->name != span.file->name) ++file;
    return std::tuple(file, span.line, span.column);
  };
  std::vector<const Diagnostic*> order;
  for (const Diagnostic& finding : found.all()) order.push_back(&finding);
  std::ranges::stable_sort(order, {}, place);
  for (const Diagnostic* finding : order) {
    const bool error = finding->severity == Severity::kError;
    Diagnostic& added = error ? out.error("", "") : out.warning("", "");
    added = *finding;
  }
}

Documents read_all(const std::vector<std::shared_ptr<const SourceFile>>& files,
                   Diagnostics& diagnostics, const Overrides& overrides) {
  Documents documents;
  SectionFinder finder(diagnostics);
  for (const auto& file : files) finder.add(file);
  documents.flexibility_files = finder.flexibility_files();
  if (const Section* workload = finder.find("workload")) {
    documents.workload = read_workload_node(*workload->node, diagnostics);
  }
  if (documents.workload && !finder.result_dims().empty()) {
    documents.workload =
        with_dims(*documents.workload, finder.result_dims(), finder.result_place(), diagnostics);
  }
  std::vector<PlacedName> tensors;
  if (const YamlNode* arch = finder.find_arch(overrides)) {
    documents.arch = read_arch_node(*arch, diagnostics, tensors, &documents.arch_source);
  }
  if (const Section* network = finder.find("network")) {
    documents.network = read_network_node(*network->node, diagnostics);
  }
  const bool unreadable = (finder.find("workload") != nullptr && !documents.workload) ||
                          (finder.find("network") != nullptr && !documents.network);
  if (!unreadable) check_tensor_names(tensors, tensor_names(documents), diagnostics);
  const Section* mapping = finder.find("mapping");
  documents.has_mapping_section = mapping != nullptr;
  const Section* constraints = finder.find("constraints");
  documents.has_constraints_section = constraints != nullptr;
  if (constraints != nullptr) documents.constraints_file = constraints->place.file;
  if (!documents.workload || !documents.arch) return documents;
  documents.problem.emplace(*documents.workload, *documents.arch);
  if (mapping != nullptr) {
    documents.mapping =
        read_section(*mapping, *documents.problem, diagnostics, &documents.mapping_source);
  }
  if (constraints != nullptr) {
    documents.constraints = read_constraints_node(*constraints->node, *documents.problem,
                                                  diagnostics, &documents.constraint_source)
                                .value_or(std::vector<Constraint>{});
  }
  return documents;
}

}  // namespace

Documents read_documents(const std::vector<std::shared_ptr<const SourceFile>>& files,
                         Diagnostics& diagnostics, const Overrides& overrides) {
  Diagnostics found;
  Documents documents = read_all(files, found, overrides);
  add_in_order(found, files, diagnostics);
  return documents;
}

std::optional<Workload> read_workload(std::shared_ptr<const SourceFile> file,
                                      Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  SectionFinder finder(diagnostics);
  finder.add(file);
  const Section* section = require_section(finder, "workload", file, before, diagnostics);
  if (section == nullptr) return std::nullopt;
  std::optional<Workload> workload = read_workload_node(*section->node, diagnostics);
  if (diagnostics.errors() > before) return std::nullopt;
  return workload;
}

std::optional<Arch> read_arch(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics,
                              const Overrides& overrides) {
  const int before = diagnostics.errors();
  SectionFinder finder(diagnostics);
  finder.add(file);
  if (require_section(finder, "arch", file, before, diagnostics) == nullptr) return std::nullopt;
  std::vector<PlacedName> tensors;
  std::optional<Arch> arch =
      read_arch_node(*finder.find_arch(overrides), diagnostics, tensors, nullptr);
  if (diagnostics.errors() > before) return std::nullopt;
  return arch;
}

std::optional<ArchTemplate> ArchTemplate::read(const std::shared_ptr<const SourceFile>& file,
                                               Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  SectionFinder finder(diagnostics);
  finder.add(file);
  if (require_section(finder, "arch", file, before, diagnostics) == nullptr) return std::nullopt;
  ArchTemplate result(*finder.find_arch({}));
  if (!result.with({}, diagnostics)) return std::nullopt;
  return result;
}

std::optional<Arch> ArchTemplate::with(const Overrides& overrides, Diagnostics& diagnostics) const {
  const int before = diagnostics.errors();
  YamlNode node = *node_;
  apply_overrides(overrides, node, diagnostics);
  std::vector<PlacedName> tensors;
  std::optional<Arch> arch = read_arch_node(node, diagnostics, tensors, nullptr);
  if (diagnostics.errors() > before) return std::nullopt;
  return arch;
}

std::optional<Network> read_network(std::shared_ptr<const SourceFile> file,
                                    Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  SectionFinder finder(diagnostics);
  finder.add(file);
  const Section* section = require_section(finder, "network", file, before, diagnostics);
  if (section == nullptr) return std::nullopt;
  std::optional<Network> network = read_network_node(*section->node, diagnostics);
  if (diagnostics.errors() > before) return std::nullopt;
  return network;
}

std::optional<std::vector<Constraint>> read_constraints(std::shared_ptr<const SourceFile> file,
                                                        const Problem& problem,
                                                        Diagnostics& diagnostics,
                                                        std::vector<Span>* source,
                                                        std::vector<UnfitConstraint>* unfit) {
  const int before = diagnostics.errors();
  SectionFinder finder(diagnostics);
  finder.add(file);
  const Section* section = require_section(finder, "constraints", file, before, diagnostics);
  if (section == nullptr) return std::nullopt;
  auto constraints = read_constraints_node(*section->node, problem, diagnostics, source, unfit);
  if (diagnostics.errors() > before) return std::nullopt;
  return constraints;
}

Span partition_span(const Problem& problem, const ArchSource& source, NodeId memory,
                    TensorId tensor) {
  const std::vector<PerTensor>& partitions = problem.arch().memory(memory).partitions;
  const Tensor& wanted = problem.workload().tensor(tensor);
  // A name overrides its role, as in Problem.
  for (const std::string& name : {wanted.name, wanted.role}) {
    const auto it = std::ranges::find(partitions, name, &PerTensor::tensor);
    if (it == partitions.end() || !(resolve_tensors(problem.workload(), name) & only(tensor))) {
      continue;
    }
    return source.nodes[memory.pos()].partitions[static_cast<std::size_t>(it - partitions.begin())];
  }
  return {};
}

}  // namespace tilewright
