// SPDX-License-Identifier: Apache-2.0
// A better machine or fewer demands never give a worse optimum: random designs, each changed in
// every way that can only add mappings or make them cheaper, and searched again.
//   property.monotone [--designs N] [--seed S] [--first K] [--most M]
//
// What is not monotone, and left out:
// - More children of a fan-out around something that leaks: what exists leaks, working or not, and
//   so does what a demand on their utilization asks for.
// - Dropping the later of two demands on one order: the earlier one then holds.
// - Dropping a bypass at the outermost memory that may keep a tensor: its home moves outwards, and
//   a tensor has no choice about its home.
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/options.h"
#include "tests/support/search_case.h"
#include "tilewright/base/error.h"
#include "tilewright/base/random.h"
#include "tilewright/search/search.h"

namespace tilewright {
namespace {

using testing::SearchCase;
using Kind = Constraint::Kind;

/// A design that must not be worse than the one it was made of.
struct Change {
  std::string what;
  SearchCase made;
};

SearchCase with_nodes(const SearchCase& made, std::vector<ArchNode> nodes) {
  const Arch& arch = made.problem.arch();
  SearchCase result{
      made.problem.with(Arch(arch.name(), "", std::nullopt, std::move(nodes), arch.compute())),
      made.kind,
      made.constraints,
      made.options,
      {}};
  return result;
}

std::vector<ArchNode> nodes_of(const SearchCase& made) {
  return {made.problem.arch().nodes().begin(), made.problem.arch().nodes().end()};
}

class Changes {
 public:
  Changes(const SearchCase& made, Random& random) : made_(made), random_(random) {
    const Arch& arch = made.problem.arch();
    for (const NodeId id : arch.memories()) change_memory(id);
    for (const NodeId id : arch.fanouts()) change_fanout(id);
    for (std::size_t i = 0; i < made.constraints.size(); ++i) {
      if (!can_drop(i)) continue;
      SearchCase fewer = made;
      fewer.constraints.erase(fewer.constraints.begin() + static_cast<std::ptrdiff_t>(i));
      add("a constraint less", std::move(fewer));
    }
    for (std::size_t i = 0; i < made.options.caps.size(); ++i) {
      SearchCase fewer = made;
      fewer.options.caps.erase(fewer.options.caps.begin() + static_cast<std::ptrdiff_t>(i));
      add("a cap less", std::move(fewer));
    }
    change_space();
  }

  std::vector<Change> all;

 private:
  void add(std::string what, SearchCase made) { all.push_back({std::move(what), std::move(made)}); }

  template <typename Edit>
  void add_memory(const std::string& what, NodeId id, const Edit& edit) {
    std::vector<ArchNode> nodes = nodes_of(made_);
    edit(std::get<Memory>(nodes[id.pos()]));
    add(what, with_nodes(made_, std::move(nodes)));
  }

  void change_memory(NodeId id) {
    const Memory& memory = made_.problem.arch().memory(id);
    if (memory.capacity_bits) {
      const std::int64_t more = random_.between(1, 2 * *memory.capacity_bits);
      add_memory("a larger memory", id, [&](Memory& m) { *m.capacity_bits += more; });
    }
    for (std::size_t i = 0; i < memory.partitions.size(); ++i) {
      add_memory("a larger partition", id, [&](Memory& m) { m.partitions[i].value *= 2; });
    }
    if (memory.buffering > 1) {
      add_memory("single buffering", id, [](Memory& m) { m.buffering = 1; });
    }
    const std::int64_t times = random_.between(2, 4);
    const auto faster = [&](std::optional<Rational>& rate) {
      if (rate) rate = make_rational(rate->num * times, rate->den);
    };
    if (memory.read_bandwidth) {
      add_memory("more bandwidth", id, [&](Memory& m) { faster(m.read_bandwidth); });
    }
    if (memory.write_bandwidth) {
      add_memory("more bandwidth", id, [&](Memory& m) { faster(m.write_bandwidth); });
    }
    if (memory.shared_bandwidth) {
      add_memory("more bandwidth", id, [&](Memory& m) { faster(m.shared_bandwidth); });
    }
  }

