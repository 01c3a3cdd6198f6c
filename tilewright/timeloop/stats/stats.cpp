// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/stats/stats.h"

#include <array>
#include <charconv>

namespace tilewright::timeloop {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

std::size_t indent_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

// The number that a text begins with; a unit may follow.
template <typename Number>
std::optional<Number> leading(std::string_view text) {
  text = trimmed(text);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (!rest.empty() && rest.front() != ' ') return std::nullopt;
  return number;
}

struct Pair {
  std::string_view key;
  std::string_view value;
};

// `Key : value`, `Key: value`, `Key = value`.
std::optional<Pair> split_pair(std::string_view line) {
  const std::size_t at = line.find_first_of(":=");
  if (at == std::string_view::npos) return std::nullopt;
  return Pair{trimmed(line.substr(0, at)), trimmed(line.substr(at + 1))};
}

class StatsReader {
 public:
  std::optional<Stats> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (part_ != Part::kSummary || stats_.levels.empty()) return std::nullopt;
    if (stats_.computes && per_compute_) {
      stats_.energy_pj = *per_compute_ * unit_pj_ * static_cast<double>(*stats_.computes);
      stats_.energy_digit_pj = 0.01 * unit_pj_ * static_cast<double>(*stats_.computes);
    }
    return std::move(stats_);
  }

 private:
  enum class Part { kNone, kLevel, kOther, kSummary };

  void line(std::string_view text) {
    const std::string_view words = trimmed(text);
    if (words.empty()) return;
    if (words == "Buffer and Arithmetic Levels") {
      part_ = Part::kLevel;
    } else if (words == "Networks" || words == "Operational Intensity Stats") {
      part_ = Part::kOther;
    } else if (words == "Summary Stats") {
      part_ = Part::kSummary;
    } else if (part_ == Part::kLevel) {
      level_line(text, words);
    } else if (part_ == Part::kSummary) {
      summary_line(words);
    }
  }

  void level_line(std::string_view text, std::string_view words) {
    constexpr std::string_view kFence = "===";
    if (words.size() > 2 * kFence.size() && words.starts_with(kFence) && words.ends_with(kFence)) {
      stats_.levels.push_back({.name = std::string(trimmed(words.substr(3, words.size() - 6))),
                               .cycles = {},
                               .tensors = {}});
      in_stats_ = false;
      return;
    }
    if (words == "SPECS" || words == "MAPPING" || words == "STATS") {
      in_stats_ = words == "STATS";
      return;
    }
    if (!in_stats_ || stats_.levels.empty()) return;
    const std::optional<Pair> pair = split_pair(words);
    if (!pair) return;
    LevelStats& level = stats_.levels.back();
    constexpr std::size_t kLevelIndent = 4;
    if (indent_of(text) <= kLevelIndent) {
      if (pair->value.empty()) {
        level.tensors.push_back({.name = std::string(pair->key)});
      } else if (pair->key == "Cycles") {
        level.cycles = leading<std::int64_t>(pair->value);
      }
    } else if (!level.tensors.empty()) {
      tensor_line(level.tensors.back(), *pair);
    }
  }

  static void tensor_line(TensorStats& tensor, const Pair& pair) {
    struct Count {
      std::string_view key;
      std::optional<std::int64_t> TensorStats::*place;
    };
    constexpr std::array kCounts = {Count{"Utilized capacity", &TensorStats::tile},
                                    Count{"Utilized instances (max)", &TensorStats::instances},
                                    Count{"Utilized clusters (max)", &TensorStats::clusters},
                                    Count{"Scalar reads (per-instance)", &TensorStats::reads},
                                    Count{"Scalar fills (per-instance)", &TensorStats::fills},
                                    Count{"Scalar updates (per-instance)", &TensorStats::updates}};
    for (const Count& count : kCounts) {
      if (pair.key == count.key) tensor.*count.place = leading<std::int64_t>(pair.value);
    }
    if (pair.key == "Energy (total)") tensor.energy_pj = leading<double>(pair.value);
  }

  void summary_line(std::string_view words) {
    if (words == "fJ/Compute" || words == "pJ/Compute") {
      unit_pj_ = words.starts_with('f') ? 1e-3 : 1;
      return;
    }
    const std::optional<Pair> pair = split_pair(words);
    if (!pair) return;
    if (pair->key == "Cycles") stats_.cycles = leading<std::int64_t>(pair->value);
    if (pair->key == "Computes") stats_.computes = leading<std::int64_t>(pair->value);
    if (pair->key == "Total") per_compute_ = leading<double>(pair->value);
  }

  Stats stats_;
  Part part_ = Part::kNone;
  bool in_stats_ = false;
  double unit_pj_ = 1;
  std::optional<double> per_compute_;
};

}  // namespace

std::optional<Stats> read_stats(std::string_view text) { return StatsReader().read(text); }

}  // namespace tilewright::timeloop
