// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/files.h"

#include <algorithm>
#include <utility>

namespace tilewright::timeloop {

std::shared_ptr<const SourceFile> GivenFiles::open(const std::string& path) {
  for (const auto& file : files_) {
    if (file->name == path) return file;
  }
  std::shared_ptr<const SourceFile> found;
  for (const auto& file : files_) {
    if (last_part(file->name) != last_part(path)) continue;
    if (found) return nullptr;  // two files could be meant
    found = file;
  }
  return found;
}

std::vector<std::string> GivenFiles::match(const std::string& pattern) {
  std::vector<std::string> names;
  for (const auto& file : files_) {
    const bool beside = folder_of(file->name) == folder_of(pattern);
    if (beside && fits_pattern(last_part(file->name), last_part(pattern))) {
      names.push_back(file->name);
    }
  }
  std::ranges::sort(names);
  return names;
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string join_path(const std::string& folder, const std::string& path) {
  const std::string whole =
      path.starts_with('/') || folder.empty() || folder == "." ? path : folder + "/" + path;
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= whole.size()) {
    const std::size_t end = std::min(whole.find('/', begin), whole.size());
    const std::string part = whole.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string result = whole.starts_with('/') ? "/" : "";
  for (std::size_t i = 0; i < parts.size(); ++i) result += (i > 0 ? "/" : "") + parts[i];
  return result;
}

bool fits_pattern(std::string_view name, std::string_view pattern) {
  // Greedy with one step back: the last `*` may swallow more.
  std::size_t n = 0;
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tilewright::timeloop
