"""Bad files among good ones: all functions that take several files treat them alike."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
from bad_files import CASES, LACKING, Case, Files, make_files, write

import kaon
from kaon.errors import BadFileWarning, FileError, UnknownNameError, UsageError
from kaon.results import BadFile

# Each function returns the values of x in the result, and the files that were left out.

Outcome = tuple[list[int], tuple[BadFile, ...] | None]


def values(path: Path) -> list[int]:
    return kaon.open(path)["events"].arrays("x").x.tolist()


def dataset(files: Files, out: Path, policy: str) -> Outcome:
    events = kaon.dataset(files.events, on_bad_file=policy)
    return events.take("x").value.tolist(), events.bad_files


def samples(files: Files, out: Path, policy: str) -> Outcome:
    events = kaon.dataset({"one": files.events[:-1], "two": files.events[-1]}, on_bad_file=policy)
    assert events.sample("two").take("x").value.tolist() == [5, 6, 7]
    return events.take("x").value.tolist(), events.bad_files


def snapshot(files: Files, out: Path, policy: str) -> Outcome:
    events = kaon.dataset(files.events, on_bad_file=policy)
    written = events.snapshot(out).value
    return written.take("x").value.tolist(), events.bad_files


def train(files: Files, out: Path, policy: str) -> Outcome:
    train = kaon.train.Train(kaon.dataset(files.events, on_bad_file=policy))
    train.add(out)
    report = train.run()
    assert report.outputs[0].entries == report.entries
    return values(out), report.bad_files


def concatenate(files: Files, out: Path, policy: str) -> Outcome:
    result = kaon.concatenate(files.events, on_bad_file=policy)
    arrays, bad = result if policy == "report" else (result, None)
    return arrays.x.tolist(), bad


def iterate(files: Files, out: Path, policy: str) -> Outcome:
    pieces = kaon.iterate(files.events, "x", step_size=2, on_bad_file=policy)
    found = [value for piece in pieces for value in piece.x.tolist()]
    return found, pieces.bad_files


def convert(files: Files, out: Path, policy: str) -> Outcome:
    bad = kaon.convert(files.paths, out, on_bad_file=policy)
    return values(out), bad


def merge(files: Files, out: Path, policy: str) -> Outcome:
    result = kaon.merge(files.paths, out, on_bad_file=policy)
    categories, bad = result if policy == "report" else (result, None)
    assert sum(category.entries for category in categories if category.name == "events") == 8
    return values(out), bad


def processor(files: Files, out: Path, policy: str) -> Outcome:
    result = kaon.processor(lambda events: events.x.tolist()).run(files.events, on_bad_file=policy)
    return result if policy == "report" else (result, None)


FUNCTIONS = [
    dataset,
    samples,
    snapshot,
    train,
    concatenate,
    iterate,
    convert,
    merge,
    processor,
]


def named_filter(files: Files, out: Path, policy: str) -> Outcome:
    events = kaon.dataset(files.events, on_bad_file=policy)
    return events.filter("y >= 0").take("x").value.tolist(), events.bad_files


def named_snapshot(files: Files, out: Path, policy: str) -> Outcome:
    events = kaon.dataset(files.events, on_bad_file=policy)
    written = events.snapshot(out, ["x", "y"]).value
    return written.take("x").value.tolist(), events.bad_files


def selecting_train(files: Files, out: Path, policy: str) -> Outcome:
    train = kaon.train.Train(kaon.dataset(files.events, on_bad_file=policy))
    train.add(out, "y >= 0")
    report = train.run()
    return values(out), report.bad_files


def named_concatenate(files: Files, out: Path, policy: str) -> Outcome:
    result = kaon.concatenate(files.events, ["x", "y"], on_bad_file=policy)
    arrays, bad = result if policy == "report" else (result, None)
    return arrays.x.tolist(), bad


def cut_concatenate(files: Files, out: Path, policy: str) -> Outcome:
    result = kaon.concatenate(files.events, "x", "y >= 0", on_bad_file=policy)
    arrays, bad = result if policy == "report" else (result, None)
    return arrays.x.tolist(), bad


def named_iterate(files: Files, out: Path, policy: str) -> Outcome:
    pieces = kaon.iterate(files.events, ["x", "2 * y"], on_bad_file=policy)
    return [value for piece in pieces for value in piece.x.tolist()], pieces.bad_files


def named_processor(files: Files, out: Path, policy: str) -> Outcome:
    named = kaon.processor(lambda events: events.x.tolist(), ["x", "y"])
    result = named.run(files.events, on_bad_file=policy)
    return result if policy == "report" else (result, None)


NAMED = [
    named_filter,
    named_snapshot,
    selecting_train,
    named_concatenate,
    cut_concatenate,
    named_iterate,
    named_processor,
]

Function = Callable[[Files, Path, str], Outcome]
ALL = [(function, case) for function in FUNCTIONS for case in CASES]
ALL += [(function, "lacking column") for function in NAMED]


def case_named(name: str) -> Case:
    return LACKING if name == "lacking column" else CASES[name]


def reason(function: Function, name: str) -> str:
    is_named = function is iterate and name == "other columns"
    return "there is no 'x'" if is_named else case_named(name).reason


@pytest.fixture(params=[False, True], ids=["between", "first"])
def is_first(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def can_be_first(function: Function, name: str) -> bool:
    """Tell whether a file is bad even if it is the first: it does not say what others need."""
    return name != "other columns" and function is not selecting_train and name != "lacking column"


@pytest.mark.parametrize(("function", "name"), ALL)
def test_by_default_a_bad_file_raises_with_its_name(
    function: Function, name: str, tmp_path: Path
) -> None:
    files = make_files(tmp_path, case_named(name))
    if function is processor and name == "other columns":  # the function decides
        with pytest.raises(AttributeError, match="no field named 'x'"):
            function(files, tmp_path / "out.kaon", "raise")
        return
    with pytest.raises((FileError, UnknownNameError), match=reason(function, name)) as raised:
        function(files, tmp_path / "out.kaon", "raise")
    assert files.bad in str(raised.value)
    assert not (tmp_path / "out.kaon").exists()


@pytest.mark.parametrize(("function", "name"), ALL)
def test_bad_files_are_skipped_with_a_warning(
    function: Function, name: str, tmp_path: Path, is_first: bool
) -> None:
    if is_first and not can_be_first(function, name):
        return
    files = make_files(tmp_path, case_named(name), is_first)
    with pytest.warns(BadFileWarning, match=reason(function, name)) as caught:
        found, bad = function(files, tmp_path / "out.kaon", "skip")
    assert found == list(range(8))
    (text,) = (str(each.message) for each in caught if each.category is BadFileWarning)
    assert files.bad in text and "the file is left out" in text
    if files.case.entries is not None:
        assert f"with {files.case.entries} entries" in text
    if bad is not None:
        assert [file.path for file in bad] == [files.bad]


@pytest.mark.parametrize(("function", "name"), ALL)
def test_bad_files_are_reported(
    function: Function, name: str, tmp_path: Path, is_first: bool
) -> None:
    if is_first and not can_be_first(function, name):
        return
    files = make_files(tmp_path, case_named(name), is_first)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BadFileWarning)
        found, bad = function(files, tmp_path / "out.kaon", "report")
    assert found == list(range(8))
    assert bad is not None
    (file,) = bad
    assert (file.path, file.entries) == (files.bad, files.case.entries)
    assert re.search(reason(function, name), file.reason) and files.bad in file.reason


@pytest.mark.parametrize("function", FUNCTIONS)
def test_good_files_are_not_reported(function: Function, tmp_path: Path) -> None:
    files = make_files(tmp_path, CASES["not found"])
    good = Files([path for path in files.paths if path != files.bad], "", files.case)
    found, bad = function(good, tmp_path / "out.kaon", "report")
    assert (found, bad) == (list(range(8)), ())


@pytest.mark.parametrize("function", [*FUNCTIONS, *NAMED])
def test_an_error_is_raised_if_all_files_are_bad(function: Function, tmp_path: Path) -> None:
    bad = str(tmp_path / "bad.kaon")
    files = Files([bad, bad], bad, CASES["not found"])
    with pytest.raises(FileError, match=re.escape(bad)):
        function(files, tmp_path / "out.kaon", "report")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_unknown_policy_is_an_error(function: Function, tmp_path: Path) -> None:
    files = make_files(tmp_path, CASES["not found"])
    with pytest.raises(UsageError, match="on_bad_file='skp' is unknown.*did you mean 'skip'"):
        function(files, tmp_path / "out.kaon", "skp")


def test_mistakes_in_expressions_are_not_of_files(tmp_path: Path) -> None:
    files = make_files(tmp_path, CASES["not found"])
    with pytest.raises(UsageError):
        kaon.concatenate(files.events, "x +", on_bad_file="report")
    with pytest.raises(UnknownNameError, match="'z'"):
        kaon.concatenate(files.events, "z", on_bad_file="report")


def test_files_without_entries_lack_nothing(tmp_path: Path) -> None:
    files = make_files(tmp_path, Case(lambda path: write(path, z=np.zeros(0)), ""))
    for function in FUNCTIONS[:4]:
        found, bad = function(files, tmp_path / f"{function.__name__}.kaon", "raise")
        assert (found, bad) == (list(range(8)), ())


# ---- The commands ----


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("verb", ["convert", "merge", "skim", "train"])
def test_commands_list_bad_files(command: Any, verb: str, name: str, tmp_path: Path) -> None:
    files = make_files(tmp_path, CASES[name])
    out = tmp_path / "out.kaon"
    inputs = files.events if verb in ("skim", "train") else files.paths
    arguments: list[object] = [verb, *inputs, out]
    if verb == "train":
        plan = tmp_path / "plan.yaml"
        plan.write_text("outputs:\n  out.kaon:\n    select: x >= 0\n")
        arguments = [verb, plan, *inputs, "--directory", tmp_path]
    status, _, messages = command(*arguments)
    assert status == 1 and files.bad in messages and not out.exists()

    status, shown, messages = command(*arguments, "--on-bad-file", "report")
    assert status == 0 and values(out) == list(range(8))
    assert re.search(f"left out: .*{re.escape(files.bad)}.*({files.case.reason})", shown)
    assert ("(4 entries)" in shown) == (files.case.entries == 4)
    out.unlink()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BadFileWarning)
        status, shown, _ = command(*arguments, "--on-bad-file", "skip", "--json")
    assert status == 0 and values(out) == list(range(8))
    report = json.loads(shown)
    if verb != "merge":  # a list, as without bad files
        (file,) = report["bad_files"]
        assert (file["path"], file["entries"]) == (files.bad, files.case.entries)


# ---- Missing columns ----


@pytest.mark.parametrize("library", ["ak", "pd", "pa"])
def test_missing_columns_have_missing_values(tmp_path: Path, library: str) -> None:
    files = make_files(tmp_path, LACKING)
    names = ["y", "x", "2 * y"]
    arrays = kaon.concatenate(files.events, names, missing="none", library=library)
    rows = {name: list(arrays[name]) for name in names} if library != "pa" else arrays.to_pydict()
    expected = [0.0, 0.5, 1.0, 1.5, 2.0, None, None, 2.5, 3.0, 3.5]
    assert list(rows) == names
    assert [None if each != each else each for each in rows["y"]] == expected
    assert [None if each != each else each for each in rows["2 * y"]] == [
        None if each is None else 2 * each for each in expected
    ]
    assert rows["x"] == [0, 1, 2, 3, 4, 7, 8, 5, 6, 7]


def test_a_file_without_any_of_the_names_has_only_none(tmp_path: Path) -> None:
    files = make_files(tmp_path, LACKING)
    assert kaon.concatenate(files.events, "y", missing="none").y.tolist()[4:8] == [
        2.0,
        None,
        None,
        2.5,
    ]
    frame = kaon.concatenate(files.events, "y", missing="none", library="pd")
    assert frame.y.isna().tolist() == [False] * 5 + [True] * 2 + [False] * 3


def test_pieces_with_missing_columns_have_the_type_of_the_first_file(tmp_path: Path) -> None:
    files = make_files(tmp_path, LACKING)
    pieces = list(kaon.iterate(files.events, ["x", "y"], missing="none", step_size=4))
    assert [str(piece.type.content.content("y")) for piece in pieces] == [
        "float64",
        "float64",
        "?float64",
        "float64",
    ]
    assert pieces[2].y.tolist() == [None, None]


def test_a_processor_gets_missing_values_for_missing_columns(tmp_path: Path) -> None:
    write(tmp_path / "a.kaon", Muon=ak.Array([[{"pt": 1.0}], [], [{"pt": 2.0}] * 2]))
    write(tmp_path / "b.kaon", x=[1, 2])
    paths = [str(tmp_path / "a.kaon"), str(tmp_path / "b.kaon")]

    def sums(events: Any) -> dict[str, Any]:
        return {"pt": float(ak.sum(events.Muon.pt)), "events": len(events)}

    run = kaon.processor(sums, ["Muon", "x"], missing="none").run
    assert run(paths) == {"pt": 5.0, "events": 5}


def test_a_name_that_no_file_has_is_an_error(tmp_path: Path) -> None:
    files = make_files(tmp_path, LACKING)
    for read in (kaon.concatenate, lambda *names, **options: next(kaon.iterate(*names, **options))):
        with pytest.raises(UnknownNameError, match="'w'"):
            read(files.events, ["x", "w"], missing="none")
    with pytest.raises(UnknownNameError, match="'w'"):
        kaon.processor(len, ["x", "w"], missing="none").run(files.events)


def test_flat_arrays_have_no_none(tmp_path: Path) -> None:
    files = make_files(tmp_path, LACKING)
    with pytest.raises(UsageError, match="missing='none': flat arrays have no None"):
        kaon.concatenate(files.events, "y", missing="none", library="np")
    with pytest.raises(UsageError, match="missing='nan' is unknown.*'error' or 'none'"):
        kaon.concatenate(files.events, "y", missing="nan")  # type: ignore[arg-type]
