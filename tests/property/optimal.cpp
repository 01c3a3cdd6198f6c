// SPDX-License-Identifier: Apache-2.0
// The optimal search against exhaustive search over all explicit loop orders, on random small
// problems of every kind; with each prune off as well, with two threads, with a gap and a budget,
// and for several answers.
//   property.optimal [--cases N] [--seed S] [--first K] [--case K] [--answers 0|1] [--failures F]
//                    [--wider-sums 1] [--simplify 0|1]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/search_case.h"
#include "tilewright/base/checked.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/search/search.h"

namespace tilewright {
namespace {

using testing::SearchCase;
using testing::text;
using Point = std::pair<std::int64_t, double>;  // cycles, energy

constexpr int kAnswers = 5;

struct Failure {
  std::string what;
};

void expect(bool holds, const std::string& what) {
  if (!holds) throw Failure{what};
}

/// Every mapping of a space in every loop order.
class Everything {
 public:
  explicit Everything(const SearchCase& made)
      : made_(made), fit_(made.problem), evaluator_(made.problem, {.detail = false}) {
    const Mapspace space(made.problem, made.rules());
    space.for_each(OrderMode::kWhole, [&](std::span<const NestNode> nest) {
      ++seen;
      look_at(nest);
      return true;
    });
    std::ranges::sort(scores);
    distinct = scores;
    distinct.erase(std::ranges::unique(distinct, is_same).begin(), distinct.end());
  }

  /// What no mapping beats in cycles and energy, fastest first.
  std::vector<Point> front() const {
    std::vector<Point> result;
    for (const Point& point : points_) {  // rising in cycles, then in energy
      if (result.empty() || point.second < result.back().second) result.push_back(point);
    }
    return result;
  }

  std::uint64_t seen = 0;
  std::vector<double> scores;    ///< of all valid mappings, rising
  std::vector<double> distinct;  ///< ... each once, as the search tells them apart

  // Products of the same figures may be rounded differently (docs/optimal.md section 4).
  static bool is_same(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

 private:
  void look_at(std::span<const NestNode> nest) {
    if (!fit_.fits(nest)) return;
    const Evaluation& cost = evaluator_.evaluate(nest);
    if (!meets_caps(made_, cost)) return;
    scores.push_back(score(made_.options.objective, cost));
    points_.insert({cost.cycles, cost.energy_pj});
  }

  const SearchCase& made_;
  Fit fit_;
  Evaluator evaluator_;
  std::set<Point> points_;
};

/// One case and what is to be true of it.
class Tester {
 public:
  Tester(const SearchCase& made, bool answers)
      : made_(made), rules_(made.rules()), all_(made), answers_(answers) {}

  void test() {
    const SearchResult plain = search(made_.options, "all prunes");
    expect_optimum(plain, "all prunes");
    nodes = plain.nodes;
    evaluated = plain.seen;
    if (plain.best) note_optimum(*plain.best);
    for (const auto& [name, prune, is_bound] : kPruneNames) {
      if (is_bound) continue;  // property.bounds tries these
      SearchOptions options = made_.options;
      options.prunes.*prune = false;
      const std::string how = std::string(name) + " off";
      expect_optimum(search(options, how), how);
    }
    test_threads(plain);
    test_early_ends(plain);
    if (!answers_) return;
    test_top();
    test_front();
  }

  const Everything& all() const { return all_; }
  std::uint64_t nodes = 0;
  std::uint64_t evaluated = 0;
  std::set<std::string> features;  ///< of the optimum

 private:
  void note_optimum(const Found& best) {
    if (best.evaluation.bottleneck.valid()) features.insert("optimum: waits for a memory");
    std::map<int, std::int64_t> left;
    for (auto node = best.mapping.nodes().rbegin(); node != best.mapping.nodes().rend(); ++node) {
      if (!node->is_loop()) continue;
      const bool space = node->kind == NestNode::Kind::kSpatial;
      if (space) features.insert("optimum: loops in space");
      const std::int64_t size = made_.problem.workload().dim(node->dim).size;
      std::int64_t& rest = left.try_emplace(node->dim.value, size).first->second;
      if (rest % node->factor != 0) {
        features.insert(space ? "optimum: ragged in space" : "optimum: ragged in time");
      }
      rest = ceil_div(rest, node->factor);
    }
  }

