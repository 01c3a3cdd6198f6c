// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, EscapesWhatATerminalObeysAndLosesNothing) {
  const std::string name = "a\x1b[31m\x7f\xC2\x9B\xE2\x80\xAEz m\xC3\xBCller";
  const Json root = {{"name", name}};
  const std::string text = json_text(root);
  EXPECT_EQ(text, "{\n  \"name\": \"a\\u001b[31m\\u007f\\u009b\\u202ez m\xC3\xBCller\"\n}\n");
  EXPECT_EQ(Json::parse(text)["name"], name);
}

TEST(JsonText, IsOneLineIfAsked) {
  EXPECT_EQ(json_text(Json{{"a", 1}}, -1), "{\"a\":1}");
  EXPECT_EQ(json_text(Json{{"a", "\xFF"}}, -1), "{\"a\":\"\xEF\xBF\xBD\"}");
}

}  // namespace
}  // namespace tilewright
