# SPDX-License-Identifier: Apache-2.0
"""What the shows of pages share: building, running, tools for the browser."""

import os
import pathlib
import shutil
import subprocess
import sys

import check_pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/report"
OUTPUT = ROOT / "build/report"
TOOLS = ["axe-core@4.14.0", "html-validate@10.17.0", "playwright-core@1.65.0"]

# The length of a title is for search engines; it counts what is escaped as it stands in the file.
RULES = '{"root": true, "extends": ["html-validate:recommended"], "rules": {"long-title": "off"}}\n'


def run(command, **options):
    done = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        print(done.stdout)
        sys.exit(f"report: {pathlib.Path(str(command[0])).name} exited with {done.returncode}")
    return done.stdout


def build(*targets):
    """Builds the program and other targets; the build folder."""
    folder = ROOT / "build/ci"
    if not (folder / "build.ninja").is_file():
        run(["cmake", "--preset", "ci"], cwd=ROOT)
    run(["cmake", "--build", folder, "-j", os.cpu_count(), "--target", "tilewright-bin", *targets])
    return folder


def make_page(program, name, words):
    """The page of a result; files that `words` name are in the output folder or in examples/."""
    page = OUTPUT / f"{name}.html"
    words = [ROOT / w if w.startswith("examples/") else w for w in words]
    run([program, *words, "--html", page.name], cwd=OUTPUT)
    return page


def check_without_browser(pages):
    """How many findings there are; they are printed."""
    findings = 0
    for page in pages:
        for finding in check_pages.check(page.read_bytes()):
            print(f"{page.name}: {finding}")
            findings += 1
    return findings


def check_spoilt(page, spoilt):
    """How many of the ways to spoil a good page (what is replaced, by what) are not found."""
    good = page.read_text()
    missed = 0
    for what, by in spoilt:
        if what not in good:
            sys.exit(f"report: there is no {what} to spoil")
        if not list(check_pages.check(good.replace(what, by, 1).encode())):
            print(f"check_pages.py does not mind {what} -> {by[:40]}")
            missed += 1
    return missed


def install_tools():
    tools = OUTPUT / "tools"
    wanted = " ".join(TOOLS)
    done = tools / "installed"
    if not done.is_file() or done.read_text() != wanted:
        shutil.rmtree(tools, ignore_errors=True)
        tools.mkdir()
        (tools / "package.json").write_text('{"private": true}\n')
        run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *TOOLS], cwd=tools)
        done.write_text(wanted)
    return tools


def check_in_browser(pages, spoilt=()):
    """Findings of html-validate, axe-core and our own eyes; in a page `spoilt-EYE.html` that EYE of render.mjs must find some."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium or not shutil.which("npm"):
        sys.exit("report: the full show needs chromium and npm (Debian: chromium, npm); --quick needs neither")
    tools = install_tools()
    (tools / "rules.json").write_text(RULES)
    valid = subprocess.run([tools / "node_modules/.bin/html-validate", "-c", tools / "rules.json", *pages])
    looked = subprocess.run(["node", HERE / "render.mjs", tools, chromium, OUTPUT, *pages, *spoilt])
    return int(valid.returncode != 0) + int(looked.returncode != 0)
