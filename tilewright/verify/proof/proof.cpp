// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/proof/proof.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/read.h"
#include "tilewright/verify/proof/proof_json.h"

namespace tilewright::verify {
namespace {

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

std::shared_ptr<const SourceFile> as_file(std::string name, std::string text) {
  return std::make_shared<SourceFile>(SourceFile{std::move(name), std::move(text)});
}

// Refuses with the first finding.
[[noreturn]] void refuse(const std::string& what, const Diagnostics& diagnostics) {
  for (const Diagnostic& finding : diagnostics.all()) {
    if (finding.severity == Severity::kError) {
      throw Refusal(what + " cannot be read: " + printable(finding.message));
    }
  }
  throw Refusal(what + " cannot be read");
}

Conventions read_conventions(std::span<const std::string> names) {
  Conventions conventions;
  for (const std::string& name : names) {
    bool* const known = name == "holes-are-data"     ? &conventions.holes_are_data
                        : name == "drains-are-reads" ? &conventions.drains_are_reads
                                                     : nullptr;
    if (known == nullptr) throw Refusal("there is no convention " + in_backticks(name));
    if (*known) throw Refusal("it has the convention `" + name + "` twice");
    *known = true;
  }
  return conventions;
}

Problem read_problem(ProofHeader& header) {
  Diagnostics diagnostics;
  auto workload = read_workload(as_file("workload", header.texts["workload"]), diagnostics);
  auto arch = read_arch(as_file("arch", header.texts["arch"]), diagnostics);
  if (!workload || !arch) refuse("its workload or architecture", diagnostics);
  return {std::move(*workload), std::move(*arch)};
}

std::vector<Constraint> read_limits(const std::string& text, const Problem& problem) {
  if (text.empty()) return {};
  Diagnostics diagnostics;
  auto read = read_constraints(as_file("constraints", text), problem, diagnostics);
  if (!read) refuse("what it says of constraints", diagnostics);
  return std::move(*read);
}

Placement read_placement(std::span<const std::string> uneven, const Problem& problem,
                         std::span<const Constraint> constraints) {
  Placement placement;
  for (const std::string& name : uneven) {
    const auto memory = problem.arch().find(name);
    if (!memory || !problem.arch().is_memory(*memory)) {
      throw Refusal("there is no memory " + in_backticks(name));
    }
    if (why_even(problem, constraints, *memory) != EvenBecause::kNone) {
      throw Refusal("placement cannot be uneven at " + in_backticks(name));
    }
    placement.uneven.push_back(*memory);
  }
  std::ranges::sort(placement.uneven);
  if (std::ranges::adjacent_find(placement.uneven) != placement.uneven.end()) {
    throw Refusal("it has an uneven memory twice");
  }
  if (count_arrangements(problem, constraints, placement) > kMostArrangements) {
    throw Refusal("its memories can keep their tensors in too many orders");
  }
  return placement;
}

Proof read_values(std::string_view text) {
  ProofHeader header = read_header(text);
  if (header.texts["format"] != "tilewright-proof/1") throw Refusal("its format is another one");
  if (!std::isfinite(header.score)) throw Refusal("its score is not a finite number");
  const Problem problem = read_problem(header).with(read_conventions(header.conventions));
  std::vector<Constraint> constraints = read_limits(header.texts["constraints"], problem);
  const auto kind = space_by_name(header.texts["space"]);
  if (!kind) throw Refusal("its space is none that can be checked");
  std::string why;
  const auto objective = parse_objective(header.texts["objective"], why);
  if (!objective) throw Refusal("its objective cannot be read: " + printable(why));
  Diagnostics diagnostics;
  auto mapping =
      read_mapping(as_file("mapping.nest", header.texts["mapping"]), problem, diagnostics);
  if (!mapping || diagnostics.has_errors()) refuse("its mapping", diagnostics);
  Placement placement = read_placement(header.uneven, problem, constraints);
  std::vector<Rules> arrangements;
  RootShape shape{problem};
  for (const Arrangement& arrangement : list_arrangements(problem, constraints, placement)) {
    arrangements.push_back(make_rules(problem, *kind, constraints, arrangement));
    shape.points = std::max(shape.points, arrangements.back().keeps.size());
  }
  const Rules& even = arrangements.front();
  shape.memories = even.keeps.size();
  shape.axes = static_cast<std::size_t>(
      std::ranges::count_if(even.places, [](const Place& place) { return !place.is_block(); }));
  std::vector<ProofRoot> roots = read_roots(text, shape);
  return {problem,
          std::move(arrangements),
          *objective,
          std::move(*mapping),
          header.score,
          std::move(roots),
          *kind,
          std::move(constraints),
          std::move(placement)};
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
  if (text.size() > kLargestProof) throw Refusal("it is larger than 64 MiB");
  if (text.substr(find_checksum(text), kDigits) != checksum_of(text)) {
    throw Refusal("its checksum is wrong");
  }
  return read_values(text);
}

}  // namespace tilewright::verify
