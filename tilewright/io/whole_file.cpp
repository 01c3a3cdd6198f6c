// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 200;  // of 255 bytes; the rest is for what is added
constexpr int kMostTries = 1000;
constexpr mode_t kReadAndWrite = 0666;  // less what the user's mask takes away

// What is open already is written as it is: whoever reads it has that file, not the name.
bool is_open_already(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

// Where links lead, even if there is nothing.
std::string follow_links(const std::string& path) {
  constexpr int kMostLinks = 40;
  fs::path found = path;
  for (int i = 0; i < kMostLinks && !is_open_already(found.string()); ++i) {
    std::error_code error;
    const fs::path next = fs::read_symlink(found, error);
    if (error) break;  // it is no link
    found = found.parent_path() / next;
  }
  return found.string();
}

std::string name_aside(const fs::path& target, int number) {
  const std::string name = target.filename().string().substr(0, kLongestName);
  const std::string aside = fmt::format(".{}.{}-{}.part", name, ::getpid(), number);
  return (target.parent_path() / aside).string();
}

// So that the name, too, is still there after a crash of the machine.
void sync_folder(const fs::path& folder) {
  const int number = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) return;
  ::fsync(number);
  ::close(number);
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : target_(follow_links(path)) { open(); }

WholeFile::~WholeFile() {
  close();
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

void WholeFile::open() {
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && (!S_ISREG(old.st_mode) || is_open_already(target_))) {
    file_ = ::open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file_ < 0) fail(errno);
    return;
  }
  // Its owner may have forbidden to write it, which a file beside it would not notice.
  if (exists && ::access(target_.c_str(), W_OK) != 0) return fail(errno);
  for (int number = 0; number < kMostTries && file_ < 0; ++number) {
    const std::string name = name_aside(target_, number);
    file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadAndWrite);
    if (file_ >= 0) {
      aside_ = name;
    } else if (errno != EEXIST) {
      return fail(errno);
    }
  }
  if (file_ < 0) return fail(EEXIST);
  if (exists && ::fchmod(file_, old.st_mode & 07777) != 0) fail(errno);
}

void WholeFile::fail(int error) {
  if (fault_.empty()) fault_ = std::generic_category().message(error);
}

void WholeFile::close() {
  if (file_ >= 0 && ::close(file_) != 0) fail(errno);
  file_ = -1;
}

void WholeFile::add(std::string_view text) {
  while (fault_.empty() && !text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

std::string WholeFile::finish() {
  if (fault_.empty() && !aside_.empty() && ::fsync(file_) != 0) fail(errno);
  close();
  if (!fault_.empty() || aside_.empty()) return fault_;
  if (std::rename(aside_.c_str(), target_.c_str()) != 0) {
    fail(errno);
    return fault_;
  }
  aside_.clear();
  sync_folder(fs::path(target_).parent_path());
  return fault_;
}

std::string why_unwritable(const std::string& path) {
  const fs::path target = follow_links(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return std::generic_category().message(EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return "";  // a pipe or a device
  struct stat around {};
  if (::stat(folder.c_str(), &around) == 0 && !S_ISDIR(around.st_mode)) errno = ENOTDIR;
  const bool can = S_ISDIR(around.st_mode) && ::access(folder.c_str(), W_OK | X_OK) == 0 &&
                   (!exists || ::access(target.c_str(), W_OK) == 0);
  return can ? "" : std::generic_category().message(errno);
}

std::string write_whole_file(const std::string& path, std::string_view text) {
  WholeFile file(path);
  file.add(text);
  return file.finish();
}

}  // namespace tilewright
