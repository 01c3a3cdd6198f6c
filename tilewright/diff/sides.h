// SPDX-License-Identifier: Apache-2.0
// Figures of two results side by side, with their ratio: what the tables of all diffs are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tilewright/format/layout.h"

namespace tilewright {

/// What the two results are called in a table.
struct SideNames {
  std::string before = "before";
  std::string after = "now";
};

/// `0.72x`, `same`, `new`, `gone`; green if less than before.
std::string ratio_cell(double before, double after, const TextOptions& options);

/// after / before; 1 if both are 0.
double ratio_of(double before, double after);

/// Rows of figures before and after: four columns.
class SideTable {
 public:
  SideTable(const SideNames& names, const TextOptions& options);

  /// `text` makes a cell of each value.
  template <class Value, class Text>
  void add_ratio(const char* name, Value before, Value after, const Text& text) {
    add_total(name, text(before), text(after),
              ratio_cell(static_cast<double>(before), static_cast<double>(after), options_));
  }
  void add_energy(double before_pj, double after_pj);
  void add_edp(double before_pj_cycles, double after_pj_cycles);
  void add_utilization(double before, double after);
  void add_words(const char* name, const std::string& before, const std::string& after);
  /// Whether the best is proved; nothing: it is not the best of a search.
  void add_proofs(std::optional<bool> before, std::optional<bool> after);
  void add_count(const std::string& name, std::int64_t before, std::int64_t after);

  std::string text() const { return table_.text(options_); }

 private:
  void add_total(const char* name, std::string before, std::string after, std::string ratio);

  const TextOptions& options_;
  Table table_;
};

}  // namespace tilewright
