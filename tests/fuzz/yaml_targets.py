"""Fuzz targets for the YAML that kaon reads in Python: functions of any bytes.

A target raises an exception if kaon breaks a promise. `python -m fuzz.yaml_targets NAME` lets
libFuzzer make inputs, by Atheris; the options after the name are libFuzzer's.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

# Atheris has to see the modules while they are imported.
if __name__ == "__main__":
    import atheris

    with atheris.instrument_imports(include=["kaon.modelgen", "kaon.train.plan"]):
        from kaon.errors import UsageError
        from kaon.modelgen import ModelError, load_model
        from kaon.modelgen.yaml_text import to_yaml
        from kaon.train.plan import read_plan
else:
    from kaon.errors import UsageError
    from kaon.modelgen import ModelError, load_model
    from kaon.modelgen.yaml_text import to_yaml
    from kaon.train.plan import read_plan

ROOT = Path(__file__).parents[2]
MOST_BYTES = 2500  # longer ones take long
_FOLDER = tempfile.TemporaryDirectory(prefix="kaon-")
_FILE = Path(_FOLDER.name, "f.yaml")


def model(data: bytes) -> None:
    """Load a model from YAML, and from the YAML that kaon makes of the model."""
    _FILE.write_bytes(data)
    try:
        loaded = load_model(_FILE)
    except ModelError as error:
        _check(str(error))
        return
    text = to_yaml(loaded)
    _FILE.write_bytes(text.encode())
    assert to_yaml(load_model(_FILE)) == text, "the YAML of a model gives another model"


def plan(data: bytes) -> None:
    """Read the plan of a train."""
    _FILE.write_bytes(data)
    try:
        read = read_plan(_FILE)
    except UsageError as error:
        _check(str(error))
        return
    for path in read.paths(_FOLDER.name):
        assert Path(path).resolve().is_relative_to(Path(_FOLDER.name).resolve()), path


def _check(message: str) -> None:
    """Check that an error names the file, and that terminals print it as it is."""
    assert str(_FILE) in message, message
    assert message.replace("\n", "").isprintable(), ascii(message)


TARGETS: dict[str, Callable[[bytes], None]] = {"modelyaml": model, "planyaml": plan}


def seeds(name: str) -> list[bytes]:
    """Return the inputs that a target begins with."""
    if name == "modelyaml":
        folders = ("tests/models", "tests/podio", "tests/evolution", "examples", "bench/models")
        files = [path.read_bytes() for each in folders for path in (ROOT / each).rglob("*.yaml")]
        return [text for text in files if len(text) <= MOST_BYTES]
    return [
        b"""\
define:
  leptons: count(Muon) + count(Electron)  # for all outputs
outputs:
  dimuon.kaon:
    select: leptons == 2
    keep: [Muon, MET]
    drop: [Muon.hits]
    thin: {Muon: Muon.pt > 10}
    strict: yes
  all/rest.kaon: {virtual: true}
decisions: decisions.kaon
provenance: no
codec: zstd:3
layout: row
memory_budget: 100 MB
""",
        b"outputs: {a.root: {}}",
    ]


if __name__ == "__main__":
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
    atheris.Fuzz()
