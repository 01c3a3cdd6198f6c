// SPDX-License-Identifier: Apache-2.0
// The command line of a test program: `--cases 500 --seed 3`, numbers over defaults.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace tilewright::testing {

using Options = std::map<std::string, std::uint64_t>;

/// `defaults` with what the command line gives; `--quick` stands for the values of `quick`. Ends
/// the program with code 2 at an option that has no default, or no value: a test that does not do
/// what it was asked to must not pass.
inline Options read_options(int argc, char** argv, Options defaults, const Options& quick = {}) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--quick" && !quick.empty()) {
      for (const auto& [option, value] : quick) defaults.at(option) = value;
      continue;
    }
    if (!defaults.contains(name) || i + 1 == argc) {
      std::fprintf(stderr, "%s: %s is no option, or has no value\n", argv[0], name.c_str());
      std::exit(2);
    }
    defaults[name] = std::strtoull(argv[++i], nullptr, 10);
  }
  return defaults;
}

}  // namespace tilewright::testing
