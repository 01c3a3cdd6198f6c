// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/figures/strip.h"
#include "tilewright/html/parts.h"
#include "tilewright/io/write.h"
#include "tilewright/report/score_text.h"
#include "tilewright/report/search/alternatives_text.h"

namespace tilewright {
namespace {

double energy_of(const Alternative& answer) { return answer.found.evaluation.energy_pj; }
double cycles_of(const Alternative& answer) {
  return static_cast<double>(answer.found.evaluation.cycles);
}

std::string row_number(std::size_t row) { return count_text(static_cast<std::int64_t>(row) + 1); }

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

class AlternativesTable {
 public:
  AlternativesTable(Markup& out, const MapResult& mapped)
      : out_(out), mapped_(mapped), best_(best_alternative(mapped)) {
    const auto most = [&](double (*figure)(const Alternative&)) {
      return figure(*std::ranges::max_element(mapped.alternatives, {}, figure));
    };
    most_energy_ = most(energy_of);
    most_cycles_ = most(cycles_of);
  }

  void write() {
    const auto table = out_.in("table", {{"class", "others"}});
    head_row(out_, {{"no.", true},
                    {mapped_.request.objective.name, true},
                    {"energy, track: " + energy_text(most_energy_), true},
                    {"cycles, track: " + significant_text(most_cycles_, 4), true}});
    for (const std::size_t row : shown_alternatives(mapped_)) write_row(row);
  }

 private:
  std::string score_text(const Alternative& answer) const {
    const double best = best_.found.score;
    const double more = best > 0 ? answer.found.score / best - 1 : 0;
    if (more > 0) return fmt::format("+{:.3g} %", more * 100);
    return tilewright::score_text(mapped_.request.objective.name, answer.found.score);
  }

  std::string differences(const Alternative& answer) const {
    if (&answer == &best_) return "the best";
    std::string words;
    for (const std::string& item : find_differences(mapped_, answer)) {
      words += (words.empty() ? "" : "; ") + item;
    }
    if (words.empty()) return "the same factors, tensors and orders; loops are placed elsewhere";
    // Signs at which no line breaks.
    replace_all(words, "->", "\u2192");
    replace_all(words, " -", " \u2212");
    return words;
  }

  void write_row(std::size_t row) {
    const Alternative& answer = mapped_.alternatives[row];
    const auto body = out_.in("tbody", {{"class", &answer == &best_ ? "main" : "other"}});
    {
      const auto line = out_.in("tr");
      out_.leaf("th", {{"scope", "rowgroup"}, {"class", "number"}, {"rowspan", "2"}},
                row_number(row));
      out_.leaf("td", {{"class", "number"}}, score_text(answer));
      tracked(energy_of(answer), most_energy_, energy_text(energy_of(answer)));
      tracked(cycles_of(answer), most_cycles_, count_text(answer.found.evaluation.cycles));
    }
    const auto line = out_.in("tr");
    out_.leaf("td", {{"class", "words"}, {"colspan", "3"}}, differences(answer));
  }

  void tracked(double value, double most, const std::string& words) {
    const auto cell = out_.in("td", {{"class", "number"}});
    out_.text(words);
    bar(out_, {{most > 0 ? value / most : 0, "unit", words}}, words);
  }

  Markup& out_;
  const MapResult& mapped_;
  const Alternative& best_;
  double most_energy_ = 0;
  double most_cycles_ = 0;
};

/// Points of a front: cycles to the right, energy upwards.
class FrontPlot {
 public:
  FrontPlot(Markup& out, const MapResult& mapped)
      : out_(out),
        answers_(mapped.alternatives),
        best_(best_alternative(mapped)),
        shown_(shown_alternatives(mapped)) {
    const auto [first, last] = std::ranges::minmax_element(answers_, {}, cycles_of);
    const auto [least, most] = std::ranges::minmax_element(answers_, {}, energy_of);
    first_ = cycles_of(*first);
    last_ = cycles_of(*last);
    least_ = energy_of(*least);
    most_ = energy_of(*most);
  }

