// SPDX-License-Identifier: Apache-2.0
// The reader of tilewright-verify on spoilt proofs: no crash, no hang, no memory above 1 GiB, and
// nothing but a refusal. Most inputs get their checksum made right again, so that they get further.
//   fuzz.proofs [--inputs N] [--seed S] [--processes P]    a seeded loop
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzing.h"
#include "tests/support/proof_text.h"
#include "tilewright/base/error.h"
#include "tilewright/base/random.h"
#include "tilewright/io/read.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/verify/proof/proof.h"
#include "tilewright/verify/tree/member.h"

// GCC has a macro for it, Clang a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TW_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(TW_ADDRESS_SANITIZER)
constexpr std::uint64_t kMostBytes = 0;  // its shadow memory needs all addresses
#else
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;
#endif

namespace {

using namespace tilewright;
using verify::Proof;

constexpr const char* kWords[] = {"{",
                                  "}",
                                  "[",
                                  "]",
                                  ",",
                                  ":",
                                  "\"",
                                  "\"open\": []",
                                  "\"open\": [{",
                                  "\"label\": [\"m\"]",
                                  "\"counts\": {\"m\": 2}",
                                  "\"keeps\": [[\"A\"]]",
                                  "\"memories\": [\"D\", \"G\"]",
                                  "\"uneven\": [\"G\"]",
                                  "\"spatial\": [{}]",
                                  "\"roots\": ",
                                  "\"score\": ",
                                  "\"conventions\": [\"holes-are-data\"]",
                                  "\"checksum\": \"0000000000000000\"",
                                  "\"arch\": \"\"",
                                  "1e999",
                                  "-1",
                                  "0",
                                  "9223372036854775807",
                                  "18446744073709551615",
                                  "1e-320",
                                  "1.5",
                                  "null",
                                  "true",
                                  "\\u0000",
                                  "\\ud800",
                                  "\\n",
                                  "\xff",
                                  "[[[[[[[[[[[[[[[[",
                                  "{\"open\":[{\"open\":[{\"open\":[",
                                  "latency^1e-10",
                                  "pfm",
                                  "ruby",
                                  "keep A",
                                  "1e306 pJ",
                                  "m 99999999999"};

struct Seed {
  const char* workload;
  const char* arch;
  const char* constraints;
  const char* mapping;
  bool uneven = false;
};

constexpr const char* kProduct =
    "workload: {name: g, einsum: \"Z[m,n] += A[m,k] * B[k,n]\", dims: {m: 4, n: 2, k: 3}}";
constexpr const char* kBuffer =
    "arch: {nodes: [{memory: D, energy: {read: 8 pJ, write: 8 pJ}}, {memory: G, capacity: 512 "
    "bit}, {fanout: P, axes: {X: 2}}, {compute: c, energy: 1 pJ}]}";
constexpr const char* kStreamed = "D: keep A B Z\n  for m 4, n 2, k 3\nc\n";

constexpr Seed kSeeds[] = {
    {kProduct, kBuffer, "", kStreamed},
    {kProduct, kBuffer, "", kStreamed, true},
    {"workload: {name: v, einsum: \"Z[m] += A[m]\", dims: {m: 6}}",
     "arch: {nodes: [{memory: D, bandwidth: 16 bit/cycle}, {compute: c}]}",
     "constraints: [{at: D, factors: [m = 6]}]", "D: keep A Z\n  for m 6\nc\n"},
};

std::shared_ptr<const SourceFile> file(const char* name, const char* text) {
  return std::make_shared<const SourceFile>(SourceFile{name, text});
}

// A proof of the seed's mapping with all roots that could be asked for; it need not hold.
std::string seed_text(const Seed& seed) {
  Diagnostics findings;
  const Problem problem(*read_workload(file("w.yaml", seed.workload), findings),
                        *read_arch(file("a.yaml", seed.arch), findings));
  std::vector<Constraint> constraints;
  if (*seed.constraints != '\0') {
    constraints = *read_constraints(file("c.yaml", seed.constraints), problem, findings);
  }
  const Placement placement = seed.uneven ? most_uneven(problem, constraints) : Placement{};
  const auto mapping = read_mapping(file("m.nest", seed.mapping), problem, findings);
  const std::size_t dims = problem.workload().dims().size();
  const std::vector<std::int64_t> counts(dims, 2);
  const verify::ProofNode inner{1, counts, {}};
  Proof proof{.problem = problem, .mapping = *mapping, .score = 96, .placement = placement};
  for (const Arrangement& arrangement : list_arrangements(problem, constraints, placement)) {
    proof.arrangements.push_back(make_rules(problem, SpaceKind::kRubyS, constraints, arrangement));
    const Rules& rules = proof.arrangements.back();
    Keeps keeps;
    std::vector<NodeId> memories;
    for (const KeepRule& rule : rules.keeps) {
      keeps.push_back(rule.allowed);
      memories.push_back(rule.memory);
    }
    std::size_t axes = 0;
    for (const Place& place : rules.places) axes += place.is_block() ? 0 : 1;
    const verify::ProofNode outer{
        rules.keeps.size() > 1 ? 1U : 0U, counts,
        rules.keeps.size() > 1 ? std::vector{inner, inner} : std::vector<verify::ProofNode>{}};
    proof.roots.push_back(
        {keeps, std::vector<std::int64_t>(axes * dims, 1), {outer, outer}, memories});
    proof.roots.push_back({keeps, std::vector<std::int64_t>(axes * dims, 2), {}, memories});
  }
  nlohmann::ordered_json json =
      testing::proof_json(proof, SpaceKind::kRubyS, constraints, "energy^1*latency^2");
  // Short texts: an edit is more of them.
  json["workload"] = seed.workload;
  json["arch"] = seed.arch;
  json["constraints"] = seed.constraints;
  return testing::seal(json);
}

std::string make(const std::vector<std::string>& corpus, Random& random) {
  std::string text = corpus[testing::pick(corpus.size(), random)];
  testing::edit(text, kWords, corpus, random.one_in(2) ? 1 : 4, random);
  if (random.one_in(16)) return text;
  try {
    const std::string checksum = verify::checksum_of(text);
    const std::size_t key = text.rfind("\"checksum\"");
    text.replace(text.find('"', text.find(':', key)) + 1, checksum.size(), checksum);
  } catch (const verify::Refusal&) {  // it has no place for one any more
  }
  return text;
}

bool is_read(const std::string& text) {
  try {
    verify::read_proof(text);
    return true;
  } catch (const verify::Refusal&) {
  } catch (const OverflowError&) {
  }
  return false;
}

// The share of inputs that get through the reader: if hardly any does, the edits are too wild.
double share_read(const std::vector<std::string>& corpus, std::uint64_t seed) {
  constexpr int kTried = 2000;
  int read = 0;
  Random random(seed);
  for (int i = 0; i < kTried; ++i) read += is_read(make(corpus, random)) ? 1 : 0;
  return static_cast<double>(read) / kTried;
}

// Nothing is thrown but a refusal; what is read can be asked whether its mapping is of its space.
void attempt(const std::string& text) {
  try {
    const Proof proof = verify::read_proof(text);
    verify::find_fault(proof);
  } catch (const verify::Refusal&) {
  } catch (const OverflowError&) {  // verify_proof makes a refusal of it
  }
}

}  // namespace

int main(int argc, char** argv) {
  testing::Fuzzed usual;
  usual.most_bytes = kMostBytes;
  const testing::Fuzzed asked = testing::read_fuzz_options(argc, argv, usual);
  std::vector<std::string> corpus;
  for (const Seed& seed : kSeeds) corpus.push_back(seed_text(seed));
  const double share = share_read(corpus, asked.seed);
  const bool good = testing::run_in_shards(
      asked, {[&](Random& random) { return make(corpus, random); }, &attempt});
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const long megabytes = used.ru_maxrss / 1024;
  const bool fine = good && (kMostBytes == 0 || megabytes <= 1024) && share >= 0.01;
  std::printf(
      "fuzz: %llu spoilt proofs from %zu seeds in %llu processes, %s; %.0f %% of them read; at "
      "most "
      "%ld MiB each\n",
      static_cast<unsigned long long>(asked.inputs), corpus.size(),
      static_cast<unsigned long long>(asked.processes), fine ? "none bad" : "SOME BAD", 100 * share,
      megabytes);
  return fine ? 0 : 1;
}
