// SPDX-License-Identifier: Apache-2.0
#include "tests/property/forging.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "tests/support/proof_text.h"
#include "tilewright/base/error.h"
#include "tilewright/io/write.h"
#include "tilewright/mapper/search_space.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/verify/tree/checker.h"

namespace tilewright::testing {
namespace {

using Json = nlohmann::ordered_json;
using verify::Proof;

// Further apart than any rounding.
bool less(double a, double b) { return a < b * (1 - 1e-6); }

Problem with_dims(const Problem& problem, std::vector<Dim> dims) {
  const Workload& workload = problem.workload();
  return {Workload(workload.name(), std::move(dims),
                   {workload.tensors().begin(), workload.tensors().end()}),
          problem.arch()};
}

Problem with_nodes(const Problem& problem, std::vector<ArchNode> nodes) {
  const Arch& arch = problem.arch();
  return {problem.workload(),
          Arch(arch.name(), arch.note(), arch.clock_hz(), std::move(nodes), arch.compute())};
}

class Forger {
 public:
  Forger(const ProvedCase& proved, Random& random)
      : proved_(proved), random_(random), json_(Json::parse(proved.text)) {}

  std::vector<Forgery> all() {
    claim_worse();
    swap_problems();
    swap_claims();
    write_numbers();
    write_keys_twice();
    hide_differences();
    return std::move(forgeries_);
  }

 private:
  const SearchCase& made() const { return proved_.made; }

  void add(std::string kind, std::string text, bool wrong = true) {
    forgeries_.push_back({std::move(kind), std::move(text), {}, wrong});
  }

  Json claim_json(const Proof& proof, const SearchCase& about) const {
    return proof_json(proof, about.kind, about.constraints, to_product(proof.objective));
  }

  // The claim that `mapping` is best for `about`: as the proof at hand with the rest exchanged,
  // then with the score made right, then with everything that the verifier asks for.
  void claim(const std::string& kind, const SearchCase& about, const Mapping& mapping) {
    Proof proof{about.problem, about.arrangements(), about.options.objective,
                mapping,       proved_.best.score,   {},
                about.kind,    about.constraints,    about.placement};
    Json json = claim_json(proof, about);
    json["roots"] = json_["roots"];
    const auto violations = find_violations(about.problem, mapping);
    const auto has_it = [&](const Rules& rules) {
      return Mapspace(about.problem, rules).contains(mapping);
    };
    if (!violations.empty() || std::ranges::none_of(proof.arrangements, has_it)) {
      add(kind, seal(json));
      return;
    }
    proof.score = score(about.options.objective, evaluate(about.problem, mapping));
    const std::optional<double> least = find_least(about);
    if (!least) return;
    const bool wrong = less(*least, proof.score);
    if (wrong || less(proof.score, proved_.best.score) || less(proved_.best.score, proof.score)) {
      add(kind, seal(json));
    }
    json["score"] = proof.score;
    if (wrong) add(kind + ", score repaired", seal(json));
    json["roots"] = roots_json(about.problem, verify::find_needed(proof, verify::Beaten::kIgnore));
    add(kind + ", all repaired", seal(json), wrong);
  }

  // By searching; nothing if there is no mapping.
  static std::optional<double> find_least(SearchCase about) {
    about.options.proof = false;
    about.options.caps.clear();
    const Space space = make_space(about.problem, std::string(space_name(about.kind)),
                                   about.constraints, about.placement);
    const SearchResult result =
        search_space(space, about.constraints, Mapper::kOptimal, about.options).result;
    if (!result.best) return std::nullopt;
    return result.best->score;
  }

  // ---- A worse mapping ----

  void claim_worse() {
    const Mapspace space(made().problem, made().rules());
    const Fit fit(made().problem);
    std::vector<std::pair<double, Mapping>> worse;
    for (int i = 0; i < 40; ++i) {
      Mapping other = space.sample(random_);
      if (!fit.fits(other.nodes())) continue;
      const double cost = score(made().options.objective, evaluate(made().problem, other));
      if (less(proved_.best.score, cost)) worse.emplace_back(cost, std::move(other));
    }
    std::ranges::sort(worse, {}, &std::pair<double, Mapping>::first);
    for (std::size_t i = 0; i < std::min<std::size_t>(worse.size(), 2); ++i) {
      claim("a worse mapping", made(), worse[i].second);
    }
  }

  // ---- Another problem ----

