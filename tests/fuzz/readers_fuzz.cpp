// SPDX-License-Identifier: Apache-2.0
// All readers on broken input: no crash, hang, leak or sanitizer report, and what is read can be
// written and read again.
//   fuzz.readers [--inputs N] [--seed S] [--processes P] [--corpus FOLDER]...    a seeded loop
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzing.h"
#include "tilewright/advice/violation_text.h"
#include "tilewright/base/random.h"
#include "tilewright/base/sha256.h"
#include "tilewright/io/constraints/constraint_text.h"
#include "tilewright/io/read.h"
#include "tilewright/io/render.h"
#include "tilewright/io/result.h"
#include "tilewright/io/write.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/model/evaluate.h"

namespace {

using namespace tilewright;
using testing::edit;
using testing::Fuzzed;
using testing::pick;
using testing::read_fuzz_options;
using testing::run_in_shards;

std::shared_ptr<const SourceFile> file(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

const char* const kWorkload = "workload: {conv: {m: 6, c: 3, p: 7, q: 5, r: 3, s: 2, stride: 2}}\n";
const char* const kArch =
    "arch:\n  name: a\n  nodes:\n    - {memory: DRAM}\n    - {memory: GLB, capacity: 4 KiB}\n"
    "    - {fanout: PE, axes: {X: 4, Y: 2}}\n    - {memory: RF, capacity: 64 B}\n    - {compute: "
    "mac}\n";

const char* const kConstraints =
    "constraints:\n"
    "  - at: GLB\n    keep: [input]\n    bypass: [Weights]\n    remainders: false\n"
    "    factors: [c = 1, p <= 7, m >= 2]\n    order: [m, ..., q, c]\n"
    "  - {at: PE, dims: {X: [c, m], Y: []}, factors: [c = 3 on X], utilization: 37.5 %}\n";

// A result of `map` with these inputs, as result/json/run_json.h writes it.
std::string result_text(const std::vector<std::string>& inputs) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const std::string& text : inputs) {
    Json lines = Json::array();
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    list.push_back({{"name", "a.yaml"}, {"sha256", sha256(text)}, {"text", lines}});
  }
  const Json dims = {{"n", 1}, {"m", 6}, {"c", 3}, {"p", 7}, {"q", 5}, {"r", 3}, {"s", 2}};
  const Json options = {
      {"cap", {"energy <= 3 uJ"}}, {"front", true}, {"seed", 7}, {"space", "pfm"}};
  const Json root = {
      {"tilewright", {{"version", "0.1.0"}, {"schema", 1}}},
      {"workload", {{"dims", dims}}},
      {"mapping", "DRAM: keep Inputs Weights Outputs\n  for m 6, c 3, p 7, q 5, r 3, s 2\nmac\n"},
      {"run", {{"command", "map"}, {"options", options}, {"repeatable", true}, {"inputs", list}}}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What is read can be shown, written, read again and made rules of.
void try_constraints(const Problem& problem, const std::vector<Constraint>& constraints) {
  for (const Constraint& constraint : constraints) constraint_text(problem, constraint);
  Diagnostics again;
  const auto back =
      read_constraints(file("b.yaml", constraints_to_yaml(problem, constraints)), problem, again);
  if (!back || !(*back == constraints)) throw std::logic_error("constraints do not read back");
  make_rules(problem, SpaceKind::kRuby, constraints);
}

void try_network(const Network& network) {
  Diagnostics again;
  const auto back = read_network(file("b.yaml", write_network(network)), again);
  if (!back || !(*back == network)) throw std::logic_error("a network does not read back");
}

// Prints nothing; aborts by exception if something that must hold does not.
void try_input(const std::string& text) {
  // The first byte says how the rest is read.
  const char kind = text.empty() ? '\0' : text.front();
  const std::string body = text.empty() ? text : text.substr(1);
  std::vector<std::shared_ptr<const SourceFile>> files;
  if (kind % 5 == 0) {
    files = {file("all.yaml", body)};
  } else if (kind % 5 == 4) {
    files = {file("r.json", result_text({kWorkload, kArch, body}))};
  } else if (kind % 5 == 1) {
    files = {file("w.yaml", kWorkload), file("a.yaml", kArch), file("m.nest", body)};
  } else if (kind % 5 == 3) {
    files = {file("w.yaml", kWorkload), file("a.yaml", kArch), file("c.yaml", body)};
  } else {
    files = {file("a.yaml", body), file("w.yaml", kWorkload)};
  }
  Diagnostics diagnostics;
  if (const auto result = read_result(files.front(), diagnostics)) to_arguments(result->run);
  diagnostics = {};
  const Documents documents = read_documents(files, diagnostics);
  render_json(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) render_text(diagnostic, false);
  if (documents.network) try_network(*documents.network);
  if (!documents.problem) return;
  const Problem& problem = *documents.problem;
  try_constraints(problem, documents.constraints);
  if (!documents.mapping) return;
  const Mapping& mapping = *documents.mapping;
  Diagnostics again;
  const auto back = read_mapping(file("b.nest", write_nest(problem, mapping)), problem, again);
  if (!back || !(*back == mapping)) throw std::logic_error("a nest does not read back");
  const std::vector<Violation> violations = find_violations(problem, mapping);
  report_violations(problem, mapping, documents.mapping_source, violations, again);
  const bool odd =
      std::ranges::any_of(violations, [](const Violation& v) { return is_structural(v.kind); });
  if (odd || problem.workload().computes() > 1'000'000) return;
  try {
    evaluate(problem, mapping);
  } catch (const OverflowError&) {  // said so: that is an answer
  }
}

std::vector<std::string> read_corpus(const std::vector<std::string>& folders) {
  std::vector<std::string> corpus{std::string("\0", 1) + kWorkload + kArch,
                                  std::string("\0", 1) + kConstraints + kWorkload + kArch,
                                  std::string("\3") + kConstraints,
                                  std::string("\4") + kConstraints,
                                  std::string("\0", 1) + result_text({kWorkload, kArch}),
                                  std::string("\0", 1) + result_text({kConstraints, "x: 1"}),
                                  "\4" + result_text({kWorkload, kArch})};
  for (const std::string& folder : folders) {
    for (const auto& path : testing::files_below(folder, {".yaml", ".nest"})) {
      std::string text = testing::text_of(path);
      if (text.size() > 6000) text.resize(text.rfind('\n', 6000) + 1);  // whole lines still parse
      const char kind = path.extension() == ".nest"                      ? '\1'
                        : text.find("arch:") != std::string::npos        ? '\2'
                        : text.find("constraints:") != std::string::npos ? '\3'
                                                                         : '\0';
      corpus.push_back(kind + text);
    }
  }
  return corpus;
}

constexpr const char* kWords[] = {"mapping: ",
                                  "- ",
                                  ": ",
                                  "[",
                                  "]",
                                  "{",
                                  "}",
                                  "*",
                                  "&a ",
                                  "|",
                                  "\n",
                                  "9999999999",
                                  "-1",
                                  "0",
                                  "1e999",
                                  "KiB",
                                  "pJ",
                                  "word/cycle",
                                  " on X",
                                  "for ",
                                  "parfor ",
                                  "keep ",
                                  "p 8",
                                  "\"",
                                  "'",
                                  "#",
                                  "\t",
                                  "\xff",
                                  "!!map ",
                                  "? ",
                                  "constraints: ",
                                  "at: GLB",
                                  "at: PE",
                                  "factors: ",
                                  "order: ",
                                  "c <= 3",
                                  "m = 2 on X",
                                  "...",
                                  "75 %",
                                  "\"tilewright\": ",
                                  "\"run\": ",
                                  "\\u0000",
                                  "\\",
                                  "\"schema\": 2",
                                  "dims: "};

std::string mutate(const std::vector<std::string>& corpus, Random& random) {
  std::string text = corpus[pick(corpus.size(), random)];
  if (!random.one_in(16)) {  // small inputs are quick, and an edit is more of them
    const std::size_t length = std::min<std::size_t>(text.size(), 30 + pick(300, random));
    const std::size_t start = text.size() == length ? 0 : pick(text.size() - length, random);
    text = text.front() + text.substr(start, length);
  }
  edit(text, kWords, corpus, 6, random);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> folders{
      std::string(TILEWRIGHT_SOURCE_DIR) + "/examples",
      std::string(TILEWRIGHT_SOURCE_DIR) + "/tilewright/library/archs",
      std::string(TILEWRIGHT_SOURCE_DIR) + "/tilewright/library/networks",
      std::string(TILEWRIGHT_SOURCE_DIR) + "/tests/error"};
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--corpus") == 0) folders.emplace_back(argv[i + 1]);
  }
  const Fuzzed asked = read_fuzz_options(argc, argv);
  const std::vector<std::string> corpus = read_corpus(folders);
  const bool good =
      run_in_shards(asked, {[&](Random& random) { return mutate(corpus, random); }, &try_input});
  std::printf("fuzz: %llu inputs from %zu files in %llu processes, %s\n",
              static_cast<unsigned long long>(asked.inputs), corpus.size(),
              static_cast<unsigned long long>(asked.processes), good ? "none bad" : "SOME BAD");
  return good ? 0 : 1;
}
