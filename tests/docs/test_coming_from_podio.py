"""kaon's programs in the guide for podio's users run as printed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from test_readme import LIBRARY, ROOT, blocks, compile_program, program_of

from kaon.modelgen import generate

PAGE = "docs/coming-from-podio.md"


def of_kaon(language: str) -> str:
    """Return kaon's code of the page: the blocks that begin with the comment "kaon"."""
    ours = (block for block in blocks(language, PAGE) if block[:7].strip("/# \n") == "kaon")
    return "\n".join(ours)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory where the page's C++ programs were compiled."""
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    here = tmp_path_factory.mktemp("podio")
    shutil.copy(ROOT / "docs/tracker.yaml", here)
    generate(here / "tracker.yaml", here)
    (here / "main.cpp").write_text(program_of(of_kaon("cpp")))
    compile_program([here / "main.cpp", here / "tracker/tracker.cc"], here / "main.out")
    return here


def run(program: Path) -> str:
    """Run a program in its directory; return its output."""
    result = subprocess.run(
        [program], cwd=program.parent, check=True, capture_output=True, text=True
    )
    return result.stdout


def test_cpp_and_python(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(directory / "main.out") == (
        "13\n1 pixel\n80 keV, 12.5 mV\n13 0.9\n"
        "11\n13\n11\n13\n"
        "Particles: 2 tracker::Particle\n"
        "Pixels: 1 tracker::Pixel\n"
        "Strips: 1 tracker::Strip\n"
        "80 keV\n"
        "Tracks: 1 tracker::Track\n"
        "TrackLinks: 1 tracker::TrackParticleLink\n"
        "Weights: 1 float32\n"
        "Muons: 1 tracker::Particle\n"
    )
    monkeypatch.chdir(directory)
    scope: dict[str, object] = {}
    exec(of_kaon("python"), scope)
    assert capsys.readouterr().out == "11 1.0 7\n13 3.0 7\n" * 2
    assert scope["momenta"].Particles.momentum.y.tolist() == [[1, 3], [1, 3]]  # type: ignore[attr-defined]


def test_code_that_stays_as_it_is(directory: Path) -> None:
    run(directory / "main.out")
    (code,) = (block for block in blocks("cpp", PAGE) if "with kaon::podio" in block)
    (directory / "podio.cpp").write_text(program_of(code))
    sources = [directory / "podio.cpp", directory / "tracker/tracker.cc"]
    compile_program(sources, directory / "podio.out")
    assert run(directory / "podio.out") == "11\n13\n" * 2
