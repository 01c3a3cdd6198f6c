# SPDX-License-Identifier: Apache-2.0
"""Timeloop's files as values."""

from __future__ import annotations

import pathlib

import pytest

import tilewright as tw

INPUTS = """architecture:
  version: 0.4
  subtree:
  - name: system
    local:
    - {name: "DRAM[1..1]", class: DRAM, attributes: {width: 8, datawidth: 8}}
    - {name: "buffer[1..1]", class: SRAM, attributes: {width: 8, datawidth: 8, depth: 16}}
    - {name: "mac[1..1]", class: intmac, attributes: {datawidth: 8}}
ERT:
  version: 0.4
  tables:
  - name: system.DRAM[1..1]
    actions: [{name: read, energy: 10}, {name: write, energy: 10}, {name: update, energy: 10}]
  - name: system.buffer[1..1]
    actions: [{name: read, energy: 1}, {name: write, energy: 1}, {name: update, energy: 1}]
  - name: system.mac[1..1]
    actions: [{name: compute, energy: 0.5}]
problem:
  version: 0.4
  shape:
    name: product
    dimensions: [M, K]
    data_spaces:
    - {name: A, projection: [[[M]], [[K]]]}
    - {name: B, projection: [[[K]]]}
    - {name: Z, projection: [[[M]]], read_write: true}
  instance: {M: 4, K: 6}
"""
MAPPING = """mapping:
- {target: DRAM, type: temporal, factors: M=4 K=2, permutation: MK}
- {target: buffer, type: temporal, factors: M=1 K=3, permutation: MK}
"""


def test_files_become_values(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inputs.yaml").write_text(INPUTS)
    (tmp_path / "mapping.yaml").write_text(MAPPING)
    inputs = tw.read_timeloop(tmp_path / "inputs.yaml", tmp_path / "mapping.yaml")
    assert inputs.arch is not None
    assert inputs.workload is not None
    assert [memory.name for memory in inputs.arch.memories] == ["DRAM", "buffer"]
    assert inputs.workload.dims == {"M": 4, "K": 6}
    assert inputs.holes_are_data
    assert inputs.left_out == ()
    assert inputs.mapping is not None
    old = tw.evaluate(inputs.arch, inputs.workload, inputs.mapping, holes_are_data=True)
    best = tw.map(inputs.arch, inputs.workload, objective="energy", holes_are_data=True)
    assert best.energy_pj <= old.energy_pj


def test_values_are_those_of_the_command(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inputs.yaml").write_text(INPUTS + MAPPING)
    inputs = tw.read_timeloop(tmp_path)
    assert inputs.arch is not None and inputs.workload is not None and inputs.mapping is not None
    said = tw.command("evaluate", str(tmp_path / "inputs.yaml"), "--json")
    mine = tw.evaluate(inputs.arch, inputs.workload, inputs.mapping, holes_are_data=True)
    assert f'"energy_pj": {mine.energy_pj:g}' in said.stdout.replace(".0,", ",")


def test_what_is_wrong_is_said(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bad.yaml").write_text("architecture:\n  version: 0.4\n  nodes:\n  - !Componen {name: a}\n")
    with pytest.raises(tw.InputError) as error:
        tw.read_timeloop(tmp_path / "bad.yaml")
    assert error.value.findings[0].code == "A0002"
    assert error.value.findings[0].places[0].line == 4
    with pytest.raises(tw.InputError):
        tw.read_timeloop(tmp_path / "none.yaml")
    with pytest.raises(TypeError):
        tw.read_timeloop()
