# SPDX-License-Identifier: Apache-2.0
"""Flexibility: the same answers as the command, and errors that say where."""

from __future__ import annotations

import json
import pathlib

import pytest

import tilewright as tw

FLEXIBILITY = {
    "dims": ["c", "m", "p", "q"],
    "buffer": "GLB",
    "array": "PE",
    "shape": "full",
    "orders": [["m", "c", "p", "q"], ["p", "q", "m", "c"]],
    "parallelisms": [["c", "m"], ["p", "q"]],
    "block": [4, 4],
}
ARCH = tw.Arch.from_yaml("""
arch:
  name: small
  nodes:
    - {memory: DRAM, bandwidth: 64 B/cycle}
    - {memory: GLB, capacity: 4 KiB}
    - {fanout: PE, axes: {X: 8, Y: 8}}
    - {compute: mac}
""")
NETWORK = tw.Network.from_yaml("""
network:
  name: two
  layers:
    - {name: a, conv: {m: 12, c: 5, p: 6, q: 6}}
    - {name: b, conv: {m: 3, c: 20, p: 4, q: 4}}
""")


def files(folder: pathlib.Path) -> list[str]:
    texts = {
        "arch.yaml": ARCH.to_yaml(),
        "network.yaml": NETWORK.to_yaml(),
        "flexibility.yaml": "flexibility: " + json.dumps(FLEXIBILITY),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [str(folder / name) for name in texts]


def test_flex_is_the_command_s(tmp_path: pathlib.Path) -> None:
    result = tw.flex(ARCH, NETWORK, FLEXIBILITY, classes=True)
    done = tw.command("flex", *files(tmp_path), "--classes", "--json")
    assert done.returncode == 0 and result.to_json() == done.stdout
    assert result.flex_class == "0001"
    assert result.verdict.startswith("Freeing ")
    assert result.to_dict()["network"] == "two"
    assert "class 0001" in result.text() and "<svg" in result.html()
    assert repr(result) == "<FlexResult two on small: class 0001, 20 rows>"


def test_buying_is_the_command_s(tmp_path: pathlib.Path) -> None:
    market = tw.buy_flexibility(ARCH, NETWORK, FLEXIBILITY, area="1%")
    done = tw.command("flex", *files(tmp_path), "--buy", "area=1%", "--json")
    assert done.returncode == 0 and market.to_json() == done.stdout
    assert market.proved and market.verdict.startswith("Buy ")
    assert tw.buy_flexibility(ARCH, [NETWORK], FLEXIBILITY, area=0.01).verdict == market.verdict
    nothing = tw.buy_flexibility(ARCH, NETWORK, FLEXIBILITY, area="0um2")
    assert nothing.verdict.startswith("Buy nothing")


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(tw.InputError, match="buffer"):
        tw.flex(ARCH, NETWORK, {**FLEXIBILITY, "buffer": "nosuch"})
    with pytest.raises(tw.InputError, match="objective"):
        tw.flex(ARCH, NETWORK, FLEXIBILITY, objective="speed")
    with pytest.raises(tw.InputError, match="not a space"):
        tw.flex(ARCH, NETWORK, FLEXIBILITY, space="emerald")
    with pytest.raises(tw.InputError, match="area budget"):
        tw.buy_flexibility(ARCH, NETWORK, FLEXIBILITY, area="much")
    with pytest.raises(tw.InputError, match="no network"):
        tw.buy_flexibility(ARCH, [], FLEXIBILITY, area="1%")
    with pytest.raises(TypeError, match="flexibility"):
        tw.flex(ARCH, NETWORK, 5)  # type: ignore[arg-type]
