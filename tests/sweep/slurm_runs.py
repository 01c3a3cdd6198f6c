# SPDX-License-Identifier: Apache-2.0
"""The sweep of tests/sweep/engines as a job array of Slurm, one of whose two nodes is killed.

  slurm_runs.py PROGRAM PLAN STORE SHARDS

Runs as root, alone in namespaces (stores.ALONE): all that it starts ends with its first process.
Each node has processes and a host name of its own, so that a kill of its first process ends all of
the node at once, as a power cut would. The node is killed while it solves its shard. Slurm finds it
down and queues the shard again; the other node must go on where the store of the shard ended.

Prints how many answers the shard had when its node was killed, how many it needed, and the seconds
until the node was found down and until the array was complete.
"""

import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import time

import stores

ADDRESS = "198.51.100.1"
CONTROL = "control"
NODES = {"alpha": 17001, "beta": 17002}
#: Seconds that anything may take: a node is found down after about 30, even if nothing else runs.
PATIENCE = 240
#: Before a command: a node, which ends if its first process is killed.
NODE = ["unshare", "--pid", "--uts", "--fork", "--mount-proc", "--kill-child", "sh", "-c",
        'hostname "$0"; "$@"; exit $?']


def find(name):
    """A program, also where only root's path leads; None if it is not there."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def part_missing():
    """A program of Slurm that is needed and not there, or None."""
    needed = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo", "squeue")
    return next((name for name in needed if find(name) is None), None)


def write_settings(folder):
    path = folder / "slurm.conf"
    nodes = "\n".join(f"NodeName={name} NodeHostname={name} NodeAddr={ADDRESS} Port={port} CPUs=1"
                      for name, port in NODES.items())
    path.write_text(f"""ClusterName=tilewright
SlurmctldHost={CONTROL}({ADDRESS})
SlurmUser=root
SlurmctldPort=17000
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=10
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=10
ReturnToService=2
SlurmctldParameters=node_reg_mem_percent=0
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP
""")
    return path


def prepare_machine(folder):
    """An address and names for the nodes, in namespaces that end with this process."""
    if os.getpid() != 1:
        raise SystemExit("this changes names and addresses: start it through stores.ALONE")
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n"
                     + "".join(f"{ADDRESS} {name}\n" for name in (CONTROL, *NODES)))
    subprocess.run(["hostname", CONTROL], check=True)
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    subprocess.run(["ip", "address", "add", f"{ADDRESS}/32", "dev", "lo"], check=True)


class Cluster:
    """Slurm with two nodes."""

    def __init__(self, folder):
        self.folder = folder
        self.running = {}
        os.environ["SLURM_CONF"] = str(write_settings(folder))

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        for name in ("state", *(f"spool-{node}" for node in NODES)):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(128))
        # By force, because only root may look into the folder; nobody else needs to.
        self.launch("munge", find("munged"), "--foreground", "--force", "--origin=127.0.0.1",
                    f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                    f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log",
                    f"--seed-file={self.folder}/munge.seed")
        self.wait_until("munged listens", (self.folder / "munge.socket").exists)
        self.launch("slurmctld", find("slurmctld"), "-D")
        for node in NODES:
            self.launch(node, *NODE, node, find("slurmd"), "-D", "-N", node)
        self.wait_until("all nodes are idle", lambda: all(
            state_of(node) == "idle" for node in NODES))

    def launch(self, name, *command):
        with open(self.folder / f"{name}.out", "w") as output:
            self.running[name] = subprocess.Popen(command, stdout=output, stderr=output)

    def wait_until(self, what, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            ended = [name for name, process in self.running.items() if process.poll() is not None]
            if ended or time.monotonic() > end:
                raise SystemExit(f"gave up waiting until {what}; ended by itself: "
                                 f"{', '.join(ended) or 'nothing'}\n{self.last_words()}")
            time.sleep(0.05)

    def last_words(self):
        return "\n".join(f"{path.name}: {path.read_text()[-400:]}"
                         for path in sorted(self.folder.glob("*.out")))

    def kill(self, name):
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def stop(self):
        for name in reversed(list(self.running)):
            self.kill(name)


def ask(*command):
    """What a command of Slurm says; nothing while it has no answer."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stdout.strip() if done.returncode == 0 else ""


