// SPDX-License-Identifier: Apache-2.0
// What fuzzers of texts share: small edits, and a loop over many inputs in many processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "tilewright/base/random.h"

namespace tilewright::testing {

/// 1 to `most` random edits of `text`: bytes changed, cut, doubled, words and pieces of other
/// inputs put in.
void edit(std::string& text, std::span<const char* const> words,
          const std::vector<std::string>& others, std::int64_t most, Random& random);

/// All files below `folder` with one of these extensions, sorted.
std::vector<std::filesystem::path> files_below(const std::string& folder,
                                               std::initializer_list<const char*> extensions);

std::string text_of(const std::filesystem::path& path);

/// Below `n`.
std::size_t pick(std::size_t n, Random& random);

struct Fuzzed {
  std::uint64_t inputs = 50'000;
  std::uint64_t seed = 1;
  std::uint64_t processes = 1;
  std::uint64_t most_bytes = 0;  ///< of memory a process may use; 0: no limit
};

/// `--inputs N --seed S --processes P`; other options are left to the caller.
Fuzzed read_fuzz_options(int argc, char** argv, Fuzzed usual = {});

struct FuzzTarget {
  std::function<std::string(Random&)> make;         ///< the next input
  std::function<void(const std::string&)> attempt;  ///< throws if something that must hold does not
};

/// Runs all inputs in shards, each in a process of its own: a process slows down under the
/// sanitizers as its memory grows, and one that crashes is seen by its exit status. Prints the
/// first inputs that go wrong or take more than 5 s. True if none does.
bool run_in_shards(const Fuzzed& asked, const FuzzTarget& target);

}  // namespace tilewright::testing
