# SPDX-License-Identifier: Apache-2.0
"""Values: equality, hash, copies, pickles, texts."""

from __future__ import annotations

import copy
import pathlib
import pickle

import pytest

import tilewright as tw

ARCH = tw.arch("eyeriss")
PRODUCT = tw.gemm(31, 16, 16)


def results() -> list[object]:
    """A value of every kind, results of every question among them."""
    best = tw.map(ARCH, PRODUCT)
    return [
        PRODUCT,
        tw.conv(m=8, c=4, p=6, q=5, r=3, s=3, stride=(2, 1)),
        ARCH,
        tw.network("alexnet"),
        best.mapping,
        best.evaluation,
        best,
        tw.map(ARCH, PRODUCT, why=True, proof=True, trace=True),
        tw.map(ARCH, PRODUCT, top=3, constraints=[{"at": "GLB", "keep": ["Z"]}]),
        tw.map(ARCH, PRODUCT, front=True, objective="energy"),
        tw.map(ARCH, PRODUCT, within="5%"),
        tw.map(ARCH, PRODUCT, space="pad"),
        tw.map(ARCH, PRODUCT, mapper="random", seed=3, budget="200 mappings"),
        tw.map(ARCH, PRODUCT, constraints=[{"at": "PE", "factors": ["m = 31 on X"]}]),
        tw.plan(ARCH, tw.network("alexnet"), keep_on_chip=True),
    ]


@pytest.mark.parametrize("value", results(), ids=repr)
def test_values_survive_copies_and_pickles(value: object) -> None:
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert hash(other) == hash(value)
        assert repr(other) == repr(value)
        assert str(other) == str(value)
    assert value != 1
    assert "\n" not in repr(value)
    assert len(repr(value)) < 200


def test_an_unpickled_result_shows_the_same_page() -> None:
    for value in results():
        if isinstance(value, tw.MapResult) and value:
            other = pickle.loads(pickle.dumps(value))
            assert other.html() == value.html()
            assert other.text() == value.text()
            assert other.proof == value.proof
            assert other.trace == value.trace


def test_different_values_differ() -> None:
    assert tw.gemm(2, 3, 4) != tw.gemm(2, 3, 5)
    assert tw.arch("eyeriss") != tw.arch("simba")
    assert tw.map(ARCH, PRODUCT) != tw.map(ARCH, tw.gemm(2, 3, 4))


def test_a_spoilt_pickle_is_an_input_error() -> None:
    state = tw.map(ARCH, PRODUCT).__getstate__()
    assert isinstance(state, bytes)
    for spoilt in (b"", state[: len(state) // 2], b"\xff" * 100):
        with pytest.raises(tw.InputError):
            tw.MapResult.__new__(tw.MapResult).__setstate__(spoilt)


def test_yaml_reads_back() -> None:
    for value in (PRODUCT, ARCH, tw.network("alexnet")):
        assert type(value).from_yaml(value.to_yaml()) == value
    best = tw.map(ARCH, PRODUCT).mapping
    assert tw.Mapping.from_text(ARCH, PRODUCT, best.to_nest()) == best
    assert tw.Mapping.from_text(ARCH, PRODUCT, best.to_yaml(), "mapping.yaml") == best


def test_fields() -> None:
    assert PRODUCT.dims == {"m": 31, "n": 16, "k": 16}
    assert [tensor.name for tensor in PRODUCT.tensors] == ["A", "B", "Z"]
    assert PRODUCT.macs == 31 * 16 * 16
    assert ARCH.fanouts[0].axes == {"X": 14, "Y": 12}
    assert ARCH.compute_units == 168
    assert ARCH.instances("psum_spad") == 168
    with pytest.raises(KeyError):
        ARCH.instances("nowhere")
    assert tw.network("alexnet").layers[0].name == "conv1"


def test_an_accelerator_can_be_changed() -> None:
    changed = ARCH.with_(GLB={"capacity": "64 KiB"}, PE={"axes": {"X": 16}}, clock="200 MHz")
    assert changed.memories[1].capacity_bits == 64 * 1024 * 8
    assert changed.fanouts[0].axes == {"X": 16, "Y": 12}
    assert changed.clock_hz == 200e6
    assert ARCH.clock_hz is None


def test_a_workload_can_have_other_widths() -> None:
    narrow = PRODUCT.with_bits(A=8, weight=4, output=(8, 32))
    assert [(one.bits, one.partial_bits) for one in narrow.tensors] == [(8, None), (4, None), (8, 32)]
    for wrong in ({"C": 8}, {"A": 0}, {"A": 2**40}, {"A": (8, 16)}, {"output": (16, 8)}):
        with pytest.raises(tw.InputError):
            PRODUCT.with_bits(**wrong)
    for no_width in ("8", None, 1.5, (1, 2, 3)):
        with pytest.raises((TypeError, tw.InputError)):
            PRODUCT.with_bits(A=no_width)  # type: ignore[arg-type]


def test_html_for_notebooks() -> None:
    best = tw.map(ARCH, PRODUCT)
    for value in (best, best.evaluation, best.mapping, PRODUCT, ARCH, tw.count(ARCH, PRODUCT)):
        html = value._repr_html_()
        assert html.startswith(("<iframe", "<pre>"))


def test_names_of_files_are_read(tmp_path: pathlib.Path) -> None:
    for value, read in ((ARCH, tw.arch), (PRODUCT, tw.workload), (tw.network("alexnet"), tw.network)):
        path = tmp_path / f"{value.name}.yaml"
        path.write_text(value.to_yaml())
        assert read(path) == value
        assert read(str(path)) == value
        with pytest.raises(FileNotFoundError):
            read(tmp_path / "missing.yaml")
