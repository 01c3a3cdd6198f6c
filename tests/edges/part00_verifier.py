# SPDX-License-Identifier: Apache-2.0
"""Part 0: the verifier and the proofs it gets."""

import json
import re
import subprocess
import time

ARCH = """arch:
  name: small
  nodes:
    - {memory: DRAM, energy: {read: 100 pJ, write: 100 pJ}}
    - {memory: GLB, capacity: 64 KiB, energy: {read: 6 pJ, write: 6 pJ}}
    - {fanout: PE, axes: {X: 16}}
    - {compute: mac, energy: 1 pJ}
"""
GEMM = "workload: {name: product, gemm: {m: 16, n: 125, k: 111}}\n"  # 222,000 MACs, 13,875 on 16 units
CONSTRAINTS = "constraints:\n  - {at: GLB, bypass: [weight]}\n  - {at: PE, factors: [m = 4 on X]}\n"


def seal(text):
    """The text with the checksum that it should have."""
    text = re.sub(r'("checksum": )"[0-9a-f]{16}"', r'\1"0000000000000000"', text)
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return text.replace('"checksum": "0000000000000000"', f'"checksum": "{value:016x}"')


def prove(tw, *words, arch=ARCH, workload=GEMM):
    """A proof that the program wrote, as a dictionary."""
    files = [tw.file("arch.yaml", arch), tw.file("work.yaml", workload)]
    done = tw.run("map", *files, *words, "--proof", "proof.json")
    assert done.code == 0, done.text
    return json.loads((tw.folder / "proof.json").read_text())


def forge(tw, proof, **changes):
    """Writes the proof with other values, its checksum right."""
    return tw.file("forged.json", seal(json.dumps({**proof, **changes}, indent=1)))


def edge_a_score_that_overflows_is_not_proved(tw):
    """`read: 1e306 pJ` is refused with the range of energies; `map` proves nothing about it."""
    files = [tw.file("arch.yaml", ARCH.replace("100 pJ", "1e306 pJ", 1)), tw.file("work.yaml", GEMM)]
    done = tw.run("map", *files, "--objective", "ed2p")
    assert done.code == 1 and "proved" not in done.out, done.text
    assert "1e306 pJ" in done.err and "1e12 pJ" in done.err, done.err


def edge_a_product_that_overflows_is_named(tw):
    """Figures in their ranges whose score is above 10^308 are an error by name, not `proved`."""
    files = [tw.file("arch.yaml", ARCH.replace("100 pJ", "1e12 pJ")),
             tw.file("work.yaml", "workload: {gemm: {m: 10000000, n: 10000000, k: 10}}\n")]
    done = tw.run("map", *files, "--objective", "energy^12", "--space", "pfm")
    assert done.code == 1 and "proved" not in done.out, done.text
    assert "10^308" in done.err, done.err


def edge_any_score_of_infinite_energy_is_refused(tw):
    """The verifier does not take a claimed score of 1 for a mapping whose score overflows."""
    proof = prove(tw, "--objective", "ed2p")
    arch = proof["arch"].replace("read: 100 pJ", "read: 1e306 pJ", 1)
    assert arch != proof["arch"]
    done = tw.verify(forge(tw, proof, arch=arch, score=1, roots=[]))
    assert done.code == 1 and "refused" in done.out, done.text


def edge_a_tiny_exponent_hides_nothing(tw):
    """With latency^1e-10 a mapping of 222,000 cycles does not pass where 13,875 is best."""
    proof = prove(tw, "--objective", "latency")
    assert proof["score"] == 13875, proof["score"]
    slow = "DRAM: keep A B Z\nGLB: keep A B Z\n  for m 16, n 125, k 111\nmac\n"
    done = tw.verify(forge(tw, proof, mapping=slow, objective="latency^1e-10",
                           score=222000 ** 1e-10, roots=[]))
    assert done.code == 1 and "refused" in done.out, done.text
    for exponent in (0.1, 0.3, 12):
        done = tw.verify(forge(tw, proof, mapping=slow, objective=f"latency^{exponent}",
                               score=222000 ** exponent, roots=[]))
        assert done.code == 1 and "refused" in done.out, done.text


def edge_exponents_have_a_least_size(tw):
    """`--objective latency^1e-10` is an error that names the range of exponents."""
    files = [tw.file("arch.yaml", ARCH), tw.file("work.yaml", GEMM)]
    done = tw.run("map", *files, "--objective", "latency^1e-10")
    assert done.code == 2 and "from 0.1 to 12" in done.err, done.text


def edge_the_verdict_names_what_was_proved(tw):
    """Workload, architecture, space, objective, constraints and conventions stand in the verdict."""
    tw.file("limits.yaml", CONSTRAINTS)
    prove(tw, "limits.yaml", "--space", "pfm", "--holes-are-data")
    done = tw.verify("proof.json")
    assert done.code == 0, done.text
    for words in ("product: Z[m,n] += A[m,k] * B[k,n]", "n=125", "small: DRAM, GLB, PE 16, mac",
                  "pfm", "edp", "bypass B at GLB", "m = 4 on X of PE", "holes-are-data"):
        assert words in done.out, f"{words} is not in\n{done.out}"


