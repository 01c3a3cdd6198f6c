# SPDX-License-Identifier: Apache-2.0
"""Wrong calls, many calls, many threads, and Ctrl-C: nothing crashes, grows or hangs.

Runs inside an environment that has the package: tests/python/robust makes one.
"""

import concurrent.futures
import math
import os
import random
import resource
import signal
import sys
import threading
import time

import tilewright as tw

ARCH = tw.arch("eyeriss")
SMALL = tw.gemm(6, 5, 4)
BEST = tw.map(ARCH, SMALL)
#: Exceptions that a wrong call may raise (docs/python.md).
DOCUMENTED = (TypeError, ValueError, OverflowError, KeyError, OSError, tw.NoMappingError)
#: Ctrl-C must have ended the search after this long ...
MOST_S = 0.2
#: ... and with --quick, where the machine may be busy with other things, after this long.
MOST_QUICK_S = 1.0

BAD = (None, True, 0, -1, 1, 3, 2**31, 2**63, 2**200, -(2**64), 0.0, 1.5, math.nan, math.inf,
       -math.inf, "", " ", "x", "ruby-s", "10s", "-3s", "1e999 nodes", "nan%", "edp", "\0", "\ud800",
       "a" * 10_000, "constraints: [", "arch: {name: a}", b"", b"\xff\x00", [], [1], ["x"], {},
       {"a": 1}, {1: 2}, (), (2, 3), (1, 2, 3, 4), object(), ARCH, SMALL, BEST, tw, print)
FUNCTIONS = (
    (tw.gemm, 3, ()), (tw.bmm, 4, ()), (tw.workload, 1, ()), (tw.arch, 1, ()), (tw.network, 1, ()),
    (tw.conv, 0, ("n", "m", "c", "p", "q", "r", "s", "o", "t", "stride", "dilation", "groups",
                  "depthwise", "transposed")),
    (tw.einsum, 1, ("m", "n", "k")),
    (tw.Workload.from_yaml, 1, ("name",)), (tw.Arch.from_yaml, 1, ("name",)),
    (tw.Network.from_yaml, 1, ("name",)), (ARCH.with_, 0, ("GLB", "DRAM", "clock", "PE")),
    (SMALL.with_bits, 0, ("A", "input", "output", "C")),
    (tw.Mapping.from_text, 3, ("name", "holes_are_data")), (tw.evaluate, 3, ("objective", "anyway")),
    (BEST.explain, 1, ()), (BEST.text, 1, ()), (tw.verify, 1, ("arch", "workload", "constraints")),
    (tw.read_onnx, 1, ("sizes", "bits", "strict", "fuse")),
    (tw.read_timeloop, 1, ("define", "ignore_unsupported")), (tw.count, 2, ("space", "constraints")),
    (tw.command, 1, ("stdin",)), (ARCH.instances, 1, ()),
)
SEARCH = ("space", "mapper", "objective", "cap", "budget", "memory", "gap", "top", "within", "seed",
          "patience", "threads", "constraints", "front", "why", "proof", "trace")


def wrong_call(chance):
    """A call with at least one argument that makes no sense: (what, thunk)."""
    if chance.random() < 0.4:
        name = chance.choice(SEARCH)
        value = chance.choice(BAD)
        limit = {} if name == "budget" else {"budget": "1s"}
        return f"map {name}={value!r:.40}", lambda: tw.map(ARCH, SMALL, **limit, **{name: value})
    function, positional, names = chance.choice(FUNCTIONS)
    values = [chance.choice(BAD) for _ in range(positional)]
    if chance.random() < 0.5 and positional >= 2 and function is not tw.gemm:
        values[:2] = [ARCH, SMALL]
    options = {name: chance.choice(BAD) for name in names if chance.random() < 0.3}
    what = f"{getattr(function, '__name__', function)} {values!r:.60} {options!r:.60}"
    return what, lambda: function(*values, **options)


