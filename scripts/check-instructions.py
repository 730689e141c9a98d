#!/usr/bin/env python3
"""Compare the instructions that the benchmarks execute with the expected counts.

Instruction counts, which valgrind measures, do not depend on the load of the machine as times do.
They depend on the compiler and the processor: bench/instructions.json has figures for each.
"""

import argparse
import json
import platform
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

FIGURES = Path(__file__).resolve().parent.parent / "bench/instructions.json"
MARGIN = 0.15  # the relative change that is allowed, up or down

ADD = "`make instructions UPDATE=1` adds them."
RENEW = "If that is meant, `make instructions UPDATE=1` renews the figures."

# For each program, the size of its workload and its cases, as its option --case takes them.
PROGRAMS = {
    "floats": (
        2_000_000,
        [f"read and sum/kaon batches/{codec}" for codec in ("none", "lz4", "zstd")],
    ),
    "bank": (
        50_000,
        [
            "write/kaon batches/split/lz4",
            "write/kaon frames/split/lz4",
            "read 12 columns/kaon batches/split/lz4",
            "read 12 columns/kaon batches/row/lz4",
            "read 12 columns/kaon frames/split/lz4",
            "read random events/kaon frames/split/lz4",
        ],
    ),
    "events": (
        100,
        [
            "create and link/kaon, create() and setters",
            "write/kaon frames/split/zstd",
            "read all members and relations/kaon frames/split/zstd",
            "loop over momenta/kaon handles/split",
            "loop over momenta/kaon handles/row",
            "loop over momenta/kaon columns/row",
        ],
    ),
    "wide": (
        2_000,
        ["open/kaon/values", "read the first column/kaon batches/values"],
    ),
    "tags": (200, ["read four values/kaon batches"]),
    "loop": (
        50_000,
        ["read one tag/kaon loop/1 thread", "touch one small collection/kaon loop/1 thread"],
    ),
}


def main() -> None:
    """Run the commands of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="CMake's build directory")
    parser.add_argument("--update", action="store_true", help="store the new counts")
    options = parser.parse_args()
    key = f"{compiler(options.build)}, {platform.machine()}"
    figures = json.loads(FIGURES.read_text())
    if key not in figures and not options.update:
        print(f"Not checked: {FIGURES.name} has no figures for {key}. {ADD}")
        return
    expected = figures.get(key, {})
    counted = {}
    for program in PROGRAMS:
        counted |= count(options.build, program)
    print(table(counted, expected))
    if options.update:
        FIGURES.write_text(json.dumps(figures | {key: counted}, indent=2) + "\n")
        print(f"These are now the figures of {FIGURES.name} for {key}.")
    else:
        check(counted, expected)


def count(build: Path, program: str) -> dict[str, int]:
    """Return the instructions of the cases of a program."""
    size, cases = PROGRAMS[program]
    with tempfile.TemporaryDirectory() as directory:
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet"]
        command += [f"--callgrind-out-file={directory}/counts"]
        command += [str(build / f"bench/counted_{program}"), "--dir", directory]
        command += ["--n", str(size), "--repeats", "1"]
        for case in cases:
            command += ["--case", case]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)} failed:\n{done.stdout}{done.stderr}")
        counted = {}
        for path in Path(directory).glob("counts.*"):
            text = path.read_text()
            if case := re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE):
                total = re.search(r"^totals: (\d+)$", text, re.MULTILINE)
                counted[case[1]] = int(total[1])
    if missing := set(cases) - counted.keys():
        sys.exit(f"Not counted: {missing}. Was {program} compiled without valgrind's header?")
    return {f"{program}: {case}": counted[case] for case in cases}


def check(counted: dict[str, int], expected: dict[str, int]) -> None:
    """Exit with an error if the counts differ from those expected."""
    if counted.keys() != expected.keys():
        different = ", ".join(sorted(counted.keys() ^ expected.keys()))
        sys.exit(f"The cases are not those of {FIGURES.name}: {different}. {RENEW}")
    changes = {case: counted[case] / expected[case] - 1 for case in counted}
    more = [case for case in counted if changes[case] > MARGIN]
    less = [case for case in counted if changes[case] < -MARGIN]
    if more:
        print(f"Over {MARGIN:.0%} more instructions than known: {'; '.join(more)}. {RENEW}")
    if less:
        print(f"Over {MARGIN:.0%} fewer instructions than known: {'; '.join(less)}. {RENEW}")
    if more or less:
        sys.exit(1)


def table(counted: dict[str, int], expected: dict[str, int]) -> str:
    """Return counts, expected counts and changes, one line per case."""
    width = max(map(len, counted))
    lines = [f"{'instructions':{width}} {'counted':>14} {'expected':>14} {'change':>8}"]
    for case, number in counted.items():
        line = f"{case:{width}} {number:14,}"
        if known := expected.get(case):
            line += f" {known:14,} {number / known - 1:+8.1%}"
        lines.append(line)
    return "\n".join(lines)


def compiler(build: Path) -> str:
    """Return the name and major version of the compiler of a build."""
    (path,) = build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake")
    facts = dict(re.findall(r'set\((CMAKE_CXX_COMPILER_\w+) "(.*)"\)', path.read_text()))
    version = facts["CMAKE_CXX_COMPILER_VERSION"].partition(".")[0]
    return f"{facts['CMAKE_CXX_COMPILER_ID']} {version}"


if __name__ == "__main__":
    main()
