// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/json/run_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tilewright/io/render.h"

namespace tilewright {
namespace {

std::shared_ptr<const SourceFile> text_file(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)});
}

TEST(RunJson, ReadsBackToTheSameRecord) {
  RunRecord run;
  run.command = "map";
  run.repeatable = false;
  run.options = {{"front", true},
                 {"space", std::string("pfm")},
                 {"gap", std::string("0.01")},  // a text that looks like a number stays one
                 {"seed", ~std::uint64_t{0}},
                 {"cap", std::vector<std::string>{"energy <= 3 uJ", "latency <= 2 ms"}}};
  run.inputs = {text_file("a/arch.yaml", "arch:\n  note: \"\xC3\xA9\"\r\n\n  x: 'y'\n"),
                text_file("<stdin>", "no line end"), text_file("empty", ""),
                text_file("tab\"quote", "\t\\ \"")};
  nlohmann::ordered_json root = {{"tilewright", {{"version", "1.2"}, {"schema", 1}}}};
  add_run(run, root);
  Diagnostics diagnostics;
  const auto back = read_result(text_file("r.json", root.dump(2)), diagnostics);
  ASSERT_TRUE(back) << render_text(diagnostics, false);
  EXPECT_EQ(back->version, "1.2");
  EXPECT_EQ(back->run.command, "map");
  EXPECT_FALSE(back->run.repeatable);
  EXPECT_EQ(back->run.options, run.options);
  ASSERT_EQ(back->run.inputs.size(), run.inputs.size());
  for (std::size_t i = 0; i < run.inputs.size(); ++i) {
    EXPECT_EQ(back->run.inputs[i]->name, run.inputs[i]->name);
    EXPECT_EQ(back->run.inputs[i]->text, run.inputs[i]->text);
  }
}

TEST(RunJson, LeavesOutAnEmptyRecord) {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  add_run({}, root);
  EXPECT_TRUE(root.empty());
}

}  // namespace
}  // namespace tilewright
