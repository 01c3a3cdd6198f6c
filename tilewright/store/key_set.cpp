// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/key_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tilewright {
namespace {

// A tree takes three times the memory of a list: from this many on its keys move there.
constexpr std::size_t kMostInTree = 100'000;

}  // namespace

KeySet::KeySet(std::vector<Digest> keys) : sorted_(std::move(keys)) {
  std::ranges::sort(sorted_);
  const auto rest = std::ranges::unique(sorted_);
  sorted_.erase(rest.begin(), rest.end());
}

bool KeySet::contains(const Digest& key) const {
  return std::ranges::binary_search(sorted_, key) || added_.contains(key);
}

bool KeySet::add(const Digest& key) {
  if (std::ranges::binary_search(sorted_, key)) return false;
  if (!added_.insert(key).second) return false;
  if (added_.size() < kMostInTree) return true;
  std::vector<Digest> all;
  all.reserve(size());
  std::ranges::merge(sorted_, added_, std::back_inserter(all));
  sorted_ = std::move(all);
  added_.clear();
  return true;
}

}  // namespace tilewright
