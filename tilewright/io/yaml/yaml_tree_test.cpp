// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/yaml_tree.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/io/render.h"

namespace tilewright {
namespace {

struct Result {
  std::optional<YamlNode> root;
  Diagnostics diagnostics;

  std::string code() const {
    return diagnostics.all().empty() ? "" : diagnostics.all().front().code;
  }
  const Span& place() const { return diagnostics.all().front().labels.front().span; }
};

Result parse(std::string text) {
  Result result;
  auto file = std::make_shared<SourceFile>(SourceFile{"t.yaml", std::move(text)});
  result.root = parse_yaml(std::move(file), result.diagnostics);
  return result;
}

std::string repeat(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(ParseYaml, KnowsThePlaceOfKeysAndValues) {
  const Result r = parse("a: 1\nb:\n  - xy\n  - {c: 'it''s', d: \"q\"}\n");
  ASSERT_TRUE(r.root);
  ASSERT_TRUE(r.root->is_map());
  ASSERT_EQ(r.root->entries.size(), 2U);
  const YamlEntry& a = r.root->entries[0];
  EXPECT_EQ(a.key, "a");
  EXPECT_EQ(a.key_span.line, 1);
  EXPECT_EQ(a.value.text, "1");
  EXPECT_FALSE(a.value.quoted);
  EXPECT_EQ(a.value.span.column, 4);
  const YamlNode& list = r.root->find("b")->value;
  ASSERT_TRUE(list.is_list());
  EXPECT_EQ(list.items[0].span.length, 2);
  const YamlNode& map = list.items[1];
  EXPECT_EQ(map.find("c")->value.text, "it's");
  EXPECT_TRUE(map.find("c")->value.quoted);
  EXPECT_EQ(map.find("d")->key_span.line, 4);
  EXPECT_EQ(map.find("d")->key_span.column, 18);
  EXPECT_EQ(map.find("e"), nullptr);
}

TEST(ParseYaml, EmptyTextIsNothing) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "~"}) {
    const Result r = parse(text);
    ASSERT_TRUE(r.root) << text;
    EXPECT_TRUE(r.root->is_null());
    EXPECT_FALSE(r.diagnostics.has_errors());
  }
}

TEST(ParseYaml, AMissingKeyIsTheEmptyWord) {
  const Result r = parse("{: 1, null: 2, ~: 3}");
  ASSERT_TRUE(r.root) << render_text(r.diagnostics, false);
  EXPECT_EQ(r.root->entries[0].key, "");
  EXPECT_EQ(r.root->entries[1].key, "null");
  EXPECT_EQ(r.root->entries[2].key, "~");
}

TEST(ParseYaml, ReportsDuplicatesAndGoesOn) {
  const Result r = parse("a: 1\nb: 2\na: 3\nb: 4\n");
  ASSERT_TRUE(r.root);
  ASSERT_EQ(r.diagnostics.errors(), 2);
  EXPECT_EQ(r.code(), "F0009");
  EXPECT_EQ(r.place().line, 3);
  EXPECT_EQ(r.diagnostics.all()[0].labels[1].span.line, 1);
  EXPECT_EQ(r.root->find("a")->value.text, "1");
}

TEST(ParseYaml, RefusesWhatItDoesNotRead) {
  EXPECT_EQ(parse("a: &x 1\nb: 2\n").code(), "F0006");
  EXPECT_EQ(parse("a: &x {c: 1}\nb: *x\n").code(), "F0006");
  EXPECT_EQ(parse("a: !Tag 1").code(), "F0006");
  EXPECT_EQ(parse("a: !!map {b: 1}").code(), "F0006");
  EXPECT_EQ(parse("a: !Tag [1]").code(), "F0006");
  EXPECT_EQ(parse("a: 1\n---\nb: 2\n").code(), "F0007");
  EXPECT_EQ(parse("{[a]: 1}").code(), "F0008");
  EXPECT_EQ(parse("? {a: 1}\n: 2\n").code(), "F0008");
}

TEST(ParseYaml, SyntaxErrorsHaveAPlace) {
  for (const char* text : {"a: [1, 2\n", "a: b: c\n", "a: 'x\n", "a: \"x\\\"", "a: 'it''s\nb: 1",
                           "a: 1\n b: 2\n", "}"}) {
    const Result r = parse(text);
    EXPECT_FALSE(r.root) << text;
    ASSERT_EQ(r.code(), "F0002") << text;
    EXPECT_GE(r.place().line, 1) << text;
    EXPECT_GE(r.place().column, 1) << text;
  }
}

TEST(ParseYaml, ATabHasAPlace) {
  const Result r = parse("a:\n\tb: 1\n");
  EXPECT_EQ(r.code(), "F0003");
  EXPECT_EQ(r.place().line, 2);
  EXPECT_EQ(r.place().column, 1);
  EXPECT_TRUE(parse("a: 1\t# comment\n\t\nb: 2\n").root);
}

TEST(ParseYaml, RefusesBytesThatAreNoText) {
  const Result r = parse("a: 1\nb: \xFF\n");
  EXPECT_EQ(r.code(), "F0001");
  EXPECT_EQ(r.place().line, 2);
  EXPECT_EQ(r.place().column, 4);
  EXPECT_EQ(parse(std::string("a\0b", 3)).code(), "F0001");
  EXPECT_EQ(parse(std::string("\xFF\xFE"
                              "a\0",
                              4))
                .code(),
            "F0001");
  EXPECT_EQ(parse("a: \x1b[2J").code(), "F0001");
}

