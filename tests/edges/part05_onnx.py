# SPDX-License-Identifier: Apache-2.0
"""Part 5: ONNX models as compilers see them."""

from onnx_file import INT8, OnnxFile, mobilenet


INPUT_ERROR = 1


def coverage(tw, model, *options):
    """The JSON of `onnx` for a model given as bytes."""
    return tw.run("onnx", tw.file("model.onnx", model), "--json", *options).json


def rows(report, treatment):
    return {row["op"]: row for row in report["coverage"][treatment]["operators"]}


def edge_norms_and_clips_take_no_time(tw):
    """BatchNorm and Clip of MobileNet, half of its time on Gemmini before, take none and have no row."""
    name = tw.file("mobilenet.onnx", mobilenet(stages=2))
    plan = tw.run("net", "gemmini", name, "--mapper", "local", "--json").json
    ops = {layer["op"] for layer in plan["layers"]}
    assert not ops & {"BatchNormalization", "Clip"}, ops
    assert plan["totals"]["cycles"] > 0


def edge_mobilenet_is_fused_whole(tw):
    """All 52 norms, 35 clips and 10 sums of MobileNet run as part of the convolution before them."""
    report = coverage(tw, mobilenet())
    fused = {op: row["nodes"] for op, row in rows(report, "fused").items()}
    assert fused == {"Add": 10, "BatchNormalization": 52, "Clip": 35}, fused
    assert set(rows(report, "traffic")) == {"GlobalAveragePool"}
    assert report["network"]["macs"] == coverage(tw, mobilenet(), "--fuse", "none")["network"]["macs"] == 300774272


def edge_fusion_can_be_left_out(tw):
    """`--fuse none` gives each operator its layer; the default lists what was fused into what."""
    model = OnnxFile()
    data = model.input("x", 1, 4, 8, 8)
    data = model.add("Relu", model.add("Add", model.batch_norm(model.conv(data, 4, 4, 3), 4), data))
    model = model.bytes(data)
    apart, fused = coverage(tw, model, "--fuse", "none"), coverage(tw, model)
    assert set(rows(apart, "traffic")) == {"Add", "BatchNormalization", "Relu"} and apart["fusions"] == []
    nodes = [(node["op"], node["into"], node["bits"]) for node in fused["fusions"][0]["nodes"]]
    # A bias of 4, then the operand of the sum: 4 x 8 x 8.
    assert nodes == [("BatchNormalization", "weights", 4 * 32), ("Add", "output", 256 * 32), ("Relu", "output", 0)]
    text = tw.run("onnx", "model.onnx").out
    assert "Conv + BatchNormalization (weights) + Add (reads) + Relu" in " ".join(text.split()), text


def edge_results_hold_how_they_were_fused(tw):
    """A result of `net` says how its ONNX model was fused, and is made again to the same bytes."""
    model = OnnxFile()
    data = model.add("Relu", model.conv(model.input("x", 1, 4, 8, 8), 4, 4, 1))
    tw.file("model.onnx", model.bytes(data))
    for fuse in ("none", "epilogue"):
        made = tw.run("net", "eyeriss", "model.onnx", "--fuse", fuse, "--json")
        assert made.json["run"]["options"]["fuse"] == fuse
        again = tw.run("rerun", tw.file("result.json", made.out))
        assert again.code == 0 and again.out.startswith("rerun: the same "), again.text


def edge_residuals_and_results_are_moved(tw):
    """What somebody else reads is written: no fusion across an output of the model."""
    model = OnnxFile()
    first = model.conv(model.input("x", 1, 4, 5, 5), 4, 4, 1)
    report = coverage(tw, model.bytes(first, model.add("Relu", first)))
    assert rows(report, "traffic")["Relu"]["bits"] == 2 * 100 * 32 and report["fusions"] == []


def edge_quantized_widths_are_written(tw):
    """A QuantizeLinear behind Relu makes the output of the convolution 8 bits wide."""
    model = OnnxFile()
    data = model.add("Relu", model.conv(model.input("x", 1, 4, 5, 5), 4, 4, 1))
    data = model.add("QuantizeLinear", data, model.weight(), model.weight(element=INT8))
    tw.run("onnx", tw.file("model.onnx", model.bytes(data)), "-o", "net.yaml")
    written = (tw.folder / "net.yaml").read_text()
    assert "bits: {Inputs: 32, Weights: 32, Outputs: {final: 8, partial: 32}}" in written, written
    assert "traffic" not in written, written


def edge_rows_are_p(tw):
    """An output of 20 x 30 has p 20 and q 30, as `doc p` says, and its strides are along them."""
    model = OnnxFile()
    data = model.add("Conv", model.input("x", 1, 3, 40, 90), model.weight(8, 3, 2, 3), strides=[2, 3])
    model = model.bytes(data)
    layer = coverage(tw, model)["layers"][0]
    sizes = layer["dims"]
    assert [sizes[dim] for dim in "pqrs"] == [20, 30, 2, 3], sizes
    assert layer["stride"] == [2, 3] and layer["dilation"] == [1, 1], layer
    assert "rows" in tw.run("doc", "p").out


