# SPDX-License-Identifier: Apache-2.0
"""The Python side of tests/python/speed; bench/python.cpp is the C++ side.

  python speed.py evaluate 10000    microseconds each
  python speed.py map 1000          seconds in all
"""

import sys
import time

import tilewright as tw

ARCH = tw.arch("eyeriss")


def evaluate_microseconds(count):
    product = tw.gemm(64, 64, 64)
    mapping = tw.map(ARCH, product, threads=1).mapping
    total = 0.0
    start = time.perf_counter()
    for _ in range(count):
        total += tw.evaluate(ARCH, product, mapping).energy_pj
    return 1e6 * (time.perf_counter() - start) / count


def map_seconds(count):
    total = 0.0
    start = time.perf_counter()
    for i in range(count):
        total += tw.map(ARCH, tw.gemm(16 + i % 50, 24 + i % 7, 32 + i % 11), threads=1).score
    return time.perf_counter() - start


count = int(sys.argv[2])
print(map_seconds(count) if sys.argv[1] == "map" else evaluate_microseconds(count))
