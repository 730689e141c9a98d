"""The stub tells type checkers the names and types of the C++ module."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_stub_is_that_of_the_module(run_python, tmp_path):
    command = "-m nanobind.stubgen -m kaon._core -p python/src/stub.pat -o"
    generated, committed = tmp_path / "_core.pyi", "python/kaon/_core.pyi"
    run_python(*command.split(), generated, cwd=ROOT, check=True)
    hint = f"make it anew: PYTHONPATH=python .venv/bin/python {command} {committed}"
    assert generated.read_text() == (ROOT / committed).read_text(), hint
