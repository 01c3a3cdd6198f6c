# SPDX-License-Identifier: Apache-2.0
"""The programs of this tree and those of an earlier commit, side by side."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: The last commit before the front door (module `mapper`).
BEFORE = "896e813"


def quietly(command, folder):
    """Runs it; shows what it said only if it failed."""
    done = subprocess.run([str(part) for part in command], cwd=folder, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout)
        raise SystemExit(f"cannot run {command[0]} in {folder}")


def build_now(preset, targets):
    """Builds targets of this tree; the build folder."""
    folder = ROOT / "build" / preset
    if not (folder / "build.ninja").is_file():
        quietly(["cmake", "--preset", preset], ROOT)
    quietly(["cmake", "--build", folder, "--target", *targets], ROOT)
    return folder


def build_before(commit, build_type, targets):
    """Builds targets of an earlier commit; the build folder, or None where the history does not
    reach back to it."""
    there = subprocess.run(["git", "cat-file", "-e", f"{commit}^{{commit}}"], cwd=ROOT,
                           capture_output=True)
    if there.returncode != 0:
        return None
    source = ROOT / "build" / f"before-{commit}" / "source"
    folder = source.parent / build_type
    if not source.is_dir():
        source.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
    if not (folder / "build.ninja").is_file():
        quietly(["cmake", "-S", source, "-B", folder, "-G", "Ninja",
                 f"-DCMAKE_BUILD_TYPE={build_type}"], source)
    quietly(["cmake", "--build", folder, "--target", *targets], source)
    return folder
