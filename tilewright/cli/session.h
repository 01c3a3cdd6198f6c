// SPDX-License-Identifier: Apache-2.0
// What all commands of one run share: the console, the options that every command has, the result.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/cli/console.h"
#include "tilewright/format/layout.h"
#include "tilewright/io/diagnostic.h"

namespace tilewright {

using Sources = std::vector<std::shared_ptr<const SourceFile>>;

class Session {
 public:
  /// `given`: texts that stand for the files of the command line; null: those are read.
  explicit Session(Console& console, const Sources* given = nullptr)
      : console_(console), given_(given) {}

  // Set by the command line.
  std::string color = "auto";         ///< auto, always, never
  std::string error_format = "text";  ///< text, json
  bool wide = false;                  ///< nothing is cut
  int exit_code = kOk;                ///< what the command returns

  std::vector<std::string> with;  ///< `--with`: figures of the architecture

  bool ignore_unsupported = false;   ///< `--ignore-unsupported`: of Timeloop's files
  std::vector<std::string> defines;  ///< `--define`: names in templates of Timeloop's

  Sources inputs;  ///< all that the command has read, for its result file

  std::vector<std::string> left_out;  ///< what files ask for and the model does not have

  Console& console() { return console_; }
  std::ostream& out() { return console_.out; }
  const Sources* given() const { return given_; }

  /// How reports on `out` look.
  TextOptions text_options();
  /// True once a report had to cut a name.
  bool cut() const { return cut_; }
  bool error_color() const;

  /// Shows findings on `err` in the format asked for; nothing if there are none.
  void show(const Diagnostics& diagnostics);
  /// Says that there is no `what` of that name, with the nearest of `names`, and sets the exit
  /// code.
  void refuse_unknown(const std::string& what, const std::string& word,
                      std::span<const std::string> names);
  /// One line on `err`: `warning: ...`. JSON readers do not get it.
  void note(std::string_view text);
  /// False, with findings shown and the exit code set, if one of these files could not be written:
  /// to ask before long work. Empty names and `-` are left out.
  bool can_write(std::initializer_list<std::string> paths);
  /// Writes a file, whole or not at all; false, with a finding shown and the exit code set, if it
  /// cannot.
  bool write_file(const std::string& path, std::string_view text);
  /// The same, and says so.
  bool save_file(const std::string& path, std::string_view text);

 private:
  bool use_color(bool terminal) const;

  Console& console_;
  const Sources* given_;
  bool cut_ = false;
};

}  // namespace tilewright
