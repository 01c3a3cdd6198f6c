// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/diff_text.h"

#include <fmt/format.h>

#include <cmath>

#include "tilewright/base/text/printable.h"
#include "tilewright/diff/compare_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

constexpr std::size_t kMostParts = 6;
constexpr double kSmallPart = 0.02;  // of the largest change: said together with the others

// `28.1 % less energy`, `7.1 % more cycles`, `3.20x the cycles`.
std::string change_words(double before, double after, const std::string& noun) {
  if (before == after) return "the same " + noun;
  const double ratio = before == 0 ? INFINITY : after / before;
  if (ratio > 2 || ratio < 0.5) return ratio_text(ratio) + " the " + noun;
  return fmt::format("{} {} {}", percent_text(std::abs(ratio - 1)), ratio < 1 ? "less" : "more",
                     noun);
}

std::string signed_energy(double picojoule) {
  return (picojoule < 0 ? "-" : "+") + energy_text(std::abs(picojoule));
}

// wrap_words that does not tear `(p 2, p 7)` apart.
std::string wrap_sentence(const std::string& first, const std::string& words, int width) {
  constexpr std::string_view kBound = "\u00a0";
  constexpr std::size_t kLongest = 24;
  std::string bound;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t open = words.rfind('(', i);
    const std::size_t close = words.find(')', i);
    const bool inside = open != std::string::npos && close != std::string::npos &&
                        close - open <= kLongest && words.find(')', open) == close;
    bound += words[i] == ' ' && inside ? kBound : words.substr(i, 1);
  }
  std::string text = wrap_words(first, bound, width);
  for (std::size_t at = text.find(kBound); at != std::string::npos; at = text.find(kBound, at)) {
    text.replace(at, kBound.size(), " ");
  }
  return text;
}

class DiffWriter {
 public:
  DiffWriter(const DiffSide& before, const DiffSide& after, const TextOptions& options)
      : options_(options),
        diff_(find_differences(before, after)),
        names_{printable(before.name), printable(after.name)},
        left_(to_saved(before.evaluated)),
        right_(to_saved(after.evaluated)) {
    left_.proved = before.proved;
    right_.proved = after.proved;
  }

  std::string text(bool counts) const {
    std::string result = settings_text(diff_.settings, options_) + "\n" +
                         totals_table(left_, right_, names_, options_).text() + verdict();
    if (!diff_.factors.empty()) result += "\n" + cycles();
    if (!diff_.parts.empty()) result += "\n" + energy();
    if (counts) result += "\n" + counts_text(left_, right_, names_, options_);
    return result + "\n" + nest_diff_text(diff_.nest, names_, options_);
  }

 private:
  std::string verdict() const {
    const bool same = left_.energy_pj == right_.energy_pj && left_.cycles == right_.cycles;
    if (same) return wrap_words("  ", "energy and cycles are the same", options_.width);
    return wrap_words("  ",
                      fmt::format("{} compared with {}: {}, {}", clip(names_.after, 30, options_),
                                  clip(names_.before, 30, options_),
                                  change_words(left_.energy_pj, right_.energy_pj, "energy"),
                                  change_words(static_cast<double>(left_.cycles),
                                               static_cast<double>(right_.cycles), "cycles")),
                      options_.width);
  }

  std::string cycles() const {
    const auto heading = [&](const std::string& words) {
      return paint("cycles", Style::kHeading, options_) + " " + words + "\n";
    };
    const double ratio = static_cast<double>(right_.cycles) / static_cast<double>(left_.cycles);
    std::string result =
        ratio == 1 ? heading("are the same, although units are used differently")
                   : heading(fmt::format("{} -> {}: the factors of utilization",
                                         count_text(left_.cycles), count_text(right_.cycles)));
    for (const FactorDifference& factor : diff_.factors) {
      std::string start =
          factor.before == factor.after
              ? fmt::format("  {:<9}{:>17}  ", factor.name, percent_text(factor.after))
              : fmt::format("  {:<9}{:>7} -> {:>6}  ", factor.name, percent_text(factor.before),
                            percent_text(factor.after));
      if (factor.reasons.empty()) result += start + "\n";
      for (const std::string& reason : factor.reasons) {
        result += wrap_sentence(start, reason, options_.width);
        start = std::string(static_cast<std::size_t>(display_width(start)), ' ');
      }
    }
    return result;
  }

  std::string energy() const {
    std::string result = paint("energy", Style::kHeading, options_) +
                         fmt::format(" {} -> {}: where the change is, in percent of {}\n",
                                     energy_text(left_.energy_pj), energy_text(right_.energy_pj),
                                     clip(names_.before, 16, options_));
    const double largest = std::abs(diff_.parts.front().change_pj());
    std::size_t shown = 0;
    int width = 8;  // all else
    for (const PartDifference& part : diff_.parts) {
      if (shown == kMostParts || std::abs(part.change_pj()) < kSmallPart * largest) break;
      width = std::max(width, std::min(24, display_width(part.name)));
      ++shown;
    }
    for (std::size_t i = 0; i < shown; ++i) result += part_text(diff_.parts[i], width);
    double others = 0;
    for (std::size_t i = shown; i < diff_.parts.size(); ++i) others += diff_.parts[i].change_pj();
    if (shown < diff_.parts.size()) result += row("all others", others, width) + "\n";
    return result;
  }

  std::string row(const std::string& name, double change, int width) const {
    const double share = left_.energy_pj == 0 ? 0 : change / left_.energy_pj;
    const std::string cell =
        fmt::format("{:>9}  {:>9}", signed_energy(change),
                    fmt::format("{}{:.1f} %", share < 0 ? "-" : "+", 100 * std::abs(share)));
    return "  " + pad_right(clip(name, width, options_), width) + "  " +
           paint(cell, change < 0 ? Style::kGood : Style::kBad, options_);
  }

  std::string part_text(const PartDifference& part, int width) const {
    std::string start = row(part.name, part.change_pj(), width) + "  ";
    const std::string blanks(static_cast<std::size_t>(display_width(start)), ' ');
    std::vector<std::string> sentences;
    for (const CountDifference& count : part.counts) {
      sentences.push_back(fmt::format("{} {} -> {} elements", count.action,
                                      short_count_text(count.before),
                                      short_count_text(count.after)));
    }
    sentences.insert(sentences.end(), part.reasons.begin(), part.reasons.end());
    if (sentences.empty()) return start.substr(0, start.size() - 2) + "\n";
    std::string result;
    for (const std::string& sentence : sentences) {
      result += wrap_sentence(result.empty() ? start : blanks, sentence, options_.width);
    }
    return result;
  }

  const TextOptions& options_;
  ResultDiff diff_;
  SideNames names_;
  SavedEvaluation left_;
  SavedEvaluation right_;
};

}  // namespace

std::string diff_text(const DiffSide& before, const DiffSide& after, bool counts,
                      const TextOptions& options) {
  return DiffWriter(before, after, options).text(counts);
}

}  // namespace tilewright
