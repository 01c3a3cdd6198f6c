// SPDX-License-Identifier: Apache-2.0
// Files that are never half written.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// A file that appears under its name only once it is complete: until then, and if the process is
/// killed or the disk is full, the name stands for what it stood for before. The text is written to
/// a file beside it (`.NAME.PID-N.part`), which replaces the old one in a single step; a process
/// that is killed may leave that file behind. A link stays a link. What is no regular file (a pipe,
/// a device, /dev/stdout) is written as it is.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();  ///< Without finish() nothing changes.

  void add(std::string_view text);
  /// Puts the file in place. Returns what went wrong, here or before; empty if nothing did.
  std::string finish();

 private:
  void open();
  void fail(int error);
  void close();

  std::string target_;  // where links lead
  std::string aside_;   // empty: written as it is
  int file_ = -1;
  std::string fault_;
};

/// All at once.
std::string write_whole_file(const std::string& path, std::string_view text);

/// Why a file of that name could not be written now; empty if nothing speaks against it. Changes
/// nothing: to ask before long work.
std::string why_unwritable(const std::string& path);

}  // namespace tilewright
