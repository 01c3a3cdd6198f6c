// SPDX-License-Identifier: Apache-2.0
// The readers of Timeloop's files and reports, and of ZigZag's files, on broken input: no crash,
// hang, leak or sanitizer report, and what is read can be written as files of ours and read again.
//   fuzz.timeloop [--inputs N] [--seed S] [--processes P]    a seeded loop
#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzing.h"
#include "tests/support/native_round_trip.h"
#include "tests/timeloop/feature.h"
#include "tilewright/io/render.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/timeloop/stats/stats.h"
#include "tilewright/timeloop/timeloop.h"
#include "tilewright/zigzag/zigzag.h"

namespace {

using namespace tilewright;
using testing::edit;
using testing::pick;

std::shared_ptr<const SourceFile> file(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

// The first byte says what the rest stands beside.
std::vector<std::shared_ptr<const SourceFile>> files_of(const std::string& text) {
  const char kind = text.empty() ? '\0' : text.front();
  const std::string body = text.empty() ? text : text.substr(1);
  switch (kind % 4) {
    case 0:
      return {file("all.yaml", body)};
    case 1:
      return {file("a.yaml", body), file("p.yaml", test::conv_problem())};
    case 2:
      return {file("a.yaml", test::small_arch()), file("p.yaml", body),
              file("base.yaml", test::conv_problem())};
    default:
      return {file("a.yaml", test::small_arch()), file("p.yaml", test::conv_problem()),
              file("m.yaml", body)};
  }
}

bool is_unsupported(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.all(),
                             [](const Diagnostic& one) { return one.code == "T0001"; });
}

void try_zigzag(const std::string& text) {
  const auto one = file("zigzag.yaml", text);
  if (!zigzag::is_zigzag(*one)) return;
  Diagnostics diagnostics;
  const zigzag::Reading reading = zigzag::read_documents({one}, diagnostics);
  render_text(diagnostics, false);
  if (diagnostics.has_errors()) return;
  const std::string wrong = test::native_difference(reading.documents);
  if (!wrong.empty()) throw std::logic_error("does not read back:\n" + wrong);
}

// Aborts by exception if something that must hold does not.
void try_input(const std::string& text) {
  timeloop::read_stats(text);
  try_zigzag(text);
  for (const bool ignore : {false, true}) {
    Diagnostics diagnostics;
    timeloop::Options options;
    options.ignore_unsupported = ignore;
    const timeloop::Reading reading =
        timeloop::read_documents(files_of(text), diagnostics, {}, options);
    render_json(diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) render_text(diagnostic, false);
    if (!ignore && is_unsupported(diagnostics)) continue;
    if (diagnostics.has_errors()) return;
    const Documents& documents = reading.documents;
    const std::string wrong = test::native_difference(documents);
    if (!wrong.empty()) throw std::logic_error("does not read back:\n" + wrong);
    if (!documents.problem) return;
    if (documents.mapping) find_violations(*documents.problem, *documents.mapping);
    make_rules(*documents.problem, SpaceKind::kRubyS, documents.constraints);
    return;
  }
}

constexpr const char* kReport = R"(Buffer and Arithmetic Levels
Level 1
=== buffer ===
    SPECS
        Size                            : 64
    STATS
    Cycles               : 600
    Weights:
        Utilized capacity                        : 8
        Utilized instances (max)                 : 2
        Utilized clusters (max)                  : 1
        Scalar reads (per-instance)              : 1000
        Energy (total)                           : 260.50 pJ
Networks
Summary Stats
Cycles: 600
Computes = 2000
fJ/Compute
    Total                                         = 160.25
)";

constexpr const char* kHardware = R"(name: small
memories:
  reg:
    size: 32
    r_cost: 3
    w_cost: 4
    operands: [O]
    ports:
      - {name: r_port_1, type: read, bandwidth_max: 16}
      - {name: w_port_1, type: write, bandwidth_max: 32}
    served_dimensions: [D2]
  sram:
    size: 4096
    r_cost: 64
    operands: [I1, I2, O]
    ports:
      - {name: rw_port_1, type: read_write, bandwidth_max: 64}
    served_dimensions: [D1, D2]
operational_array: {unit_energy: 0.5, dimensions: [D1, D2], sizes: [4, 8]}
)";

constexpr const char* kLayers = R"(- id: 0
  name: conv
  operator_type: Conv
  equation: O[b][k][ox]+=W[k][c][fx]*I[b][c][ix]
  dimension_relations: [ix=2*ox+1*fx]
  loop_dims: [B, K, C, OX, FX]
  loop_sizes: [1, 64, 3, 112, 7]
  operand_precision: {W: 4, I: 8, O: 16, O_final: 8}
)";

// All files of the features, each as what it is; a report; and files of ZigZag's.
std::vector<std::string> make_corpus() {
  std::vector<std::string> corpus = {kReport, kHardware, kLayers};
  for (const auto& features : {test::architecture_features(), test::document_features(),
                               test::mapping_features(), test::constraint_features()}) {
    for (const test::Feature& feature : features) {
      std::string all;
      for (const auto& [name, text] : feature.files) {
        const char kind = name.front() == 'a' ? '\1' : name.front() == 'p' ? '\2' : '\3';
        corpus.push_back(kind + text);
        all += text;
      }
      corpus.push_back(std::string(1, '\0') + all);
    }
  }
  std::ranges::sort(corpus);
  corpus.erase(std::unique(corpus.begin(), corpus.end()), corpus.end());
  return corpus;
}

constexpr const char* kWords[] = {"!Component ",
                                  "!Container ",
                                  "!Parallel ",
                                  "!Nothing ",
                                  "nodes: ",
                                  "- ",
                                  ": ",
                                  "[",
                                  "]",
                                  "{",
                                  "}",
                                  "{{",
                                  "}}",
                                  "{%",
                                  "%}",
                                  "&a ",
                                  "*a",
                                  "<<: ",
                                  "<<<: ",
                                  "**",
                                  "9999999999",
                                  "-1",
                                  "0",
                                  "1e999",
                                  "1/0",
                                  "(",
                                  "if ",
                                  "else",
                                  "factors: ",
                                  "P=4,3",
                                  "permutation: ",
                                  "split: ",
                                  "P<=4",
                                  "name: ",
                                  "[0..99999]",
                                  "[1..0]",
                                  "include('a.yaml')",
                                  "include_text('p.yaml')",
                                  "endif",
                                  "set x = 1",
                                  "\"",
                                  "'",
                                  "#",
                                  "\n",
                                  "\t",
                                  "\xff",
                                  "meshX: ",
                                  "datawidth: ",
                                  "depth: ",
                                  "spec.",
                                  "ERT: ",
                                  "architecture: "};

std::string mutate(const std::vector<std::string>& corpus, Random& random) {
  std::string text = corpus[pick(corpus.size(), random)];
  edit(text, kWords, corpus, random.one_in(2) ? 2 : 6, random);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const testing::Fuzzed asked = testing::read_fuzz_options(argc, argv);
  const std::vector<std::string> corpus = make_corpus();
  const bool good = testing::run_in_shards(
      asked, {[&](Random& random) { return mutate(corpus, random); }, &try_input});
  std::printf("timeloop-fuzz: %llu inputs from %zu files in %llu processes, %s\n",
              static_cast<unsigned long long>(asked.inputs), corpus.size(),
              static_cast<unsigned long long>(asked.processes), good ? "none bad" : "SOME BAD");
  return good ? 0 : 1;
}
