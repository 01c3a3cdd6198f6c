// SPDX-License-Identifier: Apache-2.0
// Keys in memory: 32 bytes each, however many.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "tilewright/base/sha256.h"

namespace tilewright {

/// A set of keys: most of them given at once, some added later.
class KeySet {
 public:
  KeySet() = default;
  explicit KeySet(std::vector<Digest> keys);

  bool contains(const Digest& key) const;
  /// False if it was there.
  bool add(const Digest& key);
  std::size_t size() const { return sorted_.size() + added_.size(); }

 private:
  std::vector<Digest> sorted_;
  std::set<Digest> added_;
};

}  // namespace tilewright
