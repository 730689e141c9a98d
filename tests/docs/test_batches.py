"""The programs of the guide to batches and its example run as printed."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from built import BUILD, is_built, needs_built
from shared_files import REMEDY
from test_readme import LIBRARY, ROOT, blocks, compile_program, program_of

# Muons, missing momenta and numbers of four events.
MUONS = [[(30.0, 0.5, 1), (12.0, -1.0, -1)], [], [(8.0, 2.0, 1)], [(5.0, 0.0, -1), (4.0, 0.1, -1)]]
MET = [10.0, 20.0, 40.0, 80.0]
EVENTS = [4, 5, 6, 9]
SCALES = {9: 2.0, 6: 3.0, 5: 0.5, 4: 0.25}  # by event, in the order of the file of scales

WRITE = """\
{{
const std::vector<std::int32_t> runs(4, 7), events = {{{events}}}, keys = {{{keys}}};
const std::vector<std::int32_t> charge = {{{charge}}};
const std::vector<float> pt = {{{pt}}}, eta = {{{eta}}}, met = {{{met}}}, scale = {{{scale}}};
const std::vector<std::uint32_t> begins = {{{begins}}};
kaon::Columns all(4), calibration(4);
all.add("run", runs);
all.add("event", events);
all.add("MET_pt", met);
all.add("Muon", begins, {{{{"pt", pt}}, {{"eta", eta}}, {{"charge", charge}}}});
calibration.add("run", runs);
calibration.add("event", keys);
calibration.add("scale", scale);
const auto write = [](const char* path, const kaon::Columns& columns) {{
  kaon::BatchWriter writer = kaon::batchWriter(path);
  writer.write("events", columns.batch());
  writer.finish();
}};
write("events.kaon", all);
write("calibration.kaon", calibration);
}}
"""


def numbers(values: object) -> str:
    return ", ".join(map(str, values))  # type: ignore[call-overload]


def write_program() -> str:
    flat = [muon for event in MUONS for muon in event]
    begins = [sum(map(len, MUONS[:event])) for event in range(5)]
    return WRITE.format(
        events=numbers(EVENTS),
        keys=numbers(SCALES),
        charge=numbers(muon[2] for muon in flat),
        pt=numbers(muon[0] for muon in flat),
        eta=numbers(muon[1] for muon in flat),
        met=numbers(MET),
        scale=numbers(SCALES.values()),
        begins=numbers(begins),
    )


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    return tmp_path_factory.mktemp("batches")


def test_each_program_prints_the_expected_sum(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = 'std::cout << sum << "\\n";\nsum = 0;\n'
    pieces = blocks("cpp", "docs/batches.md")
    code = "\n".join(
        ["#include <kaon/kaon.h>", write_program(), *(f"{each}{tell}" for each in pieces)]
    )
    (directory / "main.cpp").write_text(program_of(code + "std::cout << (bytes > 0);"))
    compile_program([directory / "main.cpp"], directory / "main.out")
    done = subprocess.run([directory / "main.out"], cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pts = [[pt for pt, _, _ in event] for event in MUONS]
    opposite = [
        met
        for event, met in zip(MUONS, MET, strict=True)
        if len(event) == 2 and event[0][2] != event[1][2]
    ]
    expected = [
        sum(map(sum, pts)),
        0,  # a histogram, see below
        sum(opposite),
        sum(pt for event in MUONS for pt, _, charge in event if charge > 0),
        MET[3] + MET[0],  # entry 3 of those selected, then the first of the only cluster
        sum(MET) + len(MET),
        sum(sum(pt) * SCALES[event] for pt, event in zip(pts, EVENTS, strict=True)),
        pts[0][0] * sum(map(len, pts)),
        0,  # not a sum of the stored bytes
        0,  # not a sum of ROOT's bytes
    ]
    assert [float(line) for line in done.stdout.split()] == [*map(float, expected), 1]

    spectrum = np.histogram(sum(pts, []), np.arange(0, 102, 2))[0]
    assert np.loadtxt(directory / "spectrum.txt").tolist() == spectrum.tolist()
    monkeypatch.chdir(directory)
    matplotlib.use("Agg")
    (plot,) = blocks("python", "docs/batches.md")
    exec(compile(plot, "docs/batches.md", "exec"), {})
    assert Path("spectrum.png").read_bytes().startswith(b"\x89PNG")


def assembly(directory: Path, code: str, *flags: str) -> str:
    version = subprocess.check_output(["c++", "--version"], text=True)
    if "Free Software Foundation" not in version:
        pytest.skip("the page shows what GCC makes")
    if platform.machine() != "x86_64":
        pytest.skip("the page shows x86-64's instructions")
    (directory / "sum.cpp").write_text(f"#include <kaon/kaon.h>\n{code}")
    command = ["c++", "-std=c++20", *flags, f"-I{ROOT / 'include'}", "-S", "sum.cpp", "-o", "-"]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True).stdout


def test_the_loop_over_arrays_has_no_call(directory: Path) -> None:
    (code,) = (code for code in blocks(r"c\+\+", "docs/batches.md") if "sumOfAll" in code)
    page = (ROOT / "docs/batches.md").read_text()
    (flags,) = re.findall(r"`(-O3 [^`]*)`", page)
    number = r"%\w+"
    loop = rf"(\.L\d+):\n\tvaddps\t\({number}\), (%ymm\d), \2\n\taddq\t\$32, {number}\n"
    loop += rf"\tcmpq\t{number}, {number}\n\tjne\t\1\n"
    assert re.search(loop, assembly(directory, code, *flags.split()))


def test_the_sum_of_a_loop_over_numbers_stays_in_a_register(directory: Path) -> None:
    code = """
        double sum(const kaon::Category& events) {
          double sum = 0;
          for (auto [met] : events.each<float>("MET_pt"))
            sum += met;
          return sum;
        }"""
    loop = r"(\.L\d+):\n\tvcvtss2sd\t.*, (%xmm\d+)\n(?:\t(?:incq|addq).*\n)"
    loop += r"\tvaddsd\t\2, (%xmm\d+), \3\n\tcmpq\t.*\n\tjne\t\1\n"
    assert re.search(loop, assembly(directory, code, "-O3", "-march=x86-64-v3"))


# Needs the library, because headers of an earlier model may remain in the build's folder.
EDM4HEP = "examples/edm4hep/libedm4hep.a"


@pytest.mark.skipif(not is_built(EDM4HEP), reason=f"needs EDM4hep's model: {REMEDY}")
def test_the_loop_over_structs_compiles(directory: Path) -> None:
    (loop,) = (code for code in blocks(r"c\+\+", "docs/batches.md") if "edm4hep" in code)
    (directory / "structs.cpp").write_text(
        '#include "edm4hep/edm4hep.h"\n#include <kaon/kaon.h>\n'
        "float add(const kaon::Category& events) {\n"
        f"float sum = 0;\n{loop}return sum;\n}}\n"
    )
    command = ["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    command += ["-Wno-unused-variable"]  # the page shows two ways
    command += [f"-I{ROOT / 'include'}", f"-I{(BUILD / EDM4HEP).parent}", "structs.cpp"]
    subprocess.run(command, cwd=directory, check=True)


WAYS = "examples/batches/batches_ways"


@needs_built(WAYS)
def test_the_example_finds_the_same_in_all_ways(directory: Path) -> None:
    sample = ROOT / "examples/ttbar/sample.kaon"
    command = [BUILD / WAYS, "events", "MCParticles", "time", sample, sample]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    sums = {line.split()[1] for line in done.stdout.splitlines()}
    assert len(done.stdout.splitlines()) == 4
    assert len(sums) == 1, done.stdout
