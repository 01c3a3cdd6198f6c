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

/// Shows `progress` on the terminal behind `err`, rewriting one line, and clears it at the end.
class ProgressLine {
 public:
  ProgressLine(Session& session, Mapper mapper, std::string objective);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// False if nobody would see it.
  bool visible() const { return visible_; }
  /// A text before what is shown.
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

/// Calls `work`. If it cannot meet its request, or a mapspace in it is too large to be counted,
/// says so and sets the exit code.
void refuse_hopeless(Session& session, const std::function<void()>& work);

}  // namespace tilewright