TEST(ParseYaml, TakesWindowsLineEndsAndAByteOrderMark) {
  const Result r = parse(
      "\xEF\xBB\xBF"
      "a: 1\r\nbc: 2\r\n");
  ASSERT_TRUE(r.root) << render_text(r.diagnostics, false);
  EXPECT_EQ(r.root->find("a")->value.text, "1");
  EXPECT_EQ(r.root->find("bc")->value.text, "2");
  EXPECT_EQ(r.root->find("bc")->key_span.column, 1);
  EXPECT_EQ(r.root->find("a")->key_span.column, 4);
}

TEST(ParseYaml, NoTextExhaustsIt) {
  const std::vector<std::string> texts{
      repeat("[", 100'000),
      repeat("[", 4 << 20),
      repeat("{", 200'000),
      repeat("{a: ", 190'000),
      repeat("- ", 2 << 20),
      repeat("? ", 2 << 20),
      repeat(": ", 2 << 20),
      repeat("- ? : ", 600'000),
      repeat("a: ", 1'000'000),
      repeat("a,", 2 << 20),
      "[" + repeat("a,", 2'000'000),
      "[" + repeat("1,", 150'000) + "]",
      repeat("- 1\n", 1'000'000),
      repeat("&a ", 1'000'000),
      repeat("!a ", 1'000'000),
      repeat("*a ", 1'000'000),
      repeat("\"", (4 << 20) - 1),
      repeat("'", (4 << 20) - 1),
      repeat("a", 4 << 20),
      repeat("a ", 2 << 20),
      repeat("a\n", 2 << 20),
      repeat(" ", 4 << 20),
      repeat("\n", 4 << 20),
      repeat("#\n", 2 << 20),
      "a: |\n" + repeat(" x\n", 1'000'000),
      "a: >\n" + repeat(" x\n\n", 1'000'000),
      repeat("---\n", 1'000'000),
      repeat("%YAML 1.2\n", 400'000),
      repeat("x: 1\n", 800'000),
      repeat("a", (4 << 20) + 1),
  };
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    parse(text);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_LT(seconds.count(), 20.0) << text.substr(0, 8) << " of " << text.size();
  }
}

TEST(ParseYaml, NestingHasALimit) {
  const auto nested = [](int depth) { return repeat("[", depth) + repeat("]", depth); };
  EXPECT_TRUE(parse(nested(kMaxYamlDepth)).root);
  EXPECT_EQ(parse(nested(kMaxYamlDepth + 1)).code(), "F0004");
  EXPECT_EQ(parse(nested(kMaxYamlDepth + 1)).place().column, kMaxYamlDepth + 1);
}

TEST(ParseYaml, BrokenTextsNeverThrow) {
  const std::string base =
      "workload:\n  name: 'x'\n  einsum: O[m] += A[m,k] * B[k]\n  dims: {m: 1, k: \"2\"}\n"
      "mapping: |\n  DRAM: keep\n    for m 2\narch: [1, {a: b}, - c]\n";
  const std::string alphabet = "\n :-[]{},'\"&*!|>%@`#?ab\t0\\\xC2";
  Random random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = base;
    for (int edit = 0; edit < 4; ++edit) {
      const auto at =
          static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size()) - 1));
      const char c = alphabet[static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(alphabet.size()) - 1))];
      if (random.one_in(3)) {
        text.erase(at, static_cast<std::size_t>(random.between(1, 10)));
      } else if (random.one_in(2)) {
        text[at] = c;
      } else {
        text.insert(at, 1, c);
      }
    }
    const Result r = parse(text);
    EXPECT_TRUE(r.root || r.diagnostics.has_errors()) << text;
    render_text(r.diagnostics, false);
  }
}

TEST(ScalarSource, KeepsLinesAndColumns) {
  const Result r = parse("a: 1\nmapping: |\n  DRAM: keep\n    for p 8\n\n  mac\nb: 2\n");
  ASSERT_TRUE(r.root);
  const auto source = scalar_source(r.root->find("mapping")->value);
  EXPECT_EQ(source->name, "t.yaml");
  EXPECT_EQ(source->text, "\n\n  DRAM: keep\n    for p 8\n\n  mac\n");
  EXPECT_EQ(scalar_source(r.root->find("b")->value)->text, "\n\n\n\n\n\n   2");
  const Result quoted = parse("m: 'x y'");
  EXPECT_EQ(scalar_source(quoted.root->find("m")->value)->text, "    x y");
}

TEST(ScalarSource, EndsWithTheFile) {
  for (const char* text : {"m: |", "m: |\n", "m: |\n  a", "- |\n a\n- b\n"}) {
    const Result r = parse(text);
    ASSERT_TRUE(r.root) << text;
    scalar_source(r.root->is_map() ? r.root->entries[0].value : r.root->items[0]);
  }
}

TEST(Describe, SaysWhatANodeIs) {
  const Result r = parse("[x, [], {}, ~]");
  ASSERT_TRUE(r.root);
  EXPECT_EQ(describe(r.root->items[0]), "`x`");
  EXPECT_EQ(describe(r.root->items[1]), "a list");
  EXPECT_EQ(describe(r.root->items[2]), "a map");
  EXPECT_EQ(describe(r.root->items[3]), "nothing");
}

}  // namespace
}  // namespace tilewright
