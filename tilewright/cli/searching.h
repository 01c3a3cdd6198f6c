// SPDX-License-Identifier: Apache-2.0
// One search as the command line runs it: over one problem, or one after the other over the padded
// ones, with a live line on the terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/cli/mapspaces.h"
#include "tilewright/cli/session.h"
#include "tilewright/report/search/search_text.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// A mapping, and to which problem of the space it belongs.
struct SpaceFound {
  Found found;
  std::size_t problem = 0;
};

/// The result of all searches together, and to which problem of the space its best belongs.
struct SpaceSearch {
  SearchResult result;  ///< without answers
  std::size_t problem = 0;
  std::vector<SpaceFound> answers;  ///< if several are wanted; as in SearchResult
};

/// Searches every problem of `space`; limits of `wishes` are shared out among them. A tie goes to
/// the first.
SpaceSearch search_space(const Space& space, std::span<const Constraint> constraints, Mapper mapper,
                         const SearchOptions& wishes);

/// Shows `progress` on the terminal behind `err`, rewriting one line, and clears it at the end.
class ProgressLine {
 public:
  /// `start` stands before what is shown.
  ProgressLine(Session& session, Mapper mapper, std::string objective, std::string start = "");
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// False if nobody would see it.
  bool visible() const { return visible_; }
  /// Another text before what is shown.
  void set_start(std::string start) { start_ = std::move(start); }
  void show(const Progress& progress);

 private:
  Session& session_;
  Mapper mapper_;
  std::string objective_;
  std::string start_;
  bool visible_;
  bool dirty_ = false;
};

}  // namespace tilewright
