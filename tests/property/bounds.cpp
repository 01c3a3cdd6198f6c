// SPDX-License-Identifier: Apache-2.0
// The lower bounds of the optimal search, one by one, on random small problems of every kind:
//   pairs     random mappings are followed down the tree, and no bound of anything that holds one
//             may be above what it costs: (bound, completion) pairs, counted by name and space;
//   switches  with each prune off in turn the optimum is the same;
//   witness   an optimum found without any bound is carried along by a search with all of them,
//             which ends with the name of what loses it;
//   splits    opt(A) = min(opt(A and x), opt(A and not x)) for constraints x (case_splits.h).
//   property.bounds [--pairs N] [--switches N] [--witness N] [--splits N] [--seed S] [--case K]
//                   [--failures F]
// --pairs takes problems until there are so many pairs. --case: that one problem in all four.
// A fault planted in a bound (tilewright/search/optimal/bounds, shared/links.cpp, roots, tree) is
// caught by `property.bounds --pairs 20000 --switches 60 --witness 60 --splits 30`, and its report
// has the name of the bound.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/property/case_splits.h"
#include "tests/support/search_case.h"
#include "tilewright/base/random.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/search/optimal/shared/witness.h"
#include "tilewright/search/search.h"

namespace tilewright {
namespace {

using testing::SearchCase;

constexpr std::array kSpaces = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                SpaceKind::kRuby};
constexpr std::uint64_t kMostMappings = 100'000;  // of a problem whose mappings are drawn
constexpr std::uint64_t kMostSearched = 10'000;   // of one that is searched without bounds
constexpr int kCompletions = 8;                   // drawn of a problem

struct Failure {
  std::string what;
};

bool is_same(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(a, b); }

std::string text(const std::optional<Found>& found) {
  char digits[40] = "nothing";
  if (found) std::snprintf(digits, sizeof digits, "%.17g", found->score);
  return digits;
}

testing::Mix mix_of(std::uint64_t index) {
  return index % 5 == 4 ? testing::Mix::kWiderSums : testing::Mix::kAny;
}

/// What was seen of one bound.
struct BoundTally {
  std::array<std::uint64_t, kSpaces.size()> pairs{};  // by space
  std::uint64_t exact = 0;                            // as high as a bound may be
};

using Tallies = std::map<std::string_view, BoundTally>;

std::size_t number_of(SpaceKind kind) {
  return static_cast<std::size_t>(std::ranges::find(kSpaces, kind) - kSpaces.begin());
}

/// What is known before any search; `cost`: the score of some mapping.
void check_first_bounds(const SearchCase& made, double cost) {
  const double least = least_score(made.problem, made.rules(), made.options.objective);
  const double at_once = bound_at_once(made.problem, made.rules(), made.options);
  const double most = cost * (1 + 1e-12);
  if (least > most) throw Failure{"least_score is above the score of a mapping"};
  if (at_once > most) throw Failure{"bound_at_once is above the score of a mapping"};
}

/// Follows random mappings of a problem down the tree.
void check_pairs(SearchCase made, std::uint64_t seed, Tallies& tallies) {
  made.options.caps.clear();  // they do not make anything cost more
  const Mapspace space(made.problem, made.rules());
  if (space.size().is_zero()) return;
  const Fit fit(made.problem);
  Random random(seed);
  for (int tries = 0, found = 0; tries < 20 * kCompletions && found < kCompletions; ++tries) {
    const Mapping mapping = space.sample(random);
    if (!fit.fits(mapping.nodes())) continue;
    ++found;
    const Witness witness{mapping, true, [&](const Witness::Check& check) {
                            BoundTally& tally = tallies[check.prune];
                            ++tally.pairs[number_of(made.kind)];
                            const auto is_exact = [](double bound, double cost) {
                              return bound > 0 && is_same(bound, cost);
                            };
                            if (is_exact(check.bounds.score, check.mapping.score) ||
                                is_exact(check.bounds.energy, check.mapping.energy) ||
                                is_exact(check.bounds.cycles, check.mapping.cycles)) {
                              ++tally.exact;
                            }
                          }};
    SearchOptions options = made.options;
    options.witness = &witness;
    search_optimal(made.problem, made.rules(), options);
    const double cost = score(options.objective, evaluate(made.problem, mapping));
    check_first_bounds(made, cost);
  }
}

SearchResult search(const SearchCase& made, const SearchOptions& options) {
  SearchResult result = search_optimal(made.problem, made.rules(), options);
  if (result.ending != Ending::kExhausted) throw Failure{"not proved"};
  return result;
}

void expect_same(const SearchResult& is, const SearchResult& wanted, std::string_view how) {
  const bool same = is.best && wanted.best ? is_same(is.best->score, wanted.best->score)
                                           : is.best.has_value() == wanted.best.has_value();
  if (!same) throw Failure{std::string(how) + ": " + text(is.best) + ", not " + text(wanted.best)};
}

/// The optimum with each prune off in turn.
void check_switches(const SearchCase& made) {
  const SearchResult all = search(made, made.options);
  for (const auto& [name, prune, is_bound] : kPruneNames) {
    SearchOptions options = made.options;
    options.prunes.*prune = false;
    expect_same(search(made, options), all, std::string(name) + " off");
  }
}

/// An optimum that was found without bounds, carried along.
// False if there is none.
bool check_witness(const SearchCase& made, std::uint64_t index) {
  SearchOptions plain = made.options;
  plain.prunes.by_cost = false;
  const SearchResult known = search(made, plain);
  if (!known.best) return false;
  const Witness witness{known.best->mapping, false, {}};
  SearchOptions options = made.options;
  options.witness = &witness;
  options.prunes.by_first_answer = index % 2 == 0;
  options.threads = index % 4 < 2 ? 1 : 2;
  expect_same(search(made, options), known, "with the witness");
  return true;
}

class Run {
 public:
  explicit Run(std::map<std::string, std::uint64_t> options) : options_(std::move(options)) {}