def edge_strides_are_shown(tw):
    """Strides and dilations stand in the listings of `onnx` and `show`."""
    model = OnnxFile()
    data = model.add("Conv", model.input("x", 1, 3, 224, 224), model.weight(64, 3, 7, 7), strides=[2, 2])
    data = model.add("Conv", data, model.weight(8, 64, 3, 3), strides=[1, 2], dilations=[2, 2])
    text = tw.run("onnx", tw.file("model.onnx", model.bytes(data)), "-o", "net.yaml").out
    assert "stride=2" in text and "stride=1x2 dilation=2" in " ".join(text.split()), text
    assert "stride 2" in tw.run("show", "resnet50").out


def edge_recurrent_nodes_are_their_products(tw):
    """An LSTM of both directions is a product over all steps and one for each step, twice."""
    model = OnnxFile()
    data = model.add("LSTM", model.input("x", 7, 2, 6), model.weight(2, 16, 6), model.weight(2, 16, 4),
                     hidden_size=4, direction="bidirectional")
    report = coverage(tw, model.bytes(data), "--strict")
    products = [(layer["dims"], layer["count"]) for layer in report["layers"] if "dims" in layer]
    direction = [({"m": 14, "n": 16, "k": 6}, 1), ({"m": 2, "n": 16, "k": 4}, 7)]
    assert products == 2 * direction, products
    assert report["network"]["macs"] == 2 * (7 * 2 * 16 * 6 + 7 * 2 * 16 * 4)
    assert report["coverage"]["ignored"]["nodes"] == 0


def edge_subgraphs_are_refused_by_name(tw):
    """A node that runs a graph of its own is named with what is inside; `--strict` refuses it."""
    inner = OnnxFile()
    inner.output(inner.add("MatMul", "x", "x"))
    model = OnnxFile()
    model.input("x", 4, 4)
    data = model.add("If", model.input("c", 1, element=9), then_branch=inner.graph(), else_branch=inner.graph())
    tw.file("model.onnx", model.bytes(data, model.add("MatMul", "x", "x")))
    loose, strict = tw.run("onnx", "model.onnx"), tw.run("onnx", "model.onnx", "--strict")
    for ran in (loose, strict):
        assert "`If` runs a graph of its own, with `MatMul`" in ran.err, ran.err
    assert loose.code == 0 and "1 node ignored" in loose.out and strict.code == INPUT_ERROR


def edge_sums_of_sizes_do_not_wrap(tw):
    """A Concat of two [2^31, 8] is an error, not 0 MACs."""
    model = OnnxFile()
    data = model.add("Concat", model.input("a", 2**31, 8), model.input("b", 2**31, 8), axis=0)
    ran = tw.run("onnx", tw.file("model.onnx", model.bytes(model.add("MatMul", data, model.weight(8, 8)))))
    assert ran.code == INPUT_ERROR and "above 2^31: [4294967296,8]" in ran.err, ran.text


def edge_products_of_sizes_do_not_wrap(tw):
    """A Tile by 2^32 is an error, not 0 MACs."""
    model = OnnxFile()
    data = model.add("Tile", model.input("x", 2, 8), model.integers(2**32, 1))
    ran = tw.run("onnx", tw.file("model.onnx", model.bytes(model.add("MatMul", data, model.weight(8, 8)))))
    assert ran.code == INPUT_ERROR and "8589934592" in ran.err, ran.text


def edge_splits_do_not_wrap(tw):
    """A Reshape to other sizes than there are is an error, also where their product wraps."""
    model = OnnxFile()
    data = model.add("Reshape", model.input("x", 2, 8), model.integers(2**20, 2**20))
    ran = tw.run("onnx", tw.file("model.onnx", model.bytes(model.add("Relu", data))))
    assert ran.code == INPUT_ERROR and "[2,8] cannot become [1048576,1048576]" in ran.err, ran.text


def edge_large_files_are_refused_unread(tw):
    """A file of 3 GiB is refused by its size; nothing of it is read."""
    with open(tw.folder / "large.onnx", "wb") as file:
        file.truncate(3 << 30)
    ran = tw.run("onnx", "large.onnx", seconds=5)
    assert ran.code == INPUT_ERROR and str(3 << 30) in ran.err, ran.text


def edge_devices_are_no_models(tw):
    """An endless device is no model: /dev/zero is refused at once."""
    (tw.folder / "zero.onnx").symlink_to("/dev/zero")
    ran = tw.run("onnx", "zero.onnx", seconds=5)
    assert ran.code == INPUT_ERROR and "is a device" in ran.err, ran.text
