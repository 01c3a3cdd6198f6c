// SPDX-License-Identifier: Apache-2.0
// Writes HTML and the SVG inside it: closes what it opens and escapes what it is given.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace tilewright {

/// Text as it may stand between tags and inside quotes. Bytes that are not UTF-8 and control
/// characters become U+FFFD: names come from files.
std::string escape(std::string_view text);

/// The same for text that is read: a blank between a number and its unit (`59.28 uJ`, `20 %`,
/// `4.65 x 10^16`) is one at which no line breaks.
std::string escape_text(std::string_view text);

/// A length or a place in at most two decimals, the same on every machine: `12.5`, `0`.
std::string number(double value);

/// A share of a width: `33.33%`.
std::string percent(double share);

struct Attribute {
  std::string_view name;
  std::string value;  ///< as the reader shall see it: not escaped yet
};
using Attributes = std::initializer_list<Attribute>;

class Markup {
 public:
  /// An open element; closes it at its end.
  class [[nodiscard]] Scope {
   public:
    Scope(Markup& out, std::string_view tag) : out_(out), tag_(tag) {}
    ~Scope() { out_.close(tag_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Markup& out_;
    std::string_view tag_;
  };

  /// Tags and names of attributes are literals.
  Scope in(std::string_view tag, Attributes attributes = {});
  /// An element that holds just text.
  void leaf(std::string_view tag, std::string_view text) { leaf(tag, {}, text); }
  void leaf(std::string_view tag, Attributes attributes, std::string_view text);
  /// An HTML element that has no end, such as `meta`.
  void single(std::string_view tag, Attributes attributes);
  void text(std::string_view text) { html_ += escape_text(text); }
  /// What is HTML already.
  void raw(std::string_view html) { html_ += html; }

  const std::string& html() const { return html_; }

 private:
  void open(std::string_view tag, Attributes attributes);
  void close(std::string_view tag);

  std::string html_;
};

}  // namespace tilewright