  int run() {
    const std::uint64_t pairs = run_pairs();
    const std::uint64_t switches = run_cases("switches", [](const SearchCase& made, auto) {
      check_switches(made);
      return 1;
    });
    const std::uint64_t witness =
        run_cases("witness", [](const SearchCase& made, std::uint64_t index) {
          return check_witness(made, index) ? 1 : 0;
        });
    const std::uint64_t splits =
        run_cases("splits", [&](const SearchCase& made, std::uint64_t index) {
          return testing::check_case_split(made, options_["--seed"] + index) ? 1 : 0;
        });
    const bool all_seen = print_tallies();
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    std::printf(
        "bounds: %llu (bound, completion) pairs over %zu named bounds and %zu spaces, %d above; "
        "%llu problems with each of %zu prunes off; witness kept in %llu searches; %llu case "
        "splits; %d failures\n",
        number(pairs), bounds(), kSpaces.size(), above_, number(switches), kPruneNames.size(),
        number(witness), number(splits), failures_);
    return failures_ == 0 && all_seen ? 0 : 1;
  }

 private:
  static std::size_t bounds() {
    return static_cast<std::size_t>(std::ranges::count(kPruneNames, true, &PruneName::is_bound));
  }

  // Problems until there are enough pairs.
  std::uint64_t run_pairs() {
    for (std::uint64_t index = options_["--first"]; !is_over() && pairs() < options_["--pairs"];
         ++index) {
      const SearchCase made =
          testing::make_search_case(options_["--seed"], index, kMostMappings, mix_of(index));
      if (!attempt("pairs", index, made, [&] { check_pairs(made, index, tallies_); })) ++above_;
      if (options_["--one"] != 0) break;
    }
    return pairs();
  }

  // Problems until `check` counted enough of them.
  template <typename Check>
  std::uint64_t run_cases(const std::string& part, const Check& check) {
    std::uint64_t done = 0;
    for (std::uint64_t index = options_["--first"]; !is_over() && done < options_["--" + part];
         ++index) {
      const SearchCase made =
          testing::make_search_case(options_["--seed"], index, kMostSearched, mix_of(index));
      attempt(part, index, made, [&] { done += static_cast<std::uint64_t>(check(made, index)); });
      if (options_["--one"] != 0) break;
    }
    return done;
  }

  template <typename Body>
  bool attempt(const std::string& part, std::uint64_t index, const SearchCase& made,
               const Body& body) {
    std::string what;
    try {
      body();
      return true;
    } catch (const Failure& failure) {
      what = failure.what;
    } catch (const std::exception& error) {
      what = error.what();
    }
    ++failures_;
    std::printf("%s, case %llu: %s\n%s", part.c_str(), static_cast<unsigned long long>(index),
                what.c_str(), to_yaml(made).c_str());
    std::fflush(stdout);
    return false;
  }

  bool is_over() { return failures_ >= static_cast<int>(options_["--failures"]); }

  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const PruneName& prune : kPruneNames) {
      const auto found = tallies_.find(prune.name);
      if (!prune.is_bound || found == tallies_.end()) continue;
      for (const std::uint64_t pairs : found->second.pairs) sum += pairs;
    }
    return sum;
  }

  // False if a bound was seen in no problem of some space.
  bool print_tallies() const {
    if (tallies_.empty()) return true;
    std::printf("%-18s %10s %10s %10s %10s %10s\n", "bound", "pfm", "ruby-s", "ruby-t", "ruby",
                "exact");
    bool all = true;
    for (const PruneName& prune : kPruneNames) {
      const auto found = tallies_.find(prune.name);
      if (found == tallies_.end() && !prune.is_bound) continue;
      const BoundTally tally = found == tallies_.end() ? BoundTally{} : found->second;
      std::printf("%-18s", std::string(prune.name).c_str());
      for (const std::uint64_t pairs : tally.pairs) {
        std::printf(" %10llu", static_cast<unsigned long long>(pairs));
        all = all && (pairs > 0 || options_.at("--one") != 0);
      }
      std::printf(" %10llu\n", static_cast<unsigned long long>(tally.exact));
    }
    return all;
  }

  std::map<std::string, std::uint64_t> options_;
  Tallies tallies_;
  int above_ = 0;
  int failures_ = 0;
};

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  std::map<std::string, std::uint64_t> options = {
      {"--seed", 14},     {"--first", 0},     {"--one", 0},      {"--failures", 5},
      {"--pairs", 20000}, {"--switches", 60}, {"--witness", 60}, {"--splits", 30}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--case") {
      options["--first"] = value;
      options["--one"] = 1;
    } else {
      options[name] = value;
    }
  }
  return tilewright::Run(options).run();
}
