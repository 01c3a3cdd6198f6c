// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/workload/operator_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/fields.h"

namespace tilewright {
namespace {

constexpr std::array<const char*, 3> kForms = {"gemm", "bmm", "conv"};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';';
}

// The first word of a text, without blanks before it.
std::string_view first_word(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  return text.substr(begin, end - begin);
}

bool is_form(std::string_view word) { return std::ranges::find(kForms, word) != kForms.end(); }

std::vector<std::string> form_names() { return {kForms.begin(), kForms.end()}; }

const char* example_of(std::string_view form) {
  if (form == "gemm") return "gemm 512 768 3072";
  if (form == "bmm") return "bmm 12 128 128 64";
  return "conv m=64 c=64 p=56 q=56 r=3 s=3";
}

/// A word of the text: `m=64`, `depthwise` or `512`.
struct Item {
  std::size_t at = 0;
  std::string_view key;    // empty: a number by itself
  std::string_view value;  // empty: a word by itself
  std::size_t value_at = 0;
  bool has_value = false;
};

class OperatorParser {
 public:
  OperatorParser(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics)
      : file_(std::move(file)), text_(file_->text), diagnostics_(diagnostics) {
    workload_ = make_map(0, text_.size());
  }

  std::optional<YamlNode> parse() {
    const int before = diagnostics_.errors();
    if (text_.find('[') != std::string_view::npos && !is_form(first_word(text_))) {
      parse_einsum();
    } else {
      parse_form();
    }
    if (diagnostics_.errors() > before) return std::nullopt;
    YamlNode root = make_map(0, text_.size());
    root.entries.push_back({"workload", span(0, text_.size()), std::move(workload_)});
    return root;
  }

 private:
  Span span(std::size_t offset, std::size_t length) const {
    const std::string_view before = text_.substr(0, offset);
    const std::size_t line = before.rfind('\n');
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    return {file_, static_cast<int>(std::ranges::count(before, '\n')) + 1,
            static_cast<int>(offset - begin) + 1, std::max(1, static_cast<int>(length))};
  }

  YamlNode make_map(std::size_t at, std::size_t length) const {
    YamlNode node;
    node.kind = YamlNode::Kind::kMap;
    node.span = span(at, length);
    return node;
  }

  YamlNode make_scalar(std::size_t at, std::string_view text) const {
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.text = text;
    node.span = span(at, text.size());
    return node;
  }

  Diagnostic& error(std::string message, std::size_t at, std::size_t length, std::string label) {
    Diagnostic& found = diagnostics_.error("W0009", std::move(message));
    found.labels.push_back({span(at, length), std::move(label)});
    return found;
  }

  void add(YamlNode& map, const Item& item, YamlNode value) {
    YamlEntry entry{std::string(item.key), span(item.at, item.key.size()), std::move(value)};
    if (const YamlEntry* first = map.find(entry.key)) {
      Diagnostic& found = diagnostics_.error("F0009", in_backticks(entry.key) + " is given twice");
      found.labels.push_back({entry.key_span, "given again here"});
      found.labels.push_back({first->key_span, "first given here"});
      return;
    }
    map.entries.push_back(std::move(entry));
  }

  // `conv m=64 ...`, `gemm 512 768 3072`
  void parse_form() {
    const std::string form(first_word(text_));
    const std::size_t at = text_.find(form);
    if (!is_form(form)) {
      Diagnostic& found = error(in_backticks(form) + " is not an operator", at, form.size(),
                                "expected `gemm`, `bmm`, `conv` or an einsum");
      if (const auto meant = nearest(form, form_names())) {
        found.helps.push_back("did you mean `" + *meant + "`?");
      } else {
        found.helps.emplace_back("for example `gemm 512 768 3072`");
      }
      return;
    }
    const ObjectId object = form == "gemm"  ? ObjectId::kGemm
                            : form == "bmm" ? ObjectId::kBmm
                                            : ObjectId::kConv;
    YamlNode sizes = make_map(at, form.size());
    std::vector<Item> numbers;
    for (const Item& item : read_items(at + form.size())) {
      if (item.key.empty()) {
        numbers.push_back(item);
      } else if (!take_option(item)) {
        add(sizes, item,
            item.has_value ? value_of(item) : make_scalar(item.at, flag_text(item, object)));
      }
    }
    if (!numbers.empty()) take_numbers(form, object, numbers, sizes);
    workload_.entries.push_back({form, span(at, form.size()), std::move(sizes)});
  }

  // A word by itself switches something on; a dim by itself lacks its size.
  static std::string_view flag_text(const Item& item, ObjectId object) {
    for (const Field& field : fields_of(object).fields) {
      if (field.key == item.key && field.kind == FieldKind::kFlag) return "true";
    }
    return item.key;
  }

  // `512 768 3072`: the sizes in the order of the form's dims, all of them.
  void take_numbers(const std::string& form, ObjectId object, const std::vector<Item>& numbers,
                    YamlNode& sizes) {
    const std::vector<std::string> dims = keys_of(object);
    const Item& first = numbers.front();
    const std::size_t length = numbers.back().at + numbers.back().value.size() - first.at;
    if (form == "conv") {
      error("the sizes of a `conv` have names", first.at, length, "which dims are these?")
          .helps.push_back(fmt::format("for example `{}`", example_of(form)));
      return;
    }
    if (numbers.size() != dims.size() || !sizes.entries.empty()) {
      error(fmt::format("`{}` takes {} numbers ({}) or names for all of them", form, dims.size(),
                        fmt::join(dims, ", ")),
            first.at, length, fmt::format("here are {}", numbers.size()))
          .helps.push_back(fmt::format("for example `{}`", example_of(form)));
      return;
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const Item& number = numbers[i];
      sizes.entries.push_back(
          {dims[i], span(number.at, number.value.size()), make_scalar(number.at, number.value)});
    }
  }

