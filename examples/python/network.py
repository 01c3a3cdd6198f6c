# SPDX-License-Identifier: Apache-2.0
"""Every layer of BERT-base on Simba, and the three that take the most energy."""

import tilewright as tw


def main() -> None:
    plan = tw.plan(tw.arch("simba"), tw.network("bert-base-128"), progress=True)
    runs = sum(layer.count for layer in plan.layers)
    print(f"{plan.network.name}: {len(plan.layers)} layers, {runs} runs, {plan.status}")
    print(f"{plan.energy_pj / 1e9:.2f} mJ, {plan.cycles:,.0f} cycles")

    costly = sorted(plan.layers, key=lambda layer: layer.count * layer.energy_pj, reverse=True)
    for layer in costly[:3]:
        share = layer.count * layer.energy_pj / plan.energy_pj
        print()
        print(f"{layer.count} x {layer.name}: {100 * share:.1f} % of the energy")
        print(layer.mapping)

    tw.plot.timeline(plan).save("bert.svg")
    print("wrote bert.svg")


if __name__ == "__main__":
    main()