def edge_constraints_inside_are_said(tw):
    """A proof with constraints does not verify as `no mapping scores below`."""
    tw.file("limits.yaml", CONSTRAINTS)
    prove(tw, "limits.yaml")
    done = tw.verify("proof.json")
    assert done.code == 0, done.text
    assert "no mapping that obeys these 2 constraints scores below" in done.out, done.out
    assert "no mapping scores below" not in done.out, done.out


def edge_the_users_own_files_are_compared(tw):
    """A proof is refused, with what differs, if it is about anything but the files beside it."""
    tw.file("limits.yaml", CONSTRAINTS)
    prove(tw, "limits.yaml")
    assert tw.verify("proof.json", "arch.yaml", "work.yaml", "limits.yaml").code == 0
    done = tw.verify("proof.json", "arch.yaml", "work.yaml")
    assert done.code == 1 and "bypass B at GLB" in done.out, done.text
    tw.file("other.yaml", ARCH.replace("64 KiB", "32 KiB"))
    done = tw.verify("proof.json", "other.yaml", "work.yaml", "limits.yaml")
    assert done.code == 1 and "64 KiB" in done.out and "32 KiB" in done.out, done.text
    tw.file("smaller.yaml", GEMM.replace("125", "100"))
    done = tw.verify("proof.json", "arch.yaml", "smaller.yaml", "limits.yaml")
    assert done.code == 1 and "n: 125" in done.out and "n: 100" in done.out, done.text
    done = tw.verify("proof.json", "eyeriss", "work.yaml")
    assert done.code == 1 and "refused" in done.out, done.text


def edge_duplicate_keys_are_errors(tw):
    """A key that stands twice in a proof is refused, at the top, in a root and in a node."""
    proof = prove(tw)
    text = json.dumps({**proof, "roots": [{"keeps": [], "spatial": [], "open": []}]}, indent=1)
    double = {"score": text.replace('"score":', '"score": 1, "score":'),
              "constraints": text.replace('"constraints":', '"constraints": "", "constraints":'),
              "keeps": text.replace('"keeps":', '"keeps": [], "keeps":')}
    for key, twice in double.items():
        done = tw.verify(tw.file("twice.json", seal(twice)))
        assert done.code == 1 and f"`{key}` twice" in done.out, f"{key}: {done.text}"


def edge_deep_nesting_does_not_crash(tw):
    """30,000 nested nodes are refused."""
    proof = prove(tw)
    deep = '{"label": [], "counts": {}, "open": [' * 30000 + "]}" * 30000
    root = '{"keeps": [["A", "B", "Z"], ["A", "B", "Z"]], "spatial": [{}], "open": [' + deep + "]}"
    text = json.dumps({**proof, "roots": []}, indent=1).replace('"roots": []', '"roots": [' + root + "]")
    done = tw.verify(tw.file("deep.json", seal(text)))
    assert done.code == 1 and "deeper" in done.out, (done.code, done.text[:300])


def edge_endless_files_end(tw):
    """`/dev/zero` is refused after the largest size that a proof may have."""
    done = tw.verify("/dev/zero", seconds=20)
    assert done.code == 1 and "64 MiB" in done.out, done.text


def edge_a_full_disk_is_seen(tw):
    """Output to a full disk gives an exit code and a message, in both programs."""
    prove(tw)
    for program, *words in (["tilewright-verify", "proof.json"], ["tilewright", "demo"],
                            ["tilewright", "map", "arch.yaml", "work.yaml"],
                            ["tilewright", "map", "arch.yaml", "work.yaml", "--json"],
                            ["tilewright", "net", "eyeriss", "alexnet", "--json"],
                            ["tilewright", "arch", "list"], ["tilewright", "schema"],
                            ["tilewright", "--help"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([tw.bin / program, *words], cwd=tw.folder, stdout=full,
                                  stderr=subprocess.PIPE, timeout=60, check=False)
        assert done.returncode != 0 and b"cannot write" in done.stderr, f"{program} {words}: {done}"
    done = tw.run("net", "eyeriss", "alexnet", "--csv", "/dev/full")
    assert done.code != 0 and "cannot write `/dev/full`" in done.err, done.text
    (tw.folder / "full.nest").symlink_to("/dev/full")
    for option in ("--proof", "--save", "-o", "--html"):
        done = tw.run("map", "arch.yaml", "work.yaml", option, "full.nest")
        assert done.code != 0 and "cannot write `full.nest`" in done.err, f"{option}: {done.text}"


def edge_a_large_dim_is_verified_at_once(tw):
    """A dim of 10^9, mapped in 0.02 s, is verified in less than a second."""
    prove(tw, "--space", "pfm", workload="workload: {gemm: {m: 1000000000, n: 1, k: 1}}\n")
    start = time.monotonic()
    done = tw.verify("proof.json", seconds=20)
    assert done.code == 0, done.text
    assert time.monotonic() - start < 8, "it takes 0.02 s on an idle machine"
