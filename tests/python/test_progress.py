"""Progress bars, which appear where somebody looks."""

import sys

import pytest

import kaon


def test_nobody_looks_at_a_batch_job(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    with kaon.progress_bar("filling") as progress:
        assert progress is None


def test_a_terminal_has_a_bar_while_the_work_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with kaon.progress_bar("filling") as progress:
        for done in (0.25, 1.0):
            progress(done)
    assert "filling" in capsys.readouterr().err


@pytest.mark.filterwarnings("default")
def test_a_notebook_has_a_bar_below_the_cell(path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    from nbformat import v4

    monkeypatch.setenv("PYTHONPATH", str(kaon.__path__[0] + "/.."))
    lines = (
        "import kaon",
        f"count = kaon.dataset({f'{path}:events'!r}).count()",
        "with kaon.progress_bar('counting <all>') as progress:",
        "    kaon.run(count, progress=progress)",
    )
    notebook = v4.new_notebook(cells=[v4.new_code_cell("\n".join(lines))])
    nbclient.NotebookClient(notebook, timeout=120).execute()
    [output] = notebook.cells[0].outputs
    assert output["data"]["text/plain"].startswith("counting <all>: 100%, ")
    assert "counting &lt;all&gt; <progress value=" in output["data"]["text/html"]
