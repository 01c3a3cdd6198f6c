# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX models in pure Python, node by node: the few messages of the format that edges need."""

FLOAT, UINT8, INT8, INT64, FLOAT16 = 1, 2, 3, 7, 10


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    if isinstance(value, bytes):  # a graph
        return block(1, name) + block(6, value) + number(20, 5)
    if isinstance(value, str):
        return block(1, name) + block(4, value) + number(20, 3)
    if isinstance(value, int):
        return block(1, name) + number(3, value) + number(20, 2)
    return block(1, name) + b"".join(number(8, each) for each in value) + number(20, 7)


class OnnxFile:
    """A model that grows node by node; `bytes(result)` is the file. Weights have no data."""

    def __init__(self, element=FLOAT, opset=17):
        self.element, self.opset, self.count = element, opset, 0
        self.nodes, self.constants, self.inputs, self.outputs = [], [], [], []

    def fresh(self, start):
        self.count += 1
        return f"{start}{self.count}"

    def info(self, name, dims, element):
        shape = b"".join(block(1, number(1, dim)) for dim in dims)
        return block(1, name) + block(2, block(1, number(1, element) + block(2, shape)))

    def input(self, name, *dims, element=None):
        self.inputs.append(self.info(name, dims, element or self.element))
        return name

    def output(self, name):
        self.outputs.append(block(1, name))
        return name

    def weight(self, *dims, element=None):
        name = self.fresh("w")
        place = block(1, "location") + block(2, "weights.bin")
        self.constants.append(b"".join(number(1, dim) for dim in dims) + number(2, element or self.element) +
                              block(8, name) + block(13, place) + number(14, 1))
        return name

    def integers(self, *values):
        name = self.fresh("i")
        self.constants.append(number(1, len(values)) + number(2, INT64) + block(8, name) +
                              b"".join(number(7, value) for value in values))
        return name

    def add(self, op, *inputs, outputs=1, domain="", **attributes):
        """Adds a node; the name of its output, or a list of several."""
        names = [self.fresh("t") for _ in range(outputs)]
        node = b"".join(block(1, name) for name in inputs) + b"".join(block(2, name) for name in names)
        node += block(3, self.fresh(op.lower())) + block(4, op) + block(7, domain)
        node += b"".join(block(5, attribute(key, value)) for key, value in attributes.items())
        self.nodes.append(node)
        return names[0] if outputs == 1 else names

    def conv(self, data, c, m, size, stride=1, groups=1):
        """A square window that keeps the size at stride 1."""
        return self.add("Conv", data, self.weight(m, c // groups, size, size), kernel_shape=[size, size],
                        strides=[stride, stride], pads=[size // 2] * 4, group=groups)

    def batch_norm(self, data, channels):
        return self.add("BatchNormalization", data, *(self.weight(channels) for _ in range(4)))

    def graph(self):
        parts = [(1, self.nodes), (5, self.constants), (11, self.inputs), (12, self.outputs)]
        return block(2, "edge") + b"".join(block(field, each) for field, list_ in parts for each in list_)

    def bytes(self, *results):
        for name in results:
            self.output(name)
        return number(1, 8) + block(8, block(1, "") + number(2, self.opset)) + block(7, self.graph())


def mobilenet(stages=7):
    """MobileNetV2 as exporters write it in training: each convolution with its norm and its clip."""
    model = OnnxFile(FLOAT16)

    def block_of(data, c, m, size, stride=1, groups=1, clip=True):
        data = model.batch_norm(model.conv(data, c, m, size, stride, groups), m)
        return model.add("Clip", data, model.weight(), model.weight()) if clip else data

    data, channels = block_of(model.input("image", 1, 3, 224, 224), 3, 32, 3, 2), 32
    rows = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
    for expand, out, blocks, first in rows[:stages]:
        for i in range(blocks):
            stride, width = first if i == 0 else 1, channels * expand
            inner = data if expand == 1 else block_of(data, channels, width, 1)
            inner = block_of(inner, width, width, 3, stride, width)
            inner = block_of(inner, width, out, 1, clip=False)
            data = model.add("Add", data, inner) if channels == out and stride == 1 else inner
            channels = out
    data = model.add("Flatten", model.add("GlobalAveragePool", block_of(data, channels, 1280, 1)))
    return model.bytes(model.add("Gemm", data, model.weight(1000, 1280), model.weight(1000), transB=1))
