# SPDX-License-Identifier: Apache-2.0
"""The Ray side of tests/sweep/kills: a cluster of two nodes whose parts are killed.

  python ray_kills.py PLAN STORE KILLS SEED

Kills workers, the second node (which is started again) and drivers, until so many are killed; then
lets the last driver end. Prints how many of each were killed. A problem whose process dies three
times while it runs alone is stored as failed, as it should be; so after two kills something must be
stored before the next one.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import stores

PORT = "6399"
COMMON = ["--block", "--node-ip-address=127.0.0.1", "--num-cpus=1"]
DRIVER = """
import sys
import ray
import tilewright as tw
import tilewright.ray
ray.init(address="127.0.0.1:%s", _node_ip_address="127.0.0.1", log_to_driver=False)
progress = tw.sweep(tw.sweep_plan(sys.argv[1]), sys.argv[2], executor=tilewright.ray.executor,
                    chunk_seconds=0.3)
sys.exit(1 if progress.failed else 0)
""" % PORT


def start(*arguments):
    return subprocess.Popen(["ray", "start", *arguments, *COMMON], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)


def named(part):
    """Processes whose command line begins with that text."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(part):
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found


class Patience:
    """Whether there may be another kill: at most two without anything stored in between."""

    def __init__(self, path):
        self.path, self.kills, self.before = path, 0, None

    def allows(self):
        now = stores.count(self.path)
        if now is None:
            return False
        if now != self.before:
            self.kills, self.before = 0, now
        return self.kills < 2


def main():
    plan, store, wanted, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    chance = random.Random(seed)
    killed = {"worker": 0, "node": 0, "driver": 0}
    patience = Patience(store)
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:
        head = start("--head", f"--port={PORT}", "--include-dashboard=False",
                     f"--temp-dir={folder}", "--object-store-memory=200000000")
        time.sleep(6)
        node = start(f"--address=127.0.0.1:{PORT}")
        time.sleep(3)
        drivers = 0
        while True:
            drivers += 1
            driver = subprocess.Popen([sys.executable, "-c", DRIVER, plan, store],
                                      stderr=subprocess.DEVNULL)
            while driver.poll() is None:
                time.sleep(chance.uniform(0.1, 1.0))
                if sum(killed.values()) >= wanted or not patience.allows():
                    continue
                patience.kills += 1
                what = chance.choices(("worker", "node", "driver"), (20, 1, 2))[0]
                if what == "worker":
                    busy = named(b"ray::_call")
                    if busy:
                        killed["worker"] += stores.kill(chance.choice(busy))
                elif what == "node" and driver.poll() is None:
                    os.killpg(node.pid, signal.SIGKILL)
                    node.wait()
                    killed["node"] += 1
                    node = start(f"--address=127.0.0.1:{PORT}")
                elif what == "driver":
                    killed["driver"] += stores.kill(driver.pid)
                    break
            code = driver.wait()
            if code == 0:
                break
            if code != -signal.SIGKILL or drivers > 10 * wanted:
                print(f"a driver ended with code {code}")
                return 1
        for process in (node, head):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    print(" ".join(str(killed[what]) for what in ("worker", "node", "driver")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
