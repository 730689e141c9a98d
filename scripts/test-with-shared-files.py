#!/usr/bin/env python3
"""Run the tests that an earlier run skipped because shared files were missing.

Needs the results of the earlier run in build/release/tests/results, as JUnit's XML.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/release"
RESULTS = BUILD / "tests/results"
REMEDY = "KAON_SHARED"  # in the message of each test that these missing files make skip


def cases(results: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(results).iter("testcase"))


def is_skipped(case: ElementTree.Element, reason: str = "") -> bool:
    return any(
        reason in skipped.get("message", "") + (skipped.text or "")
        for skipped in case.iter("skipped")
    )


def name_of(case: ElementTree.Element) -> str:
    """Return the name by which pytest or GoogleTest selects a test."""
    file, name = case.get("file", ""), case.get("name")
    return f"{file}::{name}" if file.endswith(".py") else f"{case.get('classname')}.{name}"


def skipped_tests() -> dict[str, set[str]]:
    """Return the names of tests that were skipped because shared files were missing, by program."""
    tests: dict[str, set[str]] = {}
    for results in sorted(RESULTS.glob("*.xml")):
        names = {name_of(case) for case in cases(results) if is_skipped(case, REMEDY)}
        program = re.sub(r"-\d+$", "", results.stem)  # further shards have a number
        tests[program] = tests.get(program, set()) | names
    return {program: names for program, names in tests.items() if names}


def run(*command: object, **environment: str) -> None:
    subprocess.run(list(map(str, command)), cwd=ROOT, env=os.environ | environment, check=True)


def run_again(program: str, names: set[str], shared: str) -> None:
    """Run tests of a program; exit unless each of them runs and passes."""
    results = RESULTS / "shared" / f"{program}.xml"
    results.unlink(missing_ok=True)
    if program == "pytest":
        command = [sys.executable, "-m", "pytest", "-q", "--numprocesses", os.cpu_count() or 1]
        command += ["-o", "junit_family=xunit1", f"--junitxml={results}", *sorted(names)]
        run(*command, KAON_SHARED=shared, PYTHONPATH=str(ROOT / "python"))
    else:
        command = [BUILD / "tests" / f"kaon_{program}_tests", "--gtest_brief=1"]
        command += [f"--gtest_output=xml:{results}", f"--gtest_filter={':'.join(sorted(names))}"]
        run(*command, KAON_SHARED=shared)
    done = {name_of(case) for case in cases(results) if not is_skipped(case)}
    if missing := names - done:
        sys.exit(f"tests of {program} did not run with shared files: {', '.join(sorted(missing))}")


def main() -> None:
    shared = os.environ.get("KAON_SHARED", str(ROOT.parent / "shared"))
    if not Path(shared, "data").is_dir():
        print(f"== no shared files in {shared}: the tests that need them are not run")
        return
    tests = skipped_tests()
    if "pytest" not in tests or len(tests) < 2:
        sys.exit(f"{RESULTS} names no tests in Python or none in C++ that need shared files")
    # The shared files include EDM4hep's model: now build the example that needs it.
    run("cmake", "--preset", "release", KAON_SHARED=shared)
    run("cmake", "--build", BUILD)
    run("ctest", "--preset", "release", "--tests-regex", "edm4hep", KAON_SHARED=shared)
    for program, names in tests.items():
        run_again(program, names, shared)
    print(f"== {sum(map(len, tests.values()))} tests passed with the files in {shared}")


if __name__ == "__main__":
    main()
