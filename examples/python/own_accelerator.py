# SPDX-License-Identifier: Apache-2.0
"""An accelerator of your own. Mistakes in its description are shown where they are."""

import tilewright as tw

DRAFT = """\
arch:
  name: npu
  clock: 800 MHz
  nodes:                        # outermost first
    - memory: DRAM
      bandwidth: 12.8 GB/s
      energy: {read: 8 pJ/bit, write: 8 pJ/bit}
    - memory: SRAM
      capcity: 128 KiB
      bandwidth: 32 B/cycle
      energy: {read: 0.3 pJ/bit, write: 0.3 pJ/bit}
    - fanout: PE                # 256 copies of everything below
      axes: {X: 16, Y: 16}
    - memory: reg
      capacity: 16 B
      energy: {read: 0.01 pJ/bit, write: 0.01 pJ/bit}
    - {compute: mac, energy: 0.2 pJ}
"""


def main() -> None:
    try:
        tw.Arch.from_yaml(DRAFT, name="npu.yaml")
    except tw.InputError as error:
        print(error)
    npu = tw.Arch.from_yaml(DRAFT.replace("capcity", "capacity"), name="npu.yaml")
    result = tw.map(npu, tw.conv(m=64, c=64, p=56, q=56, r=3, s=3))
    print(result.text())


if __name__ == "__main__":
    main()
