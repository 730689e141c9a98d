#!/usr/bin/env python3
"""Compile and run the tests of podio and EDM4hep against kaon, and print what passes, case by case.

usage: scripts/adopt.py [--podio DIR] [--edm4hep DIR] --catch2 DIR [--standard c++20]

The folders are checkouts of these projects. Their sources are copied to build/adopt and compiled
without changes. If a case does not compile, it is left out, and the others are compiled again.
With ccache, only changed sources are compiled again. CXX names the compiler.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE, OUT = ROOT / "build/release", ROOT / "build/adopt"
ENABLED = ["-DPODIO_JSON_OUTPUT", "-DPODIO_ENABLE_SIO=1", "-DPODIO_ENABLE_RNTUPLE=1"]
FLAGS = ["-O0", "-w", "-fPIC", "-fmax-errors=0", *ENABLED]
UNIT_TESTS = (
    "frame",
    "interface_types",
    "links",
    "std_interoperability",
    "unittest",
    "test_json_output",
    "buffer_factory",
)
JOBS = os.cpu_count() or 1
VERSION = "1.7.0"  # of podio's test models: that of podio
PRIVATE_HEADER = "src/rootUtils.h"  # of podio's own sources: needs ROOT


@dataclass
class Row:
    """A line of the table."""

    place: str
    name: str
    result: str
    reason: str = ""


@dataclass
class Block:
    """A declaration at the top of a source file, which may be a test case; lines from 0."""

    begin: int
    end: int
    case: str | None


def run(*words: str | Path, where: Path | None = None, seconds: int = 1200):
    """Run a command and return its result."""
    command = [str(word) for word in words]
    return subprocess.run(command, capture_output=True, text=True, cwd=where, timeout=seconds)


class CommandError(Exception):
    """A command failed."""


def must(*words: str | Path) -> None:
    """Run a command that has to work."""
    done = run(*words)
    if done.returncode:
        raise CommandError(f"{shlex.join(map(str, words))}\n{done.stdout}{done.stderr}")


def in_parallel(work, items) -> list:
    """Return the results of a function for several items, computed at the same time."""
    with ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(work, items))


class Compiler:
    """Compiles sources against kaon, and links them with its library and the models."""

    def __init__(self, catch2: Path, standard: str) -> None:
        commands = run("ninja", "-C", RELEASE, "-t", "commands", "kaon_podio_tests").stdout
        words = shlex.split(commands.strip().splitlines()[-1])
        libraries = [w for w in words if w.endswith((".a", ".so")) and "test" not in Path(w).name]
        self.libraries = [str(RELEASE / w) for w in libraries]  # absolute ones stay as they are
        self.cxx = [os.environ.get("CXX", "c++")]
        self.launcher = ["ccache"] if shutil.which("ccache") else []
        self.flags = [f"-std={standard}", *FLAGS]
        folders = (OUT / "models", ROOT / "include", ROOT / "include/kaon-podio", OUT / "shim")
        self.includes = [f"-I{folder}" for folder in (*folders, catch2 / "extras")]
        self.models: Path | None = None
        self.catch = OUT / "catch.o"
        done = self.compile(catch2 / "extras/catch_amalgamated.cpp", self.catch)
        if done.returncode:
            sys.exit(done.stderr)
        for header in catch2.glob("src/catch2/**/*.hpp"):
            shim = OUT / "shim" / header.relative_to(catch2 / "src")
            if not shim.exists():
                shim.parent.mkdir(parents=True, exist_ok=True)
                shim.write_text('#include "catch_amalgamated.hpp"\n')

    def compile(self, source: Path, made: Path, *includes: Path, macros: tuple[str, ...] = ()):
        """Compile a source file and return the result of the compiler."""
        own = [f"-I{folder}" for folder in (*includes, source.parent)]
        command = (*self.launcher, *self.cxx, *self.flags, *macros, *own, *self.includes)
        return run(*command, "-c", source, "-o", made)

    def link(self, made: Path, program: Path, *more: Path):
        """Link a program and return the result of the linker."""
        models = (self.models, f"-Wl,-rpath,{OUT}") if self.models else self.libraries
        return run(*self.cxx, "-o", program, made, *more, *models)

    def generate(
        self, name: str, path: Path, *options: str, folder: Path = OUT / "models"
    ) -> list[Path]:
        """Generate a model and return its sources."""
        generate = (sys.executable, "-m", "kaon.modelgen", path, "-o", folder, "--name", name)
        must(*generate, "--datamodel-version", VERSION, *options)
        return sorted((folder / name).glob("*.cc"))

    def link_models(self, name: str, sources: list[Path], *includes: Path) -> None:
        """Compile the sources of models, and link a library of them and of kaon.

        Programs then link in a moment.
        """
        objects = [OUT / "objects" / f"{source.parent.name}.{source.name}.o" for source in sources]
        pairs = zip(sources, objects, strict=True)
        for done in in_parallel(lambda pair: self.compile(*pair, *includes), pairs):
            if done.returncode:
                sys.exit(done.stderr)
        self.models = OUT / f"lib{name}.so"
        archive = [path for path in self.libraries if Path(path).name == "libkaon.a"]
        rest = [path for path in self.libraries if path not in archive]
        whole = ("-Wl,--whole-archive", *archive, "-Wl,--no-whole-archive")
        must(*self.cxx, "-shared", "-o", self.models, *objects, *whole, *rest)


def blocks_of(lines: list[str]) -> list[Block]:
    """Return the declarations at the top of a source file."""
    blocks, begin, depth, in_comment = [], 0, 0, False
    for at, line in enumerate(lines):
        in_comment |= depth == 0 and begin == at and line.startswith("/*")
        skips = in_comment or (begin == at and (line.startswith(("#", "//")) or not line.strip()))
        in_comment &= "*/" not in line
        if skips:
            begin = at + 1
            continue
        code = re.sub(r'"(\\.|[^"\\])*"|//.*|\'(\\.|[^\'\\])\'', "", line).rstrip()
        depth += code.count("{") - code.count("}")
        if depth <= 0 and code.endswith((";", "}")):
            case = re.search(r'TEST_CASE\("([^"]*)"', "".join(lines[begin : at + 1]))
            blocks.append(Block(begin, at + 1, case.group(1) if case else None))
            begin, depth = at + 1, 0
    return blocks


def without(lines: list[str], blocks: list[Block]) -> str:
    """Return a source without some blocks; the others keep their line numbers."""
    text = list(lines)
    for block in blocks:
        text[block.begin : block.end] = ["\n"] * (block.end - block.begin)
    return "".join(text)


def mistakes(messages: str, source: Path) -> list[tuple[int, str]]:
    """Return the lines of a source, from 0, to which a compiler's errors lead, with the errors."""
    found, needed, reason = [], [], ""
    for line in messages.splitlines():
        place = re.match(r"(?:\S*/)?" + re.escape(source.name) + r":(\d+):", line)
        at = int(place.group(1)) - 1 if place else None
        if " error: " in line:
            reason = line.split("error:")[1].strip()
            at = at if at is not None else (needed or [None])[-1]
            needed = []
        elif "In instantiation" in line or "In substitution" in line:
            needed = []
        if at is not None and "required" in line:
            needed.append(at)
        elif at is not None and reason:
            found.append((at, reason))
            reason = ""
        elif at is not None and found and "in expansion of macro" in line:
            found[-1] = (at, found[-1][1])  # where the macro is used
    return found


