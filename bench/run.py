#!/usr/bin/env python3
"""Run the benchmarks and write all figures into one JSON file."""

import argparse
import datetime
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parent / "examples/ttbar/sample.kaon"
SIZES = {
    "floats": 20_000_000,
    "many floats": 100_000_000,
    "bank": 1_000_000,
    "hipo": 1_000_000,
    "events": 2_000,
    "wide": 10_000,
    "nano": 100_000,
    "clusters": 10_000,
    "tags": 1_000,
    "threads": 1_000_000,
    "train": 1_000_000,
    "parameters": 200_000,
    "keys": 10_000_000,
    "queries": 1_000_000,
    "expressions": 2_000_000,
    "loop": 2_000_000,
}
# Workloads that repeat others with another size, without slow variants.
PROGRAMS = {
    "many floats": ("floats", ["--variant", "none", "--variant", "lz4", "--variant", "zstd"])
}
ALSO_BY_ROOT = {"bank": ["dataframe"]}  # programs that read the workload's files

# Flags for programs that use ROOT, the same as kaon's in CMakeLists.txt. ROOT's wheel is built as
# C++17, about which a #warning complains.
ROOT_FLAGS = "-std=c++20 -O3 -DNDEBUG -march=native -ffp-contract=off -pthread -Wno-cpp".split()
ROOT_LIBRARIES = "-lCore -lRIO -lTree -lROOTNTuple -lROOTVecOps -ltbb".split()
# Flags for the program that uses RDataFrame and kaon's library for it. `make bench ROOT=1` builds
# this library, too.
PACKAGE = HERE.parent / "python/kaon"
FRAME_FLAGS = [f"-I{HERE.parent}/include", f"-L{PACKAGE}", "-lkaon_root"]
FRAME_FLAGS += [f"-Wl,-rpath,{PACKAGE}"]
FRAME_FLAGS += "-lROOTDataFrame -lHist -lTreePlayer -lGenVector -lMathCore".split()
ROOT_SOURCES = ["common/Harness.cpp", "common/Floats.cpp", "common/Bank.cpp"]


def main() -> None:
    """Run the benchmarks with the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="CMake's build directory")
    parser.add_argument("--out", type=Path, required=True, help="directory for results and files")
    parser.add_argument("--root", type=Path, help="venv with ROOT's wheel, made if need be")
    parser.add_argument("--scale", type=float, default=1, help="of the workloads' sizes")
    parser.add_argument("--repeats", type=int, default=5, help="of each measurement")
    parser.add_argument("--only", choices=SIZES, help="one workload instead of all")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    results = {"environment": environment(options), "workloads": {}}
    root_programs = compile_root_programs(options) if options.root else {}
    for name in [options.only] if options.only else SIZES:
        if name != "nano":
            results["workloads"][name] = workload(name, root_programs, options)
        elif root_programs:
            results["workloads"][name] = nano(root_programs[name], options)
    path = options.out / "results.json"
    path.write_text(json.dumps(results, indent=1))
    print(f"The figures are in {path}")
    if not options.root:
        print("ROOT can be measured in the same run: make bench ROOT=1 (installs 248 MB)")


def workload(name: str, root_programs: dict[str, Path], options: argparse.Namespace) -> dict:
    """Measure a workload with kaon and with the available peers."""
    program, variants = PROGRAMS.get(name, (name, []))
    peers = []
    if program in root_programs and name != "queries":  # kaon reads the files that it leaves
        peers = run(root_programs[program], name, options, "--keep", "all", *variants)["rows"]
    keep = {
        "bank": ["--keep", "split/lz4"],
        "hipo": ["--keep", "lz4"],
        "queries": ["--keep", "all"],
    }.get(name, [])
    measured = run(options.build / "bench" / program, name, options, *keep, *variants)
    if name == "queries":
        if name in root_programs:  # it reads kaon's files
            peers = run(root_programs[name], name, options)["rows"]
        (options.out / "queries.kept.kaon").unlink()
    elif name == "hipo":
        kept = options.out / "bank.kept.hipo"
        measured["rows"] += python("hipo.py", kept, "--repeats", options.repeats)
        kept.unlink()
    elif name == "bank":
        kept = options.out / "bank.kept.kaon"
        measured["rows"] += arrays(kept, options.repeats) + java(kept, options)
        if root_programs:
            measured["rows"] += run(root_programs["dataframe"], name, options)["rows"]
        kept.unlink()
    for file in options.out.glob(f"{program}.*.root"):
        file.unlink()
    measured["rows"] += peers
    return measured


def arrays(file: Path, repeats: int) -> list[dict]:
    """Measure how long Python takes to read a bank into arrays."""
    return python("arrays.py", file, "--repeats", repeats)


def java(file: Path, options: argparse.Namespace) -> list[dict]:
    """Measure the same loop over a bank in Java, if its package is built."""
    jar = options.build / "java/kaon.jar"
    if not jar.exists():
        return []
    cache = (options.build / "CMakeCache.txt").read_text()
    jdk = re.search(r"^KAON_JAVA_HOME:PATH=(.*)$", cache, flags=re.M)[1]
    command = [f"{jdk}/bin/java", "--enable-native-access=ALL-UNNAMED", "-cp", str(jar)]
    command += [str(HERE / "Bank.java"), str(file), str(options.repeats)]
    library = {"LD_LIBRARY_PATH": str(options.build / "src/kaon-c")}
    return json.loads(subprocess.check_output(command, env=os.environ | library))


def python(script: str, *arguments: object) -> list[dict]:
    """Run a script that prints figures, with kaon's package."""
    command = [sys.executable, str(HERE / script), *(str(argument) for argument in arguments)]
    package = {"PYTHONPATH": str(HERE.parent / "python")}
    return json.loads(subprocess.check_output(command, env=os.environ | package))


