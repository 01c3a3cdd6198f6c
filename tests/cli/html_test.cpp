// SPDX-License-Identifier: Apache-2.0
// --html: a page beside the result. What is on it is for unit.html, how it looks for tests/report.
#include <fstream>
#include <sstream>

#include "map_test_support.h"

namespace tilewright::testing {
namespace {

class Html : public Map {
 protected:
  std::string read(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return (std::ostringstream() << stream.rdbuf()).str();
  }
};

TEST_F(Html, EvaluateWritesAPageBesideItsReport) {
  const std::string first = source_path("examples/first");
  const Result plain = run_cli({"evaluate", first});
  const Result result = run_cli({"evaluate", first, "--html", path("a.html")});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_EQ(result.out, plain.out);
  EXPECT_EQ(result.err, "wrote " + path("a.html") + "\n");
  const std::string page = read("a.html");
  EXPECT_TRUE(contains(page, "<h1>awkward on first</h1>"));
  EXPECT_TRUE(contains(page, "<dd>evaluated</dd>"));
  EXPECT_TRUE(contains(page, "Full pass: 16 of 16 units work"));
  EXPECT_TRUE(contains(page, "Last, ragged pass: 8 of 16 units work"));
}

TEST_F(Html, MapWritesTheSamePageTwiceAndATraceOnlyIfAsked) {
  ASSERT_EQ(map({"--html", path("a.html")}).code, kOk);
  ASSERT_EQ(map({"--html", path("b.html"), "--threads", "2"}).code, kOk);
  const std::string page = read("a.html");
  EXPECT_EQ(page, read("b.html"));
  EXPECT_TRUE(contains(page, "<dd>proved</dd>"));
  EXPECT_TRUE(contains(page, "no mapping of this space with even placement is better"));
  EXPECT_FALSE(contains(page, "<polyline"));
  ASSERT_EQ(map({"--html", path("c.html"), "--trace"}).code, kOk);
  EXPECT_TRUE(contains(read("c.html"), "<polyline class=\"best\""));
}

TEST_F(Html, NetWritesAPage) {
  write("net.yaml", R"(
network:
  name: two
  layers:
    - {name: a, gemm: {m: 7, n: 6, k: 4}}
    - {name: b, gemm: {m: 3, n: 6, k: 4}}
)");
  const Result result =
      run_cli({"net", path("arch.yaml"), path("net.yaml"), "--html", path("n.html")});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(contains(read("n.html"), "<h1>two on tiny</h1>"));
  EXPECT_TRUE(contains(read("n.html"), "all 2 proved"));
}

TEST_F(Html, SaysIfItCannotWrite) {
  const Result lost = map({"--html", path("no/such/folder/a.html")});
  EXPECT_EQ(lost.code, kInputError);
  EXPECT_TRUE(contains(lost.err, "error[C0010]")) << lost.err;
  EXPECT_EQ(run_cli({"evaluate", source_path("examples/first"), "--html", path("")}).code,
            kInputError);
  EXPECT_EQ(map({"--trace"}).code, kUsageError) << "a trace is a picture of the page";
}

}  // namespace
}  // namespace tilewright::testing
