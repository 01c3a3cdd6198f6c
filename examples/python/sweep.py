# SPDX-License-Identifier: Apache-2.0
"""A small design study: which arrays and buffers are worth their area?"""

from __future__ import annotations

import pathlib
import tempfile

import tilewright as tw


def main() -> None:
    plan = tw.sweep_plan(
        name="arrays",
        arch=tw.arch("eyeriss"),
        parameters={"x": [7, 14], "y": "6..12:+6", "glb": ["16 KiB", "64 KiB"]},
        set={"PE.axes.X": "x", "PE.axes.Y": "y", "GLB.capacity": "glb"},
        workloads=["gemm 64 96 100", "gemm 13 100 64"],
    )
    print(plan)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "arrays.db"
        # On all processors; executor= takes a pool of yours, Ray, Dask, ...
        print(tw.sweep(plan, path))
        with tw.Store(path) as store:
            for design in store.designs(front=["area", "edp"]):
                if design["on_front"]:
                    print(design["parameters"], f"{design['edp']:.4g}", design["standing"])


if __name__ == "__main__":
    main()
