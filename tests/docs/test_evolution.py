"""The programs of the guide to changing models run as printed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from test_readme import LIBRARY, blocks, compile_program

import kaon
from kaon.model.comparison import Effect, diff
from kaon.modelgen import generate, load_model

FIRST_VERSION = """\
schema_version: 1
components:
  Vector:
    Members:
      - float px [mm]
      - float y [mm]
datatypes:
  TrackerHit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - Vector u // where
"""

PROGRAM = """\
#include <cmath>
#include <iostream>
#include <kaon/kaon.h>
#include "hits/HitCollection.h"
int main() {{
{code}
const kaon::Frame event = kaon::Reader("hits.kaon")["events"].at(0);
const Hit hit = event.get<HitCollection>("Hits")[0];
std::cout << hit.position().x << " " << hit.r() << " " << sum << std::endl;
}}
"""


@pytest.fixture
def models(tmp_path: Path) -> tuple[Path, Path]:
    """Return the guide's model in version 1 and as shown; both have the same name."""
    (tmp_path / "old").mkdir()
    old, new = tmp_path / "old/hits.yaml", tmp_path / "hits.yaml"
    old.write_text(FIRST_VERSION)
    new.write_text("".join(blocks("yaml", "docs/evolution.md")))
    return old, new


def test_migrations(models: tuple[Path, Path]) -> None:
    changes = diff(*map(load_model, models))
    assert {change.effect for change in changes} == {Effect.READ}


def test_the_classes_read_an_old_file(models: tuple[Path, Path], tmp_path: Path) -> None:
    if shutil.which("c++") is None or not LIBRARY.exists():
        pytest.skip("the C++ library is not built: run `make test`")
    old, new = models
    with kaon.create(
        tmp_path / "hits.kaon", model=old, types={"Hits": "TrackerHit"}, missing_members="default"
    ) as out:
        out["events"].extend({"Hits": [[{"u": {"px": 3, "y": 4}}]]})
    generate(new, tmp_path)
    code = "\n".join(blocks("cpp", "docs/evolution.md"))
    (tmp_path / "main.cpp").write_text(PROGRAM.format(code=code))
    compile_program([tmp_path / "main.cpp", tmp_path / "hits/hits.cc"], tmp_path / "main.out")
    program = [tmp_path / "main.out"]
    result = subprocess.run(program, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert result.stdout == "3 5 3\n"


def test_python_reads_columns_of_an_old_file(
    models: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, new = models
    monkeypatch.chdir(tmp_path)
    with kaon.create("hits.kaon", model=old, types={"Hits": "TrackerHit"}) as out:
        out["events"].extend({"Hits": [[{"u": {"px": 3, "y": 4}}]]})
    with kaon.create("newest.kaon", model=new) as out:
        out["events"].extend({"Hits": [[{"position": {"x": 5, "y": 6}, "r": 1}]]})
    code = blocks("python", "docs/evolution.md")[1]
    names = {"kaon": kaon}
    exec(code, names)
    assert names["x"].tolist() == [[3]]
    assert capsys.readouterr().out == "[[3.0]]\n[[5.0]]\n"