def state_of(node):
    return ask("sinfo", "--noheader", "--Node", f"--nodes={node}", "--format=%T")


def stored(path):
    """How many answers a store has that may be just being made."""
    try:
        return len(stores.rows(path)) if path.exists() else 0
    except sqlite3.OperationalError:
        return 0


def shard_on(job, node):
    """The number of the shard that runs on a node, or None."""
    line = ask("squeue", "--noheader", "--array", f"--job={job}", f"--nodelist={node}",
               "--states=RUNNING", "--format=%K")
    return int(line) if line.isdigit() else None


def figures_of(log):
    """(known, solved) of every run of a shard that ended by itself."""
    text = log.read_text() if log.exists() else ""
    return [tuple(int(number.replace(",", "")) for number in found) for found in re.findall(
        r"([\d,]+) stored before or equal to others, ([\d,]+) solved", text)]


def kill_in_mid_run(cluster, job, node, parts):
    """Kills the node when its shard has stored something; the shard, and how much it had."""
    shard = None

    def has_begun():
        nonlocal shard
        shard = shard_on(job, node)
        return shard is not None and stored(parts[shard]) > 0
    cluster.wait_until(f"{node} has stored answers", has_begun)
    cluster.kill(node)
    return shard, stored(parts[shard])


def run_array(cluster, program, plan, shards):
    """The stores of the shards, and the figures to print."""
    folder = cluster.folder
    parts = [folder / f"part-{shard}.db" for shard in range(shards)]
    logs = [folder / f"log-{shard}" for shard in range(shards)]
    command = (f"exec '{program}' sweep run '{plan}' -o '{folder}'/part-$SLURM_ARRAY_TASK_ID.db "
               f"--shard auto/{shards} --jobs 1")
    job = ask("sbatch", "--parsable", "--requeue", "--open-mode=append", f"--array=0-{shards - 1}",
              f"--chdir={folder}", f"--output={folder}/log-%a", "--wrap", command)
    if not job:
        raise SystemExit("sbatch refused the array")
    survivor, victim = NODES
    shard, before = kill_in_mid_run(cluster, job, victim, parts)
    killed = time.monotonic()
    # A node that does not answer has a star behind its state.
    cluster.wait_until(f"{victim} is down", lambda: state_of(victim).startswith("down"))
    down = time.monotonic() - killed
    cluster.wait_until("the array is complete", lambda: all(map(figures_of, logs)) and not ask(
        "squeue", "--noheader", f"--job={job}"))
    complete = time.monotonic() - killed
    ((known, solved),) = figures_of(logs[shard])
    state = ask("scontrol", "show", "job", f"{job}_{shard}")
    if "Restarts=1" not in state or f" NodeList={survivor}" not in state:
        raise SystemExit(f"shard {shard} was not queued again, or not for {survivor}:\n{state}")
    if known != before or solved == 0:
        raise SystemExit(f"shard {shard} had {before} answers when its node was killed; the next "
                         f"run found {known} and solved {solved}")
    return parts, f"{before} {known + solved} {down:.1f} {complete:.1f}"


def main():
    program, plan, store, shards = sys.argv[1:]
    folder = pathlib.Path(store).with_suffix(".cluster").resolve()
    folder.mkdir()
    prepare_machine(folder)
    with Cluster(folder) as cluster:
        parts, figures = run_array(cluster, program, plan, int(shards))
    subprocess.run([program, "store", "merge", store, *parts], check=True, capture_output=True)
    print(figures)


if __name__ == "__main__":
    main()
