// SPDX-License-Identifier: Apache-2.0
// The command line of a benchmark or an experiment. CLI11 reads it; compiling that takes seconds,
// so it is done once for all programs.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace tilewright {

class Arguments {
 public:
  /// `purpose` is what `--help` begins with.
  explicit Arguments(std::string purpose);
  ~Arguments();

  void flag(const std::string& name, bool& value, const std::string& help);
  void option(const std::string& name, std::string& value, const std::string& help);
  /// Numbers below `least` or above `most` are refused.
  void option(const std::string& name, int& value, const std::string& help, int least = 0);
  void option(const std::string& name, std::int64_t& value, const std::string& help,
              std::int64_t least = 0, std::int64_t most = std::numeric_limits<std::int64_t>::max());
  void option(const std::string& name, std::uint64_t& value, const std::string& help);
  void option(const std::string& name, double& value, const std::string& help, double least = 0);

  /// Fills in the values. The code to end the program with, after `--help` or an argument that is
  /// wrong; both are answered on the terminal.
  [[nodiscard]] std::optional<int> read(int argc, char** argv);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace tilewright