  void write() {
    const auto svg = out_.in(
        "svg", {{"class", "chart plot"},
                {"role", "img"},
                {"width", "100%"},
                {"height", number(kHeight + 24)},
                {"aria-label",
                 fmt::format("Energy against cycles of {}: from {} at {} cycles to {} at {} cycles",
                             plural_text(static_cast<std::int64_t>(answers_.size()), "mapping"),
                             energy_text(most_), significant_text(first_, 4), energy_text(least_),
                             significant_text(last_, 4))}});
    strip_text(out_, 0, 11, "start", "energy " + energy_text(most_));
    strip_text(out_, 0, kHeight - 4, "start", energy_text(least_));
    strip_text(out_, 0, kHeight + 18, "start", significant_text(first_, 6));
    strip_text(out_, 1, kHeight + 18, "end", significant_text(last_, 6) + " cycles");
    const std::string y = number(kHeight);
    out_.leaf("line", {{"class", "grid"}, {"x1", "0"}, {"y1", y}, {"x2", "100%"}, {"y2", y}}, "");
    for (std::size_t i = 0; i + 1 < answers_.size(); ++i) write_step(answers_[i], answers_[i + 1]);
    for (const Alternative& answer : answers_) write_point(answer);
    for (const std::size_t row : {best_row(), shown_.front(), shown_.back()}) write_label(row);
  }

 private:
  static constexpr double kHeight = 200;

  double x(const Alternative& answer) const {
    constexpr double kMargin = 0.02;
    const double share = last_ > first_ ? (cycles_of(answer) - first_) / (last_ - first_) : 0.5;
    return kMargin + (1 - 2 * kMargin) * share;
  }
  double y(const Alternative& answer) const {
    const double share = most_ > least_ ? (energy_of(answer) - least_) / (most_ - least_) : 0.5;
    return 34 + (kHeight - 54) * (1 - share);
  }

  std::size_t best_row() const { return static_cast<std::size_t>(&best_ - answers_.data()); }

  // Nothing better than the first lies left of the second.
  void write_step(const Alternative& from, const Alternative& to) {
    out_.leaf("line",
              {{"class", "attained"},
               {"x1", percent(x(from))},
               {"y1", number(y(from))},
               {"x2", percent(x(to))},
               {"y2", number(y(from))}},
              "");
    strip_line(out_, "attained", x(to), y(from), y(to));
  }

  void write_point(const Alternative& answer) {
    const auto group = out_.in("g", {{"class", &answer == &best_ ? "mark hot" : "mark"}});
    const auto circle =
        out_.in("circle", {{"cx", percent(x(answer))}, {"cy", number(y(answer))}, {"r", "4"}});
    out_.leaf("title", fmt::format("{}, {} cycles", energy_text(energy_of(answer)),
                                   count_text(answer.found.evaluation.cycles)));
  }

  // Above and right of a point there is no other: it would be worse in both.
  void write_label(std::size_t row) {
    const double at_x = x(answers_[row]);
    const double at_y = y(answers_[row]) - 8;
    const bool taken = std::ranges::any_of(labels_, [&](const std::pair<double, double>& label) {
      return std::abs(label.first - at_x) < 0.25 && std::abs(label.second - at_y) < 14;
    });
    if (taken) return;
    labels_.emplace_back(at_x, at_y);
    constexpr double kRight = 0.75;  // a label would leave the picture
    strip_text(out_, at_x, at_y, at_x > kRight ? "end" : "start",
               "no. " + row_number(row) + (row == best_row() ? ", best" : ""));
  }

  Markup& out_;
  const std::vector<Alternative>& answers_;
  const Alternative& best_;
  std::vector<std::size_t> shown_;
  std::vector<std::pair<double, double>> labels_;
  double first_ = 0;
  double last_ = 0;
  double least_ = 0;
  double most_ = 0;
};

void write_mappings(Markup& out, const MapResult& mapped) {
  const auto details = out.in("details");
  out.leaf("summary", "The mappings as text");
  for (const std::size_t row : shown_alternatives(mapped)) {
    const Alternative& answer = mapped.alternatives[row];
    out.leaf("p", "No. " + row_number(row));
    out.leaf("pre", write_nest(mapped.problem_of(answer), answer.found.mapping));
  }
}

}  // namespace

void alternatives_figure(Markup& out, const MapResult& mapped) {
  const auto figure = out.in("figure");
  std::string words = alternatives_words(mapped) + ".";
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  out.leaf("p", words);
  if (mapped.request.front && mapped.alternatives.size() > 2) FrontPlot(out, mapped).write();
  AlternativesTable(out, mapped).write();
  write_mappings(out, mapped);
  caption(out, std::string("A factor 4\u21922 is 4 in the best mapping and 2 in this one; +A: this "
                           "one keeps tensor A in that memory, \u2212A: it does not.") +
                   (mapped.request.front ? " In the plot, nothing lies below and to the left of "
                                           "the dashed line; red is the best by the objective."
                                         : ""));
}

}  // namespace tilewright
