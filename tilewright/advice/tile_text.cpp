// SPDX-License-Identifier: Apache-2.0
#include "tilewright/advice/tile_text.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "tilewright/mapping/violation.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

std::string term_text(const Workload& workload, const Term& term, bool first) {
  const std::string& name = workload.dim(term.dim).name;
  const std::string sign = term.coefficient < 0 ? "-" : first ? "" : "+";
  const std::int64_t size = std::abs(term.coefficient);
  if (size == 1) return sign + name;
  return sign + std::to_string(size) + (name.size() == 1 ? "" : "*") + name;
}

std::string times(std::int64_t extent, std::int64_t coefficient) {
  const std::string steps = "(" + with_commas(extent) + "-1)";
  return coefficient == 1 ? steps : steps + "*" + with_commas(coefficient);
}

/// (5) with its numbers: m, n are the coefficients, A, B the extents, all reduced.
std::string sum_text(std::int64_t m, std::int64_t n, std::int64_t A, std::int64_t B) {
  if (!(A > n && B > m)) return with_commas(A) + "*" + with_commas(B);
  if (n == 1) return times(A, m) + "+" + with_commas(B);
  if (m == 1) return times(B, n) + "+" + with_commas(A);
  return times(A, m) + "+" + times(B, n) + "+1-" + with_commas((m - 1) * (n - 1));
}

/// One subscript: how it is called with its extent, and how that comes about (may be empty).
std::pair<std::string, std::string> rank_text(const Workload& workload, const Rank& rank,
                                              const std::vector<std::int64_t>& extents,
                                              bool holes_are_data) {
  const RankForm form = make_rank_form(workload, rank, holes_are_data);
  std::vector<std::int64_t> of_terms;
  std::vector<Term> longer;  // terms that add elements
  for (const Term& term : form.terms) {
    of_terms.push_back(extents[term.dim.pos()]);
    if (of_terms.back() > 1) longer.push_back(term);
  }
  if (longer.empty()) return {};
  const std::int64_t elements = footprint(form, of_terms);
  if (longer.size() == 1 && !form.holes_are_data) {
    return {workload.dim(longer[0].dim).name + " " + with_commas(elements), ""};
  }
  std::string name;
  for (const Term& term : rank.terms) name += term_text(workload, term, name.empty());
  std::string how;
  if (form.holes_are_data) {
    how = with_commas(elements) + " = ";
    for (const Term& term : longer) {
      how += times(extents[term.dim.pos()], std::abs(term.coefficient)) + "+";
    }
    how += "1";
  } else if (form.terms.size() == 2) {
    how = with_commas(elements) + " = " +
          sum_text(std::abs(form.terms[0].coefficient), std::abs(form.terms[1].coefficient),
                   of_terms[0], of_terms[1]);
  }
  return {"(" + name + ") " + with_commas(elements), how};
}

}  // namespace

std::string with_commas(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  const double value = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (value >= 1000) {
    return with_commas(static_cast<std::int64_t>(std::ceil(value / 100))) + " times as much";
  }
  if (part > whole) return with_commas(static_cast<std::int64_t>(std::ceil(value))) + " %";
  const auto tenths = static_cast<std::int64_t>(std::floor(value * 10));
  const std::string whole_part = std::to_string(tenths / 10);
  return tenths % 10 == 0 ? whole_part + " %"
                          : whole_part + "." + std::to_string(tenths % 10) + " %";
}

std::string size_text(std::int64_t bits) {
  if (bits % 8 != 0) return with_commas(bits) + " bit";
  const std::int64_t bytes = bits / 8;
  constexpr std::array<std::pair<int, const char*>, 3> kUnits = {
      {{30, " GiB"}, {20, " MiB"}, {10, " KiB"}}};
  for (const auto& [shift, name] : kUnits) {
    const std::int64_t unit = std::int64_t{1} << shift;
    if (bytes < unit) continue;
    if (bytes % unit == 0) return with_commas(bytes / unit) + name;
    if (bytes % (unit / 4) != 0) continue;  // two digits are exact for quarters only
    const std::int64_t quarters = bytes % unit / (unit / 4);
    return with_commas(bytes / unit) +
           (quarters == 2   ? ".5"
            : quarters == 1 ? ".25"
                            : ".75") +
           name;
  }
  return with_commas(bytes) + " B";
}

std::string SizeUnit::number(std::int64_t bits) const {
  return word_bits_ > 0 ? with_commas(bits / word_bits_) : size_text(bits);
}

std::string SizeUnit::amount(std::int64_t bits) const {
  if (word_bits_ == 0) return size_text(bits);
  return number(bits) + (bits / word_bits_ == 1 ? " word" : " words");
}

std::string tile_text(const Problem& problem, const Mapping& mapping, TensorId tensor,
                      int position) {
  const Workload& workload = problem.workload();
  const std::vector<std::int64_t> extents = tile_extents(problem, mapping, position);
  std::string product;
  std::string hows;
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    const bool holes = problem.conventions().holes_are_data && tensor != workload.output();
    const auto [name, how] = rank_text(workload, rank, extents, holes);
    if (!name.empty()) product += (product.empty() ? "" : " x ") + name;
    const bool said = hows.find("  " + how) != std::string::npos;
    if (!how.empty() && !said) hows += (hows.empty() ? ";  " : ",  ") + how;
  }
  return product.empty() ? "one element" : product + hows;
}

}  // namespace tilewright
