// SPDX-License-Identifier: Apache-2.0
// The last gate before a terminal: whatever names a text holds, it cannot move the cursor, hide
// what is there, or reorder a line. Colours pass.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace tilewright {

/// Hands on what is written to it, with controls and direction marks as U+FFFD.
class ShownBuffer : public std::streambuf {
 public:
  explicit ShownBuffer(std::ostream& to) : out_(to) {}
  ShownBuffer(const ShownBuffer&) = delete;
  ShownBuffer& operator=(const ShownBuffer&) = delete;
  ~ShownBuffer() override;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  // Writes what is complete: a character or a colour may come in pieces.
  void pass_on(bool all);

  std::ostream& out_;
  std::string pending_;
};

/// A stream with that buffer.
class ShownStream : public std::ostream {
 public:
  explicit ShownStream(std::ostream& to) : std::ostream(nullptr), buffer_(to) { rdbuf(&buffer_); }

 private:
  ShownBuffer buffer_;
};

}  // namespace tilewright
