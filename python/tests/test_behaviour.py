# SPDX-License-Identifier: Apache-2.0
"""Threads, Ctrl-C, progress, forks, and silence."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

import tilewright as tw

ARCH = tw.arch("eyeriss")
#: A search that takes minutes.
LONG = tw.conv(n=4, m=128, c=96, p=55, q=55, r=5, s=5)
HUGE = tw.arch("tpu-v1")
#: Seconds by which a machine that others use too may be late. The searches below have 20 s.
LATE = 8


def long_search(**options: object) -> tw.MapResult:
    return tw.map(HUGE, LONG, space="ruby", **options)  # type: ignore[arg-type]


def interrupt_after(seconds: float, times: int = 1) -> None:
    def send() -> None:
        time.sleep(seconds)
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.001)

    threading.Thread(target=send, daemon=True).start()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C means something, also where whoever started us had it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("shown", [False, True])
def test_ctrl_c_gives_the_best_so_far(interruptible: None, shown: bool) -> None:
    begun = time.monotonic()
    interrupt_after(1.5)
    result = long_search(budget="20s", progress=(lambda _: None) if shown else False)
    assert 1.4 < time.monotonic() - begun < 1.5 + LATE
    assert result and result.interrupted and result.status == "not-proved"


def test_a_second_ctrl_c_is_raised(interruptible: None) -> None:
    begun = time.monotonic()
    interrupt_after(1, times=3)
    with pytest.raises(KeyboardInterrupt):
        long_search(budget="20s")
        time.sleep(1)
    assert time.monotonic() - begun < 1 + LATE


def test_the_next_ctrl_c_is_python_s_again(interruptible: None) -> None:
    tw.map(ARCH, tw.gemm(16, 16, 16))
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)


def test_handlers_of_other_signals_run_during_a_search(interruptible: None) -> None:
    class TooLate(Exception):
        pass

    def ring(number: int, frame: object) -> None:
        raise TooLate

    before = signal.signal(signal.SIGALRM, ring)
    try:
        begun = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(TooLate):
            long_search(budget="20s")
        assert time.monotonic() - begun < 0.5 + LATE
    finally:
        signal.signal(signal.SIGALRM, before)


def test_other_python_threads_run_during_a_search() -> None:
    ticks = 0
    ended = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not ended.is_set():
            ticks += 1
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    long_search(budget="2s")
    ended.set()
    thread.join()
    assert ticks > 10  # about 200 on an idle machine; 1 or 2 where the search keeps the lock


def test_threads_at_once_give_the_answers_of_one() -> None:
    problems = [tw.gemm(m, 48, 64) for m in range(40, 56)]
    alone = [tw.map(ARCH, problem) for problem in problems]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda problem: tw.map(ARCH, problem), problems)) == alone


def test_progress_is_told() -> None:
    told: list[tw.MapProgress] = []
    long_search(budget="2s", progress=told.append)
    assert len(told) > 3 and told[-1].seconds > 0.5 and told[-1].stage == "search"


def test_what_progress_raises_arrives() -> None:
    def refuse(progress: tw.MapProgress) -> None:
        raise ZeroDivisionError(progress.nodes)

    begun = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        long_search(budget="20s", progress=refuse)
    assert time.monotonic() - begun < LATE


def test_progress_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    long_search(budget="1.5s", progress=True)
    seen = capsys.readouterr()
    assert seen.out == "" and " s" in seen.err


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    tw.map(ARCH, tw.gemm(8, 8, 8), constraints=[{"at": "GLB", "keep": ["Z"]}])
    tw.plan(ARCH, tw.network("alexnet"))
    with pytest.raises(tw.InputError):
        tw.arch("nothing")
    assert capfd.readouterr() == ("", "")


def search_cycles(size: int) -> int:
    return tw.map(ARCH, tw.gemm(size, 32, 32)).cycles


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_can_search(method: str) -> None:
    wanted = [search_cycles(size) for size in (30, 31)]  # threads have run in this process
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(search_cycles, (30, 31), timeout=60)) == wanted


def test_no_thread_is_left_behind() -> None:
    program = (
        "import os, time, tilewright as tw\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        # One thread: oneTBB keeps those of a larger team for the next search.
        "tw.map(tw.arch('eyeriss'), tw.gemm(64, 64, 64), threads=1, progress=lambda _: None)\n"
        "late = time.monotonic() + 8  # a thread that has ended is listed a little longer\n"
        "while len(os.listdir('/proc/self/task')) > before and time.monotonic() < late:\n"
        "    time.sleep(0.01)\n"
        "print(len(os.listdir('/proc/self/task')) - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "0\n", done.stderr
