// SPDX-License-Identifier: Apache-2.0
// Searches over a mapspace. The answer is the same for any number of threads: ties go to the
// mapping that comes first in the search's own order.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"
#include "tilewright/search/prunes.h"

namespace tilewright {

/// A figure that may not exceed a limit, e.g. cycles <= 2,000,000.
struct Cap {
  enum class Figure { kEnergy, kCycles, kTraffic };  ///< pJ, cycles, elements as in Objective
  Figure figure = Figure::kCycles;
  double limit = 0;
  std::string text = {};  ///< as the user wrote it, for reports; may be empty
};

/// How the search is getting on; `best` is the best score so far.
struct Progress {
  std::uint64_t seen = 0;   ///< mappings sampled or enumerated
  std::uint64_t valid = 0;  ///< that fit
  std::optional<double> best;
  std::uint64_t nodes = 0;      ///< optimal
  std::optional<double> bound;  ///< optimal: no mapping scores less
  double seconds = 0;
};

struct Witness;  // optimal/shared/witness.h

/// A node that the optimal search opened: all mappings with these counts at the outside of a
/// memory, the first ones at memory 1, each in the one before it (docs/optimal.md section 6).
struct OpenedNode {
  double bound = 0;
  std::vector<DimId> label;          ///< dims of the innermost loop of the block outside; or none
  std::vector<std::int64_t> counts;  ///< by DimId
  std::vector<OpenedNode> open;
};

struct OpenedRoot {
  std::vector<NodeId> memories;  ///< one for each block; a memory of several points has several
  Keeps keeps;                   ///< by block
  Tiling spatial;                ///< factors of the axes alone, outermost first
  std::vector<OpenedNode> open;
};

struct Found {
  Mapping mapping;
  Evaluation evaluation;
  double score = 0;
};

struct SearchOptions {
  Objective objective;
  std::vector<Cap> caps;
  int threads = 0;         ///< 0: as many as the machine allows
  std::uint64_t seed = 1;  ///< random and local
  /// random: ends after this many valid mappings in a row without improvement (the Ruby paper's
  /// rule); 0: never.
  std::uint64_t patience = 3000;
  /// random: ends after this many draws if none of them is valid; 0: never.
  std::uint64_t barren = 0;
  std::uint64_t max_seen = 0;  ///< random: ends after this many draws; 0: never
  double max_seconds = 0;      ///< ends after about this long; 0: never. Not reproducible.
  /// Ends once the process occupies about so many bytes; 0: three quarters of what the machine has.
  /// Not reproducible. Not heeded where the system does not tell (see base/memory_use.h).
  std::uint64_t max_memory = 0;
  OrderMode orders = OrderMode::kClasses;  ///< exhaustive only
  int starts = 40;                         ///< local: points to start from, at least 1
  /// local: the best are recombined until this many generations in a row bring no improvement.
  int generations = 60;
  int beam = 8;   ///< local: where no move helps, this many of the best are followed ...
  int hops = 4;   ///< local: ... for this many moves
  Prunes prunes;  ///< optimal only
  std::uint64_t max_nodes = 0;  ///< optimal: ends after this many nodes; 0: never. Reproducible.
  /// optimal: ends once the best is within this share of the lower bound, e.g. 0.01; 0: proves it.
  double gap = 0;
  int top = 1;  ///< optimal: how many of the best mappings are wanted, all of them proved
  bool front =
      false;  ///< optimal: all mappings that no other beats in energy and cycles are wanted
  bool proof = false;  ///< optimal: SearchResult::opened is wanted
  /// optimal: mappings of the same problem that are known already. They are among the answers
  /// unless the space has better ones; where one of the space is as good, they stay.
  std::vector<Found> known;
  /// optimal: only mappings that score less are wanted. If there is none, it ends exhausted and
  /// without a mapping.
  double below = std::numeric_limits<double>::infinity();
  /// optimal, for tests: a mapping that no prune may lose; may be null.
  const Witness* witness = nullptr;
  /// Set from outside to end early (Ctrl-C); may be null.
  const std::atomic<bool>* stop = nullptr;
  /// Called now and then, from one thread at a time; may be empty.
  std::function<void(const Progress&)> progress;
  /// random: called for every draw in order with the best score so far (nothing before the first
  /// valid one); for the papers' curves. May be empty.
  std::function<void(std::uint64_t seen, std::optional<double> best)> trace;
};

enum class Ending {
  kExhausted,  ///< everything was covered: the best is proved, or that there is none
  kPatience,   ///< the stop rules of random search: patience, barren
  kBudget,     ///< max_seen or max_seconds
  kMemory,     ///< max_memory
  kStopped,    ///< from outside
  kLocal,      ///< no move helps
  kGap,        ///< the best is within SearchOptions::gap of the bound
};

struct SearchResult {
  std::optional<Found> best;
  Ending ending = Ending::kExhausted;
  std::uint64_t seen = 0;       ///< mappings sampled or enumerated
  std::uint64_t valid = 0;      ///< that fit the memories and the caps
  std::uint64_t too_large = 0;  ///< that did not fit the memories
  std::uint64_t over_cap = 0;   ///< that fit, but broke a cap
  std::uint64_t nodes = 0;      ///< optimal: partial mappings examined
  /// optimal: no mapping scores less; the best itself if it is proved.
  std::optional<double> bound;
  /// optimal: all that had to be opened; the bound on everything else is no better than the best.
  std::vector<OpenedRoot> opened;
  /// optimal: what SearchOptions::top or front asked for, best first (front: fastest first).
  /// Mappings that differ only in what costs nothing count as one.
  std::vector<Found> answers;
};

/// Evaluates every mapping of the space.
SearchResult search_exhaustive(const Mapspace& space, const SearchOptions& options);

/// Samples (mapspace/sampler.h) and evaluates. The n-th draw depends on the seed and n only.
SearchResult search_random(const Problem& problem, const Rules& rules,
                           const SearchOptions& options);

/// The best mapping of the space, proved: branch and bound from the outermost loops inwards.
SearchResult search_optimal(const Problem& problem, const Rules& rules,
                            const SearchOptions& options);

/// No mapping of the space scores less; infinite if there is none. Found without a search, so the
/// optimum may be well above it. Once `stop`, which may be empty and is asked now and then, says
/// so, it is least_score().
double bound_at_once(const Problem& problem, const Rules& rules, const SearchOptions& options,
                     const std::function<bool()>& stop = {});

/// The same from the counts of computes and elements alone: every compute takes a unit for a cycle,
/// and every element crosses the outermost memory that keeps it once. Takes no time.
double least_score(const Problem& problem, const Rules& rules, const Objective& objective);

/// Improves a few starting points by moving factors, choosing the loop orders of each tiling at
/// once. Fast; proves nothing, unless it finds that there is nothing: then it ends exhausted.
SearchResult search_local(const Problem& problem, const Rules& rules, const SearchOptions& options);

}  // namespace tilewright
