// SPDX-License-Identifier: Apache-2.0
#include "tilewright/files/files.h"

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "tilewright/advice/violation_text.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/files/layers.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/workload/operator_text.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {
namespace {

using File = std::shared_ptr<const SourceFile>;

File make_file(std::string text, std::string name) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

// What `read` makes of the file, or what is wrong with it.
template <typename Read>
auto value_of(const File& file, const Read& read) {
  Diagnostics diagnostics;
  auto value = read(file, diagnostics);
  if (!value || diagnostics.has_errors()) throw FileError(diagnostics);
  return std::move(*value);
}

// The text of that name, or what the user may have meant.
const LibraryEntry& entry_of(std::span<const LibraryEntry> entries, std::string_view name,
                             const char* what) {
  std::vector<std::string> names;
  for (const LibraryEntry& entry : entries) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  Diagnostics diagnostics;
  Diagnostic& found = diagnostics.error(
      "C0007", std::string("the library has no ") + what + " " + in_backticks(std::string(name)));
  if (const auto meant = nearest(std::string(name), names)) {
    found.helps.push_back("did you mean `" + *meant + "`?");
  }
  throw FileError(diagnostics);
}

}  // namespace

FileError::FileError(const Diagnostics& diagnostics)
    : InputError(render_text(diagnostics, /*color=*/false)), findings_(diagnostics.all()) {}

Arch arch_from_yaml(std::string text, std::string name) {
  return value_of(make_file(std::move(text), std::move(name)),
                  [](const File& file, Diagnostics& found) { return read_arch(file, found); });
}

Workload workload_from_yaml(std::string text, std::string name) {
  return value_of(make_file(std::move(text), std::move(name)),
                  [](const File& file, Diagnostics& found) { return read_workload(file, found); });
}

Network network_from_yaml(std::string text, std::string name) {
  return value_of(make_file(std::move(text), std::move(name)),
                  [](const File& file, Diagnostics& found) { return read_network(file, found); });
}

std::vector<Constraint> constraints_from_yaml(std::string text, const Problem& problem,
                                              std::string name) {
  return value_of(
      make_file(std::move(text), std::move(name)),
      [&](const File& file, Diagnostics& found) { return read_constraints(file, problem, found); });
}

Mapping mapping_from_text(std::string text, const Problem& problem, std::string name) {
  return value_of(make_file(std::move(text), std::move(name)),
                  [&](const File& file, Diagnostics& found) {
                    MappingSource source;
                    auto mapping = read_mapping(file, problem, found, &source);
                    if (!mapping) return mapping;
                    const std::vector<Violation> violations = find_violations(problem, *mapping);
                    if (!violations.empty() && is_structural(violations.front().kind)) {
                      report_violations(problem, *mapping, source, violations, found);
                    }
                    return mapping;
                  });
}

Arch with_figures(const Arch& arch, const std::vector<std::string>& figures) {
  return value_of(make_file(write_arch(arch), "arch.yaml"),
                  [&](const File& file, Diagnostics& found) {
                    return read_arch(file, found, make_overrides(figures, "with"));
                  });
}

Arch library_arch(std::string_view name) {
  const LibraryEntry& entry = entry_of(library_archs(), name, "accelerator");
  return arch_from_yaml(std::string(entry.text), "library:" + std::string(name));
}

Network library_network(std::string_view name) {
  const LibraryEntry& entry = entry_of(library_networks(), name, "network");
  return network_from_yaml(std::string(entry.text), "library:" + std::string(name));
}

Workload workload_from_words(const std::string& words) {
  Diagnostics diagnostics;
  const std::size_t slash = words.find('/');
  if (slash != std::string::npos && find_library_network(words.substr(0, slash)) != nullptr) {
    const Network network = library_network(words.substr(0, slash));
    const Workload* const layer =
        find_layer_workload(network, words.substr(slash + 1), diagnostics);
    if (layer == nullptr) throw FileError(diagnostics);
    return *layer;
  }
  return workload_from_yaml(words, std::string(kOperatorName));
}

}  // namespace tilewright
