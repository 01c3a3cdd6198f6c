# SPDX-License-Identifier: Apache-2.0
"""The best mapping of a matrix product, with what it costs and where the energy goes."""

import tilewright as tw


def main() -> None:
    result = tw.map(tw.arch("eyeriss"), tw.gemm(512, 768, 3072))
    print(result.text())  # the report of `tilewright map`

    print("the same in numbers:")
    print(f"  {result.status}: {result.energy_pj / 1e6:.1f} uJ, {result.cycles:,} cycles, ", end="")
    print(f"{100 * result.utilization:.1f} % of the units busy")
    print(f"  the best of {result.space_size:,} mappings")
    print()
    print(tw.explain(result, "DRAM.A.reads"))


if __name__ == "__main__":
    main()
