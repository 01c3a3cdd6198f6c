# SPDX-License-Identifier: Apache-2.0
"""map, plan, evaluate, count, explain, read_onnx, verify and command."""

from __future__ import annotations

import json
import pathlib

import pytest

import tilewright as tw

ARCH = tw.arch("eyeriss")
PRODUCT = tw.gemm(64, 64, 64)


def test_map_proves_the_best() -> None:
    result = tw.map(ARCH, PRODUCT)
    assert result and result.proved and result.status == "proved"
    assert result.gap == 0 and result.score == result.bound == result.edp
    assert result.energy_pj * result.cycles == result.edp
    assert result.why_not is None and not result.interrupted
    assert result.space_size == tw.count(ARCH, PRODUCT, "ruby-s").spaces[0].mappings
    assert result.evaluation.cycles == result.cycles
    assert result.tiles()[0] == {"level": "DRAM", "dim": "m", "tile": 64, "factor": 1, "spatial": 1}


def test_what_is_no_value_is_named() -> None:
    with pytest.raises(TypeError, match="`arch` is an Arch, such as tw.arch.*, not Workload"):
        tw.map(PRODUCT, ARCH)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`network` is a Network, .*, not str"):
        tw.plan(ARCH, "resnet50")  # type: ignore[arg-type]


def test_further_questions() -> None:
    top = tw.map(ARCH, PRODUCT, top=3).alternatives
    assert [one.edp for one in top] == sorted(one.edp for one in top) and len(top) == 3
    front = tw.map(ARCH, tw.gemm(31, 16, 16), front=True).alternatives
    assert [one.cycles for one in front] == sorted(one.cycles for one in front)
    assert "why" in tw.map(ARCH, tw.gemm(31, 16, 16), why=True).text()


def test_a_proof_can_be_verified() -> None:
    best = tw.map(ARCH, PRODUCT, proof=True)
    assert best.proof is not None
    assert tw.verify(best.proof, ARCH, PRODUCT).score == best.score
    verdict = tw.verify(best.proof, ARCH, tw.gemm(64, 64, 63))
    assert not verdict and verdict.why
    assert not tw.verify("{}")


def test_no_mapping_says_why() -> None:
    result = tw.map(ARCH, PRODUCT, constraints=[{"at": "PE", "factors": ["m = 64 on X"]}])
    assert not result
    assert result.status in ("infeasible", "contradictory")
    assert result.why_not is not None and "constraints.yaml:2" in result.why_not
    for figure in ("energy_pj", "cycles", "edp", "mapping", "score", "utilization"):
        with pytest.raises(tw.NoMappingError, match="constraints.yaml:2"):
            getattr(result, figure)
    with pytest.raises(tw.NoMappingError):
        result.to_json()


def test_evaluate_takes_mappings_and_texts() -> None:
    best = tw.map(ARCH, PRODUCT)
    for mapping in (best.mapping, best.mapping.to_nest()):
        evaluation = tw.evaluate(ARCH, PRODUCT, mapping)
        assert (evaluation.energy_pj, evaluation.cycles) == (best.energy_pj, best.cycles)
    small = ARCH.with_(GLB={"capacity": "1 KiB"})
    with pytest.raises(tw.InputError, match="mapping.nest:2"):
        tw.evaluate(small, PRODUCT, best.mapping)
    assert tw.evaluate(small, PRODUCT, best.mapping, anyway=True).cycles == best.cycles


def test_explain() -> None:
    best = tw.map(ARCH, PRODUCT)
    assert tw.explain(best, "DRAM.A.reads") == tw.explain(best.evaluation, "DRAM.A.reads")
    with pytest.raises(tw.InputError, match="did you mean `DRAM.A.reads`"):
        tw.explain(best, "DRAM.A.read")


def test_plan() -> None:
    plan = tw.plan(ARCH, tw.network("alexnet"), objective="energy")
    assert plan.proved
    assert plan.energy_pj == pytest.approx(sum(one.energy_pj * one.count for one in plan.layers))
    assert plan.layers[0].mapping is not None and plan.layers[1].status is None
    assert plan.to_csv().count("\n") == len(plan.layers) + 1


def test_frames() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    best = tw.map(ARCH, PRODUCT)
    plan = tw.plan(ARCH, tw.network("alexnet"))
    for result, rows in ((best, len(best.evaluation.counts)), (plan, len(plan.layers))):
        assert isinstance(result.to_pandas(), pandas.DataFrame)
        assert isinstance(result.to_polars(), polars.DataFrame)
        assert len(result.to_pandas()) == len(result.to_polars()) == rows


def test_saved_results_are_read_by_the_command(tmp_path: pathlib.Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    tw.map(ARCH, PRODUCT).save(first)
    tw.map(ARCH, PRODUCT, space="pfm").save(second)
    assert json.loads(first.read_text())["cycles"] == 2048
    assert tw.command("rerun", str(first)).returncode == 0
    assert "space" in tw.command("diff", str(first), str(second)).stdout


def test_onnx_beside_the_onnx_package(tmp_path: pathlib.Path) -> None:
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", kind, ["batch", 8])],
        [helper.make_tensor_value_info("y", kind, ["batch", 4])],
        [helper.make_tensor("w", kind, [8, 4], [0.0] * 32)],
    )
    path = tmp_path / "product.onnx"
    onnx.save(helper.make_model(graph), path)
    for source in (path, str(path), path.read_bytes()):
        model = tw.read_onnx(source, sizes={"batch": 2})
        assert model.network.macs == 2 * 8 * 4
    with pytest.raises(tw.InputError, match="batch"):
        tw.read_onnx(path)
    with pytest.raises(tw.InputError):
        tw.read_onnx(b"no model")
    with pytest.raises(FileNotFoundError):
        tw.read_onnx(tmp_path / "nothing.onnx")


def test_the_command_runs_in_this_process() -> None:
    done = tw.command("map", "eyeriss", "gemm 64 64 64", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["cycles"] == 2048
    assert tw.command("mapp").returncode == 2
    assert tw.command("check", "-", stdin="arch: {").returncode == 1
