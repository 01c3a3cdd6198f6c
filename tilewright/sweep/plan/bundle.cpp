// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/plan/bundle.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "tilewright/base/input_error.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/files/files.h"
#include "tilewright/io/read.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"
#include "tilewright/onnx/onnx.h"
#include "tilewright/sweep/plan/sweep_file.h"

namespace tilewright {
namespace {

// There is no such file, and no such entry of the library.
void report_missing(const PlacedName& name, const char* what, std::span<const LibraryEntry> library,
                    Diagnostics& diagnostics) {
  Diagnostic& error = diagnostics.error(
      "S0004", in_backticks(name.name) + " is neither a file nor " + what + " of the library");
  error.labels.push_back({name.span, ""});
  std::vector<std::string> names;
  for (const LibraryEntry& entry : library) names.emplace_back(entry.name);
  if (const auto meant = nearest(name.name, names)) {
    error.helps.push_back("did you mean `" + *meant + "`?");
  }
}

std::shared_ptr<const SourceFile> make_file(const std::string& name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{name, std::move(text)});
}

void add_arch(const PlacedName& name, SweepBundle& bundle, const ReadFile& read,
              Diagnostics& diagnostics) {
  if (bundle.archs.contains(name.name)) return;
  std::optional<std::string> text;
  if (const LibraryEntry* entry = find_library_arch(name.name)) {
    text = std::string(entry->text);
  } else {
    text = read(name.name);
  }
  if (!text) return report_missing(name, "an architecture", library_archs(), diagnostics);
  if (read_arch(make_file(name.name, *text), diagnostics)) {
    bundle.archs[name.name] = std::move(*text);
  }
}

std::optional<Network> find_network(const PlacedName& name, const ReadFile& read,
                                    Diagnostics& diagnostics) {
  if (find_library_network(name.name) != nullptr) return library_network(name.name);
  std::optional<std::string> bytes = read(name.name);
  if (!bytes) {
    report_missing(name, "a network", library_networks(), diagnostics);
    return std::nullopt;
  }
  if (!ends_with_ignoring_case(name.name, ".onnx")) {
    return read_network(make_file(name.name, std::move(*bytes)), diagnostics);
  }
  std::optional<OnnxNetwork> model = read_onnx(*bytes, name.name, {}, diagnostics);
  if (!model) return std::nullopt;
  return std::move(model->network);
}

}  // namespace

std::string bundle_to_json(const SweepBundle& bundle) {
  return nlohmann::json{{"file", bundle.file},
                        {"sweep", bundle.text},
                        {"archs", bundle.archs},
                        {"networks", bundle.networks}}
      .dump();
}

SweepBundle bundle_from_json(std::string_view text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    return {json.at("file"), json.at("sweep"), json.at("archs"), json.at("networks")};
  } catch (const nlohmann::json::exception&) {
    throw InputError("this text is no plan of a sweep");
  }
}

ReadFile files_in(std::string folder) {
  return [folder = std::move(folder)](const std::string& path) -> std::optional<std::string> {
    std::ifstream file(std::filesystem::path(folder) / path, std::ios::binary);
    if (!file) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
}

bool complete_bundle(SweepBundle& bundle, const ReadFile& read, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  const std::optional<SweepFile> file =
      read_sweep_file(make_file(bundle.file, bundle.text), diagnostics);
  if (!file) return false;
  add_arch(file->arch, bundle, read, diagnostics);
  for (const Weighted& network : file->networks) {
    if (bundle.networks.contains(network.what.name)) continue;
    if (const auto found = find_network(network.what, read, diagnostics)) {
      bundle.networks[network.what.name] = write_network(*found);
    }
  }
  return diagnostics.errors() == before;
}

}  // namespace tilewright
