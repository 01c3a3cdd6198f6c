// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/text/nearest.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tilewright {
namespace {

// Costs are in halves, so that a wrong case weighs less than a wrong letter.
constexpr int kEdit = 2;
constexpr int kCase = 1;

int replace_cost(char a, char b) {
  if (a == b) return 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? kCase : kEdit;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> table((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i) * kEdit;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j) * kEdit;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int best = std::min(at(i - 1, j), at(i, j - 1)) + kEdit;
      best = std::min(best, at(i - 1, j - 1) + replace_cost(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, at(i - 2, j - 2) + kEdit);
      }
      at(i, j) = best;
    }
  }
  return at(a.size(), b.size());
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kLongestWord = 64;  // longer input is not a typo; keeps the table small
  if (word.size() > kLongestWord) return std::nullopt;
  const std::string* best = nullptr;
  int best_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const int distance = edit_distance(word, candidate);
    if (best == nullptr || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr) return std::nullopt;
  const int longer = static_cast<int>(std::max(word.size(), best->size()));
  const int allowed = std::max(kEdit, kEdit * ((longer + 1) / 3));
  if (best_distance > allowed) return std::nullopt;
  return *best;
}

}  // namespace tilewright
