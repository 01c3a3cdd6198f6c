// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/proof.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "tilewright/io/read.h"

namespace tilewright::verify {
namespace {

using nlohmann::json;

constexpr std::size_t kDigits = 16;

// Where the digits of the checksum stand.
std::size_t find_checksum(std::string_view text) {
  constexpr std::string_view kKey = "\"checksum\"";
  std::optional<std::size_t> found;
  for (std::size_t at = text.find(kKey); at != std::string_view::npos;
       at = text.find(kKey, at + 1)) {
    std::size_t begin = text.find_first_not_of(" \t\r\n", at + kKey.size());
    if (begin == std::string_view::npos || text[begin] != ':') continue;
    begin = text.find_first_not_of(" \t\r\n", begin + 1);
    if (begin == std::string_view::npos || text[begin] != '"') continue;
    if (text.size() < begin + kDigits + 2 || text[begin + kDigits + 1] != '"') continue;
    if (found) throw Refusal("it has two checksums");
    found = begin + 1;
  }
  if (!found) throw Refusal("it has no checksum");
  return *found;
}

std::shared_ptr<const SourceFile> as_file(std::string name, const json& text) {
  return std::make_shared<SourceFile>(SourceFile{std::move(name), text.get<std::string>()});
}

void expect_keys(const json& object, std::initializer_list<std::string_view> keys,
                 const std::string& what) {
  if (!object.is_object()) throw Refusal(what + " is not an object");
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      throw Refusal(what + " has an unknown key `" + key + "`");
    }
  }
}

// Refuses with the first finding.
[[noreturn]] void refuse(const std::string& what, const Diagnostics& diagnostics) {
  for (const Diagnostic& finding : diagnostics.all()) {
    if (finding.severity == Severity::kError) {
      throw Refusal(what + " cannot be read: " + finding.message);
    }
  }
  throw Refusal(what + " cannot be read");
}

class Reader {
 public:
  Reader(const json& root, const Problem& problem, const Rules& rules)
      : root_(root), problem_(problem), rules_(rules) {}

  std::vector<ProofRoot> roots() const {
    std::vector<ProofRoot> roots;
    for (const json& root : root_.at("roots")) {
      expect_keys(root, {"keeps", "spatial", "open"}, "a root");
      ProofRoot& read = roots.emplace_back();
      for (const json& names : root.at("keeps")) read.keeps.push_back(tensors(names));
      for (const json& factors : root.at("spatial")) {
        const std::vector<std::int64_t> by_dim = dims(factors);
        read.factors.insert(read.factors.end(), by_dim.begin(), by_dim.end());
      }
      const auto axes = std::ranges::count_if(rules_.places,
                                              [](const Place& place) { return !place.is_block(); });
      const std::size_t wanted = static_cast<std::size_t>(axes) * problem_.workload().dims().size();
      if (read.keeps.size() != rules_.keeps.size() || read.factors.size() != wanted) {
        throw Refusal("a root has not one entry for each memory and each axis");
      }
      read.open = nodes(root.at("open"));
    }
    return roots;
  }

 private:
  std::vector<ProofNode> nodes(const json& list) const {
    if (!list.is_array()) throw Refusal("`open` is not a list");
    std::vector<ProofNode> nodes;
    for (const json& node : list) {
      expect_keys(node, {"label", "counts", "open"}, "a node");
      ProofNode& read = nodes.emplace_back();
      for (const json& name : node.at("label")) read.label |= DimSet{1} << dim(name).value;
      read.counts = dims(node.at("counts"));
      if (node.contains("open")) read.open = this->nodes(node.at("open"));
    }
    return nodes;
  }

  DimId dim(const std::string& name) const {
    const std::optional<DimId> found = problem_.workload().find_dim(name);
    if (!found) throw Refusal("there is no dim `" + name + "`");
    return *found;
  }

  // A number of at least 1 for each dim.
  std::vector<std::int64_t> dims(const json& object) const {
    if (!object.is_object()) throw Refusal("numbers by dim are not an object");
    std::vector<std::int64_t> numbers(problem_.workload().dims().size(), 1);
    for (const auto& [name, value] : object.items()) {
      if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
        throw Refusal("a count or factor of `" + name + "` is not a whole number");
      }
      numbers[dim(name).pos()] = value.get<std::int64_t>();
    }
    return numbers;
  }

  TensorSet tensors(const json& names) const {
    TensorSet set = 0;
    for (const json& name : names) {
      const auto found = problem_.workload().find_tensor(name.get<std::string>());
      if (!found) throw Refusal("there is no tensor `" + name.get<std::string>() + "`");
      set |= only(*found);
    }
    return set;
  }

  const json& root_;
  const Problem& problem_;
  const Rules& rules_;
};

Conventions read_conventions(const json& value) {
  Conventions conventions;
  for (const json& name : value) {
    if (name == "holes-are-data") {
      conventions.holes_are_data = true;
    } else if (name == "drains-are-reads") {
      conventions.drains_are_reads = true;
    } else {
      throw Refusal("there is no such convention");
    }
  }
  return conventions;
}

Proof read_values(const json& root) {
  expect_keys(root,
              {"format", "workload", "arch", "constraints", "space", "objective", "conventions",
               "mapping", "score", "roots", "checksum"},
              "the file");
  if (root.at("format") != "tilewright-proof/1") throw Refusal("its format is another one");
  Diagnostics diagnostics;
  auto workload = read_workload(as_file("workload", root.at("workload")), diagnostics);
  auto arch = read_arch(as_file("arch", root.at("arch")), diagnostics);
  if (!workload || !arch) refuse("its workload or architecture", diagnostics);
  Problem problem(std::move(*workload), std::move(*arch));
  std::vector<Constraint> constraints;
  const std::string limits = root.at("constraints").get<std::string>();
  if (!limits.empty()) {
    auto read = read_constraints(as_file("constraints", limits), problem, diagnostics);
    if (!read) refuse("what it says of constraints", diagnostics);
    constraints = std::move(*read);
  }
  const auto kind = space_by_name(root.at("space").get<std::string>());
  if (!kind) throw Refusal("its space is none that can be checked");
  std::string why;
  const auto objective = parse_objective(root.at("objective").get<std::string>(), why);
  if (!objective) throw Refusal("its objective cannot be read");
  auto mapping = read_mapping(as_file("mapping.nest", root.at("mapping")), problem, diagnostics);
  if (!mapping || diagnostics.has_errors()) refuse("its mapping", diagnostics);
  Rules rules = make_rules(problem, *kind, constraints);
  std::vector<ProofRoot> roots = Reader(root, problem, rules).roots();
  return {std::move(problem),  std::move(rules),
          *objective,          read_conventions(root.at("conventions")),
          std::move(*mapping), root.at("score").get<double>(),
          std::move(roots)};
}

}  // namespace

std::string checksum_of(std::string_view text) {
  const std::size_t digits = find_checksum(text);
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = i >= digits && i < digits + kDigits;
    hash ^= blank ? static_cast<std::uint64_t>('0') : static_cast<unsigned char>(text[i]);
    hash *= 0x100000001b3U;
  }
  std::string hex;
  for (int shift = 60; shift >= 0; shift -= 4) hex += "0123456789abcdef"[hash >> shift & 15U];
  return hex;
}

Proof read_proof(std::string_view text) {
  if (text.substr(find_checksum(text), kDigits) != checksum_of(text)) {
    throw Refusal("its checksum is wrong");
  }
  try {
    return read_values(json::parse(text));
  } catch (const json::exception&) {
    throw Refusal("it is not the JSON of a proof");
  }
}

}  // namespace tilewright::verify
