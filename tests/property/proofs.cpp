// SPDX-License-Identifier: Apache-2.0
// The search writes proofs of optima, of random small problems of every kind and of the layers of
// ResNet-50 in Ruby-S on Eyeriss; the verifier must accept them all, and refuse them all once they
// are spoilt: bytes flipped or, with the checksum made right again, another score, another mapping,
// the claim of a mapping that is not the best, a root or node left out, a count changed.
//   property.proofs [--quick] [--random N] [--layers N] [--corruptions N] [--seed S]
//       [--wider-sums 1] [--uneven 1]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "experiments/support/layers.h"
#include "experiments/support/program.h"
#include "tests/support/options.h"
#include "tests/support/proof_text.h"
#include "tests/support/proved_case.h"
#include "tilewright/base/random.h"
#include "tilewright/files/files.h"
#include "tilewright/io/write.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/verify/tree/checker.h"
#include "tilewright/verify/verify.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;
using testing::seal;
using verify::Proof;
using verify::Verdict;

struct Asked {
  std::uint64_t random = 176;
  std::uint64_t layers = 24;
  std::uint64_t corruptions = 1000;
  std::uint64_t seed = 1;
  testing::Mix mix = testing::Mix::kAny;
  bool uneven = false;
};

// A proof that was accepted.
struct Accepted {
  std::string name;
  std::string text;
  std::string reduced;  // the same with only what the verifier needs; empty for a layer
};

// The proof with just the roots and nodes whose bounds the verifier finds below the score: nothing
// may be taken from it.
std::string reduce(const std::string& text) {
  const Proof proof = verify::read_proof(text);
  Json json = Json::parse(text);
  json["roots"] = testing::roots_json(proof.problem, verify::find_needed(proof));
  return seal(json);
}

class Proofs {
 public:
  explicit Proofs(const Asked& asked) : asked_(asked), random_(asked.seed) {}

  int run() {
    prove_layers();
    prove_random();
    std::printf(
        "%zu proofs accepted, %llu refused: %lld roots, %lld opened, %lld nodes, %lld "
        "mappings evaluated\n",
        accepted_.size(), static_cast<unsigned long long>(refused_),
        static_cast<long long>(sum_.roots), static_cast<long long>(sum_.opened),
        static_cast<long long>(sum_.nodes), static_cast<long long>(sum_.evaluated));
    const std::uint64_t spoilt = spoil_all();
    std::printf(
        "proofs: %zu optima proved and verified, %llu layers of ResNet-50 among them; "
        "%llu of %llu corruptions refused\n",
        accepted_.size(), static_cast<unsigned long long>(layers_),
        static_cast<unsigned long long>(spoilt - believed_),
        static_cast<unsigned long long>(spoilt));
    return refused_ == 0 && believed_ == 0 && layers_ == asked_.layers &&
                   spoilt == asked_.corruptions
               ? 0
               : 1;
  }

 private:
  bool check(const std::string& name, const std::string& text, bool small) {
    const Verdict verdict = verify::verify_proof(text);
    if (!verdict.ok) {
      std::printf("%s: %s\n", name.c_str(), verdict.why.c_str());
      ++refused_;
      return false;
    }
    sum_.roots += verdict.roots;
    sum_.opened += verdict.opened;
    sum_.nodes += verdict.nodes;
    sum_.evaluated += verdict.evaluated;
    accepted_.push_back({name, text, ""});
    if (!small) return true;
    const std::string reduced = reduce(text);
    const Verdict again = verify::verify_proof(reduced);
    if (!again.ok) {
      std::printf("%s, reduced: %s\n", name.c_str(), again.why.c_str());
      ++refused_;
    }
    accepted_.back().reduced = reduced;
    return true;
  }

  void prove_layers() {
    const Arch arch = library_arch("eyeriss");
    for (const ConvLayer& layer :
         read_layers(read_repository_file("experiments/data/resnet50.csv"))) {
      if (layers_ == asked_.layers) return;
      if (asked_.layers < 24 && layer.r > 1) continue;
      const auto proved =
          testing::prove({Problem(layer_workload(layer), arch), SpaceKind::kRubyS, {}, {}, {}});
      if (!proved) {
        std::printf("%s: not proved in time\n", layer.name.c_str());
        continue;
      }
      if (check(layer.name, proved->text, false)) ++layers_;
      if (proved->text.size() > kLargest) accepted_.back().text.clear();  // too large to spoil
    }
  }

  void prove_random() {
    for (std::uint64_t index = 0, done = 0; done < asked_.random && refused_ < 5; ++index) {
      const auto proved = asked_.uneven ? testing::make_uneven_proved_case(asked_.seed, index)
                                        : testing::make_proved_case(asked_.seed, index, asked_.mix);
      if (!proved) continue;
      check("case " + std::to_string(index), proved->text, true);
      ++done;
    }
  }

  // ---- Corruptions ----

