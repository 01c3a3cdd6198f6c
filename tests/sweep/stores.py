# SPDX-License-Identifier: Apache-2.0
"""What the tests of sweeps share: plans, the program, and stores as plain values."""

import contextlib
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))
import package  # noqa: E402

#: Before a command: it has processes, mounts, a host name and a network of its own, with nothing but
#: a loopback. All of its processes end with the one that started it, however that one ends.
ALONE = ["setpriv", "--pdeathsig", "KILL",
         "unshare", "--net", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child",
         "sh", "-c", 'ip link set lo up; exec "$@"', "sh"]


def engine_environment(python):
    """For the processes of engines, whose commands lie beside their Python."""
    return {**os.environ, "PATH": f"{pathlib.Path(python).parent}:{os.environ['PATH']}",
            "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}


def program():
    """The command, built if need be."""
    return package.build(package.PRESET, "tilewright-bin") / "bin" / "tilewright"


def run(program, *words):
    """What the program prints; whatever it complains about ends the test."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def kill(process):
    """False if it had ended before."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def stolen_seconds():
    """What the host has taken from all processors so far."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")


def write_sweep(path, arch, axes, designs, workloads):
    """So many designs, each with these workloads in two spaces."""
    path.write_text(f"""sweep:
  arch: {arch}
  parameters: {{glb: 1024 B..{1024 + 16 * (designs - 1)} B:+16}}
  set: {{{axes}, GLB.capacity: glb}}
  workloads: [{", ".join(workloads)}]
  spaces: [pfm, ruby-s]
""")


def write_plan(path, problems):
    """A sweep of about so many problems of about 10 ms each."""
    designs = max(1, problems // 8)
    write_sweep(path, "eyeriss", "PE.axes.X: 4, PE.axes.Y: 3", designs,
                ("gemm 16 24 32", "gemm 17 25 13", "gemm 12 36 20", "gemm 30 10 11"))
    return designs * 8


def count(path):
    """How many answers there are; None while nobody can tell."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return database.execute("SELECT count(*) FROM results").fetchone()[0]
    except sqlite3.Error:
        return None


def rows(path):
    """Every row but for its time, by key, with its body as text."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        found = database.execute("SELECT key, status, score, energy_pj, cycles, bound, nodes, body "
                                 "FROM results").fetchall()
    database.close()
    result = {key: (*figures, zlib.decompress(body[8:]).decode()) for key, *figures, body in found}
    if len(result) != len(found):
        raise SystemExit(f"{path}: a key is stored twice")
    return result
