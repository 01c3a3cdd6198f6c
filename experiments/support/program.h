// SPDX-License-Identifier: Apache-2.0
// What the programs of experiments/ share: the files they write, the accelerators they use, and
// the checks that decide their exit code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/arch/arch.h"

namespace tilewright {

/// The folder of `--out`; nothing is written if it is empty.
class OutputFolder {
 public:
  /// Makes the folder.
  explicit OutputFolder(std::string path);
  /// Throws std::runtime_error if it cannot.
  void write(std::string_view name, std::string_view text) const;

 private:
  std::string path_;
};

/// Facts that must hold; each failure is printed on stderr.
class Checks {
 public:
  /// Returns `holds`.
  bool expect(bool holds, std::string_view what);
  int exit_code() const { return failed_ ? 1 : 0; }

 private:
  bool failed_ = false;
};

/// A file of the repository, by its path from the top.
std::string read_repository_file(std::string_view path);

/// `arch` with another size of the first axis of its first fan-out.
Arch with_first_axis(const Arch& arch, std::int64_t size);

}  // namespace tilewright