  void swap_problems() {
    const Workload& workload = made().problem.workload();
    std::vector<Dim> dims(workload.dims().begin(), workload.dims().end());
    Dim& dim = dims[pick(dims.size())];
    dim.size = random_.one_in(2) ? dim.size + 1 : std::max<std::int64_t>(1, dim.size - 1);
    if (fits_constraints(dim)) {
      swap("another size of a dim",
           [&](SearchCase& other) { other.problem = with_dims(other.problem, dims); });
    }
    for (const double times : {0.015625, 64.0}) {
      swap("another price", [&](SearchCase& other) {
        other.problem = with_nodes(other.problem, with_price(times));
      });
    }
    swap("other capacities", [&](SearchCase& other) {
      std::vector<ArchNode> nodes(made().problem.arch().nodes().begin(),
                                  made().problem.arch().nodes().end());
      for (ArchNode& node : nodes) {
        auto* const memory = std::get_if<Memory>(&node);
        if (memory != nullptr && memory->capacity_bits) *memory->capacity_bits *= 4;
      }
      other.problem = with_nodes(other.problem, std::move(nodes));
    });
  }

  // Files refuse factors above the size of their dim.
  bool fits_constraints(const Dim& dim) const {
    return std::ranges::none_of(made().constraints, [&](const Constraint& constraint) {
      const bool factor = constraint.kind == Constraint::Kind::kEqual ||
                          constraint.kind == Constraint::Kind::kAtLeast;
      return factor && constraint.value > dim.size &&
             made().problem.workload().dim(constraint.dim).name == dim.name;
    });
  }

  // The prices of one memory are others.
  std::vector<ArchNode> with_price(double times) {
    std::vector<ArchNode> nodes(made().problem.arch().nodes().begin(),
                                made().problem.arch().nodes().end());
    std::vector<Memory*> memories;
    for (ArchNode& node : nodes) {
      if (auto* const memory = std::get_if<Memory>(&node)) memories.push_back(memory);
    }
    ActionEnergy& energy = memories[pick(memories.size())]->energy;
    for (std::optional<double>* price : {&energy.read_pj, &energy.fill_pj, &energy.update_pj}) {
      *price = (price->value_or(0) + 1) * times;
    }
    return nodes;
  }

  // ---- Another claim about the same problem ----

