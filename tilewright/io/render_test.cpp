// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/render.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace tilewright {
namespace {

std::shared_ptr<const SourceFile> file(std::string name, std::string text) {
  return std::make_shared<SourceFile>(SourceFile{std::move(name), std::move(text)});
}

TEST(SourceFile, FindsLines) {
  const SourceFile source{"x", "a\nbc\r\n\nd"};
  EXPECT_EQ(source.line(1), "a");
  EXPECT_EQ(source.line(2), "bc");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "d");
  EXPECT_EQ(source.line(5), "");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(-3), "");
}

TEST(Diagnostics, CountsErrorsOnly) {
  Diagnostics all;
  all.warning("F1", "w");
  EXPECT_FALSE(all.has_errors());
  all.error("F2", "e");
  EXPECT_EQ(all.errors(), 1);
  EXPECT_EQ(all.all().size(), 2U);
}

TEST(RenderText, ShowsThePlaceAndTheHelp) {
  std::string text(11, '\n');
  text += "      capcity: 128 KiB\n";
  Diagnostic d{Severity::kError, "F0010", "unknown key `capcity` in memory `GLB`", {}, {}, {}};
  d.labels.push_back({Span{file("arch.yaml", text), 12, 7, 7}, "not a key of a memory"});
  d.notes.push_back("one\ntwo");
  d.helps.push_back("did you mean `capacity`?");
  EXPECT_EQ(render_text(d, false),
            "error[F0010]: unknown key `capcity` in memory `GLB`\n"
            "  --> arch.yaml:12:7\n"
            "   |\n"
            "12 |       capcity: 128 KiB\n"
            "   |       ^^^^^^^ not a key of a memory\n"
            "   = note: one\n"
            "           two\n"
            "help: did you mean `capacity`?\n");
}

TEST(RenderText, ShowsASecondPlace) {
  Diagnostic d{Severity::kWarning, "F0013", "twice", {}, {}, {}};
  d.labels.push_back({Span{file("a.yaml", "arch: 1"), 1, 1, 4}, "here"});
  d.labels.push_back({Span{file("b.yaml", "\n arch: 2"), 2, 2, 4}, "and here"});
  EXPECT_EQ(render_text(d, false),
            "warning[F0013]: twice\n"
            "  --> a.yaml:1:1\n"
            "   |\n"
            " 1 | arch: 1\n"
            "   | ^^^^ here\n"
            "  ::: b.yaml:2:2\n"
            " 2 |  arch: 2\n"
            "   |  ^^^^ and here\n");
}

TEST(RenderText, ShowsTwoPlacesOfOneLineUnderIt) {
  const auto source = file("a.yaml", "{p: 1, p: 2}");
  Diagnostic d{Severity::kError, "F0009", "twice", {}, {}, {}};
  d.labels.push_back({Span{source, 1, 8, 1}, "again"});
  d.labels.push_back({Span{source, 1, 2, 1}, "first"});
  EXPECT_EQ(render_text(d, false),
            "error[F0009]: twice\n"
            "  --> a.yaml:1:8\n"
            "   |\n"
            " 1 | {p: 1, p: 2}\n"
            "   |        ^ again\n"
            "   |  ^ first\n");
}

TEST(RenderText, NamesTheFileAloneWhereThereIsNoLine) {
  Diagnostic d{Severity::kError, "F0005", "too large", {}, {}, {}};
  d.labels.push_back({Span{file("a.yaml", ""), 0, 0, 1}, ""});
  EXPECT_EQ(render_text(d, false), "error[F0005]: too large\n  --> a.yaml\n");
  d.labels.clear();
  EXPECT_EQ(render_text(d, false), "error[F0005]: too large\n");
}

TEST(RenderText, CutsLongLinesAroundThePlace) {
  const std::string line = std::string(500, 'a') + "HERE" + std::string(500, 'b');
  Diagnostic d{Severity::kError, "F1", "m", {}, {}, {}};
  d.labels.push_back({Span{file("a", line), 1, 501, 4}, "x"});
  const std::string text = render_text(d, false);
  EXPECT_NE(text.find("aaHEREbb"), std::string::npos);
  EXPECT_NE(text.find("| " + std::string(36, ' ') + "^^^^ x\n"), std::string::npos) << text;
  EXPECT_LT(text.size(), 250U);
}

TEST(RenderText, CountsCharactersNotBytesAndReplacesControls) {
  Diagnostic d{Severity::kError, "F1", "bell \a", {}, {}, {}};
  d.labels.push_back({Span{file("a\x1b", "\xC2\xB5\xC2\xB5\tx\x1b[2J"), 1, 6, 1}, ""});
  EXPECT_EQ(render_text(d, false),
            "error[F1]: bell \xEF\xBF\xBD\n"
            "  --> a\xEF\xBF\xBD:1:6\n"
            "   |\n"
            " 1 | \xC2\xB5\xC2\xB5 x\xEF\xBF\xBD[2J\n"
            "   |    ^\n");
}

TEST(RenderText, SurvivesPlacesOutsideTheFile) {
  const auto source = file("a", "abc");
  for (const Span& span : {Span{source, 9, 9, 9}, Span{source, 1, 99, 5}, Span{source, 1, -4, -4},
                           Span{source, -1, 0, 0}, Span{nullptr, 3, 3, 3}}) {
    Diagnostic d{Severity::kError, "F1", "m", {{span, "t"}}, {}, {}};
    EXPECT_FALSE(render_text(d, true).empty());
  }
}

TEST(RenderText, ColoursOnlyOnRequest) {
  Diagnostic d{Severity::kError, "F1", "m", {}, {}, {"h"}};
  EXPECT_EQ(render_text(d, false).find('\x1b'), std::string::npos);
  EXPECT_NE(render_text(d, true).find("\x1b[1;31merror[F1]\x1b[0m"), std::string::npos);
}

TEST(RenderJson, HoldsEverything) {
  Diagnostics all;
  Diagnostic& d = all.error("F0010", "broken \xFF byte");
  d.labels.push_back({Span{file("a.yaml", "x"), 3, 4, 5}, "here"});
  d.notes.push_back("n");
  d.helps.push_back("h");
  const nlohmann::json json = nlohmann::json::parse(render_json(all));
  EXPECT_EQ(json["version"], 1);
  const nlohmann::json& first = json["diagnostics"][0];
  EXPECT_EQ(first["severity"], "error");
  EXPECT_EQ(first["code"], "F0010");
  EXPECT_EQ(first["labels"][0]["file"], "a.yaml");
  EXPECT_EQ(first["labels"][0]["line"], 3);
  EXPECT_EQ(first["labels"][0]["column"], 4);
  EXPECT_EQ(first["labels"][0]["length"], 5);
  EXPECT_EQ(first["labels"][0]["text"], "here");
  EXPECT_EQ(first["notes"][0], "n");
  EXPECT_EQ(first["helps"][0], "h");
  EXPECT_EQ(render_json(Diagnostics{}), R"({"version":1,"diagnostics":[]})");
}

}  // namespace
}  // namespace tilewright
