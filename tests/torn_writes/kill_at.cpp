// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: kills it at one of the calls by which it changes files, before the
// call, after it, or with half of a write done.
//   KILL_AT=N KILL_HOW=before|half|after   at the Nth call; 0: never
//   KILL_COUNT=FILE                        writes there how many there were, if the program ends
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

// A library that is preloaded has no other place for what it knows.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
namespace {

std::atomic<long> calls = 0;

long number_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? 0 : std::atol(value);
}

std::string how() {
  const char* const value = std::getenv("KILL_HOW");
  return value == nullptr ? "" : value;
}

// True if this is the call at which to die.
bool is_last() { return ++calls == number_of("KILL_AT"); }

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

bool is_file(int file) {
  struct stat about {};
  return ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// A call that is done or is not.
template <typename Call>
auto run(const Call& call) {
  const bool last = is_last();
  if (last && how() != "after") die();
  const auto result = call();
  if (last) die();
  return result;
}

// A write of which half may be done; `call` takes how many bytes.
template <typename Call>
ssize_t run_write(int file, std::size_t size, const Call& call) {
  if (!is_file(file)) return call(size);
  const bool last = is_last();
  if (last && how() == "before") die();
  const ssize_t result = call(last && how() == "half" ? size / 2 : size);
  if (last) die();
  return result;
}

struct Count {
  ~Count() {
    const char* const path = std::getenv("KILL_COUNT");
    if (path == nullptr) return;
    const std::string text = std::to_string(calls.load());
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    next<ssize_t(int, const void*, std::size_t)>("write")(file, text.data(), text.size());
    ::close(file);
  }
} count_at_end;

}  // namespace

extern "C" {

ssize_t write(int file, const void* data, std::size_t size) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
  return run_write(file, size, [&](std::size_t some) { return real(file, data, some); });
}

ssize_t pwrite(int file, const void* data, std::size_t size, off_t at) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return run_write(file, size, [&](std::size_t some) { return real(file, data, some, at); });
}

ssize_t pwrite64(int file, const void* data, std::size_t size, off64_t at) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
  return run_write(file, size, [&](std::size_t some) { return real(file, data, some, at); });
}

ssize_t writev(int file, const iovec* parts, int count) {
  static auto* const real = next<ssize_t(int, const iovec*, int)>("writev");
  if (!is_file(file)) return real(file, parts, count);
  return run([&] { return real(file, parts, count); });
}

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  return run([&] { return real(file); });
}

int fdatasync(int file) {
  static auto* const real = next<int(int)>("fdatasync");
  return run([&] { return real(file); });
}

int ftruncate(int file, off_t size) {
  static auto* const real = next<int(int, off_t)>("ftruncate");
  return run([&] { return real(file, size); });
}

int rename(const char* from, const char* to) {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return run([&] { return real(from, to); });
}

int unlink(const char* path) {
  static auto* const real = next<int(const char*)>("unlink");
  return run([&] { return real(path); });
}

}  // extern "C"
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
