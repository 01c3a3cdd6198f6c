#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules that a search through the text can check (CONTRIBUTING.md lists them)."""

import re
import sys

import project
import shows

MAX_LINES = 600
SPDX = "SPDX-License-Identifier: Apache-2.0"

# What library code must not do: end the process, print, look at the environment.
BANNED = re.compile(
    r"\b(?:_?exit|_Exit|quick_exit|abort|terminate|getenv|v?f?printf|f?puts|putchar)\s*\("
    r"|\bstd::(?:cout|cerr|clog)\b|\bfmt::print\w*\s*\(")
# It ends processes that it made itself.
ENDS_ITS_CHILDREN = "tilewright/sweep/run/worker.cpp"
YAML_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]yaml-cpp/', re.MULTILINE)
TBB_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](?:oneapi/)?tbb[/.]', re.MULTILINE)
ONNX_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](?:onnx|google/protobuf)/', re.MULTILINE)
OPEN_END = re.compile("TO" + r"DO(?!\(#\d+\))")
MACHINE_PATH = re.compile(r"(?<![\w.~$}-])/(?:work|root|home/\w+)/")
REGISTRIES = [".".join(parts) for parts in (
    ("pypi", "org"), ("pythonhosted", "org"), ("debian", "org/debian"), ("deb", "debian", "org"),
    ("ubuntu", "com/ubuntu"), ("npmjs", "org"), ("crates", "io"), ("anaconda", "org"), ("conan", "io"),
    ("maven", "org"), ("rubygems", "org"), ("docker", "io"), ("ghcr", "io"), ("proxy", "golang", "org"))]
REGISTRY = re.compile("|".join(re.escape(host) for host in REGISTRIES))
SHOW_NAMED = re.compile(r"\btools/show ([a-z][\w-]*)")

CPP = {".h", ".cpp"}

# What users read says the left as on the right (CONTRIBUTING.md, "Language").
PHRASES = [(re.compile(pattern, re.IGNORECASE), better) for pattern, better in (
    (r"\bset by (?:the|what)\b", "compute-bound, bandwidth-bound, bottleneck"),
    (r"\b(?:pJ|cycles?|bits?|bytes?|words?|computes?|filters?|seconds|[0-9] (?:s|ms)) an? "
     r"(?:MACs?|access|bit|bytes?|channel|compute|cycle|element|kernel|layer|PE|product|search)\b",
     "per MAC, per access, per cycle, ..."),
    (r"\bloops? in (?:time|space)\b", "temporal loop, spatial loop"),
    (r"\btoo dear\b", "too expensive"),
    (r"\b(?:which|that|it|this|\{\}|`) is no (?!longer|more|less|better|worse|way|other|such)\w+",
     "is not a ..."),
    (r"\bspoil(?:t|ed)\b", "corrupted, faulty"),
    (r"\b(?:made|make) (?:it|them|a result) again\b|\bmade again\b", "reproduce"),
    (r"\ba page to look at\b", "an HTML page"),
    (r"\b(?:in|by) what two (?:results|of them)\b", "how two results differ"),
    (r"\b\w*(?:optim|normal|minim|maxim|synchron|initial|summar|quant|util|parallel)is(?:e[ds]?|ing|ation)\b",
     "spelling with -ize"))]


