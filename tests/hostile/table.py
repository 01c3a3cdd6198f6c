# SPDX-License-Identifier: Apache-2.0
"""The hostile inputs of `check`: files, the command that meets them, a word of the error."""

import os
import sqlite3
import struct
import zlib

ARCH = """arch:
  name: small
  nodes:
    - {memory: DRAM, energy: {read: 64 pJ, write: 64 pJ}}
    - {memory: GLB, capacity: 64 KiB, energy: {read: 4 pJ, write: 4 pJ}}
    - {fanout: PE, axes: {X: 4}}
    - {compute: mac, energy: 1 pJ}
"""
GEMM = "gemm 16 16 16"


def write(folder, name, text):
    path = folder / name
    path.write_bytes(text) if isinstance(text, bytes) else path.write_text(text)
    return name


def check(folder, text, word, name="input.yaml"):
    return ["tilewright", "check", write(folder, name, text)], word


def mapped(folder, text, word, *options):
    return ["tilewright", "map", write(folder, "arch.yaml", ARCH), write(folder, "work.yaml", text),
            *options], word


# ---- YAML ----

def input_deep_lists(folder):
    return check(folder, "arch: " + "[" * 100_000 + "]" * 100_000, "32 levels")


def input_deep_maps(folder):
    return check(folder, "".join("  " * i + "a:\n" for i in range(1500)), "32 levels")


def input_anchors_that_explode(folder):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    return check(folder, "\n".join(lines), "anchors")


def input_a_million_keys(folder):
    return check(folder, "arch:\n" + "".join(f"  k{i}: 1\n" for i in range(300_000)), "more than 200000")


def input_a_million_levels(folder):
    nodes = "".join(f"    - {{memory: M{i}}}\n" for i in range(30_000))
    return check(folder, f"arch:\n  nodes:\n{nodes}    - {{compute: mac}}\n", "arch.yaml", "arch.yaml")


def input_a_key_of_three_megabytes(folder):
    return check(folder, "k" * 3_000_000 + ": 1\n", "error")


def input_ten_gigabytes(folder):
    with open(folder / "large.yaml", "wb") as file:
        file.truncate(10 << 30)
    return ["tilewright", "check", "large.yaml"], "4 MiB"


def input_not_utf_8(folder):
    return check(folder, b"arch:\n  name: \xff\xfe\xfa\n", "UTF-8")


def input_zeros(folder):
    return check(folder, bytes(100_000), "error")


def input_a_tag_that_runs_code(folder):
    return check(folder, "arch: !!python/object/apply:os.system ['touch ran']\n", "tags")


def input_escapes_in_a_name(folder):
    return check(folder, ARCH.replace("small", '"\\e[2J\\e]0;owned\\a"'), "not allowed")


def input_text_that_runs_backwards(folder):
    return check(folder, ARCH.replace("small", '"\u202egnp.exe"'), "not allowed")


def input_ten_thousand_errors(folder):
    return check(folder, ARCH + "".join(f"x{i}: 1\n" for i in range(10_000)), "unknown")


# ---- Numbers ----

def input_a_dim_beyond_64_bits(folder):
    return mapped(folder, "workload: {gemm: {m: 99999999999999999999, n: 2, k: 2}}\n", "too large")


def input_a_product_beyond_64_bits(folder):
    return mapped(folder, "workload: {gemm: {m: 4000000000, n: 4000000000, k: 4000000000}}\n", "error")


def input_a_negative_dim(folder):
    return mapped(folder, "workload: {gemm: {m: -8, n: 2, k: 2}}\n", "-8")


def input_a_dim_of_nothing(folder):
    return mapped(folder, "workload: {gemm: {m: 0, n: 2, k: 2}}\n", "0")


def input_energy_that_is_no_number(folder):
    return check(folder, ARCH.replace("64 pJ", "nan pJ"), "nan")


def input_energy_without_end(folder):
    return check(folder, ARCH.replace("64 pJ", "1e400 pJ"), "1e400")


def input_an_exponent_without_end(folder):
    return mapped(folder, "workload: {gemm: {m: 4, n: 4, k: 4}}\n", "1e999", "--objective", "energy^1e999")


def input_capacity_beyond_64_bits(folder):
    return check(folder, ARCH.replace("64 KiB", "99999999999999999 GiB"), "large")


# ---- Workloads ----

def input_an_einsum_of_a_megabyte(folder):
    terms = " * ".join(f"A{i}[m]" for i in range(50_000))
    return mapped(folder, f"workload: {{einsum: 'Z[m] += {terms}', dims: {{m: 4}}}}\n", "error")


def input_an_index_of_a_thousand_terms(folder):
    index = "+".join(f"d{i}" for i in range(1000))
    return mapped(folder, f"workload: {{einsum: 'Z[d0] += A[{index}]', dims: {{d0: 4}}}}\n", "error")


def input_brackets_without_end(folder):
    return ["tilewright", "map", write(folder, "arch.yaml", ARCH), "Z[" + "(" * 20_000 + "]"], "error"


def input_a_network_of_a_hundred_thousand_layers(folder):
    layers = ", ".join(f"{{name: l{i}, gemm: {{m: 2, n: 2, k: 2}}}}" for i in range(70_000))
    write(folder, "net.yaml", f"network: {{name: n, layers: [{layers}]}}\n")
    return ["tilewright", "net", write(folder, "arch.yaml", ARCH), "net.yaml"], "error"


def input_layers_that_feed_themselves(folder):
    write(folder, "net.yaml", "network: {name: n, layers: [{name: a, gemm: {m: 2, n: 2, k: 2}, from: [a]}]}\n")
    return ["tilewright", "net", write(folder, "arch.yaml", ARCH), "net.yaml"], "error"


# ---- Mappings, constraints, sweeps ----