def unit_tests(compiler: Compiler, source: Path) -> list[Row]:
    """Return the results of the cases of a source file."""
    lines = source.read_text().splitlines(keepends=True)
    blocks = blocks_of(lines)
    cut, program = source.with_name(f"cut_{source.name}"), source.with_suffix("")
    removed: dict[int, str] = {}
    while True:
        cut.write_text(without(lines, [blocks[number] for number in removed]))
        done = compiler.compile(cut, cut.with_suffix(".o"))
        known = len(removed)
        for at, reason in mistakes(done.stderr, cut):
            for number, block in enumerate(blocks):
                if block.begin <= at < block.end:
                    removed.setdefault(number, reason)
        if len(removed) == known:
            break
    if done.returncode == 0:
        done = compiler.link(cut.with_suffix(".o"), program, compiler.catch)
    rows = []
    for number, block in enumerate(blocks):
        if number in removed:
            name = block.case or f"(a helper in line {block.begin + 1})"
            rows.append(Row(source.stem, name, "does not compile", removed[number]))
        elif block.case and done.returncode:
            rows.append(Row(source.stem, block.case, "is not built", done.stderr[-200:]))
        elif block.case:
            rows.append(ran(program, Row(source.stem, block.case, "passes")))
    return rows


def ran(program: Path, row: Row) -> Row:
    """Run one case."""
    pattern = re.sub(r"([,\[\]\\])", r"\\\1", row.name)
    done = run(program, pattern, where=OUT / "run")
    if "No test cases matched" in done.stdout + done.stderr:
        row.result = "is not built"  # excluded by the preprocessor
    elif done.returncode:
        told = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
        row.result, row.reason = "fails", " ".join(told)[:200]
    return row


