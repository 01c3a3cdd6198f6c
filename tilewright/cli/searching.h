// SPDX-License-Identifier: Apache-2.0
// One search as the command line runs it: over one problem, or one after the other over the padded
// ones, with a live line on the terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tilewright/cli/mapspaces.h"
#include "tilewright/cli/session.h"
#include "tilewright/report/search_text.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// The result of all searches together, and to which problem of the space its best belongs.
struct SpaceSearch {
  SearchResult result;
  std::size_t problem = 0;
};

/// Searches every problem of `space`; limits of `options` are shared out among them. A tie goes to
/// the first.
SpaceSearch search_space(const Space& space, std::span<const Constraint> constraints, Mapper mapper,
                         SearchOptions options);

/// Shows `progress` on the terminal behind `err`, rewriting one line, and clears it at the end.
class ProgressLine {
 public:
  ProgressLine(Session& session, std::string objective);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// False if nobody would see it.
  bool visible() const { return visible_; }
  void show(const Progress& progress);

 private:
  Session& session_;
  std::string objective_;
  bool visible_;
  bool dirty_ = false;
};

}  // namespace tilewright
