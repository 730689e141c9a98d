"""Runs the fuzz targets for some minutes, as docs/trust.md describes."""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from .yaml_targets import ROOT, TARGETS, seeds

BUILD = ROOT / "build/fuzz/tests/fuzz"
FOUND = ROOT / "build/fuzz/found"
"""Inputs that reach more code, and those of faults, by target."""
HERE = Path(__file__).parent
LIMITS = ["-timeout=25", "-rss_limit_mb=2560", "-malloc_limit_mb=2048"]
"""Seconds of an input, and memory: libFuzzer reports more as a fault."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long, for all targets")
    parser.add_argument("--target", choices=[*programs(), *TARGETS], action="append")
    options = parser.parse_args(arguments)
    names = options.target or [*programs(), *TARGETS]
    make_seeds()
    seconds = max(1, round(options.minutes * 60 / len(names)))
    return int(any([fuzz(name, seconds) for name in names]))


def programs() -> dict[str, Path]:
    """Return the programs of the targets in C++."""
    prefix = "kaon_fuzz_"
    found = {path.name.removeprefix(prefix): path for path in sorted(BUILD.glob(f"{prefix}*"))}
    found.pop("corpora", None)
    return found


def make_seeds() -> None:
    """Write the inputs that targets begin with."""
    corpora = BUILD / "corpora"
    subprocess.run([BUILD / "kaon_fuzz_corpora", corpora], check=True)
    for name in TARGETS:
        (corpora / name).mkdir()
        for number, seed in enumerate(seeds(name)):
            (corpora / name / str(number)).write_bytes(seed)


def fuzz(name: str, seconds: int) -> bool:
    """Run a target. Print runs and edges, and return whether there was a fault."""
    if name in TARGETS:
        if importlib.util.find_spec("atheris") is None:
            print(f"{name}: skipped, because Atheris is not installed")
            return False
        command = [sys.executable, "-m", "fuzz.yaml_targets", name]
    else:
        command = [str(programs()[name])]
    corpus = FOUND / name / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    folders = [corpus, BUILD / "corpora" / name, HERE / "faults" / name]
    command += [str(folder) for folder in folders if folder.exists()]
    command += [*LIMITS, f"-max_total_time={seconds}", "-print_final_stats=1"]
    command.append(f"-artifact_prefix={FOUND / name}/")
    words = HERE / f"{name}.dict"
    command += [f"-dict={words}"] if words.exists() else []
    options = {
        # Exceptions are slow if ASan keeps the stacks of functions that have returned.
        "ASAN_OPTIONS": "detect_stack_use_after_return=0:quarantine_size_mb=16",
        "LSAN_OPTIONS": f"suppressions={ROOT / 'tests/lsan.supp'}:print_suppressions=0",
    }
    done = subprocess.run(
        command,
        cwd=HERE.parent,
        env={**os.environ, **options},
        capture_output=True,
        text=True,
        errors="replace",
    )
    (FOUND / name / "log").write_text(done.stderr)
    runs = re.findall(r"number_of_executed_units: (\d+)", done.stderr)
    edges = re.findall(r" cov: (\d+)", done.stderr)
    print(f"{name}: {runs[-1] if runs else 0} runs, {edges[-1] if edges else 0} edges", flush=True)
    if done.returncode != 0:
        print(f"== {name}: fault, see {FOUND / name}\n{done.stderr[-3000:]}", flush=True)
    return done.returncode != 0
