// SPDX-License-Identifier: Apache-2.0
// The readers of Timeloop's files and reports on broken input: no crash, hang, leak or sanitizer
// report, and what is read can be written as files of ours and read again.
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

// Aborts by exception if something that must hold does not.
void try_input(const std::string& text) {
  timeloop::read_stats(text);
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

// All files of the features, each as what it is; and a report.
std::vector<std::string> make_corpus() {
  std::vector<std::string> corpus = {kReport};
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
