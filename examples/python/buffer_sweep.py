# SPDX-License-Identifier: Apache-2.0
"""How large should the buffer of Eyeriss be for a layer? One search per size, on all cores.

Searches run outside Python's global lock, so threads are enough.
"""

from concurrent.futures import ThreadPoolExecutor

import tilewright as tw

SIZES_KIB = (8, 16, 32, 64, 128, 256, 512)


def search(kib: int) -> tw.MapResult:
    arch = tw.arch("eyeriss").with_(GLB={"capacity": f"{kib} KiB"})
    return tw.map(arch, tw.workload("resnet50/conv3_1.conv2"), threads=1)


def main() -> None:
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(search, SIZES_KIB))
    print("    GLB     energy     cycles  EDP of 128 KiB = 1")
    reference = results[SIZES_KIB.index(128)].edp
    for kib, result in zip(SIZES_KIB, results, strict=True):
        print(f"{kib:3} KiB {result.energy_pj / 1e6:7.1f} uJ {result.cycles:10,} ", end="")
        print(f"{result.edp / reference:19.3f}")


if __name__ == "__main__":
    main()