def input_a_nest_of_a_hundred_thousand_loops(folder):
    write(folder, "m.nest", "DRAM: keep A B Z\n" + "  for m 1\n" * 100_000)
    return ["tilewright", "evaluate", write(folder, "arch.yaml", ARCH), GEMM, "m.nest"], "error"


def input_constraints_that_contradict(folder):
    write(folder, "c.yaml", "constraints:\n  - {at: GLB, keep: [A]}\n  - {at: GLB, bypass: [A]}\n")
    return ["tilewright", "map", write(folder, "arch.yaml", ARCH), GEMM, "c.yaml"], "contradict"


def input_a_sweep_of_ten_to_the_twenty(folder):
    axes = ", ".join(f"p{i}: 1..500000:+1" for i in range(6))
    write(folder, "arch.yaml", ARCH)
    write(folder, "plan.yaml", f"sweep:\n  arch: arch.yaml\n  parameters: {{{axes}}}\n"
                               f"  workloads: [{GEMM}]\n  spaces: [pfm]\n")
    return ["tilewright", "sweep", "run", "plan.yaml", "-o", "s.db"], "combinations"


def input_an_expression_without_end(folder):
    write(folder, "arch.yaml", ARCH)
    write(folder, "plan.yaml", "sweep:\n  arch: arch.yaml\n  parameters: {x: 1..4:*2}\n"
                               f"  set: {{PE.axes.X: '{'(' * 50_000}x'}}\n  workloads: [{GEMM}]\n")
    return ["tilewright", "sweep", "run", "plan.yaml", "-o", "s.db"], "error"


# ---- Files of others ----

def input_powers_of_powers(folder):
    return check(folder, "architecture:\n  version: 0.4\n  nodes:\n  - !Component\n    name: mem\n"
                         "    class: DRAM\n    attributes: {width: 9**9**9**9, datawidth: 8}\n", "error")


def input_merges_in_merges(folder):
    lines = ["globals:"] + [f"  g{i}: &g{i}\n    <<<: [*g{i - 1}, *g{i - 1}]" if i else "  g0: &g0 {a: 1}"
                            for i in range(40)]
    return check(folder, "architecture:\n  version: 0.4\n  nodes: []\n" + "\n".join(lines), "error")


def input_a_template_loop(folder):
    text = "".join("{% for a in range(100000) %}" for _ in range(5)) + "x" + "{% endfor %}" * 5
    return check(folder, "architecture:\n  version: 0.4\n" + text + "\n", "error", "arch.yaml.jinja2")


def input_an_include_of_everything(folder):
    return check(folder, "architecture:\n  version: 0.4\n{{include('/etc/passwd')}}\n", "error")


def input_an_onnx_model_with_a_lying_size(folder):
    # ModelProto.graph with a length of 2^31 - 1, and two bytes.
    return ["tilewright", "onnx", write(folder, "m.onnx", b"\x08\x08\x3a\xff\xff\xff\xff\x07\x0a\x00")], "error"


def input_an_onnx_model_of_groups_in_groups(folder):
    inner = b""
    for _ in range(2000):
        inner = b"\x3a" + varint(len(inner)) + inner
    return ["tilewright", "onnx", write(folder, "m.onnx", inner)], "error"


def varint(number):
    result = b""
    while number > 127:
        result += bytes([number & 127 | 128])
        number >>= 7
    return result + bytes([number])


def input_a_proof_that_is_a_list_of_lists(folder):
    return ["tilewright-verify", write(folder, "p.json", "[" * 1_000_000)], "refused"


def input_a_result_with_paths_of_others(folder):
    write(folder, "r.json", '{"version": 1, "inputs": [{"name": "/etc/passwd", "text": "arch: {}"}]}')
    return ["tilewright", "rerun", "r.json"], "error"


# ---- Stores ----

def store_with(folder, *statements):
    with sqlite3.connect(folder / "s.db") as database:
        for statement in statements:
            database.execute(statement)
    database.close()


def input_a_database_of_something_else(folder):
    store_with(folder, "CREATE TABLE results (key TEXT)")
    return ["tilewright", "store", "info", "s.db"], "no store of tilewright"


def input_a_store_with_a_view_for_a_table(folder):
    store_with(folder, "PRAGMA application_id = 1416195173", "PRAGMA user_version = 1",
               "CREATE VIEW results AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
               "SELECT x AS id, x AS key, x AS status, x AS score, x AS energy_pj, x AS cycles, x AS bound, "
               "x AS nodes, x AS seconds, x AS body FROM n")
    return ["tilewright", "store", "check", "s.db"], "error"


def input_a_store_cut_in_half(folder):
    store_with(folder, *(f"CREATE TABLE t{i} (a)" for i in range(50)))
    path = folder / "s.db"
    os.truncate(path, path.stat().st_size // 2)
    return ["tilewright", "store", "check", "s.db"], "error"


def input_a_body_that_grows_without_end(folder):
    body = struct.pack("<Q", 1 << 62) + zlib.compress(bytes(1_000_000))
    with sqlite3.connect(folder / "s.db") as database:
        database.executescript("PRAGMA application_id = 1416195173; PRAGMA user_version = 1;"
                               "CREATE TABLE results (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, status TEXT "
                               "NOT NULL, score REAL, energy_pj REAL, cycles INTEGER, bound REAL, nodes INTEGER NOT "
                               "NULL, seconds REAL NOT NULL, body BLOB NOT NULL) STRICT;"
                               "CREATE TABLE plans (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, text BLOB "
                               "NOT NULL) STRICT;")
        database.execute("INSERT INTO results VALUES (1, ?, 'proved', 1, 1, 1, 1, 1, 1, ?)", (bytes(32), body))
    database.close()
    return ["tilewright", "store", "check", "s.db"], "too long"
