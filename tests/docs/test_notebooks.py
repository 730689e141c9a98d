"""The notebooks run and produce the outputs stored in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_readme import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def outputs(notebook: Any) -> list[list[str | None]]:
    """Return the outputs of each cell: texts, and the kinds of pictures."""
    return [
        [
            text
            for output in cell.get("outputs", [])
            for text in (output.get("data", {}).get("text/plain"), *sorted(output.get("data", {})))
        ]
        for cell in notebook.cells
    ]


# Warnings come from the kernel's libraries, which use deprecated paths and sockets.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_its_stored_output(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat

    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))
    notebook = nbformat.read(path, as_version=4)
    stored = outputs(notebook)
    folder = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=folder).execute()
    assert outputs(notebook) == stored
    assert any("text/html" in kinds for kinds in stored)
    assert any("image/png" in kinds for kinds in stored)
