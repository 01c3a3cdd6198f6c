# SPDX-License-Identifier: Apache-2.0
"""The Python side of tests/python/speed; bench/python.cpp is the C++ side and says how it is asked."""

import sys
import time

import tilewright as tw

ARCH = tw.arch("eyeriss")
PRODUCT = tw.gemm(64, 64, 64)
MAPPING = tw.map(ARCH, PRODUCT, threads=1).mapping


def evaluate_seconds(count):
    total = 0.0
    start = time.perf_counter()
    for _ in range(count):
        total += tw.evaluate(ARCH, PRODUCT, MAPPING).energy_pj
    return time.perf_counter() - start


def map_seconds(first, count):
    total = 0.0
    start = time.perf_counter()
    for i in range(first, first + count):
        total += tw.map(ARCH, tw.gemm(16 + i % 50, 24 + i % 7, 32 + i % 11), threads=1).score
    return time.perf_counter() - start


for line in sys.stdin:
    what, first, count = line.split()
    taken = map_seconds(int(first), int(count)) if what == "map" else evaluate_seconds(int(count))
    print(f"{taken:.9f}", flush=True)