  // `Z[m,n] += A[m,k] * B[k,n]; m=512 n=768 k=3072`
  void parse_einsum() {
    const std::size_t semicolon = text_.find(';');
    std::string_view einsum = text_.substr(0, semicolon);
    std::size_t at = 0;
    while (at < einsum.size() && is_blank(einsum[at])) ++at;
    einsum.remove_prefix(at);
    while (!einsum.empty() && is_blank(einsum.back())) einsum.remove_suffix(1);
    if (semicolon == std::string_view::npos) {
      error("the einsum has no sizes", at, einsum.size(), "its dims have no sizes")
          .helps.emplace_back(
              "put them after a semicolon, as in `Z[m,n] += A[m,k] * B[k,n]; m=512 n=768 k=3072`");
      return;
    }
    workload_.entries.push_back({"einsum", span(at, einsum.size()), make_scalar(at, einsum)});
    YamlNode dims = make_map(semicolon, 1);
    for (const Item& item : read_items(semicolon + 1)) {
      if (item.key.empty()) {
        error("the size of which dim?", item.at, item.value.size(), "a number by itself")
            .helps.push_back(fmt::format("write `DIM={}`", item.value));
      } else if (!take_option(item)) {
        add(dims, item, value_of(item));
      }
    }
    workload_.entries.push_back({"dims", span(semicolon, 1), std::move(dims)});
  }

  // `name=`, `bits=8`, `bits.output=24`: keys of the workload itself.
  bool take_option(const Item& item) {
    constexpr std::string_view kBits = "bits.";
    if (item.key == "name" || item.key == "bits") {
      add(workload_, item, value_of(item));
      return true;
    }
    if (!item.key.starts_with(kBits)) return false;
    auto bits = std::ranges::find(workload_.entries, "bits", &YamlEntry::key);
    if (bits == workload_.entries.end()) {
      workload_.entries.push_back(
          {"bits", span(item.at, item.key.size()), make_map(item.at, item.key.size())});
      bits = workload_.entries.end() - 1;
    }
    if (!bits->value.is_map()) {
      error("`bits` is one width for all, or one for each tensor", item.at, item.key.size(),
            "given a second time")
          .helps.emplace_back("for example `bits.input=8 bits.weight=8 bits.output=24`");
      return true;
    }
    Item tensor = item;
    tensor.at += kBits.size();
    tensor.key.remove_prefix(kBits.size());
    add(bits->value, tensor, value_of(item));
    return true;
  }

  // A number, a word, or a list in brackets.
  YamlNode value_of(const Item& item) const {
    if (!item.has_value) {
      YamlNode node;
      node.span = span(item.at, item.key.size());
      return node;
    }
    if (!item.value.starts_with('[')) return make_scalar(item.value_at, item.value);
    YamlNode list = make_scalar(item.value_at, item.value);
    list.kind = YamlNode::Kind::kList;
    list.text.clear();
    const std::size_t end = item.value.ends_with(']') ? item.value.size() - 1 : item.value.size();
    for (std::size_t i = 1; i < end;) {
      std::size_t stop = i;
      while (stop < end && !is_blank(item.value[stop])) ++stop;
      if (stop > i) {
        list.items.push_back(make_scalar(item.value_at + i, item.value.substr(i, stop - i)));
      }
      i = stop + 1;
    }
    return list;
  }

  std::vector<Item> read_items(std::size_t at) {
    std::vector<Item> items;
    while (true) {
      while (at < text_.size() && (is_blank(text_[at]) || text_[at] == ';')) ++at;
      if (at >= text_.size()) return items;
      items.push_back(read_item(at));
    }
  }

  Item read_item(std::size_t& at) {
    Item item;
    item.at = at;
    const std::size_t begin = at;
    while (at < text_.size() && !is_blank(text_[at]) && text_[at] != '=') ++at;
    item.key = text_.substr(begin, at - begin);
    std::size_t sign = at;
    while (sign < text_.size() && text_[sign] == ' ') ++sign;
    if (sign < text_.size() && text_[sign] == '=') {
      at = sign + 1;
      while (at < text_.size() && text_[at] == ' ') ++at;
      item.has_value = true;
      item.value_at = at;
      const bool list = at < text_.size() && text_[at] == '[';
      const std::size_t close = list ? text_.find(']', at) : std::string_view::npos;
      if (close != std::string_view::npos) at = close + 1;
      while (at < text_.size() && !is_blank(text_[at])) ++at;
      item.value = text_.substr(item.value_at, at - item.value_at);
      if (item.value.empty()) {
        item.has_value = false;
        item.value_at = 0;
      }
    } else if (item.key.front() >= '0' && item.key.front() <= '9') {
      item.value = std::exchange(item.key, {});
      item.value_at = item.at;
    }
    return item;
  }

  std::shared_ptr<const SourceFile> file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  YamlNode workload_;
};

}  // namespace

bool is_operator(const SourceFile& file) { return file.name.ends_with(kOperatorName); }

bool looks_like_operator(std::string_view text) {
  const std::string_view word = first_word(text);
  if (is_form(word) || text.find('[') != std::string_view::npos) return true;
  const bool words = text.find(' ') != std::string_view::npos;
  return words &&
         (text.find('=') != std::string_view::npos || nearest(word, form_names()).has_value());
}

std::optional<YamlNode> parse_operator(std::shared_ptr<const SourceFile> file,
                                       Diagnostics& diagnostics) {
  return OperatorParser(std::move(file), diagnostics).parse();
}

}  // namespace tilewright
