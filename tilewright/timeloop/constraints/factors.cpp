// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/constraints/factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/fault.h"

namespace tilewright::timeloop {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

void report_dim(const std::string& name, const Span& place, const std::string& where,
                const Workload& workload, Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const Dim& dim : workload.dims()) known.push_back(dim.name);
  Diagnostic& error =
      diagnostics.error("T0010", "the problem has no dimension " + in_backticks(name));
  error.labels.push_back({place, "in " + where});
  if (const auto near = nearest(name, known)) {
    error.helps.push_back("did you mean `" + *near + "`?");
  }
}

/// Reads the factors of one text.
class FactorReader {
 public:
  FactorReader(const YamlNode& node, const std::string& where, const Workload& workload,
               Diagnostics& diagnostics)
      : node_(node),
        text_(std::string_view(node.text).substr(0, node.text.find('#'))),
        where_(where),
        workload_(workload),
        diagnostics_(diagnostics) {}

  void read(std::vector<Factor>& factors) {
    for (skip(" ,\t\n"); at_ < text_.size(); skip(" ,\t\n")) {
      begin_ = at_;
      if (!read_one(factors)) return;
    }
  }

 private:
  void skip(std::string_view characters) {
    while (at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos) ++at_;
  }

  Span place() const { return span_within(node_, begin_, at_ > begin_ ? at_ - begin_ : 1); }

  bool fail(const std::string& label) {
    if (at_ == begin_) ++at_;
    Diagnostic& error =
        diagnostics_.error("T0012", fmt::format("{} has a factor that cannot be read", where_));
    error.labels.push_back({place(), label});
    error.helps.emplace_back(
        "factors look like `P=4`, `P<=4`, `P>=4`, or `P=4,3` with remainder 3");
    return false;
  }

  // False if the rest makes no sense either.
  bool read_one(std::vector<Factor>& factors) {
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    std::string name(text_.substr(begin_, at_ - begin_));
    if (name.empty()) return fail("expected a dimension");
    Factor factor;
    const std::size_t after_name = at_;
    skip(" ");
    const auto relation = read_relation();
    std::optional<std::int64_t> value;
    if (relation) {
      factor.relation = *relation;
      skip(" ");
      value = read_number();
    } else if (std::optional<std::size_t> split = split_name(name)) {
      at_ = begin_ + *split;  // `P4`
      value = read_number();
      name.resize(*split);
    } else {
      at_ = after_name;
      if (workload_.find_dim(name)) {
        skip(" ");
        value = read_number();  // `P 4`
      }
    }
    if (!value) return fail("expected `=`, `<=` or `>=` and a whole number");
    if (at_ + 1 < text_.size() && text_[at_] == ',' && is_digit(text_[at_ + 1])) {
      ++at_;
      factor.remainder = read_number();
    }
    const auto dim = workload_.find_dim(name);
    if (!dim) {
      report_dim(name, place(), where_, workload_, diagnostics_);
      return true;
    }
    factor.dim = *dim;
    factor.place = place();
    factor.value = *value;
    if (*value == 0) replace_zero(factor);
    factors.push_back(factor);
    return true;
  }

  std::optional<Factor::Relation> read_relation() {
    const std::string_view rest = text_.substr(at_);
    for (const auto& [sign, relation] : {std::pair{"<=", Factor::Relation::kAtMost},
                                         {">=", Factor::Relation::kAtLeast},
                                         {"==", Factor::Relation::kEqual},
                                         {"=", Factor::Relation::kEqual}}) {
      if (!rest.starts_with(sign)) continue;
      at_ += std::string_view(sign).size();
      return relation;
    }
    return std::nullopt;
  }

  // Where the number begins in `P4`: after the longest dimension that leaves only digits.
  std::optional<std::size_t> split_name(const std::string& name) const {
    std::optional<std::size_t> best;
    std::size_t letters = name.size();
    while (letters > 0 && is_digit(name[letters - 1])) --letters;
    if (letters == 0 || letters == name.size()) return std::nullopt;
    for (const Dim& dim : workload_.dims()) {
      const bool fits =
          name.starts_with(dim.name) && dim.name.size() < name.size() && dim.name.size() >= letters;
      if (fits && (!best || dim.name.size() > *best)) best = dim.name.size();
    }
    return best ? best : letters;
  }

