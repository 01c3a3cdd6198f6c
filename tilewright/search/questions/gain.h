// SPDX-License-Identifier: Apache-2.0
// Why the best mapping is no better: which limit binds, and what the best would score if that one
// limit were relaxed, by searching again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// What a search is asked.
struct Question {
  Problem problem;
  std::vector<Constraint> constraints;
  std::vector<Cap> caps;
};

/// Something that may keep mappings from being better.
struct Limit {
  enum class Kind {
    kCapacity,       ///< of memory `node`
    kPartition,      ///< what memory `node` reserves for `tensor`
    kReadBandwidth,  ///< of memory `node`, and so are the next two
    kWriteBandwidth,
    kSharedBandwidth,
    kAxis,        ///< the size of axis `axis` of fan-out `node`
    kConstraint,  ///< number `number` of the list
    kCap,         ///< likewise
  };
  Kind kind = Kind::kCapacity;
  NodeId node;
  TensorId tensor;
  int axis = -1;
  int number = -1;

  bool operator==(const Limit&) const = default;
};

/// All limits of a question: nodes from the outermost inwards, constraints, caps.
std::vector<Limit> list_limits(const Question& question);

/// How far a limit is moved.
enum class Relaxation {
  kStep,   ///< a capacity by about a hundredth and at least one element, an axis by one
  kTwice,  ///< twice as much; constraints and caps are dropped
};

/// The question with one limit moved; nothing if that limit cannot be moved so.
std::optional<Question> relax(const Question& question, const Limit& limit, Relaxation relaxation);

/// The number behind a limit: bits, children, or bits a cycle. Nothing for constraints and caps.
std::optional<Rational> limit_value(const Problem& problem, const Limit& limit);

/// The best with one limit moved.
struct Relaxed {
  Relaxation relaxation = Relaxation::kTwice;
  std::optional<Rational> value;  ///< what the limit is then
  std::optional<double> score;    ///< of the best found
  std::optional<double> bound;    ///< no mapping scores less
  bool proved = false;            ///< nothing better than `score` exists
};

/// One limit and what relaxing it is worth. Never tried: the search was told to end before.
struct Gain {
  Limit limit;
  std::optional<Rational> value;  ///< what the limit is now
  std::vector<Relaxed> tries;     ///< a step first, if it binds; then twice
};

/// True if twice as much (or dropping it) is known to give a better best, false if it is known
/// not to; else nothing.
std::optional<bool> binds(const Gain& gain, double best);

/// Searches again for each limit, with `solve`; a limit that does not bind is tried once. Nothing
/// is tried any more once `ended` says so. `best` is the score of the question's proved best.
std::vector<Gain> find_gains(const Question& question, double best,
                             const std::function<SearchResult(const Question&)>& solve,
                             const std::function<bool()>& ended);

}  // namespace tilewright
