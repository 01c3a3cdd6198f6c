# SPDX-License-Identifier: Apache-2.0
"""The wheel of this tree, programs beside it, and virtual environments to try them in.

All of it lies under build/python; what is there already is used again.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "python"
REQUIREMENTS = ROOT / "python" / "requirements"
VERSIONS = ("3.11", "3.12", "3.13")
#: How wheel and programs are built. `tools/show --quick` asks for the build that CI has anyway.
PRESET = os.environ.get("TILEWRIGHT_SHOW_PRESET", "release")
#: What pip says if it cannot reach its index.
NO_INDEX = ("Failed to establish a new connection", "Temporary failure in name resolution",
            "Connection refused", "Max retries exceeded", "Network is unreachable",
            "(from versions: none)")


def quietly(command, **options):
    """Runs it and returns its output, which is shown only if it fails."""
    done = subprocess.run([str(part) for part in command], text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        print(done.stdout)
        raise SystemExit(f"failed: {' '.join(str(part) for part in command)}")
    return done.stdout


def build(preset, *targets):
    """Builds the targets with that preset; its folder."""
    folder = ROOT / "build" / preset
    if not (folder / "build.ninja").is_file():
        quietly(["cmake", "--preset", preset], cwd=ROOT)
    quietly(["cmake", "--build", folder, "--target", *targets])
    return folder


def program():
    """The program of PRESET, built if need be."""
    return build(PRESET, "tilewright-bin") / "bin/tilewright"


def interpreter(version):
    """The Python of that version, or None."""
    if f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        return sys.executable
    found = [shutil.which(f"python{version}")]
    found += sorted(map(str, pathlib.Path.home().glob(f".pyenv/versions/{version}.*/bin/python")))
    for path in filter(None, found):
        if subprocess.run([path, "-c", "pass"], capture_output=True).returncode == 0:
            return path
    return None


def environment(name, *, python=sys.executable, requirements=None, packages=()):
    """The Python of a virtual environment with these packages; made anew if they change."""
    folder = FOLDER / name
    wanted = "\n".join([str(python), *packages, requirements.read_text() if requirements else ""])
    stamp = folder / "made-of"
    inside = folder / "bin" / "python"
    if stamp.is_file() and stamp.read_text() == wanted:
        return inside
    shutil.rmtree(folder, ignore_errors=True)
    quietly([python, "-m", "venv", folder])
    if requirements or packages:
        install(inside, *(["-r", requirements] if requirements else []), *packages)
    stamp.write_text(wanted)
    return inside


def install(python, *what):
    """Installs packages; where no package index can be reached, the show ends as skipped."""
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *what]
    done = subprocess.run([str(part) for part in command], text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return
    print(done.stdout)
    if any(sign in done.stdout for sign in NO_INDEX):
        print("SKIPPED: no package index can be reached from here")
        raise SystemExit(0)
    raise SystemExit(f"cannot install {' '.join(str(one) for one in what)}")


def install_wheel(python, wheel):
    """Puts a wheel into an environment, in place of an earlier one."""
    install(python, "--force-reinstall", "--no-deps", "--no-index", wheel)


def newest_source():
    """When what goes into a wheel was last changed."""
    folders = ("tilewright", "python/src", "python/tilewright", "cmake", "examples/first")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")
             if path.is_file() and path.suffix not in (".so", ".pyc")]
    files += [ROOT / "CMakeLists.txt", ROOT / "python" / "CMakeLists.txt", ROOT / "pyproject.toml"]
    return max(path.stat().st_mtime for path in files)


def wheel_settings():
    """What pip must be told so that the wheel has the objects of PRESET, which ccache then knows."""
    if PRESET == "release":
        return []  # those of pyproject.toml
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    (wanted,) = (one["cacheVariables"] for one in presets if one["name"] == PRESET)
    settings = {f"cmake.define.{name}": value.replace("${sourceDir}", str(ROOT))
                for name, value in wanted.items()
                if name not in ("CMAKE_BUILD_TYPE", "TILEWRIGHT_INSTALL")}
    settings["cmake.build-type"] = wanted["CMAKE_BUILD_TYPE"]
    settings["build-dir"] = f"build/wheel-{PRESET}-{{wheel_tag}}"
    return [word for name, value in settings.items() for word in ("-C", f"{name}={value}")]


def build_wheel(version):
    """Builds the wheel for a Python version and repairs it, unless that is done; its path."""
    raw, wheels = (FOLDER / f"{what}-{PRESET}-{version}" for what in ("raw", "wheels"))
    for wheel in wheels.glob("*.whl"):
        if wheel.stat().st_mtime > newest_source():
            return wheel
    python = environment(f"build-{version}", python=interpreter(version),
                         requirements=REQUIREMENTS / "build.txt")
    for folder in (raw, wheels):
        shutil.rmtree(folder, ignore_errors=True)
    quietly([python, "-m", "pip", "wheel", ROOT, "-w", raw, "--no-deps", "--no-build-isolation",
             "--disable-pip-version-check", *wheel_settings()],
            env={"CXX": "c++", **os.environ})  # as CMake calls it, or ccache knows no object
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    quietly([python, "-m", "auditwheel", "repair", *raw.glob("*.whl"), "-w", wheels],
            env={**os.environ, "PATH": path})
    (wheel,) = wheels.glob("*.whl")
    return wheel


def this_version():
    """The first of VERSIONS that this machine has."""
    return next(version for version in VERSIONS if interpreter(version))


def tested(kind="test"):
    """The Python of an environment with the wheel and what tests of that kind need."""
    version = this_version()
    python = environment(kind, python=interpreter(version),
                         requirements=REQUIREMENTS / f"{kind}.txt")
    wheel = build_wheel(version)
    stamp = python.parent.parent / "wheel"
    known = f"{wheel} {wheel.stat().st_mtime_ns}"
    if not stamp.is_file() or stamp.read_text() != known:
        install_wheel(python, wheel)
        stamp.write_text(known)
    return python
