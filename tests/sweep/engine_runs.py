# SPDX-License-Identifier: Apache-2.0
"""The sweep of tests/sweep/engines on one engine, in the Python that has it.

  python engine_runs.py ENGINE PLAN STORE

Prints how many problems were solved, the CPU seconds of the searches, the seconds of the sweep, and
how many of them the host of a virtual machine took from its processors.
"""

import concurrent.futures
import multiprocessing
import subprocess
import sys
import tempfile
import time

import stores
import tilewright as tw


def sweep(plan, store, executor):
    begun, stolen = time.monotonic(), stores.stolen_seconds()
    progress = tw.sweep(plan, store, executor=executor)
    return progress, time.monotonic() - begun, stores.stolen_seconds() - stolen


def threads(plan, store):
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        return sweep(plan, store, executor)


def processes(plan, store):
    context = multiprocessing.get_context("forkserver")
    return sweep(plan, store, lambda: concurrent.futures.ProcessPoolExecutor(
        2, mp_context=context))


def ray(plan, store):
    """Two nodes of one processor: the second one has a raylet of its own."""
    return ray_nodes(plan, store, 2, 1)


def ray_node(plan, store):
    """One node of two processors: half as many of Ray's own processes beside the workers."""
    return ray_nodes(plan, store, 1, 2)


def ray_nodes(plan, store, count, processors):
    import ray as engine

    import tilewright.ray
    port = "6399"
    common = ["--block", "--node-ip-address=127.0.0.1", f"--num-cpus={processors}"]
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:
        head = subprocess.Popen(
            ["ray", "start", "--head", f"--port={port}", "--include-dashboard=False",
             f"--temp-dir={folder}", "--object-store-memory=200000000", *common],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        nodes = [head]
        try:
            join(engine, port)
            for _ in range(count - 1):
                nodes.append(subprocess.Popen(
                    ["ray", "start", f"--address=127.0.0.1:{port}", *common],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            wait_until(lambda: engine.cluster_resources().get("CPU", 0) == 2)
            warm_up(engine)
            return sweep(plan, store, tilewright.ray.executor)
        finally:
            engine.shutdown()
            for node in nodes:
                node.terminate()
            for node in nodes:
                node.wait()


def warm_up(engine):
    """Ray starts a worker with its first task, which takes a second; a sweep keeps it."""
    def import_package():
        import tilewright
        time.sleep(0.5)  # so that each worker gets one
        return tilewright.__version__
    start = engine.remote(import_package)
    engine.get([start.remote() for _ in range(2)])


def join(engine, port):
    def attempt():
        try:
            engine.init(address=f"127.0.0.1:{port}", _node_ip_address="127.0.0.1",
                        log_to_driver=False)
        except (ConnectionError, RuntimeError):
            return False
        return True
    wait_until(attempt)


def wait_until(holds):
    end = time.monotonic() + 60
    while not holds():
        if time.monotonic() > end:
            raise SystemExit("an engine did not start within a minute")
        time.sleep(0.2)


def dask(plan, store):
    import distributed
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1",
                                  dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            return sweep(plan, store, client.get_executor)


def mpi(plan, store):
    """`mpiexec -n 3 python -m mpi4py.futures` has started this and two ranks that work."""
    import mpi4py.futures
    with mpi4py.futures.MPIPoolExecutor() as executor:
        if executor.num_workers != 2:
            raise SystemExit(f"{executor.num_workers} ranks work instead of two")
        return sweep(plan, store, executor)


def parsl(plan, store):
    """Two workers, which a process of their own starts."""
    from parsl.concurrent import ParslPoolExecutor
    from parsl.config import Config
    from parsl.executors import HighThroughputExecutor
    from parsl.providers import LocalProvider
    with tempfile.TemporaryDirectory(prefix="parsl", dir="/tmp") as folder:
        pool = HighThroughputExecutor(address="127.0.0.1", max_workers_per_node=2,
                                      provider=LocalProvider(init_blocks=1, max_blocks=1))
        settings = Config(executors=[pool], run_dir=folder, strategy_period=0.5,
                          initialize_logging=False)
        with ParslPoolExecutor(settings) as executor:
            executor.workers = 2
            return sweep(plan, store, executor)


def main():
    engine, plan, store = sys.argv[1:]
    run = {"threads": threads, "processes": processes, "ray": ray, "ray-node": ray_node,
           "dask": dask, "mpi": mpi, "parsl": parsl}[engine]
    progress, seconds, stolen = run(tw.sweep_plan(plan), store)
    print(progress.solved, progress.busy_seconds, seconds, stolen)


if __name__ == "__main__":
    main()
