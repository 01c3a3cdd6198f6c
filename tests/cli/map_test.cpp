// SPDX-License-Identifier: Apache-2.0
// tilewright map: what it finds, in what form, and what it says if it finds nothing.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>

#include "map_test_support.h"
#include "tilewright/cli/run.h"

namespace tilewright::testing {
namespace {

TEST_F(Map, ProvesTheBestOfASmallSpace) {
  const Result result = map({"--space", "pfm"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_LE(widest_line(result.out), 80);
  const Json search = map_json({"--space", "pfm"})["search"];
  EXPECT_TRUE(result.err.starts_with("optimal search: ")) << result.err;
  EXPECT_TRUE(result.out.starts_with("space   pfm: ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nsearch  optimal\n"));
  EXPECT_TRUE(
      contains(result.out, "\nended   all mappings were evaluated or ruled out by a bound\n"));
  EXPECT_TRUE(
      contains(result.out,
               "\nresult  proved: no mapping of this space with even placement is better (edp)\n"));
  EXPECT_TRUE(contains(result.out, "\nsmall on tiny: 168 MACs, 4 units\n"));
  EXPECT_EQ(search["proved"], true);
  EXPECT_EQ(search["ending"], "exhausted");
  EXPECT_EQ(search["mapper"], "optimal");
  EXPECT_EQ(search["gap"], 0.0);
  EXPECT_EQ(search["bound"], search["score"]);
  const Json seen = map_json({"--space", "pfm", "--mapper", "exhaustive"})["search"];
  EXPECT_EQ(seen["mapper"], "exhaustive");
  EXPECT_EQ(seen["score"], search["score"]);
  EXPECT_EQ(seen["bound"], search["score"]);
}

TEST_F(Map, NothingFoundIsBetterThanWhatIsProved) {
  for (const char* objective : {"edp", "latency", "energy^1*traffic^0.5"}) {
    const Json proved = map_json({"--objective", objective});
    const Json seen = map_json({"--objective", objective, "--mapper", "exhaustive"});
    EXPECT_EQ(proved["search"]["proved"], true);
    EXPECT_EQ(seen["search"]["proved"], true);
    EXPECT_EQ(proved["objective"]["score"], seen["objective"]["score"]);
    for (const auto& [mapper, ending] : {std::pair{"random", "patience"}, {"local", "local"}}) {
      const Json found = map_json({"--objective", objective, "--mapper", mapper});
      EXPECT_EQ(found["search"]["proved"], false);
      EXPECT_EQ(found["search"]["ending"], ending);
      EXPECT_TRUE(found["search"]["bound"].is_null());
      EXPECT_EQ(found["objective"]["name"], objective);
      EXPECT_LE(proved["objective"]["score"], found["objective"]["score"]);
    }
  }
}

TEST_F(Map, LocalSearchSaysThatItProvesNothing) {
  const Result result = map({"--mapper", "local"});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(contains(result.out, "\nsearch  local, seed 1: "));
  EXPECT_TRUE(contains(result.out, "\nended   no further move is an improvement\n"));
  EXPECT_TRUE(contains(result.out, " mappings; not proved\n"));
  EXPECT_LE(widest_line(result.out), 80);
}

TEST_F(Map, ANodeBudgetEndsTheSameEveryTime) {
  write("work.yaml", "workload: {gemm: {m: 197, n: 211, k: 307}}\n");
  const auto with = [&](const char* threads) {
    return Json::parse(run_cli({"map", "eyeriss", path("work.yaml"), "--space", "ruby", "--budget",
                                "1e3 nodes", "--json", "--threads", threads})
                           .out);
  };
  const Json search = with("1")["search"];
  EXPECT_EQ(search["ending"], "budget");
  EXPECT_EQ(search["proved"], false);
  EXPECT_LE(search["bound"], search["score"]);
  EXPECT_GT(search["gap"], 0.0);
  EXPECT_GE(search["nodes"], 1000);
  EXPECT_EQ(with("1"), with("2"));
  const Result text =
      run_cli({"map", "eyeriss", path("work.yaml"), "--space", "ruby", "--budget", "1000nodes"});
  EXPECT_TRUE(contains(text.out, "\nended   the budget was used up (--budget)\n")) << text.out;
  EXPECT_TRUE(contains(text.out, "\nresult  not proved: edp ")) << text.out;
  EXPECT_TRUE(contains(text.out, "; gap"));
}

TEST_F(Map, AGapIsEnough) {
  write("work.yaml", "workload: {gemm: {m: 60, n: 64, k: 75}}\n");
  const Json search = Json::parse(
      run_cli({"map", "eyeriss", path("work.yaml"), "--gap", "20%", "--json"}).out)["search"];
  EXPECT_LE(search["gap"], 0.2 + 1e-9);
  EXPECT_EQ(search["proved"], search["gap"] == 0.0);
  EXPECT_EQ(search["ending"], search["proved"] ? "exhausted" : "gap");
}

TEST_F(Map, ATimeBudgetIsKept) {
  for (const char* mapper : {"optimal", "local", "random", "exhaustive"}) {
    EXPECT_EQ(map({"--mapper", mapper, "--budget", "2 min"}).code, kOk) << mapper;
  }
}

TEST_F(Map, IsTheSameForAnyNumberOfThreads) {
  for (const char* mapper : {"random", "exhaustive", "local", "optimal"}) {
    const Words args = {"--mapper", mapper, "--threads"};
    const auto with = [&](const char* threads, const char* form) {
      Words more = args;
      more.insert(more.end(), {threads, form});
      return map(more).out;
    };
    const bool optimal = std::string(mapper) == "optimal";  // one thread: the nodes are there, too
    EXPECT_EQ(with(optimal ? "3" : "1", "--json"), with("2", "--json"));
    EXPECT_EQ(with("1", "--color=never"), with("3", "--color=never"));
  }
}

TEST_F(Map, AnotherSeedDrawsOthers) {
  const Words random = {"--mapper", "random", "--budget", "50 mappings"};
  const auto seen = [&](const char* seed) {
    Words more = random;
    more.insert(more.end(), {"--seed", seed});
    return map_json(more)["search"]["valid"].get<int>();
  };
  EXPECT_EQ(seen("1"), seen("1"));
  EXPECT_TRUE(seen("1") != seen("2") || seen("1") != seen("3"));
}

TEST_F(Map, DoesNotDependOnTheOrderOfTheDims) {
  const std::string einsum = "workload: {einsum: 'Z[m,n] += A[m,k] * B[k,n]', dims: {";
  write("work.yaml", einsum + "m: 7, n: 6, k: 4}}\n");
  const std::string first = map({}).out;
  write("work.yaml", einsum + "k: 4, m: 7, n: 6}}\n");
  EXPECT_EQ(map({}).out, first);
  EXPECT_EQ(run_cli({"map", path("work.yaml"), path("arch.yaml")}).out, first);
}

TEST_F(Map, WritesWhatEvaluateReads) {
  for (const char* name : {"best.nest", "best.yaml"}) {
    const Json found = map_json({"--objective", "ed2p", "-o", path(name)});
    const Result again = run_cli({"evaluate", path("arch.yaml"), path("work.yaml"), path(name),
                                  "--json", "--objective", "ed2p"});
    ASSERT_EQ(again.code, kOk) << again.err;
    Json expected = found;
    Json evaluated = Json::parse(again.out);
    expected.erase("search");
    for (Json* one : {&expected, &evaluated}) one->erase("run");
    EXPECT_EQ(evaluated, expected);
  }
  const Result lost = map({"-o", path("no/such/folder/best.nest")});
  EXPECT_EQ(lost.code, kInputError);
  EXPECT_TRUE(contains(lost.err, "error[C0010]"));
  EXPECT_EQ(lost.out, "");  // it is said before the search
}

TEST_F(Map, WritesAProof) {
  const Result proved = map({"--proof", path("proof.json")});
  ASSERT_EQ(proved.code, kOk) << proved.err;
  std::ifstream stream(path("proof.json"));
  const Json proof = Json::parse(stream);
  EXPECT_EQ(proof["format"], "tilewright-proof/1");
  EXPECT_EQ(proof["checksum"].get<std::string>().size(), 16);
  const Result refused = map({"--proof", path("proof.json"), "--top", "3"});
  EXPECT_EQ(refused.code, kUsageError);
  EXPECT_TRUE(contains(refused.err, "leave out `--top`")) << refused.err;
}

TEST_F(Map, KeepsTheCaps) {
  const Words wish = {"--objective", "energy", "--cap", "latency <= 425 ns"};
  const Json fast = map_json(wish);
  EXPECT_LE(fast["cycles"], 42);
  Words all = wish;
  all.insert(all.end(), {"--mapper", "exhaustive"});
  EXPECT_GT(map_json(all)["search"]["over_cap"], 0);
  EXPECT_EQ(map_json(all)["search"]["score"], fast["search"]["score"]);
  EXPECT_TRUE(
      contains(map(wish).out, "no mapping of this space with even placement within the caps is"));
  EXPECT_EQ(fast["search"]["caps"], Json::array({"latency <= 425 ns"}));
}

TEST_F(Map, EchoesConstraintsWithTheirEffects) {
  write("limits.yaml",
        "constraints:\n"
        "  - at: buf\n"
        "    factors: [m = 1]\n"
        "  - at: PE\n"
        "    factors: [n <= 4 on X]\n");
  const Result result = map({path("limits.yaml")});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(contains(result.err, "limits.yaml:3  m = 1 at buf       removes ")) << result.err;
  EXPECT_TRUE(contains(result.err,
                       "limits.yaml:5  n <= 4 on X of PE  not binding: no effect on this layer"))
      << result.err;
  EXPECT_LE(widest_line(result.err), 80);
  const Json constraints = map_json({path("limits.yaml")})["search"]["constraints"];
  ASSERT_EQ(constraints.size(), 2U);
  EXPECT_EQ(constraints[0]["constraint"], "m = 1 at buf");
  EXPECT_NE(constraints[0]["size_with"], constraints[0]["size_without"]);
  EXPECT_EQ(constraints[1]["size_with"], constraints[1]["size_without"]);
}

TEST_F(Map, PadsDims) {
  // None of them divides by 4; 8 does.
  write("work.yaml", "workload: {name: small, gemm: {m: 7, n: 6, k: 5}, bits: 8}\n");
  const Words wish = {"--space", "pad", "--objective", "latency"};
  const Json found = map_json(wish);
  EXPECT_EQ(found["workload"]["dims"]["m"], 8);
  EXPECT_EQ(found["search"]["padding"]["dims"]["m"]["from"], 7);
  EXPECT_EQ(found["search"]["padding"]["share_of_computes"], 0.125);
  Words more = wish;
  more.insert(more.end(), {"-o", path("padded.yaml")});
  const Result text = map(more);
  EXPECT_TRUE(contains(text.out, "\npadded  m 7 -> 8: 12.5 % of the computes below are padding\n"))
      << text.out;
  const Result again = run_cli({"evaluate", path("arch.yaml"), path("padded.yaml"), "--json"});
  ASSERT_EQ(again.code, kOk) << again.err;
  EXPECT_EQ(Json::parse(again.out)["cycles"], found["cycles"]);
}

// ---- Nothing found ----

TEST_F(Map, SaysWhatTheHardwareCannotDo) {
  write("limits.yaml",
        "constraints:\n"
        "  - at: buf\n"
        "    keep: [A]\n"
        "  - at: buf\n"
        "    factors: [m = 7, k = 4]\n");
  std::string arch = kArch;
  arch.replace(arch.find("40 B"), 4, "20 B");
  write("arch.yaml", arch);
  const Result result = map({path("limits.yaml")});
  EXPECT_EQ(result.code, kIllegal);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("error[M0301]: no mapping exists (proved)\n")) << result.err;
  EXPECT_TRUE(contains(result.err, "limits.yaml:3:"));
  EXPECT_TRUE(contains(result.err, "limits.yaml:5:"));
  EXPECT_TRUE(contains(result.err, "buf holds 20 B, the tiles need 28 B: 8 B missing"));
  EXPECT_TRUE(contains(result.err, "these 4 demands cannot hold together; any 3 can"));
  EXPECT_TRUE(contains(result.err, "capacity 28 B instead of 20 B"));
  EXPECT_TRUE(contains(result.err, "drop `keep A at buf`"));
  EXPECT_TRUE(contains(result.err, "`k = 2 at buf` instead of `k = 4 at buf`"));
  arch.replace(arch.find("20 B"), 4, "28 B");  // the smallest change
  write("arch.yaml", arch);
  EXPECT_EQ(map({path("limits.yaml")}).code, kOk);
}

TEST_F(Map, SaysWhichConstraintsContradictEachOther) {
  write("limits.yaml",
        "constraints:\n"
        "  - at: DRAM\n"
        "    factors: [m = 7]\n"
        "  - at: buf\n"
        "    factors: [m >= 2]\n");
  const Result result = map({path("limits.yaml")});
  EXPECT_EQ(result.code, kContradiction);
  EXPECT_TRUE(result.err.starts_with("error[M0302]: the constraints contradict each other"));
  EXPECT_TRUE(contains(result.err, "these 2 lines cannot hold together; each alone can"));
  EXPECT_TRUE(contains(result.err, "`m = 2 at DRAM` instead of `m = 7 at DRAM`")) << result.err;
}

TEST_F(Map, NamesTheSpaceIfItIsToBlame) {
  write("limits.yaml", "constraints:\n  - at: PE\n    factors: [m = 4 on X]\n");
  const Result result = map({path("limits.yaml"), "--space", "pfm"});
  EXPECT_EQ(result.code, kContradiction);
  EXPECT_TRUE(contains(result.err, "the space pfm allows no remainders anywhere"));
  EXPECT_TRUE(contains(result.err, "--space ruby, where every loop may leave a remainder"));
  EXPECT_EQ(map({path("limits.yaml"), "--space", "ruby"}).code, kOk);
  EXPECT_EQ(map({path("limits.yaml"), "--space", "pad"}).code, kOk);  // m = 8
}

TEST_F(Map, SaysThatItsBudgetWasTooSmall) {
  std::string arch = kArch;
  arch.replace(arch.find("40 B"), 4, "3 B");  // nearly nothing fits
  write("arch.yaml", arch);
  write("limits.yaml", "constraints:\n  - at: buf\n    keep: [A, B, Z]\n");
  const Result result =
      map({path("limits.yaml"), "--mapper", "random", "--budget", "1 mappings", "--seed", "5"});
  EXPECT_EQ(result.code, kNotFound) << result.out;
  EXPECT_TRUE(contains(result.err, "error[M0303]: no mapping was found in time, although"));
  EXPECT_TRUE(contains(result.err, "1 mappings drawn: 1 too large for the memories"));
  const std::size_t start = result.err.find("DRAM: keep");
  ASSERT_NE(start, std::string::npos);
  const std::size_t end = result.err.find("mac\n", start) + 4;
  const std::string nest = write("fits.nest", result.err.substr(start, end - start));
  EXPECT_EQ(run_cli({"check", path("arch.yaml"), path("work.yaml"), nest}).code, kOk);
}

TEST_F(Map, GivesUpWhereNothingFits) {
  const Result result = map({"--mapper", "random", "--patience", "1", "--cap", "energy <= 1 pJ"});
  EXPECT_EQ(result.code, kNotFound);
  EXPECT_TRUE(contains(result.err, "whether there is one is not known"));
  EXPECT_TRUE(contains(result.err, "1,000 mappings drawn"));
}

TEST_F(Map, ProvesThatCapsCannotBeKept) {
  const Json least = map_json({"--objective", "latency"});
  const Result result = map({"--cap", "latency <= 5 cycles", "--cap", "energy <= 1 J"});
  EXPECT_EQ(result.code, kIllegal);
  EXPECT_TRUE(contains(result.err, "error[M0304]: no mapping stays within the caps (proved)"));
  EXPECT_TRUE(contains(result.err, "the least latency of any mapping is " +
                                       std::to_string(least["cycles"].get<int>()) + " cycles"));
}

// ---- Ctrl-C ----

// An `err` that the user watches: presses Ctrl-C at the first sign of a best mapping.
class Watched : public std::stringbuf {
 public:
  std::atomic<bool> pressed = false;

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::streamsize written = std::stringbuf::xsputn(text, size);
    if (str().find("best edp") != std::string::npos) pressed = true;
    return written;
  }
};

TEST_F(Map, PrintsTheBestSoFarWhenStopped) {
  std::istringstream in;
  std::ostringstream out;
  Watched buffer;
  std::ostream err(&buffer);
  Console console{in, out, err};
  console.live = &err;
  console.err_terminal = true;
  console.interrupted = &buffer.pressed;
  const Words args = {"map",      path("arch.yaml"), path("work.yaml"),
                      "--mapper", "random",          "--patience",
                      "0",        "--color=never"};
  EXPECT_EQ(run(args, console), kOk);
  EXPECT_TRUE(contains(out.str(), "\nended   stopped by the user (Ctrl-C)\n")) << out.str();
  EXPECT_TRUE(contains(out.str(), "draws; not proved\n"));
  EXPECT_TRUE(contains(buffer.str(), " seen  "));
  EXPECT_TRUE(buffer.str().ends_with("\r\x1b[K")) << buffer.str();  // the line is cleared
}

TEST_F(Map, HasNothingIfStoppedAtOnce) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const std::atomic<bool> pressed = true;
  Console console{in, out, err};
  console.interrupted = &pressed;
  for (const char* mapper : {"optimal", "local", "random", "exhaustive"}) {
    err.str("");
    const Words args = {"map", path("arch.yaml"), path("work.yaml"), "--mapper", mapper};
    EXPECT_EQ(run(args, console), kNotFound) << mapper;
    EXPECT_EQ(out.str(), "");
    EXPECT_TRUE(contains(err.str(), "(Ctrl-C)")) << mapper;
  }
}

TEST_F(Map, AnOptimalSearchHasABoundWhenStopped) {
  // A second of search on a fast machine: it is stopped long before it could be done.
  write("work.yaml", "workload: {conv: {m: 61, c: 59, p: 53, q: 47, r: 3, s: 3}}\n");
  std::istringstream in;
  std::ostringstream out;
  Watched buffer;
  std::ostream err(&buffer);
  Console console{in, out, err};
  console.live = &err;
  console.err_terminal = true;
  console.interrupted = &buffer.pressed;
  const Words args = {"map", "eyeriss", path("work.yaml"), "--space", "ruby", "--json"};
  EXPECT_EQ(run(args, console), kOk);
  EXPECT_TRUE(contains(buffer.str(), " nodes  best edp ")) << buffer.str();
  const Json search = Json::parse(out.str())["search"];
  EXPECT_EQ(search["ending"], "stopped");
  EXPECT_EQ(search["proved"], false);
  EXPECT_LE(search["bound"], search["score"]);
}

// ---- Wrong wishes ----

TEST_F(Map, RefusesWrongWishesWithAHint) {
  const auto refused = [&](const Words& more) {
    const Result result = map(more);
    EXPECT_EQ(result.code, kUsageError) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_TRUE(contains(refused({"--space", "rubi"}), "did you mean `ruby`?"));
  EXPECT_TRUE(contains(refused({"--objective", "enrgy"}), "did you mean `energy`?"));
  EXPECT_TRUE(contains(refused({"--cap", "latency < 2 ms"}), "expected `<=`"));
  EXPECT_TRUE(contains(refused({"--cap", "latency <= 2 parsecs"}), "`parsecs` is not a unit"));
  EXPECT_TRUE(contains(refused({"--cap", "latncy <= 2 ms"}), "did you mean `latency`?"));
  EXPECT_TRUE(contains(refused({"--cap", "latency <= 2 uJ"}), "`uJ` is a unit of energy"));
  EXPECT_TRUE(contains(refused({"--cap", "beauty <= 2"}), "a cap is on `energy`, `latency` or"));
  EXPECT_TRUE(contains(refused({"--budget", "2 weeks"}), "`weeks` is not a unit of budget"));
  EXPECT_TRUE(contains(refused({"--mapper", "optmal"}), "did you mean `optimal`?"));
  EXPECT_TRUE(contains(refused({"--budget", "5 mappings"}), "`--budget '1e6 nodes'`"));
  EXPECT_TRUE(contains(refused({"--gap", "five"}), "`five` is not a number"));
  EXPECT_TRUE(contains(refused({"--gap", "200 %"}), "must be 0 to 100 %"));
  EXPECT_TRUE(contains(refused({"--within", "5 pJ"}), "`pJ` is not a unit of a share"));
  for (const Words& wish :
       {Words{"--gap", "1%"}, {"--top", "5"}, {"--front"}, {"--within", "1%"}, {"--why"}}) {
    Words more = wish;
    more.insert(more.end(), {"--mapper", "local"});
    EXPECT_TRUE(contains(refused(more), "`" + wish[0] + "` needs a proof")) << wish[0];
  }
  refused({"--top", "0"});
  refused({"--top", "3", "--front"});
  refused({"--top", "3", "--within", "5%"});
  EXPECT_TRUE(contains(refused({"-o", "best.txt"}), "neither `.nest` (text) nor `.yaml`"));
  EXPECT_TRUE(
      contains(refused({"--mapper", "exhaustive", "--budget", "10 mappings"}), "error[C0012]"));
  refused({"--threads", "0"});
  refused({"--seed", "x"});
}

TEST_F(Map, SaysWhichOptionsMeanNothing) {
  EXPECT_TRUE(contains(map({"--seed", "3"}).err, "`--seed` has no effect with the optimal mapper"));
  EXPECT_TRUE(contains(map({"--mapper", "local", "--patience", "3"}).err,
                       "`--patience` has no effect with the local mapper"));
  EXPECT_FALSE(contains(map({"--mapper", "local", "--seed", "3"}).err, "has no effect"));
}

TEST_F(Map, TimesNeedAClock) {
  std::string arch = kArch;
  arch.erase(arch.find("  clock: 100 MHz\n"), 17);
  write("arch.yaml", arch);
  const Result result = map({"--cap", "latency <= 2 ms"});
  EXPECT_EQ(result.code, kUsageError);
  EXPECT_TRUE(contains(result.err, "needs the clock"));
  EXPECT_EQ(map({"--cap", "latency <= 2e6 cycles"}).code, kOk);
}

TEST_F(Map, RefusesToSeeTooManyOneByOne) {
  write("work.yaml", "workload: {conv: {m: 720, c: 720, p: 720, q: 720, r: 12, s: 12}}\n");
  const Result result = map({"--space", "ruby", "--mapper", "exhaustive"});
  EXPECT_EQ(result.code, kUsageError);
  EXPECT_TRUE(contains(result.err, "mappings are too many to evaluate one by one")) << result.err;
}

TEST_F(Map, ADimTooLargeToSplitIsAnInputError) {
  write("work.yaml", "workload: {gemm: {m: 2000003, n: 6, k: 4}}\n");
  const Result result = map({});
  EXPECT_EQ(result.code, kInputError);
  EXPECT_TRUE(contains(result.err, "error[C0013]: too large to search or count: a dim of 2000003"));
  EXPECT_EQ(map({"--space", "pfm", "--budget", "1000 nodes"}).code, kOk);
}

TEST_F(Map, IgnoresAMappingAndSaysSo) {
  write("old.nest", "DRAM: keep A B Z\n  for m 7, n 6, k 4\nmac\n");
  const Result result = map({path("old.nest")});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_TRUE(contains(result.err, "the mapping in the files is not used"));
  EXPECT_EQ(result.out, map({}).out);
}

// ---- count ----

using Count = Map;

TEST_F(Count, ListsTheSpaces) {
  const Result result = run_cli({"count", path("arch.yaml"), path("work.yaml")});
  EXPECT_EQ(result.code, kOk) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_LE(widest_line(result.out), 80);
  for (const char* space : {"\npfm ", "\nruby-s ", "\nruby-t ", "\nruby ", "\npad "}) {
    EXPECT_TRUE(contains(result.out, space)) << space;
  }
  EXPECT_TRUE(contains(result.out, "block of  orders  classes\n"));
  EXPECT_TRUE(contains(result.out, "\nDRAM           6        3\n")) << result.out;
}

TEST_F(Count, AgreesWithTheSearch) {
  const Json spaces =
      Json::parse(run_cli({"count", path("arch.yaml"), path("work.yaml"), "--json"}).out)["spaces"];
  ASSERT_EQ(spaces.size(), 5U);
  for (const Json& space : spaces) {
    const std::string name = space["space"];
    EXPECT_EQ(map_json({"--space", name, "--budget", "1000 nodes"})["search"]["size"],
              space["mappings"])
        << name;
    const std::string exact =
        run_cli({"count", path("arch.yaml"), path("work.yaml"), "--space", name, "--exact"}).out;
    std::string digits = exact.substr(exact.find("mappings ") + 9);
    digits = digits.substr(0, digits.find('\n'));
    std::erase(digits, ',');
    std::erase(digits, ' ');
    EXPECT_EQ(space["mappings"], digits);
  }
  EXPECT_EQ(spaces[0]["keeps"], "8");        // what of A, B, Z is in buf
  EXPECT_EQ(spaces[0]["assignments"], "6");  // n 2, n 3, k 2, k 4, n 2 and k 2, none
}

TEST_F(Count, ShowsWhatConstraintsTake) {
  write("limits.yaml", "constraints:\n  - at: buf\n    factors: [m = 1]\n");
  const Words args = {"count", path("arch.yaml"), path("work.yaml"), path("limits.yaml")};
  const Result result = run_cli(args);
  EXPECT_TRUE(contains(result.out, "limits.yaml:3  m = 1 at buf  removes ")) << result.out;
}

}  // namespace
}  // namespace tilewright::testing
