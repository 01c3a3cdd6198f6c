# SPDX-License-Identifier: Apache-2.0
"""The table of shows: each is one claim about Tilewright, and the command that proves it."""

import dataclasses
import pathlib

PRESET_CHECKED = "ci"  # checks on
PRESET_FAST = "release"
PRESET_SANITIZED = "asan-ubsan"


@dataclasses.dataclass(frozen=True)
class Show:
    name: str
    claim: str  # one line
    preset: str | None = None  # what to build with; None: nothing to build
    targets: tuple = ()  # CMake targets to build and to run one after the other
    full: tuple = ()  # arguments of each target; of the script if there are no targets
    quick: tuple | None = ()  # the same for --quick; None: has no quick form
    script: str | None = None  # run this instead of the targets
    needs: pathlib.PurePosixPath | None = None  # data outside the repository; without it: SKIPPED
    ci: bool = False  # .ci/run runs the quick form


SHOWS = (
    Show("ci", "the whole gate passes on two cores within 30 minutes",
         script=".ci/run", quick=None),
    Show("tidy", "the whole tree passes clang-tidy and the checks of its text",
         script="tools/lint", quick=("--recent",)),  # .ci/run has the quick form as its step `lint`
    Show("walker", "the model's counts equal the walker's on random mappings, ragged ones included",
         PRESET_CHECKED, ("property.walker",), ("--cases", "200000"), ("--cases", "8000"), ci=True),
    Show("partial-width", "with partial sums wider than results the model equals the walker, optima equal exhaustive search, proofs verify",
         script="tests/property/check_partial_width", quick=("--quick",), ci=True),
    Show("oracle", "the model agrees with Timeloop's answers, and each difference has a named cause",
         PRESET_CHECKED, ("oracle.timeloop",), needs=pathlib.PurePosixPath("../shared/oracle"), ci=True),
    Show("mutants", "of the small faults planted in model, mapspace, search and verifier, tests catch 95 %, and each survivor is explained",
         script="tools/mutate", quick=("--quick",), ci=True),
    Show("speed", "how many mappings the model evaluates per second on one core",
         PRESET_FAST, ("bench.speed",)),
    Show("errors", "every wrong input gets its exact message, every misspelt word its suggestion",
         PRESET_CHECKED, ("error.golden", "error.typo"), ci=True),
    Show("edges", "claims that the program once got wrong, each tried from the command line, hold now and did not before",
         script="tests/edges/check", full=("--before", "67142c8"), ci=True),
    Show("honest-net", "what the headline of a planned network claims agrees with its rows: proofs, constraints, traffic, assumptions",
         script="tests/honest_net/check", quick=("--quick",), ci=True),
    Show("fuzz", "no input, however broken, crashes, hangs or leaks in the readers (under sanitizers)",
         PRESET_SANITIZED, ("fuzz.readers",), ("--inputs", "10000000", "--processes", "2"),
         ("--inputs", "25000", "--processes", "2"), ci=True),
    Show("roundtrip", "what is written reads back as the same value",
         PRESET_CHECKED, ("property.roundtrip",), ("--cases", "10000"), ("--cases", "1000"), ci=True),
    Show("spaces", "small mapspaces of every kind have exactly size() members; ranks lead back, draws are fair",
         PRESET_CHECKED, ("property.spaces",), ("--spaces", "600"), ("--spaces", "300"), ci=True),
    Show("reuse-classes", "every loop order costs the same as the representative of its class",
         PRESET_CHECKED, ("property.reuse-classes",), ("--cases", "2000"), ("--cases", "300"), ci=True),
    Show("exhaustive", "the optimal search finds what exhaustive search over all loop orders finds, with any prune off as well",
         PRESET_CHECKED, ("property.optimal",), ("--cases", "5000"), ("--cases", "250"), ci=True),
    Show("rooms", "folders are small and say what they are for, includes go down only, inside the search as well; the whole tree passes clang-tidy",
         script="tools/check_rooms.py", full=("--full",), quick=("--figure",), ci=True),
    Show("bounds", "no lower bound of the optimal search is above what a mapping costs, bound by bound; each can be switched off; none loses a known optimum",
         PRESET_CHECKED, ("property.bounds",),
         ("--pairs", "300000", "--switches", "2000", "--witness", "2000", "--splits", "1000"),
         ("--pairs", "60000", "--switches", "30", "--witness", "100", "--splits", "60"), ci=True),
    Show("same-answers", "commands give the JSON that they gave before the front door, byte for byte",
         script="tests/beside/same_answers", quick=("--quick",)),
    Show("no-slower", "searches take no more CPU time and the same nodes as before the front door",
         script="tests/beside/no_slower", quick=("--quick",)),
    Show("api", "C++ examples build against the installed libraries, which export what is documented",
         script="tests/api/check", quick=("--quick",), ci=True),
    Show("kills", "sweeps whose processes are killed at random moments end with the store of an undisturbed one; no kill in mid-write damages a store",
         script="tests/sweep/kills", quick=("--quick",), ci=True),
    Show("engines", "the same sweep on several engines gives equal stores",
         script="tests/sweep/engines", quick=("--quick",), ci=True),
    Show("wheel", "wheels run in fresh environments of three Python versions without a compiler, beside the onnx package",
         script="tests/python/wheel", quick=("--quick",), ci=True),
    Show("python-same", "Python and the command give the same JSON byte for byte; every public C++ function is reachable",
         script="tests/python/same", quick=("--quick",), ci=True),
    Show("python-robust", "wrong calls raise documented exceptions, memory stays, threads agree, Ctrl-C ends a search in 0.2 s",
         script="tests/python/robust", quick=("--quick",), ci=True),
    Show("python-speed", "calls from Python take no longer than calls from C++, but for microseconds",
         script="tests/python/speed", quick=("--quick",), ci=True),
    Show("notebooks", "notebooks, examples and docstrings run; types are strict; the stub is the generated one",
         script="tests/python/notebooks", ci=True),
    Show("optimal-large", "at real sizes nothing beats a bound of the optimal search, and parts of the space agree with exhaustive search",
         PRESET_CHECKED, ("property.optimal-large",), ("--cases", "300"),
         ("--cases", "12", "--draws", "20000", "--seconds", "0.5"), ci=True),
    Show("proofs", "tilewright-verify accepts the proofs of 200 optima and refuses 1,000 spoilt ones",
         PRESET_FAST, ("property.proofs",), (), ("--quick",), ci=True),
    Show("verifier", "tilewright-verify accepts 1,000 genuine proofs in time, refuses every forgery, and its reader survives 10 million spoilt files",
         PRESET_FAST, ("property.forgeries", "fuzz.proofs"), ("--inputs", "10000000", "--processes", "2"),
         ("--quick", "--inputs", "60000", "--processes", "2"), ci=True),
    Show("second-solver", "MiniZinc with Gecode, the cost formula written again, finds the same optima",
         script="tests/second_solver/compare", full=("--instances", "60"), quick=("--instances", "5"), ci=True),
    Show("monotone", "more memory, bandwidth or PEs and fewer constraints never give a worse optimum",
         PRESET_CHECKED, ("property.monotone",), ("--designs", "500"), ("--designs", "50"), ci=True),
    Show("threads", "two threads prove optima at least 1.6 times as fast as one, and find the same mappings",
         PRESET_FAST, ("bench.threads",), (), ("--quick",), ci=True),
    Show("tsan", "threads share nothing unsafely: the thread tests and searches of every kind under the thread sanitizer",
         script="tests/threads/check", quick=("--quick",)),
    Show("conflicts", "a conflict that is reported is minimal: without any one of its lines a mapping exists",
         PRESET_CHECKED, ("property.conflicts",), ci=True),
    Show("random", "random search draws and evaluates a million mappings a second, the same ones on any number of threads",
         PRESET_FAST, ("bench.random",), (), ("--quick",), ci=True),
    Show("sizes", "the mapspaces of all ResNet-50 layers are counted exactly in under a second",
         PRESET_FAST, ("experiment.sizes",), (), ("--quick",), ci=True),
    Show("ruby-table1", "Table I of the Ruby paper, number by number",
         PRESET_CHECKED, ("experiment.ruby-table1",), ci=True),
    Show("ruby-fig7-8", "Figures 7 and 8 of the Ruby paper",
         PRESET_FAST, ("experiment.ruby-fig8", "experiment.ruby-fig7"), (), ("--quick",), ci=True),
    Show("goma", "GOMA's 192 matrix products, bypass searched: best mappings proved in milliseconds",
         PRESET_FAST, ("experiment.goma",), (), ("--quick",), ci=True),
    Show("quickflow", "QuickFlow's twenty kernels on its three accelerators: proved; local search within 1 %",
         PRESET_FAST, ("experiment.quickflow",), (), ("--quick",), ci=True),
    Show("factorflow", "never worse than FactorFlow's 48 answers; its exhaustive optima found again",
         PRESET_FAST, ("experiment.factorflow",), (), ("--quick",), ci=True),
    Show("ruby-resnet50", "ResNet-50 on the Ruby paper's Eyeriss: all layers proved in four spaces in 5 s",
         PRESET_FAST, ("experiment.ruby-resnet50",), (), ("--quick",), ci=True),
    Show("rerun", "a result file alone gives the same bytes again, a changed one is found out, and diff explains",
         PRESET_CHECKED, ("results.rerun",), (), ("--quick",), ci=True),
    Show("ruby-fig10-12", "Figures 10, 11 and 12 of the Ruby paper: ResNet-50 and DeepBench on Eyeriss and Simba, proved optima",
         PRESET_FAST, ("experiment.ruby-fig10-12",), (), ("--quick",), ci=True),
    Show("net", "whole networks proved in Ruby-S on three accelerators; ResNet-50 from the command line in 5 s",
         PRESET_FAST, ("experiment.net",), (), ("--quick",), ci=True),
    Show("onnx", "ONNX models have the layers of the library's networks; broken and spoilt ones give errors, never a crash",
         PRESET_SANITIZED, ("onnx.models", "fuzz.onnx"), ("--inputs", "300000", "--processes", "2"),
         ("--inputs", "5000"), ci=True),
    Show("onnx-epilogue", "what is fused leaves the MACs as they are and the traffic that was counted by hand; the report lists it",
         PRESET_CHECKED, ("onnx.epilogue",), ci=True),
    Show("report", "pages of six results: one file each, valid, accessible, in Chromium at two widths, light and dark",
         script="tests/report/check", quick=("--quick",), ci=True),
    Show("pages", "24 pictures of pages, with and without --why, --top and --front: nothing too wide or cut, no number broken",
         script="tests/report/pages", quick=("--quick",), ci=True),
    Show("zoo", "the networks of the library have the MACs and parameters that are published",
         PRESET_CHECKED, ("library.zoo",), ci=True),
    Show("guides", "every command of the guides and of README.md runs, and the output shown there is the real one",
         script="tests/guides/check", ci=True),
    Show("demo", "the first command answers in under 50 ms, in at most 80 columns",
         PRESET_CHECKED, ("tilewright-bin",), ("demo",), ("demo",), ci=True),
)
