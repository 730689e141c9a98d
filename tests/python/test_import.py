"""Importing kaon is cheap; heavy modules load when needed. The tests count, without timing."""

import sys
from pathlib import Path

import pytest

import kaon

MODEL = Path(__file__).with_name("detector.yaml")


@pytest.fixture
def modules_after(run_python):
    def modules(*lines):
        done = run_python("-c", "\n".join([*lines, "import sys; print(*sys.modules)"]), check=True)
        return {*done.stdout.splitlines()[-1].split()}

    return modules


def test_importing_kaon_imports_next_to_nothing(modules_after):
    new = modules_after("import kaon") - modules_after("pass")
    assert {name for name in new if name.startswith("kaon")} == {
        "kaon",
        "kaon.forks",
        "kaon.public_names",
    }
    assert len(new) <= 30


def test_opening_a_file_takes_neither_awkward_nor_numpy(modules_after, path):
    modules = modules_after("import kaon", f"kaon.open({str(path)!r})['events'].keys()")
    assert modules.isdisjoint({"awkward", "numpy", "rich", "yaml"})


def test_numpy_arrays_take_no_awkward(modules_after, path):
    modules = modules_after(
        "import kaon", f"kaon.open({str(path)!r})['events'].arrays(library='np')"
    )
    assert "awkward" not in modules


def test_the_first_read_imports_few_modules(modules_after, path):
    read = f"kaon.open({str(path)!r})['events']['Particles.PDG'].array()"
    modules = modules_after("import awkward, kaon", read) - modules_after("import awkward")
    own = {name for name in modules if name.startswith("kaon")}
    assert len(own) <= 46 and len(modules) - len(own) <= 3  # each takes about 0.2 ms
    unneeded = ["bad_files", "recovery", "reports", "stored_objects"]
    assert own.isdisjoint({"kaon.cards", *(f"kaon.files.{name}" for name in unneeded)})


def test_reading_an_array_takes_neither_vector_nor_grammars(modules_after, path):
    modules = modules_after(
        "import kaon", f"kaon.open({str(path)!r})['events']['Particles.PDG'].array()"
    )
    assert modules.isdisjoint({"vector", "kaon.modelgen.model", "kaon.files.overview"})


@pytest.mark.parametrize(
    ("command", "unneeded"),
    [
        (["show"], {"awkward", "numpy"}),
        (["dump"], {"awkward", "rich"}),
        (["head"], {"awkward", "rich"}),
        (["head", "count(Particles)", "--cut", "count(Particles) > 0"], {"awkward", "rich"}),
        (["plot", "Particles.PDG"], {"awkward", "hist", "matplotlib", "rich"}),
        (["size"], {"awkward", "numpy"}),
        (["verify"], {"awkward", "numpy"}),
        (["model"], {"awkward", "numpy", "rich", "jinja2"}),
        (["diff", MODEL], {"awkward", "numpy", "rich", "jinja2"}),
    ],
)
def test_commands_import_only_modules_that_they_need(modules_after, path, command, unneeded):
    name, *more = map(str, command)
    place = f"{path}:events" if name in ("head", "plot") else str(path)
    modules = modules_after(
        "import kaon.command.cli", f"kaon.command.cli.main({[name, place, *more]!r})"
    )
    assert modules.isdisjoint(unneeded)


def test_the_list_of_commands_imports_none_of_their_modules(modules_after):
    modules = modules_after(
        "import kaon.command.cli",
        "try: kaon.command.cli.main(['--help'])",
        "except SystemExit: pass",
    )
    heavy = {"awkward", "duckdb", "hist", "matplotlib", "numpy", "rich", "textual", "yaml"}
    assert modules.isdisjoint({*heavy, "kaon._core"})


def test_every_exception_is_an_error_of_kaon_and_one_of_python():
    assert issubclass(kaon.errors.MissingFileError, FileNotFoundError)
    for error in (kaon.errors.FileError, kaon.errors.CorruptFileError, kaon.errors.FormatError):
        assert issubclass(error, OSError)
    assert issubclass(kaon.errors.UnknownNameError, KeyError)
    assert issubclass(kaon.errors.WrongTypeError, TypeError)
    assert issubclass(kaon.errors.UsageError, ValueError)
    for name in dir(kaon.errors):
        if name.endswith("Error"):
            assert issubclass(getattr(kaon.errors, name), kaon.Error)


def test_sub_interpreters_are_refused(run_python):
    module = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    pytest.importorskip(module)
    code = "try: from kaon import _core\nexcept ImportError as error: print(error)"
    done = run_python(
        "-c",
        f"import {module} as interpreters\n"
        f"interpreters.run_string(interpreters.create(), {code!r})",
        timeout=60,
    )
    by_python = "does not support loading in subinterpreters"  # since Python 3.12
    assert "main interpreter, in no sub-interpreter" in done.stdout or by_python in done.stdout