def try_wrong_calls(count):
    """How many raised; the others were right by chance. Undocumented exceptions are listed."""
    chance = random.Random(15)
    raised, wrong = 0, []
    while raised < count:
        what, call = wrong_call(chance)
        try:
            call()
        except DOCUMENTED as error:
            raised += 1
            if isinstance(error, tw.InputError) and not str(error).strip():
                wrong.append(f"{what}: an empty message")
        except Exception as error:  # what is not documented is what we look for
            wrong.append(f"{what}: {type(error).__name__}: {error}")
            raised += 1
    return raised, wrong


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def growth_mb(calls):
    """What `calls` calls of every kind leave behind."""
    nest = BEST.mapping.to_nest()

    def once(number):
        kind = number % 5
        if kind == 0:
            tw.evaluate(ARCH, SMALL, BEST.mapping).energy_pj
        elif kind == 1:
            tw.gemm(number % 50 + 1, 2, 3).to_yaml()
        elif kind == 2:
            try:
                tw.arch("nothing")
            except tw.InputError:
                pass
        elif kind == 3:
            BEST.evaluation.counts
        else:
            tw.Mapping.from_text(ARCH, SMALL, nest)
        if number % 100 == 0:
            tw.map(ARCH, SMALL).to_dict()

    for number in range(calls // 10):
        once(number)
    before = resident_mb()
    for number in range(calls):
        once(number)
    return resident_mb() - before


def threads_agree(rounds):
    problems = [tw.gemm(m, 24, 20) for m in range(2, 2 + rounds)]
    alone = [tw.map(ARCH, problem) for problem in problems]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda problem: tw.map(ARCH, problem), problems)) == alone


def stolen_seconds():
    """What the host of a virtual machine has taken from each processor so far."""
    with open("/proc/stat") as file:
        each = [line.split() for line in file if line.startswith("cpu") and line[3] != " "]
    return [int(fields[8]) / os.sysconf("SC_CLK_TCK") for fields in each]


def interrupt_delays(count):
    """Seconds from each Ctrl-C to the end of the call, at moments from 0 to 2 s.

    Without what the host took from a processor meanwhile, which has been 0.2 s and more at a time.
    """
    chance = random.Random(7)
    # Whoever started us may have had Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    long = tw.conv(n=4, m=128, c=96, p=55, q=55, r=5, s=5)
    hosts = [tw.arch(name) for name in ("eyeriss", "simba", "tpu-v1")]
    delays = []
    for number in range(count):
        sent = []

        def send(wait):
            time.sleep(wait)
            sent.append((time.monotonic(), stolen_seconds()))
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=send, args=(chance.uniform(0.02, 2),))
        thread.start()
        try:
            if number % 3 == 2:
                tw.plan(hosts[number % 2], tw.network("resnet50"), space="ruby", budget="20s")
            else:
                tw.map(hosts[number % 3], long, space="ruby", budget="20s")
            ended = time.monotonic()
            thread.join()
        except KeyboardInterrupt:
            ended = time.monotonic()
        if sent and ended >= sent[0][0]:
            moment, before = sent[0]
            stolen = max(now - then for now, then in zip(stolen_seconds(), before))
            delays.append(ended - moment - stolen)
        thread.join()
    return delays


def main():
    quick, sanitized = "--quick" in sys.argv, "--sanitized" in sys.argv
    raised, wrong = try_wrong_calls(400 if quick else 2000)
    for line in wrong[:10]:
        print(line)
    grown = growth_mb(5_000 if quick or sanitized else 100_000)
    agree = threads_agree(8 if quick else 40)
    delays = [] if sanitized else interrupt_delays(6 if quick else 50)
    slowest = max(delays, default=0.0)
    few_mb = 1000 if sanitized else 8
    most_s = MOST_QUICK_S if quick else MOST_S
    print(f"python-robust: {raised} wrong calls, {len(wrong)} undocumented; {grown:.1f} MB more after "
          f"the calls; 8 threads {'agree' if agree else 'DISAGREE'}; {len(delays)} Ctrl-C, the "
          f"slowest ended after {slowest:.2f} s")
    return 1 if wrong or grown > few_mb or not agree or slowest > most_s else 0


if __name__ == "__main__":
    sys.exit(main())