  void swap_claims() {
    for (const NamedObjective& named : named_objectives()) {
      if (named.objective == made().options.objective) continue;
      swap("another objective",
           [&](SearchCase& other) { other.options.objective = named.objective; });
    }
    for (const SpaceKind kind :
         {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT, SpaceKind::kRuby}) {
      if (kind == made().kind) continue;
      swap("another space", [&](SearchCase& other) { other.kind = kind; });
    }
    for (std::size_t i = 0; i < made().constraints.size(); ++i) {
      swap("a constraint less", [&](SearchCase& other) {
        other.constraints.erase(other.constraints.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
    swap("another convention", [](SearchCase& other) {
      Conventions conventions = other.problem.conventions();
      conventions.holes_are_data = !conventions.holes_are_data;
      other.problem = other.problem.with(conventions);
    });
    swap("another convention", [](SearchCase& other) {
      Conventions conventions = other.problem.conventions();
      conventions.drains_are_reads = !conventions.drains_are_reads;
      other.problem = other.problem.with(conventions);
    });
  }

  template <typename Change>
  void swap(const std::string& kind, const Change& change) {
    SearchCase other = made();
    change(other);
    std::erase_if(other.placement.uneven, [&](NodeId memory) {
      return why_even(other.problem, other.constraints, memory) != EvenBecause::kNone;
    });
    try {
      claim(kind, other, proved_.best.mapping);
    } catch (const OverflowError&) {  // too large to count: no claim can be made
    }
  }

  // ---- Numbers that no proof has ----

  void write_numbers() {
    for (const char* number : {"0", "-0.0", "-1", "5e-324", "2.2250738585072014e-308", "1e-300",
                               "1.7976931348623157e308", "1e999", "-1e999", "NaN", "Infinity",
                               "\"1\"", "null", "[1]", "18446744073709551616"}) {
      if (proved_.best.score == 0 && (number[0] == '0' || number[1] == '0')) continue;
      write_number("score", number);
    }
    for (const double factor : {1 - 1e-8, 1 + 1e-8, 1e-3, 2.0, 1e3, -1.0}) {
      if (proved_.best.score == 0) break;
      write_number("score", Json(proved_.best.score * factor).dump());
    }
    for (const char* objective :
         {"latency^1e-10", "energy^1e-300", "traffic^5e-324", "latency^0.0999", "latency^12.01",
          "energy^1e308", "latency^inf", "latency^nan", "latency^-1", "energy^7*latency^6", "1"}) {
      Json json = json_;
      json["objective"] = objective;
      add("a number at the end of its range", seal(json));
    }
    for (const char* energy : {"1e306 pJ", "1.7976931348623157e308 pJ", "1e13 pJ", "5e-324 pJ",
                               "1e-300 pJ", "1e-10 pJ", "1e999 pJ", "-1 pJ", "NaN pJ"}) {
      write_in_arch("read: ", " pJ", energy);
    }
    for (const char* size : {"9223372036854775807", "9223372036854775808", "0", "-1", "1e18"}) {
      write_in_workload(size);
    }
  }

  void write_number(const std::string& key, const std::string& number) {
    Json json = json_;
    json[key] = "@";
    std::string text = json.dump(1) + "\n";
    const std::size_t at = text.find("\"@\"");
    text.replace(at, 3, number);
    const std::size_t sum = text.rfind("\"checksum\": \"") + 13;
    text.replace(sum, 16, verify::checksum_of(text));
    add("a number at the end of its range", text);
  }

  void write_in_arch(const std::string& key, const std::string& end, const std::string& figure) {
    std::string arch = json_["arch"].get<std::string>();
    const std::size_t at = arch.find(key);
    if (at == std::string::npos) return;
    const std::size_t begin = at + key.size();
    arch.replace(begin, arch.find(end, begin) + end.size() - begin, figure);
    Json json = json_;
    json["arch"] = arch;
    add("a number at the end of its range", seal(json));
  }

  void write_in_workload(const std::string& size) {
    std::string workload = json_["workload"].get<std::string>();
    const std::size_t at = workload.find("dims: {");
    const std::size_t begin = workload.find(": ", at + 6) + 2;
    workload.replace(begin, workload.find_first_of(",}", begin) - begin, size);
    Json json = json_;
    json["workload"] = workload;
    add("a number at the end of its range", seal(json));
  }

  // ---- Keys twice ----

  // The second one would be taken, or the first.
  void write_keys_twice() {
    const std::string text = json_.dump(1) + "\n";
    for (const auto& [key, value] : json_.items()) {
      if (key == "checksum") continue;
      write_twice(text, "\"" + key + "\": ",
                  value.is_string()  ? "\"\""
                  : value.is_array() ? "[]"
                                     : "1");
    }
    if (json_["roots"].empty()) return;
    write_twice(text, "\"keeps\": ", "[]");
    write_twice(text, "\"spatial\": ", "[]");
    write_twice(text, "\"open\": ", "[]");
    write_twice(text, "\"counts\": ", "{}");
    write_twice(text, "\"label\": ", "[]");
  }

  void write_twice(std::string text, const std::string& key, const std::string& value) {
    const std::size_t at = text.find(key);
    if (at == std::string::npos) return;
    text.insert(at, key + value + ", ");
    const std::size_t sum = text.rfind("\"checksum\": \"") + 13;
    text.replace(sum, 16, verify::checksum_of(text));
    add("a key twice", text);
  }

  // ---- A true proof of something else than the user's files ----

  void hide_differences() {
    const auto about = [&](const std::string& kind, const SearchCase& other) {
      forgeries_.push_back({kind, proved_.text, own_files(other), true});
    };
    if (!made().constraints.empty()) {
      SearchCase other = made();
      other.constraints.clear();
      about("constraints that the user's files do not have", other);
    }
    SearchCase other = made();
    other.problem = with_nodes(other.problem, with_price(2));
    about("prices that the user's files do not have", other);
    other = made();
    const Workload& workload = other.problem.workload();
    std::vector<Dim> dims(workload.dims().begin(), workload.dims().end());
    ++dims[pick(dims.size())].size;
    other.problem = with_dims(other.problem, std::move(dims));
    about("sizes that the user's files do not have", other);
  }

  std::size_t pick(std::size_t below) {
    return static_cast<std::size_t>(random_.between(0, static_cast<std::int64_t>(below) - 1));
  }

  const ProvedCase& proved_;
  Random& random_;
  Json json_;
  std::vector<Forgery> forgeries_;
};

}  // namespace

Documents own_files(const SearchCase& made) {
  std::string text = write_workload(made.problem.workload()) + write_arch(made.problem.arch());
  if (!made.constraints.empty()) text += constraints_to_yaml(made.problem, made.constraints);
  Diagnostics diagnostics;
  return read_documents({std::make_shared<const SourceFile>(SourceFile{"own.yaml", text})},
                        diagnostics);
}

std::vector<Forgery> forge(const ProvedCase& proved, Random& random) {
  return Forger(proved, random).all();
}

}  // namespace tilewright::testing
