// SPDX-License-Identifier: Apache-2.0
// tilewright onnx.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli_test_support.h"
#include "tests/support/onnx_models.h"
#include "tilewright/cli/console.h"
#include "tilewright/cli/run.h"

namespace tilewright::testing {
namespace {

class Onnx : public FolderTest {
 protected:
  std::string model(const std::string& name) const {
    for (const OnnxModel& each : real_models()) {
      if (each.name == name) return write(name + ".onnx", each.bytes);
    }
    return "";
  }
};

TEST_F(Onnx, ReportsWhatIsCountedInEightyColumns) {
  for (const char* name : {"resnet50", "bert-base", "einsums"}) {
    const Result result = run_cli({"onnx", model(name)});
    EXPECT_EQ(result.code, kOk) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_LE(widest_line(result.out), 80) << result.out;
    EXPECT_TRUE(contains(result.out, "nothing is ignored")) << result.out;
  }
  const Result result = run_cli({"onnx", model("resnet50")});
  EXPECT_TRUE(contains(result.out, "4.089G MACs")) << result.out;
  EXPECT_TRUE(contains(result.out, "54 to map, 24 of them distinct")) << result.out;
}

TEST_F(Onnx, AsksForOpenSizesAndTakesThem) {
  const std::string file = model("bert-base-dynamic");
  const Result open = run_cli({"onnx", file});
  EXPECT_EQ(open.code, kInputError);
  for (const char* part : {"`batch` of the input `hidden`", "--set batch=1", "--set length=1"}) {
    EXPECT_TRUE(contains(open.err, part)) << open.err;
  }
  EXPECT_EQ(run_cli({"onnx", file, "--set", "batch=2", "--set", "length=128"}).code, kOk);
  const Result typo = run_cli({"onnx", file, "--set", "bacth=2", "--set", "length=128"});
  EXPECT_TRUE(contains(typo.err, "did you mean `batch`?")) << typo.err;
  const Result wrong = run_cli({"onnx", file, "--set", "batch=0"});
  EXPECT_TRUE(contains(wrong.err, "C0014")) << wrong.err;
}

TEST_F(Onnx, WritesANetworkThatIsReadAgain) {
  const std::string out = path("net.yaml");
  ASSERT_EQ(run_cli({"onnx", model("inception"), "-o", out}).code, kOk);
  const Result shown = run_cli({"show", out});
  EXPECT_EQ(shown.code, kOk) << shown.err;
  EXPECT_TRUE(contains(shown.out, "inception")) << shown.out;
}

TEST_F(Onnx, JsonHasAllLayers) {
  const Result result = run_cli({"onnx", model("inception"), "--json", "--bits", "8"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["coverage"]["mapped"]["nodes"], 7);
  EXPECT_EQ(json["coverage"]["ignored"]["nodes"], 0);
  EXPECT_EQ(json["layers"][0]["dims"]["m"], 64);
}

TEST_F(Onnx, RefusesWhatIsNoModel) {
  EXPECT_EQ(run_cli({"onnx", write("a.onnx", "hello")}).code, kInputError);
  EXPECT_EQ(run_cli({"onnx", path("missing.onnx")}).code, kInputError);
  EXPECT_EQ(run_cli({"onnx", folder_.string()}).code, kInputError);
}

// A stopped search, so that only reading counts.
TEST_F(Onnx, IsAModelOfNet) {
  const std::atomic<bool> stop = true;
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
  console.interrupted = &stop;
  const std::vector<std::string> words = {"net", "eyeriss", model("resnet50")};
  EXPECT_EQ(run(words, console), kNotFound) << err.str();
  EXPECT_TRUE(contains(out.str(), " on eyeriss: ")) << out.str();
  const Result two = run_cli({"net", "eyeriss", "resnet50", model("resnet50")});
  EXPECT_EQ(two.code, kInputError);
  EXPECT_TRUE(contains(two.err, "several networks are given")) << two.err;
}

// What was read from the model is in the result, as a network: the model itself is not needed.
TEST_F(Onnx, ResultsOfNetRunAgainWithoutTheModel) {
  const std::string file = model("bert-base-dynamic");
  const std::string saved = path("net.json");
  const Result made = run_cli({"net", "gemmini", file, "--set", "batch=1", "--set", "length=16",
                               "--space", "pfm", "--save", saved});
  ASSERT_EQ(made.code, kOk) << made.err;
  std::filesystem::remove(file);
  const Result again = run_cli({"rerun", saved});
  EXPECT_EQ(again.code, kOk) << again.err;
  EXPECT_TRUE(again.out.starts_with("rerun: the same ")) << again.out;
}

}  // namespace
}  // namespace tilewright::testing