  SearchResult search(const SearchOptions& options, const std::string& how) const {
    try {
      return search_optimal(made_.problem, rules_, options);
    } catch (const std::exception& error) {
      throw Failure{how + ": exception: " + error.what()};
    }
  }
  bool possible() const { return !all_.scores.empty(); }
  double optimum() const { return all_.scores.front(); }

  void expect_optimum(const SearchResult& found, const std::string& how) const {
    expect(found.ending == Ending::kExhausted, how + ": not proved");
    expect(found.best.has_value() || !possible(),
           how + ": nothing found, exhaustive " + (possible() ? text(optimum()) : ""));
    if (!found.best) return;
    expect(possible(), how + ": found " + text(found.best->score) + ", exhaustive nothing");
    expect(found.best->score == optimum(),
           how + ": optimal " + text(found.best->score) + ", exhaustive " + text(optimum()));
    expect(!found.bound || *found.bound == optimum(), how + ": the bound is not the optimum");
  }

  void test_threads(const SearchResult& one) const {
    SearchOptions options = made_.options;
    options.threads = 2;
    const SearchResult two = search(options, "two threads");
    expect_optimum(two, "two threads");
    expect(!one.best || two.best->mapping == one.best->mapping,
           "two threads: another mapping of the same score");
  }

  // With a gap, or out of nodes: the bound stays below the optimum.
  void test_early_ends(const SearchResult& plain) const {
    SearchOptions options = made_.options;
    options.gap = 0.1;
    test_bound(search(options, "with a gap"), options.gap, "with a gap");
    options.gap = 0;
    options.max_nodes = plain.nodes / 2 + 1;
    test_bound(search(options, "with half the nodes"), 0, "with half the nodes");
  }

  void test_bound(const SearchResult& found, double gap, const std::string& how) const {
    if (found.ending == Ending::kExhausted) return expect_optimum(found, how);
    if (!possible()) return expect(!found.best, how + ": found what does not exist");
    expect(!found.bound || *found.bound <= optimum(), how + ": the bound is above the optimum");
    expect(!found.best || found.best->score >= optimum(), how + ": better than exhaustive");
    if (found.ending != Ending::kGap) return;
    expect(found.best && found.bound, how + ": no best or no bound");
    expect(found.best->score - *found.bound <= gap * found.best->score * (1 + 1e-12),
           how + ": the gap is larger");
  }

  // Mappings of one score may be one answer or several; scores are taken from the best on, none is
  // left out.
  void test_top() const {
    SearchOptions options = made_.options;
    options.top = kAnswers;
    const SearchResult found = search(options, "top");
    expect_optimum(found, "top");
    const std::size_t most = std::min<std::size_t>(kAnswers, all_.scores.size());
    const std::size_t least = std::min<std::size_t>(kAnswers, all_.distinct.size());
    const std::vector<Found>& answers = found.answers;
    expect(answers.size() >= least && answers.size() <= most, "top: wrong number of answers");
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const double score = answers[i].score;
      expect(i == 0 || answers[i - 1].score <= score, "top: not sorted");
      expect(score >= all_.scores[i], "top: better than exhaustive");
      expect(std::ranges::binary_search(all_.scores, score), "top: a score that no mapping has");
      const auto same = [&](double other) { return Everything::is_same(score, other); };
      const auto place = std::ranges::find_if(all_.distinct, same);
      const double before = i == 0 ? 0 : answers[i - 1].score;
      expect(i == 0
                 ? place == all_.distinct.begin()
                 : Everything::is_same(*place, before) || Everything::is_same(*(place - 1), before),
             "top: a score is left out");
      for (std::size_t j = 0; j < i; ++j) {
        expect(answers[i].mapping != answers[j].mapping, "top: the same mapping twice");
      }
    }
  }

