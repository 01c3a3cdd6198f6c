// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/sides.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

constexpr int kWidest = 20;  // of a name or a word

}  // namespace

double ratio_of(double before, double after) {
  if (before == 0) return after == 0 ? 1 : INFINITY;
  return after / before;
}

std::string ratio_cell(double before, double after, const TextOptions& options) {
  const double r = ratio_of(before, after);
  if (std::isinf(r)) return "new";
  if (r == 0) return "gone";
  if (r == 1) return "same";
  // Three digits would show 1.0004 as 1.00x.
  const std::string text = std::abs(r - 1) < 0.005 ? fmt::format("{:.5f}x", r)
                           : r < 0.01              ? "1/" + significant_text(1 / r, 3)
                                                   : ratio_text(r);
  return paint(text, r < 1 ? Style::kGood : Style::kBad, options);
}

SideTable::SideTable(const SideNames& names, const TextOptions& options)
    : options_(options),
      table_({{"", Table::Align::kLeft, 2},
              {clip(names.before, kWidest, options)},
              {clip(names.after, kWidest, options)},
              {"ratio"}}) {}

void SideTable::add_total(const char* name, std::string before, std::string after,
                          std::string ratio) {
  table_.add_row(
      {paint(name, Style::kBold, options_), std::move(before), std::move(after), std::move(ratio)});
}

void SideTable::add_energy(double before_pj, double after_pj) {
  add_ratio("energy", before_pj, after_pj, energy_text);
}

void SideTable::add_edp(double before_pj_cycles, double after_pj_cycles) {
  add_ratio("EDP", before_pj_cycles, after_pj_cycles,
            [](double value) { return si_text(value * 1e-12, "J*cycle"); });
}

void SideTable::add_utilization(double before, double after) {
  const std::string ratio = before == after
                                ? "same"
                                : paint(ratio_text(after / before),
                                        after > before ? Style::kGood : Style::kBad, options_);
  add_total("utilization", percent_text(before), percent_text(after), ratio);
}

void SideTable::add_words(const char* name, const std::string& before, const std::string& after) {
  add_total(name, clip(before, kWidest, options_), clip(after, kWidest, options_),
            before == after ? "same" : "");
}

void SideTable::add_proofs(std::optional<bool> before, std::optional<bool> after) {
  const auto word = [](const std::optional<bool>& proved) {
    return !proved ? "-" : *proved ? "proved" : "not proved";
  };
  add_words("best", word(before), word(after));
}

void SideTable::add_count(const std::string& name, std::int64_t before, std::int64_t after) {
  table_.add_row({clip(name, 36, options_), count_text(before), count_text(after),
                  ratio_cell(static_cast<double>(before), static_cast<double>(after), options_)});
}

}  // namespace tilewright