def without_comments_and_strings(text):
    """C++ with comments and literals blanked; lines stay where they are."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.DOTALL)


def hits(path, pattern, text, message):
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield f"{path}:{line}: {message}: {match.group().strip()}"


def is_source(path, text):
    if path.suffix in CPP | {".py", ".sh", ".cmake"} or path.name == "CMakeLists.txt":
        return True
    return text.startswith("#!")


def check_source(path, text):
    head = text.splitlines()[:2]
    if head and head[0].startswith("#!"):
        head = head[1:]
    if not head or SPDX not in head[0]:
        yield f"{path}:1: the first line must say {SPDX}"
    lines = text.count("\n")
    if lines > MAX_LINES:
        yield f"{path}: {lines} lines, at most {MAX_LINES}: split it"
    yield from hits(path, OPEN_END, text, "name an issue, as in (#12)")


def check_cpp(path, text):
    is_test = path.parts[0] != "tilewright" or path.name.endswith("_test.cpp")
    in_module = path.parts[1] if path.parts[0] == "tilewright" and len(path.parts) > 2 else ""
    free = in_module == "cli" or path.name == "main.cpp" or str(path) == ENDS_ITS_CHILDREN
    if not is_test and not free:
        bare = without_comments_and_strings(text)
        yield from hits(path, BANNED, bare, "only tilewright/cli, programs and tests may do this")
    if in_module != "io":
        yield from hits(path, YAML_INCLUDE, text, "only tilewright/io may use yaml-cpp")
    if in_module != "threads":
        yield from hits(path, TBB_INCLUDE, text, "only tilewright/threads may use oneTBB")
    if in_module != "onnx" and path.parts[0] != "tests":
        yield from hits(path, ONNX_INCLUDE, text, "only tilewright/onnx may use libonnx and protobuf")


def prose(path, text):
    """What users read: Markdown without code, the string literals of the program; lines stay."""
    if path.suffix == ".md":
        return re.sub(r"^```.*?^```|`[^`\n]*`|<!--.*?-->", lambda m: re.sub(r"[^\n]", " ", m.group()),
                      text, flags=re.DOTALL | re.MULTILINE)
    kept = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")', re.DOTALL)
    literals = [" "] * len(text)
    for match in kept.finditer(text):
        if match.group(1):
            literals[match.start():match.end()] = match.group()
    return "".join("\n" if c == "\n" else l for c, l in zip(text, literals))


def check_language(path, text):
    """Phrases that we do not use (PHRASES)."""
    in_program = path.parts[0] == "tilewright" and path.suffix == ".cpp" and \
        not path.name.endswith("_test.cpp")
    if not in_program and (path.suffix != ".md" or path.name == "CHANGELOG.md"):
        return
    read = prose(path, text)
    for pattern, better in PHRASES:
        yield from hits(path, pattern, read, f"write it otherwise ({better})")


def check_shows(texts):
    """Documents name only shows that exist, and docs/testing.md names them all."""
    names = {show.name for show in shows.SHOWS}
    testing = ""
    for path, text in texts:
        if path.suffix != ".md":
            continue
        for match in SHOW_NAMED.finditer(text):
            if match.group(1) not in names:
                yield f"{path}: there is no `{match.group()}`"
        if str(path) == "docs/testing.md":
            testing = text
    for name in sorted(names - {m.group(1) for m in SHOW_NAMED.finditer(testing)}):
        yield f"docs/testing.md: does not mention `tools/show {name}`"


def check_versions(texts):
    """What names the version names that of CMakeLists.txt."""
    by_name = {str(path): text for path, text in texts}
    built = re.search(r"project\(tilewright VERSION ([\d.]+)", by_name["CMakeLists.txt"]).group(1)
    for name, line in (("CITATION.cff", f"version: {built}"),
                       ("packaging/conda/meta.yaml", f'  version: "{built}"')):
        if f"\n{line}\n" not in by_name[name]:
            yield f"{name}: the version is not {built}, that of CMakeLists.txt"


def main():
    texts = [(path, project.read(path)) for path in project.tracked_files()]
    texts = [(path, text) for path, text in texts if text is not None]
    findings = []
    for path, text in texts:
        findings += hits(path, MACHINE_PATH, text, "a path of one machine")
        findings += hits(path, REGISTRY, text, "a package registry")
        if is_source(path, text):
            findings += check_source(path, text)
        if path.suffix in CPP:
            findings += check_cpp(path, text)
        findings += check_language(path, text)
    findings += check_shows(texts)
    findings += check_versions(texts)
    return project.report("check_text", findings)


if __name__ == "__main__":
    sys.exit(main())