  std::uint64_t spoil_all() {
    std::uint64_t spoilt = 0;
    for (std::uint64_t i = 0; spoilt < asked_.corruptions && i < 100 * asked_.corruptions; ++i) {
      const Accepted& proof = accepted_[pick(accepted_.size())];
      const std::uint64_t way = i % kWays;
      const std::optional<std::string> text = spoil(proof, way);
      if (!text) continue;
      ++spoilt;
      ++ways_[way];
      const Verdict verdict = verify::verify_proof(*text);
      if (!verdict.ok) continue;
      ++believed_;
      std::printf("%s: accepted though its %s\n", proof.name.c_str(), kWay[way]);
    }
    for (std::uint64_t way = 0; way < kWays; ++way) {
      std::printf("  %5llu times the %s\n", static_cast<unsigned long long>(ways_[way]), kWay[way]);
    }
    return spoilt;
  }

  static constexpr std::uint64_t kWays = 8;
  static constexpr const char* kWay[kWays] = {
      "byte is another", "score is another", "mapping is another", "mapping is not the best",
      "root is missing", "node is missing",  "count is another",   "label is another"};
  static constexpr std::size_t kLargest = 4'000'000;  // bytes

  std::size_t pick(std::size_t below) {
    return static_cast<std::size_t>(random_.between(0, static_cast<std::int64_t>(below) - 1));
  }

  // Nothing if this proof cannot be spoilt this way.
  std::optional<std::string> spoil(const Accepted& proof, std::uint64_t way) {
    if (way == 0) return proof.text.empty() ? std::nullopt : flip(proof.text);
    if (proof.reduced.empty()) return std::nullopt;
    if (way < 4) return claim_another(proof, way);
    Json json = Json::parse(proof.reduced);
    if (json["roots"].empty()) return std::nullopt;
    if (way == 4) {
      json["roots"].erase(pick(json["roots"].size()));
      return seal(json);
    }
    Json& nodes = pick_nodes(json["roots"][pick(json["roots"].size())]["open"]);
    if (nodes.empty()) return std::nullopt;
    const std::size_t at = pick(nodes.size());
    if (way == 5) {
      nodes.erase(at);
    } else if (way == 6 ? !change_count(nodes[at]) : !change_label(nodes[at])) {
      return std::nullopt;
    }
    return seal(json);
  }

  std::optional<std::string> flip(std::string text) {
    char& byte = text[pick(text.size())];
    byte = static_cast<char>(byte ^ (1 << pick(8)));
    return text;
  }

  // Another score, another mapping, or both.
  std::optional<std::string> claim_another(const Accepted& accepted, std::uint64_t way) {
    Json json = Json::parse(accepted.text);
    const double best = json["score"].get<double>();
    if (way == 1) {
      const double share = std::pow(10, -static_cast<double>(random_.between(1, 7)));
      json["score"] = best * (random_.one_in(2) ? 1 + share : 1 - share);
      return best == 0 ? std::nullopt : std::optional(seal(json));
    }
    const Proof proof = verify::read_proof(accepted.text);
    const Mapspace space(proof.problem, proof.arrangements[pick(proof.arrangements.size())]);
    if (space.size().is_zero()) return std::nullopt;
    const Fit fit(proof.problem);
    const Mapping other = space.sample(random_);
    if (!fit.fits(other.nodes())) return std::nullopt;
    const double score = tilewright::score(proof.objective, evaluate(proof.problem, other));
    if (score <= best * (1 + 1e-6)) return std::nullopt;
    json["mapping"] = write_nest(proof.problem, other);
    if (way == 3) json["score"] = score;
    return seal(json);
  }

  // The nodes of a root, or those inside one of them, and so on.
  Json& pick_nodes(Json& nodes) {
    if (nodes.empty() || random_.one_in(3)) return nodes;
    Json& node = nodes[pick(nodes.size())];
    return node.contains("open") && !node["open"].empty() ? pick_nodes(node["open"]) : nodes;
  }

  bool change_count(Json& node) {
    if (node["counts"].empty()) return false;
    auto count = node["counts"].begin();
    std::advance(count, static_cast<std::ptrdiff_t>(pick(node["counts"].size())));
    const std::int64_t was = count->get<std::int64_t>();
    const std::int64_t is = random_.between(1, was + 2);
    *count = is;
    return is != was;
  }

  bool change_label(Json& node) {
    if (node["label"].empty()) return false;
    node["label"].erase(pick(node["label"].size()));
    return true;
  }

  Asked asked_;
  Random random_;
  std::vector<Accepted> accepted_;
  Verdict sum_;
  std::uint64_t layers_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t believed_ = 0;
  std::uint64_t ways_[kWays] = {};
};

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::Asked asked;
  const tilewright::testing::Options options =
      tilewright::testing::read_options(argc, argv,
                                        {{"--random", asked.random},
                                         {"--layers", asked.layers},
                                         {"--corruptions", asked.corruptions},
                                         {"--seed", asked.seed},
                                         {"--wider-sums", 0},
                                         {"--uneven", 0}},
                                        {{"--random", 16}, {"--layers", 4}, {"--corruptions", 60}});
  asked.random = options.at("--random");
  asked.layers = options.at("--layers");
  asked.corruptions = options.at("--corruptions");
  asked.seed = options.at("--seed");
  asked.uneven = options.at("--uneven") != 0;
  if (options.at("--wider-sums") != 0) asked.mix = tilewright::testing::Mix::kWiderSums;
  return tilewright::Proofs(asked).run();
}
