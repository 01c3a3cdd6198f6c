// SPDX-License-Identifier: Apache-2.0
// What is wrong with the user's input, and where: a value that the command line shows as text or
// JSON (io/render.h). Readers collect all of them; none stops at the first.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright {

/// A file (or command-line argument) as read; lines are numbered from 1.
struct SourceFile {
  std::string name;  ///< as the user wrote it
  std::string text;

  /// Line `number` without its end; empty if there is none.
  std::string line(int number) const;
};

/// A stretch of one line. line 0 means the file as a whole.
struct Span {
  std::shared_ptr<const SourceFile> file;
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1, in bytes
  int length = 1;  ///< bytes to underline, >= 1
};

/// A place in a file and what to say about it; the text may be empty.
struct Label {
  Span span;
  std::string text;
};

enum class Severity { kError, kWarning };

/// One finding. `code` is stable and listed in docs/errors.md, e.g. "F0010".
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;
  std::string message;             ///< one line, names in backticks
  std::vector<Label> labels;       ///< the first one is the place; more where two places disagree
  std::vector<std::string> notes;  ///< the arithmetic
  std::vector<std::string> helps;  ///< the nearest change that works
};

/// Collects findings in the order in which they are met.
class Diagnostics {
 public:
  Diagnostic& error(std::string code, std::string message);
  Diagnostic& warning(std::string code, std::string message);

  const std::vector<Diagnostic>& all() const { return all_; }
  bool has_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

}  // namespace tilewright
