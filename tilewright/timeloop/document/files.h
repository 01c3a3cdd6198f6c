// SPDX-License-Identifier: Apache-2.0
// Where the files come from that Timeloop's files include. The readers open none themselves.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/diagnostic.h"

namespace tilewright::timeloop {

class Files {
 public:
  virtual ~Files() = default;
  /// Null if there is none of that name.
  virtual std::shared_ptr<const SourceFile> open(const std::string& path) = 0;
  /// The files that fit `pattern`, in which `*` in the last part stands for any text; sorted.
  virtual std::vector<std::string> match(const std::string& pattern) = 0;
};

/// Only the files that were given: by name, or else by the last part of the name.
class GivenFiles : public Files {
 public:
  explicit GivenFiles(std::vector<std::shared_ptr<const SourceFile>> files)
      : files_(std::move(files)) {}

  std::shared_ptr<const SourceFile> open(const std::string& path) override;
  std::vector<std::string> match(const std::string& pattern) override;

 private:
  std::vector<std::shared_ptr<const SourceFile>> files_;
};

/// `folder/file.yaml` -> `folder`; `.` if there is no folder.
std::string folder_of(std::string_view path);
/// The last part of a path.
std::string last_part(std::string_view path);
/// `path` as seen from `folder`, with `.` and `..` worked out as far as the text tells.
std::string join_path(const std::string& folder, const std::string& path);
/// Whether a name fits a pattern in which `*` stands for any text.
bool fits_pattern(std::string_view name, std::string_view pattern);

}  // namespace tilewright::timeloop
