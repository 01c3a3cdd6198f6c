// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/answers.h"

#include <algorithm>

namespace tilewright {
bool Answers::same(double a, double b) const { return std::abs(a - b) <= same_ * std::max(a, b); }

// What is found here must be better than `value` of an answer that was found earlier, and may be as
// good as a later one.
double Answers::bar(double value, const Position& found, const Position& here) const {
  return value * (found <= here ? 1 - same_ : 1 + same_);
}

void Answers::refresh(View& view) const {
  if (view.version == version_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex_);
  view.version = version_.load(std::memory_order_relaxed);
  view.answers.clear();
  for (const Answer& answer : answers_) {
    view.answers.push_back({answer.score, answer.energy, answer.cycles, answer.position, {}});
  }
}

double Answers::limit(const View& view, const Position& here) const {
  if (is_front()) return kNoLimit;
  if (view.answers.size() < top_) return ceiling();
  const Answer& last = view.answers.back();
  return std::min(ceiling(), bar(last.score, last.position, here) * (1 - gap_));
}

double Answers::energy_limit(const View& view, double cycles, const Position& here) const {
  double limit = kNoLimit;
  for (const Answer& answer : view.answers) {
    if (answer.cycles > cycles) continue;
    limit = std::min(limit, bar(answer.energy, answer.position, here));
  }
  return limit;
}

bool Answers::promises(const View& view, const LowerBounds& bounds, const Position& here) const {
  if (is_front()) return bounds.energy < energy_limit(view, bounds.cycles, here);
  return bounds.score < limit(view, here);
}

void Answers::offer(Answer answer) {
  const std::lock_guard lock(mutex_);
  if (is_front()) {
    const auto beats = [this](const Answer& a, const Answer& b) {
      return a.cycles <= b.cycles && a.energy <= b.energy * (1 + same_) &&
             (a.cycles < b.cycles || !same(a.energy, b.energy) || a.position <= b.position);
    };
    if (std::ranges::any_of(answers_, [&](const Answer& a) { return beats(a, answer); })) return;
    std::erase_if(answers_, [&](const Answer& a) { return beats(answer, a); });
    const auto at = std::ranges::lower_bound(answers_, answer.cycles, {}, &Answer::cycles);
    answers_.insert(at, std::move(answer));
  } else {
    if (answer.score >= ceiling()) return;
    const auto equal = std::ranges::find_if(
        answers_, [&](const Answer& a) { return same(a.score, answer.score); });
    if (equal != answers_.end()) {
      if (answer.position >= equal->position) return;
      *equal = std::move(answer);
    } else {
      const auto at = std::ranges::lower_bound(answers_, answer.score, {}, &Answer::score);
      answers_.insert(at, std::move(answer));
      if (answers_.size() > top_) answers_.pop_back();
    }
  }
  version_.fetch_add(1, std::memory_order_release);
}

std::optional<double> Answers::best() const {
  const std::lock_guard lock(mutex_);
  if (answers_.empty()) return std::nullopt;
  return std::ranges::min(answers_, {}, &Answer::score).score;
}

}  // namespace tilewright
