// SPDX-License-Identifier: Apache-2.0
// What commands that search share: a live line on the terminal, and what is said about requests
// that cannot be met.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "tilewright/cli/session.h"
#include "tilewright/mapper/request.h"

namespace tilewright {

/// A line on the terminal behind `err` that is written over, and cleared at the end.
class LiveLine {
 public:
  explicit LiveLine(Session& session);
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// False if nobody would see it.
  bool visible() const { return visible_; }
  /// The longest text that fits.
  int columns() const;
  void show(const std::string& text);

 private:
  Session& session_;
  bool visible_;
  bool dirty_ = false;
};

/// Shows `progress` on the terminal behind `err`, rewriting one line, and clears it at the end.
class ProgressLine {
 public:
  ProgressLine(Session& session, Mapper mapper, std::string objective);

  /// False if nobody would see it.
  bool visible() const { return line_.visible(); }
  /// A text before what is shown.
  void set_start(std::string start) { start_ = std::move(start); }
  void show(const Progress& progress);

 private:
  LiveLine line_;
  Mapper mapper_;
  std::string objective_;
  std::string start_;
};

/// Calls `work`. If it cannot meet its request, or a mapspace in it is too large to be counted,
/// says so and sets the exit code.
void refuse_hopeless(Session& session, const std::function<void()>& work);

}  // namespace tilewright
