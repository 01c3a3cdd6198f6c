// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/searching.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tilewright/mapspace/mapspace.h"

namespace tilewright {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

SearchResult search(const Problem& problem, Rules rules, Mapper mapper,
                    const SearchOptions& options) {
  if (mapper == Mapper::kRandom) return search_random(problem, rules, options);
  return search_exhaustive(Mapspace(problem, std::move(rules)), options);
}

// Adds a later search; true if its best is the better one.
bool add(SearchResult next, SearchResult& total) {
  total.seen += next.seen;
  total.valid += next.valid;
  total.too_large += next.too_large;
  total.over_cap += next.over_cap;
  total.ending = std::max(total.ending, next.ending);  // from "all was seen" on ever less was
  if (!next.best || (total.best && total.best->score <= next.best->score)) return false;
  total.best = std::move(next.best);
  return true;
}

}  // namespace

SpaceSearch search_space(const Space& space, std::span<const Constraint> constraints, Mapper mapper,
                         SearchOptions options) {
  const Clock::time_point start = Clock::now();
  const double all_seconds = options.max_seconds;
  const std::uint64_t all_seen = options.max_seen;
  SpaceSearch total;
  if (const auto show = options.progress) {
    options.progress = [&, show](Progress progress) {
      progress.seen += total.result.seen;
      progress.valid += total.result.valid;
      progress.seconds = seconds_since(start);
      if (const auto& best = total.result.best) {
        progress.best = std::min(best->score, progress.best.value_or(best->score));
      }
      show(progress);
    };
  }
  const std::size_t count = space.problems.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t left = count - i;
    if (all_seconds > 0) {
      const double rest = std::max(1e-9, all_seconds - seconds_since(start));
      options.max_seconds = rest / static_cast<double>(left);
    }
    if (all_seen > 0) {
      const std::uint64_t rest = all_seen - std::min(all_seen, total.result.seen);
      if (rest == 0) break;  // the last one ended by its budget
      options.max_seen = std::max<std::uint64_t>(1, rest / left);
    }
    const Problem& problem = space.problems[i];
    if (add(search(problem, make_rules(problem, space.kind, constraints), mapper, options),
            total.result)) {
      total.problem = i;
    }
    if (total.result.ending == Ending::kStopped) break;
  }
  return total;
}

ProgressLine::ProgressLine(Session& session, std::string objective)
    : session_(session),
      objective_(std::move(objective)),
      visible_(session.console().err_terminal && session.error_format == "text") {}

ProgressLine::~ProgressLine() {
  if (dirty_) session_.console().err << "\r\x1b[K" << std::flush;
}

void ProgressLine::show(const Progress& progress) {
  session_.console().err << "\r" << clip(progress_text(progress, objective_), 79) << "\x1b[K"
                         << std::flush;
  dirty_ = true;
}

}  // namespace tilewright
