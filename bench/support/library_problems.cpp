// SPDX-License-Identifier: Apache-2.0
#include "bench/support/library_problems.h"

#include <cstddef>

#include "tilewright/base/random.h"
#include "tilewright/files/files.h"
#include "tilewright/library/library.h"

namespace tilewright {

Problem LibraryProblem::problem() const { return Problem(*workload, library_arch(arch)); }

LibraryLayers::LibraryLayers() {
  for (const LibraryEntry& entry : library_networks()) {
    for (const Layer& layer : library_network(entry.name).layers) {
      if (!layer.workload) continue;
      names_.push_back(std::string(entry.name) + "/" + layer.name);
      workloads_.push_back(*layer.workload);
    }
  }
}

std::vector<LibraryProblem> LibraryLayers::draw(std::uint64_t seed, std::uint64_t count) const {
  const auto archs = library_archs();
  constexpr const char* kSpaces[] = {"pfm", "ruby-s", "ruby"};
  Random random(seed);
  const auto pick = [&](std::size_t below) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(below) - 1));
  };
  std::vector<LibraryProblem> drawn;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t layer = pick(names_.size());
    const std::string arch(archs[pick(archs.size())].name);
    const std::string space = kSpaces[pick(3)];
    drawn.push_back(
        {arch + " " + names_[layer] + " --space " + space, arch, &workloads_[layer], space});
  }
  return drawn;
}

}  // namespace tilewright
