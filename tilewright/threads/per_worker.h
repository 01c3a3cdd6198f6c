// SPDX-License-Identifier: Apache-2.0
// One value for each worker of a thread pool.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tilewright/threads/thread_pool.h"

namespace tilewright {

/// Makes a worker's value when the worker first asks for it. Workers of the same pool may ask at
/// the same time; all() is for when none of them runs.
template <typename Value>
class PerWorker {
 public:
  PerWorker(const ThreadPool& pool, std::function<std::unique_ptr<Value>()> make)
      : make_(std::move(make)), values_(static_cast<std::size_t>(pool.size())) {}

  Value& of(int worker) {
    std::unique_ptr<Value>& value = values_[static_cast<std::size_t>(worker)];
    if (!value) value = make_();
    return *value;
  }

  /// Calls `look` with each value that was made, by number of the worker.
  template <typename Look>
  void for_each(const Look& look) {
    for (const std::unique_ptr<Value>& value : values_) {
      if (value) look(*value);
    }
  }

 private:
  std::function<std::unique_ptr<Value>()> make_;
  std::vector<std::unique_ptr<Value>> values_;
};

}  // namespace tilewright