  void test_front() const {
    SearchOptions options = made_.options;
    options.front = true;
    const SearchResult found = search(options, "front");
    // A front is of energy and cycles: it says nothing of traffic.
    if (options.objective.traffic == 0) expect_optimum(found, "front");
    expect(found.ending == Ending::kExhausted, "front: not proved");
    std::vector<Point> points;
    for (const Found& answer : found.answers) {
      points.push_back({answer.evaluation.cycles, answer.evaluation.energy_pj});
    }
    const std::vector<Point> wanted = all_.front();
    std::string what = "front: " + std::to_string(points.size()) + " points, exhaustive " +
                       std::to_string(wanted.size());
    expect(points == wanted, what);
  }

  const SearchCase& made_;
  const Rules rules_;
  const Everything all_;
  const bool answers_;
};

class Tally {
 public:
  void add(const SearchCase& made, const Tester& tester) {
    for (const std::string& feature : made.features) ++mix_[feature];
    for (const std::string& feature : tester.features) ++mix_[feature];
    ++cases;
    mappings_ += tester.all().seen;
    infeasible_ += tester.all().scores.empty() ? 1 : 0;
    nodes_ += tester.nodes;
    evaluated_ += tester.evaluated;
  }

  void print(int bad) const {
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    for (const auto& [feature, count] : mix_) {
      std::printf("%8llu  %s\n", number(count), feature.c_str());
    }
    std::printf(
        "%llu problems (%llu without a mapping that fits), %llu mappings; the optimal search "
        "looked at %llu nodes and evaluated %llu mappings\n",
        number(cases), number(infeasible_), number(mappings_), number(nodes_), number(evaluated_));
    std::printf(
        "exhaustive: %llu random problems, %d differ from exhaustive search over all orders\n",
        number(cases), bad);
  }

  std::uint64_t cases = 0;

 private:
  std::map<std::string, std::uint64_t> mix_;
  std::uint64_t infeasible_ = 0;
  std::uint64_t mappings_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t evaluated_ = 0;
};

// What is wrong with a case; nothing if all is well.
std::string find_fault(const SearchCase& made, bool answers, Tally* tally) {
  try {
    Tester tester(made, answers);
    tester.test();
    if (tally != nullptr) tally->add(made, tester);
    return "";
  } catch (const Failure& failure) {
    return failure.what;
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
}

// Prints the case made as simple as can be, and writes it to a file as it was.
void print_failure(const SearchCase& made, bool answers, const std::string& name,
                   const std::string& what, bool simpler) {
  if (std::FILE* file = std::fopen((name + ".yaml").c_str(), "w")) {
    std::fputs(to_yaml(made).c_str(), file);
    std::fclose(file);
  }
  std::printf("%s: %s\n", name.c_str(), what.c_str());
  if (!simpler) return;
  const SearchCase simple = simplify(
      made, [&](const SearchCase& next) { return !find_fault(next, answers, nullptr).empty(); });
  std::printf("made simpler: %s\n%s", find_fault(simple, answers, nullptr).c_str(),
              to_yaml(simple).c_str());
  std::fflush(stdout);
}

int run(std::map<std::string, std::uint64_t> options) {
  const std::uint64_t seed = options["--seed"];
  const std::uint64_t first = options["--first"];
  const std::uint64_t cases = options["--cases"];
  const bool answers = options["--answers"] != 0;
  const testing::Mix mix =
      options["--wider-sums"] != 0 ? testing::Mix::kWiderSums : testing::Mix::kAny;
  Tally tally;
  int bad = 0;
  for (std::uint64_t index = first; index < first + cases; ++index) {
    if (bad >= static_cast<int>(options["--failures"])) break;
    const SearchCase made = testing::make_search_case(seed, index, 10'000, mix);
    const std::string fault = find_fault(made, answers, &tally);
    if (fault.empty()) continue;
    ++bad;
    print_failure(made, answers, "optimal-" + std::to_string(seed) + "-" + std::to_string(index),
                  fault, options["--simplify"] != 0);
  }
  tally.print(bad);
  return bad == 0 && tally.cases == cases ? 0 : 1;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  std::map<std::string, std::uint64_t> options = {
      {"--seed", 1},     {"--first", 0},      {"--cases", 500}, {"--answers", 1},
      {"--failures", 5}, {"--wider-sums", 0}, {"--simplify", 1}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--case") {
      options["--first"] = value;
      options["--cases"] = 1;
    } else {
      options[name] = value;
    }
  }
  return tilewright::run(options);
}
