"""The code of the README and the guide runs as printed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from shared_files import shared_file

import kaon
from kaon.modelgen import generate, load_model

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "build/release/src/libkaon.a"


def blocks(language: str, page: str = "README.md") -> list[str]:
    text = (ROOT / page).read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def program() -> str:
    """Return the README's C++ as one program; it destroys the writer before it reads the file."""
    head, loop = "\n".join(blocks("cpp")).split("kaon::Reader in", 1)
    end = 'std::cout << "sum " << sum << std::endl;'
    return program_of(f"double sum = 0;\n{{\n{head}}}\nkaon::Reader in{loop}\n{end}")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory where the README's C++ program has run and left events.kaon."""
    compiler = shutil.which("c++")
    if compiler is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    here = tmp_path_factory.mktemp("readme")
    (here / "demo.yaml").write_text(blocks("yaml")[0])
    generate(here / "demo.yaml", here)
    (here / "main.cpp").write_text(program())
    sources = [here / "main.cpp", here / "demo/demo.cc"]
    compile_program(sources, here / "demo.out")
    return here


def test_nanoaod_becomes_as_small_as_the_readme_says(tmp_path: Path) -> None:
    figures = re.search(
        r"real NanoAOD.* from (\d+) kB to (\d+) kB", (ROOT / "README.md").read_text()
    )
    assert figures
    nano = shared_file("root/real/nanoAOD_2015_CMS_Open_Data_ttbar.root")
    kaon.convert(nano, tmp_path / "nano.kaon")
    sizes = [path.stat().st_size / 1000 for path in (nano, tmp_path / "nano.kaon")]
    assert [float(figure) for figure in figures.groups()] == pytest.approx(sizes, rel=0.01)


def program_of(code: str) -> str:
    """Return pieces of C++ as one program, with the includes first and the rest in main()."""
    lines = code.splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    body = [line for line in lines if not line.startswith("#include")]
    return "\n".join(["#include <iostream>", *includes, "int main() {", *body, "}", ""])


def libraries() -> list[str]:
    """Return the libraries that CMake found."""
    cache = (LIBRARY.parents[1] / "CMakeCache.txt").read_text()
    return re.findall(r"^KAON_\w+_LIBRARY:FILEPATH=(/.*)$", cache, flags=re.M)


def compile_program(sources: list[Path], program: Path) -> None:
    folders = (ROOT / "include", ROOT / "include/kaon-podio", program.parent)
    command = ["c++", "-std=c++20", "-O1", *(f"-I{folder}" for folder in folders)]
    subprocess.run([*command, *sources, LIBRARY, *libraries(), "-o", program], check=True)


def test_cpp(directory: Path) -> None:
    result = subprocess.run(
        [directory / "demo.out"], cwd=directory, check=True, capture_output=True, text=True
    )
    assert result.stdout == "6 -> 24\nsum 1\n"


def test_guide_to_storage(directory: Path) -> None:
    code = "\n".join(blocks("cpp", "docs/storage.md"))
    (directory / "guide.cpp").write_text(
        "#include <iostream>\n#include <kaon/kaon.h>\n"
        '#include "demo/MCParticleCollection.h"\n'
        f"int main() {{\n{code}\n"
        'std::cout << weights << " " << *entry << " " << clusters.size() << " " << *luminosity;\n'
        "}\n"
    )
    compile_program([directory / "guide.cpp", directory / "demo/demo.cc"], directory / "guide.out")
    result = subprocess.run(
        [directory / "guide.out"], cwd=directory, check=True, capture_output=True, text=True
    )
    assert result.stdout == "136 42 1 12.3"


def test_storage(tmp_path: Path) -> None:
    path = tmp_path / "demo.yaml"
    path.write_text("".join(blocks("yaml")))
    (storage,) = load_model(path).storage
    assert storage.layout == "row"
    assert list(storage.precision) == ["momentum", "mass"]


def test_guide_to_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    exec("\n".join(blocks("python", "docs/python.md")[1:]), scope)
    told = capsys.readouterr().out
    assert "mass : float64 [GeV]" in told
    assert told.endswith("6 [80.4]\n24 []\n" * 3)
    assert scope["last"]["Tops"][0] == scope["last"]["MCParticles"][0]
    assert scope["last"]["Scores"].tolist() == pytest.approx([0.5, 0.1])
    assert scope["both"] == {"luminosity": 24.6}
    assert scope["described"]["events"].metadata_of("MET") == {"cut": 10}
    heavy = scope["kaon"].open("heavy.kaon")["events"].arrays().MCParticles
    assert (heavy.heavy.tolist(), heavy.isolation.tolist()) == ([[True, False]] * 3, [[0, 1]] * 3)
    assert scope["a"].MCParticles.daughters.PDG.tolist() == [[[24], []]] * 3
    assert scope["tops"][::-1].daughters.mass.tolist() == [[[80.4]]] * 3


def test_python(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test_cpp(directory)
    monkeypatch.chdir(directory)
    scope: dict[str, Any] = {}
    exec(blocks("python")[1], scope)
    assert scope["a"].MCParticles.PDG.tolist() == [[6, 24]]
    file = scope["kaon"].open("copy.kaon")
    arrays, original = file["events"].arrays(), scope["everything"]
    for name in ("PDG", "mass", "momentum"):
        assert arrays.MCParticles[name].tolist() == original.MCParticles[name].tolist() * 2
    assert arrays.MCParticles.daughters.PDG.tolist() == [[[24], []]] * 2
    assert file.metadata == {"luminosity": 12.3}


@pytest.mark.parametrize(
    "page",
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md", "examples/README.md"],
)
def test_links_lead_somewhere(page: str) -> None:
    """The build of the site checks the links in docs/."""
    links = re.findall(r"\]\(([^)#:]+)[^)]*\)", (ROOT / page).read_text())
    links = [link for link in links if not link.startswith("http")]
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


def test_all_examples_are_listed() -> None:
    listed = re.findall(r"\]\((\w+)\)", (ROOT / "examples/README.md").read_text())
    folders = [each.name for each in (ROOT / "examples").iterdir() if each.is_dir()]
    assert sorted(listed) == sorted(folders)
