#!/usr/bin/env python3
"""Check the order of the layers and the place of each header and source.

Check also that only one header reinterprets memory.

Also check the order of the Python packages. Their modules must not import each other in a circle,
not even inside functions or only for types.
"""

import ast
import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

LAYERS = [
    "base",
    "io",
    "codec",
    "model",
    "math",
    "array",
    "batch",
    "reading",
    "writing",
    "selecting",
    "formats",
    "files",
    "object",
    "binding",
    "event",
    "loop",
    "expression",
    "dataset",
    "train",
    "tools",
]
SIBLINGS = "formats"  # each folder in it is a file format and must not include another
SHARED = ["podio"]  # except for these folders in it, which several formats use
PACKAGES = [
    "forks",
    "public_names",
    "other_names",
    "modelgen",
    "errors",
    "error_texts",
    "terminal",
    "cards",
    "progress",
    "model",
    "columns",
    "events",
    "objects",
    "files",
    "writing",
    "samples",
    "dataframe",
    "plots",
    "train",
    "coffea",
    "partners",
    "dask",
    "polars",
    "podio",
    "command",
]
ABOVE_PACKAGES = ["kaon", "kaon.__main__", "kaon.moved_names", "kaon.results"]
ROOT = Path(__file__).resolve().parent.parent
# Headers that users include; headers that these need; all other headers.
FOLDERS = [ROOT / "include/kaon", ROOT / "include/kaon/detail", ROOT / "src/kaon"]
INSTALLED = ROOT / "include"
CASTS = INSTALLED / "kaon/detail/base/Memory.h"
OTHERS = ["c", "root"]  # folders in include/kaon: headers for other libraries
PYTHON = ROOT / "python"

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<(?P<angled>[^>]+)>|"(?P<quoted>[^"]+)")')
MAIN = re.compile(r"^int main\(", re.MULTILINE)


def place(path):
    """Return a file's path from its layer on, as "batch/Window.h"; None for files of no layer."""
    names = [path.relative_to(folder) for folder in FOLDERS if path.is_relative_to(folder)]
    return names[-1] if names and names[0].parts[0] not in OTHERS else None


def layer_of(path):
    """Return the layer of a file; None for files above all layers, such as kaon/kaon.h."""
    parts = place(path).parts
    return parts[0] if len(parts) > 1 else None


def format_of(path):
    """Return the folder of the file format that a file in the layer of formats belongs to."""
    return place(path).parts[1]


def included(source, line):
    """Return the file of this project that a line includes; None if it includes none."""
    if not (match := INCLUDE.match(line)):
        return None
    bases = [INSTALLED, ROOT / "src"]
    if match["quoted"]:
        bases.insert(0, source.parent)
    for base in bases:
        path = (base / (match["angled"] or match["quoted"])).resolve()
        if path.exists() and place(path):
            return path
    return None


def header_of(source):
    """Return the header of a source, in any of the folders; None if it does not exist."""
    headers = (folder / place(source).with_suffix(".h") for folder in FOLDERS)
    return next((header for header in headers if header.exists()), None)


def offences(source):
    """Yield `(line number, message)` for each mistake in a file."""
    text = source.read_text()
    layer = layer_of(source)
    if layer is not None and layer not in LAYERS:
        yield 1, f"folder '{layer}' is no layer; these are: {', '.join(LAYERS)}"
        return
    # Headers that Highway compiles once per instruction set have no #pragma once.
    if source.suffix == ".h" and "#pragma once" not in text and "HWY_TARGET_TOGGLE" not in text:
        yield 1, "header without #pragma once"
    if source.suffix == ".cpp" and not header_of(source) and not MAIN.search(text):
        yield 1, f"source without its header {source.stem}.h"
    for number, line in enumerate(text.splitlines(), start=1):
        if "reinterpret_cast" in line and source != CASTS:
            yield number, f"only {place(CASTS)} may reinterpret memory: use its functions"
    if layer is None:
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if (path := included(source, line)) is None:
            continue
        name = place(path)
        if source.is_relative_to(INSTALLED) and not path.is_relative_to(INSTALLED):
            yield number, f"an installed header may not include {name}, which is not installed"
        if (used := layer_of(path)) not in LAYERS[: LAYERS.index(layer) + 1]:
            order = ", ".join(LAYERS)
            yield number, f"'{layer}' may not include {name}; the order is {order}"
        elif layer == used == SIBLINGS and format_of(path) not in [format_of(source), *SHARED]:
            yield number, f"'{format_of(source)}' may not include {name}, another file format"


def module_name(path):
    """Return the name of a module. A module may have a source and a stub."""
    parts = path.relative_to(PYTHON).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path, modules):
    """Yield this project's modules that a file imports, at any place in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            for name in (f"{node.module}.{alias.name}" for alias in node.names):
                yield name if name in modules else node.module


def subject(path):
    """Return the common name of a header and its source, as "batch/Window"."""
    return place(path).with_suffix("").as_posix()


def included_subjects(files):
    """Return the subjects that each subject includes, in its header or its source."""
    graph = {subject(path): set() for path in files}
    for path in files:
        names = (included(path, line) for line in path.read_text().splitlines())
        graph[subject(path)] |= {subject(name) for name in names if name} - {subject(path)}
    return graph


def imported_modules(files):
    """Return the modules of this project that each module imports."""
    modules = {"kaon._core", *(module_name(path) for path in files)}
    graph = {}
    for path in files:
        graph.setdefault(module_name(path), set()).update(imported(path, modules))
    return graph


def wrong_imports(graph):
    """Yield a message for each wrong import; circles are checked elsewhere."""
    for module, imports in graph.items():
        if module in ABOVE_PACKAGES:
            continue
        package = module.split(".")[1]
        if package not in PACKAGES:
            yield f"{module} is in no package; these are: {', '.join(PACKAGES)}"
            continue
        allowed = {*PACKAGES[: PACKAGES.index(package) + 1]}
        if package != PACKAGES[0]:  # modelgen generates classes before the C++ module exists
            allowed.add("_core")
        for name in sorted(imports):
            if name.partition(".")[2].partition(".")[0] not in allowed:
                yield f"{module} may not import {name}; the order is {', '.join(PACKAGES)}"


def circle(graph):
    """Return names that each import the next one in a circle; empty if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1][::-1]  # graphlib lists importers last
    return []


def main():
    files = sorted(
        path
        for folder in (INSTALLED / "kaon", ROOT / "src/kaon")
        for path in folder.rglob("*")
        if path.suffix in (".h", ".cpp") and place(path)
    )
    wrong = [
        f"{file.relative_to(ROOT)}:{number}: {what}"
        for file in files
        for number, what in offences(file)
    ]
    package = PYTHON / "kaon"
    stubs = {*package.rglob("*.pyi")} - {package / "_core.pyi"}
    modules = sorted({*package.rglob("*.py"), *stubs})
    if names := circle(included_subjects(files)):
        wrong.append(f"kaon: includes go in a circle: {' -> '.join(names)}")
    graph = imported_modules(modules)
    wrong += [f"python: {what}" for what in wrong_imports(graph)]
    if names := circle(graph):
        wrong.append(f"python: imports go in a circle: {' -> '.join(names)}")
    summary = f"{len(files)} files, {len(graph)} modules, each within its layer, without circles"
    print("\n".join(wrong) or summary)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
