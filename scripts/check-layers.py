#!/usr/bin/env python3
"""Check the order of the layers, and that each header and source is where it belongs."""

import re
import sys
from pathlib import Path

LAYERS = ["base", "io", "codec", "model", "batch", "store", "foreign", "event", "dataset"]
ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
KAON = SOURCES / "kaon"

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<(?P<angled>[^>]+)>|"(?P<quoted>[^"]+)")')
MAIN = re.compile(r"^int main\(", re.MULTILINE)


def layer_of(path):
    """Give the layer of a file; None for what stands above all layers, like kaon/kaon.h."""
    parts = path.relative_to(KAON).parts
    return parts[0] if len(parts) > 1 else None


def included(source, line):
    """Give the file of ours that a line includes, if any."""
    if not (match := INCLUDE.match(line)):
        return None
    bases = [SOURCES] if match["angled"] else [source.parent, SOURCES]
    for base in bases:
        path = (base / (match["angled"] or match["quoted"])).resolve()
        if path.is_relative_to(KAON) and path.exists():
            return path
    return None


def offences(source):
    """Yield `(line number, what is wrong)` for one file."""
    text = source.read_text()
    layer = layer_of(source)
    if layer is not None and layer not in LAYERS:
        yield 1, f"folder '{layer}' is no layer; these are: {', '.join(LAYERS)}"
        return
    if source.suffix == ".h" and "#pragma once" not in text:
        yield 1, "header without #pragma once"
    if source.suffix == ".cpp" and not source.with_suffix(".h").exists() and not MAIN.search(text):
        yield 1, f"source without its header {source.stem}.h"
    if layer is None:
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if (path := included(source, line)) is None:
            continue
        used = layer_of(path)
        if used not in LAYERS[: LAYERS.index(layer) + 1]:
            order = ", ".join(LAYERS)
            name = path.relative_to(KAON)
            yield number, f"'{layer}' may not include {name}; the order is {order}"


def main():
    files = sorted(path for path in KAON.rglob("*") if path.suffix in (".h", ".cpp"))
    found = [
        f"{file.relative_to(ROOT)}:{number}: {what}"
        for file in files
        for number, what in offences(file)
    ]
    print("\n".join(found) or f"{len(files)} files, each within its layer")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
