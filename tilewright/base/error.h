// SPDX-License-Identifier: Apache-2.0
// Whose fault it is, in the type. A user's mistake is reported with its place (io/diagnostic.h);
// these are for what no input file can explain.
#pragma once

#include <stdexcept>
#include <string>

namespace tilewright {

/// We are wrong: an invariant of the program does not hold. Never caused by input.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// An exact integer result does not fit in 64 bits. The input is too large to count exactly.
class OverflowError : public std::overflow_error {
 public:
  using std::overflow_error::overflow_error;
};

namespace internal {
[[noreturn]] void fail_check(const char* file, int line, const char* condition,
                             const std::string& meaning);
}  // namespace internal

}  // namespace tilewright

/// A precondition at a module boundary; always on. `condition` must have no effect.
#define TW_CHECK(condition, meaning)                                               \
  do {                                                                             \
    if (!(condition)) [[unlikely]] {                                               \
      ::tilewright::internal::fail_check(__FILE__, __LINE__, #condition, meaning); \
    }                                                                              \
  } while (false)

/// An invariant inside a hot loop; on in tests, sanitizer and debug builds.
#if defined(TW_ENABLE_DCHECK)
#define TW_DCHECK(condition, meaning) TW_CHECK(condition, meaning)
#else
#define TW_DCHECK(condition, meaning) \
  do {                                \
  } while (false)
#endif