def nano(program: Path, options: argparse.Namespace) -> dict:
    """Measure how long Python takes to read ten branches of a tree that ROOT writes."""
    workload = run(program, "nano", options, "--keep", "all", "--repeats", "1")  # LZMA is slow
    for file in sorted(options.out.glob("nano.tree.*.root"), reverse=True):
        for threads in (1, 2):
            for reader in ("kaon", "uproot"):
                workload["rows"] += python(
                    "nano.py",
                    *[file, "--program", reader, "--variant", file.suffixes[-2][1:]],
                    *["--threads", threads, "--repeats", options.repeats],
                )
        file.unlink()
    return workload


def run(program: Path, name: str, options: argparse.Namespace, *more: str) -> dict:
    """Run a program; return its figures."""
    out = options.out / f"{program.name}.json"
    command = [str(program), "--out", str(out), "--dir", str(options.out)]
    command += ["--n", str(max(1, round(SIZES[name] * options.scale)))]
    command += ["--repeats", str(options.repeats), *more]
    # The environment can name a file with other events, for example with more of them.
    events = os.environ.get("KAON_TTBAR", SAMPLE if SAMPLE.exists() else None)
    if name == "events" and events:
        command += ["--input", str(events)]
    subprocess.run(command, check=True)
    workload = json.loads(out.read_text())
    out.unlink()
    return workload


def compile_root_programs(options: argparse.Namespace) -> dict[str, Path]:
    """Install ROOT if it is missing, and compile the programs that use it."""
    python = options.root / "bin/python"
    setup = HERE.parent / "scripts/setup-root.sh"
    subprocess.run([setup, options.root, sys.executable], check=True)
    where = "import sysconfig; print(sysconfig.get_path('platlib'))"
    packages = Path(subprocess.check_output([python, "-c", where], text=True).strip())
    root = packages / "ROOT"
    programs = {}
    for source in root_sources(options.only):
        program = options.out / f"root_{source.stem}"
        command = [
            os.environ.get("CXX", "c++"),
            *ROOT_FLAGS,
            f"-I{HERE}",
            f"-isystem{root}/include",
        ]
        command += [source, *(HERE / common for common in ROOT_SOURCES), "-o", program]
        command += FRAME_FLAGS if source.stem in ("dataframe", "queries") else []
        command += [f"-L{root}/lib", *ROOT_LIBRARIES]
        command += [f"-Wl,-rpath,{root}/lib", f"-Wl,-rpath,{packages}/root.libs"]
        print(f"Compiling {source.relative_to(HERE.parent)}", flush=True)
        subprocess.run(command, check=True)
        programs[source.stem] = program
    return programs


def root_sources(workload: str | None) -> list[Path]:
    """Return the programs that use ROOT for a workload, or for all."""
    sources = sorted((HERE / "root").glob("*.cpp"))
    if workload is None:
        return sources
    names = [PROGRAMS.get(workload, (workload, []))[0], *ALSO_BY_ROOT.get(workload, [])]
    return [source for source in sources if source.stem in names]


def environment(options: argparse.Namespace) -> dict[str, str]:
    """Return facts about the machine and the compiler."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "kaon": output("git", "-C", str(HERE), "describe", "--always", "--dirty", "--tags"),
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") or "unknown",
        "load before": f"{os.getloadavg()[0]:.2f}",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB",
        "system": f"{platform.system()} {platform.release()}",
        "compiler": output(compiler(options), "--version").partition("\n")[0],
        "flags of the library": flags(options, "kaon"),
        "flags of the programs": flags(options, "bank"),
        "ROOT": root_version(options.root) if options.root else "not measured",
    }


def root_version(venv: Path) -> str:
    """Return the version of ROOT's wheel in a venv."""
    packages = output(str(venv / "bin/pip"), "list", "--format=freeze").splitlines()
    return "PyPI's " + next(line for line in packages if line.startswith("root=="))


def processor() -> str:
    """Return the processor's name, or the kind of machine if it is unknown."""
    facts = {}
    for line in read("/proc/cpuinfo").partition("\n\n")[0].splitlines():
        key, _, value = line.partition(":")
        facts[key.strip()] = value.strip()
    name = facts.get("model name", platform.machine())
    if "cpu family" in facts:
        name += f" (family {facts['cpu family']}, model {facts['model']})"
    return name


def compile_command(options: argparse.Namespace, target: str) -> list[str]:
    """Return the command by which CMake compiles a file of a target."""
    entries = json.loads((options.build / "compile_commands.json").read_text())
    commands = (shlex.split(entry["command"]) for entry in entries)
    its_object = re.compile(rf"\b{target}\.dir/.*\.o$")
    return next(c for c in commands if any(its_object.search(word) for word in c))


def compiler(options: argparse.Namespace) -> str:
    """Return the compiler's path."""
    return compile_command(options, "bank")[0]


def flags(options: argparse.Namespace, target: str) -> str:
    """Return the options that influence the speed of the code."""
    kept = ("-O", "-march", "-mtune", "-f", "-std", "-D", "-g")
    return " ".join(word for word in compile_command(options, target) if word.startswith(kept))


def read(path: str) -> str:
    """Return the text of a small file, or "" if it cannot be read."""
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def output(*command: str) -> str:
    """Return the output of a command, or "unknown" if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


if __name__ == "__main__":
    main()
