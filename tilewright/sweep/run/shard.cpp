// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/run/shard.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Engine {
  const char* variable;
  std::uint64_t first;  // of the indices that it usually gives
};

constexpr std::array kEngines = {Engine{"SLURM_ARRAY_TASK_ID", 0}, Engine{"LSB_JOBINDEX", 1},
                                 Engine{"JOB_COMPLETION_INDEX", 0}};

}  // namespace

std::optional<Shard> parse_shard(const std::string& text, const Environment& environment,
                                 std::string& why) {
  const std::size_t slash = text.find('/');
  const std::string_view left = std::string_view(text).substr(0, slash);
  const auto count = slash == std::string::npos
                         ? std::nullopt
                         : parse_number(std::string_view(text).substr(slash + 1));
  if (!count || *count == 0) {
    why = in_backticks(text) + " is no shard: expected a number, `/`, and how many there are";
    return std::nullopt;
  }
  std::optional<std::uint64_t> index = parse_number(left);
  if (left == "auto") {
    for (const Engine& engine : kEngines) {
      const char* value = environment(engine.variable);
      // LSF gives 0 to jobs that are no array.
      if (value == nullptr || (engine.first == 1 && std::string_view(value) == "0")) continue;
      index = parse_number(value);
      if (index && *index >= engine.first) *index -= engine.first;
      break;
    }
    if (!index) {
      why =
          "this job is no part of an array: none of SLURM_ARRAY_TASK_ID, LSB_JOBINDEX and "
          "JOB_COMPLETION_INDEX has a number";
      return std::nullopt;
    }
  }
  if (!index) {
    why = in_backticks(text) + " is no shard: expected a number or `auto` before the `/`";
    return std::nullopt;
  }
  if (*index >= *count) {
    why = fmt::format("there is no shard {} of {}: the first one is 0, the last one {}", *index,
                      *count, *count - 1);
    return std::nullopt;
  }
  return Shard{*index, *count};
}

}  // namespace tilewright
