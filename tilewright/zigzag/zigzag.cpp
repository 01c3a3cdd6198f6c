// SPDX-License-Identifier: Apache-2.0
#include "tilewright/zigzag/zigzag.h"

#include <optional>
#include <string_view>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/write.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/zigzag/hardware.h"
#include "tilewright/zigzag/layers.h"

namespace tilewright::zigzag {
namespace {

// Whether a line begins with `key:`, blanks and the dash of a list aside.
bool has_key(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.front() == ' ' || line.front() == '-')) line.remove_prefix(1);
    if (line.starts_with(key) && line.substr(key.size()).starts_with(':')) return true;
  }
  return false;
}

class Reader {
 public:
  Reader(Diagnostics& diagnostics, Reading& reading)
      : diagnostics_(diagnostics), reading_(reading) {}

  void read(const std::shared_ptr<const SourceFile>& file) {
    const std::optional<YamlNode> root = parse_yaml(file, diagnostics_, YamlFeatures::kAll);
    if (!root) return;
    Documents& documents = reading_.documents;
    if (root->is_list()) {
      if (!once(layers_, root->span)) return;
      Network network = read_layers(*root, diagnostics_, reading_.left_out);
      if (network.layers.size() == 1) {
        documents.workload = std::move(network.layers.front().workload);
        const Documents again = check_written(write_workload(*documents.workload), root->span);
        if (!diagnostics_.has_errors() && again.workload != documents.workload) {
          diagnostics_.error("Z0003", "the equation has a subscript that cannot be written")
              .labels.push_back({root->span, "in this file"});
        }
      } else if (!network.layers.empty()) {
        documents.network = std::move(network);
        check_written(write_network(*documents.network), root->span);
      }
    } else if (once(hardware_, root->span)) {
      documents.arch = read_hardware(*root, diagnostics_, reading_.left_out);
      if (documents.arch) check_written(write_arch(*documents.arch), root->span);
    }
  }

 private:
  // Names and ranges of figures are those of our files: what could not be read there is wrong here.
  Documents check_written(const std::string& text, const Span& place) {
    Diagnostics found;
    Documents again = tilewright::read_documents(
        {std::make_shared<const SourceFile>(SourceFile{"native.yaml", text})}, found);
    for (const Diagnostic& one : found.all()) {
      if (one.severity != Severity::kError) continue;
      Diagnostic& error = diagnostics_.error("Z0001", one.message);
      error.labels.push_back({place, "in this file"});
      error.notes = one.notes;
      error.helps = one.helps;
    }
    return again;
  }

  bool once(std::optional<Span>& place, const Span& now) {
    if (place) {
      Diagnostic& error = diagnostics_.error("F0013", "two files describe the same thing");
      error.labels.push_back({now, "given again here"});
      error.labels.push_back({*place, "first given here"});
      return false;
    }
    place = now;
    return true;
  }

  Diagnostics& diagnostics_;
  Reading& reading_;
  std::optional<Span> hardware_;
  std::optional<Span> layers_;
};

}  // namespace

bool is_zigzag(const SourceFile& file) {
  return has_key(file.text, "operational_array") ||
         (has_key(file.text, "equation") && has_key(file.text, "loop_dims"));
}

Reading read_documents(const std::vector<std::shared_ptr<const SourceFile>>& files,
                       Diagnostics& diagnostics) {
  Reading reading;
  Reader reader(diagnostics, reading);
  for (const auto& file : files) {
    if (is_zigzag(*file)) {
      reader.read(file);
      continue;
    }
    Diagnostic& error = diagnostics.error(
        "Z0001", in_backticks(file->name) + " is not a file of ZigZag's, as others here are");
    error.labels.push_back({Span{file, 0, 0, 1}, ""});
    error.helps.emplace_back("import files of one tool at a time");
  }
  Documents& documents = reading.documents;
  if (!diagnostics.has_errors() && documents.workload && documents.arch) {
    documents.problem.emplace(*documents.workload, *documents.arch);
  }
  return reading;
}

}  // namespace tilewright::zigzag
