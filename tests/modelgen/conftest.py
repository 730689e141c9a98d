"""Fixtures of the generator's tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kaon.modelgen import Model, ModelError, load_model


@pytest.fixture(scope="session")
def load(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Model]:
    """Return a function that loads a model from its text."""
    path = tmp_path_factory.mktemp("models") / "model.yaml"

    def load_text(text: str) -> Model:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return load_model(path)

    return load_text


@pytest.fixture(scope="session")
def mistakes(load: Callable[[str], Model]) -> Callable[[str], list[str]]:
    """Return a function that gives all mistakes of a model as lines `line:column: message`."""

    def mistakes_of(text: str) -> list[str]:
        try:
            load(text)
        except ModelError as error:
            prefix = f"{error.path}:"
            lines = str(error).split("\n")
            assert all(line.startswith(prefix) for line in lines)
            return [line.removeprefix(prefix).strip() for line in lines]
        return []

    return mistakes_of


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """Make a small model with every kind of member and relation."""
    path = tmp_path / "shower.yaml"
    path.write_text(
        """\
schema_version: 3
options: { getSyntax: true }
components:
  calo::Point:
    Members:
      - float x [mm]
      - float y [mm]
datatypes:
  calo::Cell:
    Description: "A cell"
    Author: "kaon"
    Members:
      - uint64_t id // its number
      - calo::Point at // its middle
      - std::array<float, 4> gains{1, 1, 1, 1} // by amplifier
    VectorMembers:
      - calo::Point corners // all corners
    OneToOneRelations:
      - calo::Shower shower // what it is part of
  calo::Shower:
    Description: "A shower"
    Author: "kaon"
    OneToManyRelations:
      - calo::Cell cells // its cells
interfaces:
  calo::Any:
    Description: "Whatever has a number"
    Author: "kaon"
    Members:
      - uint64_t id // what tells them apart
    Types:
      - calo::Cell
links:
  calo::CellLink:
    Description: "Which cell is which"
    Author: "kaon"
    From: calo::Any
    To: calo::Cell
storage:
  calo::Cell:
    layout: row
    group: calo
    precision: { gains: 12, at: { low: 0, high: 10, step: 0.1 } }
"""
    )
    return path