  // Only where nothing inside leaks, unless neither objective nor caps look at energy.
  void change_fanout(NodeId id) {
    const Arch& arch = made_.problem.arch();
    for (const Constraint& constraint : made_.constraints) {
      if (constraint.kind == Kind::kUtilization && constraint.node == id) return;
    }
    bool leaks = arch.compute().leakage_pj_per_cycle > 0;
    for (const NodeId memory : arch.memories()) {
      leaks |= memory.value > id.value && arch.memory(memory).leakage_pj_per_cycle > 0;
    }
    bool energy = made_.options.objective.energy > 0;
    for (const Cap& cap : made_.options.caps) energy |= cap.figure == Cap::Figure::kEnergy;
    if (leaks && energy) return;
    for (std::size_t a = 0; a < arch.fanout(id).axes.size(); ++a) {
      std::vector<ArchNode> nodes = nodes_of(made_);
      std::get<Fanout>(nodes[id.pos()]).axes[a].size += random_.between(1, 4);
      add("more children on an axis", with_nodes(made_, std::move(nodes)));
    }
  }

  bool can_drop(std::size_t index) const {
    const Constraint& dropped = made_.constraints[index];
    if (dropped.kind == Kind::kOrder) {
      for (std::size_t i = 0; i < made_.constraints.size(); ++i) {
        const Constraint& other = made_.constraints[i];
        if (i != index && other.kind == Kind::kOrder && other.node == dropped.node) return false;
      }
    }
    return dropped.kind != Kind::kBypass || homes_stay(index);
  }

  // Whether the tensors' homes are the same without a constraint.
  bool homes_stay(std::size_t index) const {
    std::vector<Constraint> fewer = made_.constraints;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(index));
    return homes(made_.rules()) == homes(make_rules(made_.problem, made_.kind, fewer));
  }

  std::map<int, NodeId> homes(const Rules& rules) const {
    std::map<int, NodeId> result;
    for (const KeepRule& rule : rules.keeps) {
      for (int t = 0; t < static_cast<int>(made_.problem.workload().tensors().size()); ++t) {
        if ((rule.allowed >> t & 1U) != 0) result.try_emplace(t, rule.memory);
      }
    }
    return result;
  }

  void change_space() {
    const auto widen = [&](SpaceKind kind) {
      SearchCase wider = made_;
      wider.kind = kind;
      add("remainders allowed", std::move(wider));
    };
    if (made_.kind == SpaceKind::kPfm) {
      widen(SpaceKind::kRubyS);
      widen(SpaceKind::kRubyT);
    }
    if (made_.kind != SpaceKind::kRuby) widen(SpaceKind::kRuby);
  }

  const SearchCase& made_;
  Random& random_;
};

struct Tally {
  int changes = 0;
  int better = 0;
};

std::optional<double> optimum(const SearchCase& made) {
  const SearchResult found = search_optimal(made.problem, made.rules(), made.options);
  TW_CHECK(found.ending == Ending::kExhausted, "without a budget the optimum is proved");
  return found.best ? std::optional(found.best->score) : std::nullopt;
}

// How many changes made it worse.
int test_design(std::uint64_t seed, std::uint64_t index, std::uint64_t most,
                std::map<std::string, Tally>& mix) {
  const SearchCase made = testing::make_search_case(seed, index, most);
  Random random(seed * 1'000'003 + index);
  const std::optional<double> before = optimum(made);
  int worse = 0;
  for (const Change& change : Changes(made, random).all) {
    const std::optional<double> after = optimum(change.made);
    Tally& tally = mix[change.what];
    ++tally.changes;
    tally.better += after && (!before || *after < *before) ? 1 : 0;
    if (!before || (after && *after <= *before)) continue;
    ++worse;
    std::printf("design %llu of seed %llu: %s: %.17g became %.17g\n%s---\n%s",
                static_cast<unsigned long long>(index), static_cast<unsigned long long>(seed),
                change.what.c_str(), *before, after.value_or(-1), to_yaml(made).c_str(),
                to_yaml(change.made).c_str());
  }
  return worse;
}

int run(std::uint64_t seed, std::uint64_t first, std::uint64_t designs, std::uint64_t most) {
  std::map<std::string, Tally> mix;
  int worse = 0;
  for (std::uint64_t index = first; index < first + designs && worse < 5; ++index) {
    worse += test_design(seed, index, most, mix);
  }
  int changes = 0;
  for (const auto& [what, tally] : mix) {
    std::printf("%8d  %s (better: %d)\n", tally.changes, what.c_str(), tally.better);
    changes += tally.changes;
  }
  std::printf("monotone: %llu designs changed in %d ways, %d made the optimum worse\n",
              static_cast<unsigned long long>(designs), changes, worse);
  return worse == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  tilewright::testing::Options options = tilewright::testing::read_options(
      argc, argv, {{"--seed", 2}, {"--first", 0}, {"--designs", 500}, {"--most", 100'000}});
  return tilewright::run(options["--seed"], options["--first"], options["--designs"],
                         options["--most"]);
}