def programs(compiler: Compiler, sources: list[Path], *includes: Path) -> list[Row]:
    """Compile programs, then run them: those that write files first."""

    def build(source: Path) -> Row:
        program = OUT / "programs" / source.stem
        made = program.with_suffix(".o")
        row = Row(source.parent.name, source.stem, "runs")
        done = compiler.compile(source, made, *includes)
        if done.returncode == 0:
            uses_catch = "catch2/" in source.read_text()
            done = compiler.link(made, program, *([compiler.catch] if uses_catch else []))
        if done.returncode:
            row.result, row.reason = "does not compile", done.stderr.split("error:")[-1][:200]
        return row

    rows = in_parallel(build, sources)
    for row in sorted(rows, key=lambda each: not each.name.startswith("write")):
        if row.result == "runs":
            done = run(OUT / "programs" / row.name, where=OUT / "run")
            if done.returncode:
                row.result = "fails"
                row.reason = (done.stderr + done.stdout).strip().replace("\n", " ")[-200:]
    return rows


def evolution_rows(compiler: Compiler, tests: Path) -> list[Row]:
    """Return the results of podio's tests of models that change.

    Each test is a program that writes with the old models and reads with the new one.
    """
    compiler.link_models("kaon_alone", [])

    def result(folder: Path) -> Row:
        try:
            return tried(folder)
        except CommandError as error:
            return Row(tests.name, folder.name, "is refused", str(error)[-200:])

    def tried(folder: Path) -> Row:
        row = Row(tests.name, folder.name, "passes")
        for version in ("oldest", "old", "new"):
            model = folder / f"{version}.yaml"
            if not model.exists():
                continue
            place = OUT / "evolution" / folder.name / version
            evolution = folder / "evolution.yaml"
            uses = version == "new" and evolution.exists()
            options = ("--evolution-file", str(evolution)) if uses else ()
            sources = compiler.generate("datamodel", model, *options, folder=place)
            number = re.search(r"schema_version: *(\d+)", model.read_text())
            step = "READ" if version == "new" else "WRITE"
            macros = (
                f'-DTEST_CASE="{folder.name}"',
                f"-DDATAMODEL_VERSION={number.group(1) if number else 1}",
                f"-DPODIO_SCHEMA_EVOLUTION_TEST_{step}",
            )
            made = [place / f"{source.stem}.o" for source in (*sources, folder / "check.cpp")]
            for source, to in zip((*sources, folder / "check.cpp"), made, strict=True):
                done = compiler.compile(source, to, place, tests, macros=macros)
                if done.returncode:
                    row.result = "does not compile"
                    row.reason = done.stderr.split("error:")[-1][:200]
                    return row
            done = compiler.link(made[-1], place / "check", *made[:-1])
            if done.returncode == 0:
                done = run(place / "check", where=OUT / "run")
            if done.returncode:
                row.result, row.reason = f"fails ({version})", (done.stderr + done.stdout)[-200:]
                return row
        return row

    folders = sorted(each.parent for each in tests.glob("*/check.cpp"))
    return in_parallel(result, folders)


