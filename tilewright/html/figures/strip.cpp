// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/figures/strip.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tilewright/format/layout.h"

namespace tilewright {
namespace {

constexpr double kLetter = 6.2;  // pixels, on average and a little more
constexpr double kLine = 13;     // of upright letters
constexpr double kGap = 6;
constexpr int kLongest = 22;  // letters

struct Screen {
  const char* style;
  double pixels;  // that a strip has at least
};
constexpr std::array<Screen, 2> kScreens = {{{"names desk", 980}, {"names phone", 340}}};

// Short enough to stand below a bar; empty if there is no such form.
std::string short_name(const std::string& name) {
  if (display_width(name) <= kLongest) return name;
  const std::size_t slash = name.find_last_of('/');
  const std::string last = slash == std::string::npos ? "" : name.substr(slash + 1);
  return display_width(last) <= kLongest ? last : "";
}

enum class Form { kLevel, kUpright };

std::optional<Form> form_of(const StripPart& part, const std::string& name, double pixels) {
  const double room = part.share * pixels;
  if (name.empty()) return std::nullopt;
  if (room >= kLetter * display_width(name) + kGap) return Form::kLevel;
  if (room >= kLine) return Form::kUpright;
  return std::nullopt;
}

void write_name(Markup& out, double middle, const std::string& name, Form form) {
  if (form == Form::kLevel) {
    strip_text(out, middle, 17, "middle", name);
    return;
  }
  const auto place = out.in("svg", {{"x", percent(middle)}, {"y", "8"}, {"overflow", "visible"}});
  out.leaf("text",
           {{"class", "tick"}, {"transform", "rotate(-90)"}, {"y", "4"}, {"text-anchor", "end"}},
           name);
}

void write_names(Markup& out, const std::vector<StripPart>& parts, const Screen& screen) {
  std::vector<std::optional<Form>> forms;
  double height = 20;
  for (const StripPart& part : parts) {
    const std::string name = short_name(part.name);
    forms.push_back(form_of(part, name, screen.pixels));
    if (forms.back() == Form::kUpright) {
      height = std::max(height, kLetter * display_width(name) + 12);
    }
  }
  const auto svg = out.in("svg", {{"class", screen.style},
                                  {"aria-hidden", "true"},
                                  {"width", "100%"},
                                  {"height", number(height)}});
  double x = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].share > 0) strip_line(out, "grid", x, 0, 5);
    if (forms[i]) write_name(out, x + parts[i].share / 2, short_name(parts[i].name), *forms[i]);
    x += parts[i].share;
  }
  strip_line(out, "grid", 1, 0, 5);
}

}  // namespace

void strip_names(Markup& out, const std::vector<StripPart>& parts) {
  for (const Screen& screen : kScreens) write_names(out, parts, screen);
}

void strip_rect(Markup& out, const std::string& style, const StripRect& rect,
                const std::string& title) {
  const auto drawn = out.in("rect", {{"class", style},
                                     {"x", percent(rect.x)},
                                     {"y", number(rect.y)},
                                     {"width", percent(rect.width)},
                                     {"height", number(rect.height)}});
  if (!title.empty()) out.leaf("title", title);
}

void strip_line(Markup& out, const char* style, double x, double from_y, double to_y) {
  out.leaf("line",
           {{"class", style},
            {"x1", percent(x)},
            {"y1", number(from_y)},
            {"x2", percent(x)},
            {"y2", number(to_y)}},
           "");
}

void strip_text(Markup& out, double x, double y, const char* anchor, const std::string& words) {
  out.leaf("text",
           {{"class", "tick"}, {"x", percent(x)}, {"y", number(y)}, {"text-anchor", anchor}},
           words);
}

}  // namespace tilewright
