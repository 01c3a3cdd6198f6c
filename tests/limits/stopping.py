# SPDX-License-Identifier: Apache-2.0
"""Runs a program and stops it by Ctrl-C after a while, and measures how long it takes to end."""

import dataclasses
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time


@dataclasses.dataclass(frozen=True)
class Ended:
    output: str
    errors: str
    code: int
    clock: float  # seconds from Ctrl-C to the end; without one, from the start
    cpu: float  # the same in CPU time of the program
    was_stopped: bool  # false: it had ended before
    peak: int = 0  # the most bytes that it occupied; run_alone only


def cpu_seconds(pid):
    """Of a process that runs, all threads; 0 once it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


def run_alone(command):
    """Runs it to its end, and measures its memory."""
    begun = time.monotonic()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        for file in (output, errors):
            file.seek(0)
        return Ended(output.read(), errors.read(), process.returncode, time.monotonic() - begun,
                     usage.ru_utime + usage.ru_stime, False, usage.ru_maxrss * 1024)


def heed_ctrl_c():
    """What a shell starts in the background ignores Ctrl-C, and so do all its children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def stop_after(command, seconds=None):
    """Runs it; None: to its end."""
    heed_ctrl_c()
    begun = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    used = 0.0
    was_stopped = False
    if seconds is not None:
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            used = cpu_seconds(process.pid)
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            was_stopped = True
    output, errors = process.communicate()
    clock = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - used
    return Ended(output, errors, process.returncode, clock, cpu, was_stopped)