def podio_rows(compiler: Compiler, podio: Path) -> Iterator[Row]:
    """Yield the results of podio's tests."""
    tests = OUT / "podio/tests"
    shutil.copytree(podio / "tests", tests, dirs_exist_ok=True)
    private = OUT / "podio" / PRIVATE_HEADER
    private.parent.mkdir(exist_ok=True)
    private.write_text("")
    model = tests / "datalayout.yaml"
    upstream = ("--upstream", f"datamodel:{model}")
    interfaces = tests / "datalayout_interface_extension.yaml"
    sources = compiler.generate("datamodel", model)
    extension = tests / "datalayout_extension.yaml"
    sources += compiler.generate("extension_model", extension, *upstream)
    sources += compiler.generate("interface_extension_model", interfaces, *upstream)
    compiler.link_models("podio_models", sources)
    files = [tests / f"unittests/{name}.cpp" for name in UNIT_TESTS]
    for rows in in_parallel(lambda each: unit_tests(compiler, each), files):
        yield from rows
    for folder in ("root_io", "sio_io"):
        yield from programs(compiler, sorted((tests / folder).glob("*.cpp")), tests)
    yield from evolution_rows(compiler, tests / "schema_evolution/code_gen")


def edm4hep_rows(compiler: Compiler, edm4hep: Path) -> list[Row]:
    """Return the results of EDM4hep's tests."""
    includes = (edm4hep / "utils/include", edm4hep / "include")
    evolution = ("--evolution-file", str(edm4hep / "edm4hep_evolution.yaml"))
    sources = compiler.generate("edm4hep", edm4hep / "edm4hep.yaml", *evolution)
    names = ("ParticleIDUtils.cc", "TrackUtils.cc", "MurmurHash3.cpp")
    sources += [edm4hep / "utils/src" / name for name in names]
    compiler.link_models("edm4hep_models", sources, *includes)
    root = sorted(ROOT.glob("build/root-venv/lib/*/site-packages/ROOT/include"))  # for vectors
    sources = sorted((edm4hep / "test/utils").glob("*.cpp"))
    return programs(compiler, sources, *includes, *root)


def main() -> None:
    """Print the table and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--podio", type=Path)
    parser.add_argument("--edm4hep", type=Path)
    parser.add_argument("--catch2", type=Path, required=True)
    parser.add_argument("--standard", default="c++20", help="a standard that the compiler knows")
    args = parser.parse_args()
    for folder in ("run", "programs", "models", "objects"):
        (OUT / folder).mkdir(parents=True, exist_ok=True)
    compiler = Compiler(args.catch2.resolve(), args.standard)
    rows: list[Row] = []

    def tell(some: Iterable[Row]) -> None:
        for row in some:
            print(" | ".join((row.place, row.name, row.result, row.reason)), flush=True)
            rows.append(row)

    if args.podio:
        tell(podio_rows(compiler, args.podio.resolve()))
    if args.edm4hep:
        tell(edm4hep_rows(compiler, args.edm4hep.resolve()))
    for place in dict.fromkeys(row.place for row in rows):
        sums = Counter(row.result for row in rows if row.place == place)
        print(f"{place}: " + ", ".join(f"{count} {result}" for result, count in sums.items()))


if __name__ == "__main__":
    try:
        main()
    except CommandError as error:
        sys.exit(str(error))
