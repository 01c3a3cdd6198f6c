# SPDX-License-Identifier: Apache-2.0
"""Reads the canonical text of an architecture, and asks it what docs/formats.md defines."""

import re


def scalar(text):
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        inside = text[1:-1].strip()
        return [part.strip() for part in inside.split(",")] if inside else []
    if text.startswith("{") and text.endswith("}"):
        return dict(re.findall(r"([A-Za-z_][\w.-]*): ([^,}]+)", text))
    return text.strip('"')


def read(text):
    """Name, clock and nodes; one line has one key."""
    arch = {"nodes": []}
    for line in text.splitlines():
        found = re.match(r"^( +)(- )?([a-z_]+):(.*)$", line)
        if found is None or found[3] == "nodes":
            continue
        indent, first, key, value = len(found[1]), found[2], found[3], scalar(found[4])
        if first:
            arch["nodes"].append({})
        (arch["nodes"][-1] if indent > 2 and arch["nodes"] else arch)[key] = value
    return arch


def off_chip(arch):
    """Names of the memories whose traffic leaves the chip."""
    result, outside = [], []
    for node in arch["nodes"]:
        if "memory" not in node:
            continue
        keep = node.get("keep")
        beside = keep and "capacity" not in node and "partition" not in node and all(
            other is not None and not set(other) & set(keep) for other in outside)
        if node.get("off_chip", "true" if not outside or beside else "false") == "true":
            result.append(node["memory"])
        outside.append(keep)
    return result


def assumptions(arch):
    """What is assumed where a memory off the chip lacks a bandwidth."""
    both, reads, writes = [], [], []
    for node in arch["nodes"]:
        if node.get("memory") not in off_chip(arch) or "bandwidth" in node:
            continue
        written = node.get("keep") is None or any(name not in ("input", "weight") for name in node["keep"])
        if "read_bandwidth" not in node and "write_bandwidth" not in node:
            both.append(node["memory"])
        elif "read_bandwidth" not in node:
            reads.append(node["memory"])
        elif "write_bandwidth" not in node and written:
            writes.append(node["memory"])
    named = (("bandwidth", both), ("read bandwidth", reads), ("write bandwidth", writes))
    return [f"unlimited {' and '.join(names)} {what}" for what, names in named if names]


def compute_units(arch):
    units = 1
    for node in arch["nodes"]:
        for size in node.get("axes", {}).values() if "fanout" in node else []:
            units *= int(size)
    return units