  std::optional<std::int64_t> read_number() {
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || value < 0) return std::nullopt;
    at_ += static_cast<std::size_t>(stop - begin);
    return value;
  }

  void replace_zero(Factor& factor) {
    const Dim& dim = workload_.dim(factor.dim);
    factor.value = dim.size;
    Diagnostic& found = diagnostics_.warning(
        "T0013", fmt::format("factor 0 of `{}` stands for its size, {}", dim.name, dim.size));
    found.labels.push_back({factor.place, "not for what is left of it"});
    found.helps.push_back(fmt::format("write `{}={}`", dim.name, dim.size));
  }

  const YamlNode& node_;
  std::string_view text_;
  const std::string& where_;
  const Workload& workload_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
};

// The names in a text: words, or single letters if it is one word that is no dimension.
std::vector<std::pair<std::string, Span>> words_of(const YamlNode& node, const Workload& workload) {
  std::vector<std::pair<std::string, Span>> words;
  const std::string_view text = std::string_view(node.text).substr(0, node.text.find('#'));
  std::size_t begin = text.find_first_not_of(" ,\t\n");
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" ,\t\n", begin), text.size());
    const std::string word(text.substr(begin, end - begin));
    if (workload.find_dim(word) || word == "_" || word == "*") {
      words.emplace_back(word, span_within(node, begin, end - begin));
    } else {
      for (std::size_t i = 0; i < word.size(); ++i) {
        words.emplace_back(std::string(1, word[i]), span_within(node, begin + i, 1));
      }
    }
    begin = text.find_first_not_of(" ,\t\n", end);
  }
  return words;
}

}  // namespace

std::vector<Factor> read_factors(const YamlNode& node, const std::string& where,
                                 const Workload& workload, Diagnostics& diagnostics) {
  std::vector<Factor> factors;
  const auto read = [&](const YamlNode& text) {
    if (text.is_scalar()) {
      FactorReader(text, where, workload, diagnostics).read(factors);
      return;
    }
    diagnostics
        .error("F0012", fmt::format("the factors of {} are {}, not text", where, describe(text)))
        .labels.push_back({text.span, "expected `P=4`"});
  };
  if (node.is_list()) {
    for (const YamlNode& item : node.items) read(item);
  } else if (!node.is_null()) {
    read(node);
  }
  std::vector<bool> seen(workload.dims().size(), false);
  for (const Factor& factor : factors) {
    if (factor.relation != Factor::Relation::kEqual) continue;
    if (seen[factor.dim.pos()]) {
      diagnostics
          .error("F0009",
                 fmt::format("{} gives dimension `{}` twice", where, workload.dim(factor.dim).name))
          .labels.push_back({factor.place, "given again here"});
    }
    seen[factor.dim.pos()] = true;
  }
  return factors;
}

Permutation read_permutation(const YamlNode& node, const std::string& where,
                             const Workload& workload, Diagnostics& diagnostics) {
  Permutation result;
  std::vector<std::pair<std::string, Span>> words;
  if (node.is_list()) {
    for (const YamlNode& item : node.items) {
      if (item.is_scalar()) words.emplace_back(item.text, item.span);
    }
  } else if (node.is_scalar()) {
    words = words_of(node, workload);
  } else if (!node.is_null()) {
    diagnostics
        .error("F0012", fmt::format("the permutation of {} is {}, not text", where, describe(node)))
        .labels.push_back({node.span, "expected dimensions, innermost first"});
  }
  bool outer = false;
  std::vector<bool> seen(workload.dims().size(), false);
  for (const auto& [word, place] : words) {
    if (word == "_" || word == "*") {
      outer = true;
      continue;
    }
    const auto dim = workload.find_dim(word);
    if (!dim) {
      report_dim(word, place, where, workload, diagnostics);
      continue;
    }
    if (seen[dim->pos()]) {
      diagnostics.error("F0009", fmt::format("the permutation of {} has `{}` twice", where, word))
          .labels.push_back({place, "given again here"});
      continue;
    }
    seen[dim->pos()] = true;
    (outer ? result.outer : result.inner).push_back(*dim);
  }
  return result;
}

}  // namespace tilewright::timeloop
