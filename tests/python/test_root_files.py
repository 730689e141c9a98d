"""Files that ROOT wrote."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest
import uproot
from shared_files import shared_file

import kaon

DATA = Path(__file__).parents[1] / "data" / "root"


def expected(name: str) -> dict[str, Any]:
    contents: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return contents


def test_an_ntuple_is_read_as_arrays() -> None:
    contents = expected("rntuple_extended")
    arrays = kaon.open(DATA / "rntuple_extended.root")["ntpl"].arrays()
    assert len(arrays) == contents["entries"]
    for name, field in contents["fields"].items():
        dtype = ak.to_numpy(ak.flatten(arrays[name], axis=None)).dtype
        values = ak.values_astype(ak.Array(field["values"]), dtype)
        assert ak.array_equal(arrays[name], values), name


def test_some_columns_of_some_entries_are_read() -> None:
    values = expected("rntuple_extended")["fields"]["late"]["values"]
    arrays = kaon.open(DATA / "rntuple_extended.root")["ntpl"].arrays(
        "late", entry_start=55, entry_stop=110
    )
    assert arrays.fields == ["late"]
    assert arrays["late"].to_list() == values[55:110]


def test_ntuples_in_folders_are_categories() -> None:
    file = kaon.open(DATA / "rntuple_dirs.root")
    assert len(file["ntpl"]) == 0
    arrays = file["a/inside"].arrays()
    contents = expected("rntuple_dirs")["a/inside"]["fields"]
    assert arrays["s"].to_list() == contents["s"]["values"]


def test_an_ntuple_becomes_a_kaon_file(tmp_path: Path) -> None:
    arrays = kaon.open(DATA / "rntuple_extended.root")["ntpl"].arrays()
    kaon.convert(DATA / "rntuple_extended.root", tmp_path / "out.kaon")
    copies = kaon.open(tmp_path / "out.kaon")["ntpl"].arrays()
    assert ak.array_equal(copies, arrays)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    whole = (DATA / "rntuple_dirs.root").read_bytes()
    (tmp_path / "cut.root").write_bytes(whole[:150])
    with pytest.raises(kaon.errors.CorruptFileError, match=r"cut\.root"):
        kaon.open(tmp_path / "cut.root")


def holder_with(branch: bytes, renamed: bytes, path: Path) -> Any:
    """Return the tree of `holder` with a branch renamed."""
    whole = (DATA / "ttree_objects.root").read_bytes()
    path.write_bytes(whole.replace(branch, renamed))
    return kaon.open(path)["split"]


def test_a_list_around_a_later_member_gets_the_name_of_its_class(tmp_path: Path) -> None:
    before = kaon.open(DATA / "ttree_objects.root")["split"].arrays("holder").holder
    tree = holder_with(b"holder.weights", b"holder.sides.x", tmp_path / "a.root")
    after = tree.arrays("holder").holder
    assert tree.unreadable == []
    assert ak.array_equal(after.sides.x, before.weights)
    assert ak.array_equal(after.Holder.sides, before.sides)


def test_a_member_inside_a_later_list_is_left_out(tmp_path: Path) -> None:
    before = kaon.open(DATA / "ttree_objects.root")["split"].arrays("holder").holder
    tree = holder_with(b"holder.quality", b"holder.sides.q", tmp_path / "a.root")
    assert [(name, reason) for name, _, reason in tree.unreadable] == [
        ("holder.sides.q", "two members are called 'sides.q'")
    ]
    after = tree.arrays("holder").holder
    assert {*before.fields} - {*after.fields} == {"quality"}
    for field in after.fields:
        assert ak.array_equal(after[field], before[field]), field


def matrix_of(entry: int) -> dict[str, Any]:
    """Return a symmetric matrix: its size and its upper right triangle."""
    size = entry + 1
    rows = range(size)
    return {"fNrows": size, "fElements": [10 * i + j for i in rows for j in rows[i:]]}


def name_of(entry: int) -> dict[str, Any]:
    return {"fName": "n" * entry, "fTitle": "title"}


def vector_of(entry: int | None) -> dict[str, Any]:
    return {"fX": 0, "fY": 0} if entry is None else {"fX": entry, "fY": entry + 0.5}


def time_of(entry: int) -> int:
    """Return 2020-01-01 02:03:04, or so many days later, as TDatime stores it."""
    return 25 << 26 | 1 << 22 | entry + 1 << 17 | 2 << 12 | 3 << 6 | 4


@pytest.mark.parametrize("tree", ["whole", "split"])
def test_classes_of_root_are_read(tree: str) -> None:
    category = kaon.open(DATA / "ttree_classes.root")[tree]
    arrays = category.arrays()
    entries = range(3)
    assert arrays.text.to_list() == ["s" * entry for entry in entries]
    assert arrays.time.to_list() == [time_of(entry) for entry in entries]
    assert arrays.object[["fName", "fTitle"]].to_list() == [name_of(entry) for entry in entries]
    assert arrays.reference.to_list() == [1, 2, 3]
    assert arrays.references.to_list() == [[], [1], [1, 2]]
    assert arrays.matrix[["fNrows", "fElements"]].to_list() == [matrix_of(e) for e in entries]
    assert arrays.graph.fY.to_list() == [[], [0], [0, 2]]
    assert arrays.counted.to_list() == [
        {"n": n, "x": [10 * n + i for i in range(n)]} for n in entries
    ]
    assert arrays.worded.to_list() == [{"a": entry, "text": f"text {entry}"} for entry in entries]


@pytest.mark.parametrize("tree", ["whole", "split"])
def test_pointers_to_classes_of_root_are_followed(tree: str) -> None:
    pointers = kaon.open(DATA / "ttree_classes.root")[tree].arrays("pointers").pointers
    for entry in range(3):
        values = pointers[entry]
        here = [] if entry == 1 else [entry]
        assert values.text.to_list() == ["s" * e for e in here]
        assert values.time.to_list() == [time_of(e) for e in here]
        assert values.object.to_list() == [name_of(e) for e in here]
        assert values.reference.to_list() == [e + 1 for e in here]
        assert values.references.to_list() == [[*range(1, e + 1)] for e in here]
        assert values.matrix[["fNrows", "fElements"]].to_list() == [matrix_of(e) for e in here]
        vectors = [vector_of(here[0] if here else None), vector_of(None)]
        assert values.vectors.to_list() == vectors
        assert (values.first, values.last) == (1, 9)


@pytest.mark.parametrize("tree", ["whole", "split"])
def test_unreadable_members_are_left_out_alone(tree: str) -> None:
    category = kaon.open(DATA / "ttree_classes.root")[tree]
    arrays = category.arrays("arrays").arrays
    for entry in range(3):
        objects = [name_of(entry), name_of(entry + 1)]
        assert arrays[entry].objects.to_list() == objects
        assert arrays[entry].references.to_list() == [entry + 1, entry + 2]
    assert {*arrays.fields} == {"first", "objects", "references", "last"}
    left_out = [name for name, _, _ in category.unreadable if not name.startswith("graph.")]
    whole = tree == "whole"
    assert left_out == (["arrays.arrays", "arrays.lists"] if whole else ["lists[2]", "arrays"])


def test_a_tree_is_read_as_arrays() -> None:
    contents = expected("ttree_two_cycles")
    file = kaon.open(DATA / "ttree_two_cycles.root")
    for cycle in ("t;1", "t;2"):
        arrays = file[cycle].arrays()
        assert len(arrays) == contents[cycle]["entries"]
        assert arrays["i32"].to_list() == contents[cycle]["branches"]["i32"]["values"]
    assert ak.array_equal(file["t"].arrays(), file["t;2"].arrays(), equal_nan=True)


def test_branches_with_one_counter_are_a_collection() -> None:
    arrays = kaon.open(DATA / "ttree_uncompressed.root")["t"].arrays()
    assert arrays["Muon"].fields == ["pt", "charge"]
    assert ak.array_equal(ak.num(arrays["Muon"]), arrays["nMuon"], dtype_exact=False)


def test_members_of_a_collection_are_found_by_the_names_of_their_branches() -> None:
    tree = kaon.open(DATA / "ttree_uncompressed.root")["t"]
    assert "Muon_pt" in tree
    assert "Muon_p" not in tree
    muons = tree.arrays("Muon").Muon
    assert tree.arrays("Muon_pt").fields == ["Muon_pt"]
    assert ak.array_equal(tree.arrays("Muon_pt").Muon_pt, muons.pt)
    both = tree.arrays(["Muon_pt", "Muon.charge", "Muon_charge", "sum(Muon_pt)"])
    assert {*both.fields} == {"Muon", "sum(Muon_pt)", "Muon_pt", "Muon_charge"}
    assert both.Muon.fields == ["charge"]
    assert ak.array_equal(both.Muon_charge, muons.charge)
    assert tree.arrays("Muon_pt", virtual=True).Muon_pt.tolist() == muons.pt.tolist()
    (piece,) = tree.iterate(["Muon_pt"], cut="count(Muon) > 0", step_size="100 MB")
    assert ak.array_equal(piece.Muon_pt, muons.pt[ak.num(muons) > 0])
    plain = tree.arrays("Muon_pt", library="np")
    assert plain["Muon_pt"] is plain["Muon.pt"]
    with pytest.raises(
        kaon.errors.UnknownNameError, match=r"no 'Muon_p' was read \(did you mean 'Muon.pt'"
    ):
        plain["Muon_p"]
    with pytest.raises(
        kaon.errors.UsageError, match=r"'Muon_\*' is a pattern, which `filter_name=` takes"
    ):
        tree.arrays("Muon_*")


def test_branches_with_one_counter_may_be_lists_of_their_own() -> None:
    grouped = kaon.open(DATA / "ttree_uncompressed.root")["t"].arrays()
    arrays = kaon.open(f"{DATA / 'ttree_uncompressed.root'}:t", group=False).arrays()
    assert "Muon" not in arrays.fields
    assert ak.array_equal(arrays["Muon_pt"], grouped["Muon"].pt)
    assert ak.array_equal(arrays["Muon_charge"], grouped["Muon"].charge)


def test_a_tree_becomes_a_kaon_file(tmp_path: Path) -> None:
    arrays = kaon.open(DATA / "ttree_offsetmap.root")["t"].arrays()
    kaon.convert(DATA / "ttree_offsetmap.root", tmp_path / "out.kaon")
    copies = kaon.open(tmp_path / "out.kaon")["t"].arrays()
    assert ak.array_equal(copies, arrays, equal_nan=True)


def test_a_tree_has_the_values_that_root_reads() -> None:
    path = shared_file("root/ttree_muons_20k.root")
    arrays = kaon.open(path)["Events"].arrays()
    values = np.load(path.with_suffix(".npz"))
    for name in values.files:
        branch, _, part = name.partition(".")
        collection, _, member = branch.partition("_")
        array = arrays[branch] if branch in arrays.fields else arrays[collection, member]
        if part:
            counts = ak.to_numpy(ak.num(array))
            assert np.array_equal(np.cumsum(counts), values[name][1:]), name
        else:
            assert np.array_equal(ak.to_numpy(ak.flatten(array, axis=None)), values[name]), name


def test_events_have_their_collections_as_records() -> None:
    tree = kaon.open(DATA / "ttree_uncompressed.root")["t"]
    arrays = tree.arrays("Muon")
    for number, event in enumerate(tree.frames()):
        assert ak.array_equal(event["Muon"].pt, arrays[number].Muon.pt)
        assert f"Muon ({len(arrays[number].Muon)})" in repr(event)


def test_lists_of_arrays_show_their_shape(capsys: pytest.CaptureFixture[str]) -> None:
    kaon.open(DATA / "ttree_objects.root")["arrays"].show()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["pairs", "int16[2][]"] in [words[:2] for words in lines]


def test_unread_branches_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    events = kaon.open(shared_file("root/real/uproot-issue-951.root"))["CollectionTree"]
    assert "xTrigDecision" in [name for name, _, _ in events.unreadable]
    events.show()
    shown = capsys.readouterr().out
    assert "not read: 'xTrigDecision', a xAOD::TrigDecision_v1: it has no values" in shown


def test_unread_branches_are_reported_when_left_out(tmp_path: Path) -> None:
    content = (DATA / "ttree_uncompressed.root").read_bytes()
    unknown = content.replace(b"TLeafD\0", b"TLeafX\0").replace(b"TLeafI\0", b"TLeafY\0")
    (tmp_path / "in.root").write_bytes(unknown)
    tree = kaon.open(tmp_path / "in.root")["t"]
    unreadable = ["run", "x", "nMuon", "Muon_pt", "Muon_charge"]  # also those that nMuon counts
    assert [name for name, _, _ in tree.unreadable] == unreadable
    names = "t: 'run', 'x', 'nMuon' and 2 more are not read, and are "
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=names + "left out"):
        kaon.convert(tmp_path / "in.root", tmp_path / "out.kaon")
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=names + "left out"):
        kaon.convert(tmp_path / "in.root", tmp_path / "out.feather")
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=names + "left out"):
        train = kaon.train.Train(kaon.dataset(f"{tmp_path / 'in.root'}:t"))
        train.add(tmp_path / "skim.kaon")
        train.run()
    with warnings.catch_warnings(record=True) as of_both:
        warnings.simplefilter("always")
        train = kaon.train.Train(
            kaon.dataset([f"{DATA / 'ttree_uncompressed.root'}:t", f"{tmp_path / 'in.root'}:t"])
        )
        train.add(tmp_path / "both.kaon")
        train.run()
    texts = [str(warning.message) for warning in of_both]
    assert any(f"in.root:{names}left out" in text for text in texts)
    both = kaon.open(tmp_path / "both.kaon")["t"]
    of_first = kaon.open(DATA / "ttree_uncompressed.root")["t"].arrays("nMuon").nMuon.to_list()
    lacking = [None] * (len(both) - len(of_first))
    assert both.arrays("nMuon").nMuon.to_list() == of_first + lacking
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=names + "not checked"):
        assert kaon.verify(tmp_path / "in.root").is_sound


def test_unread_branches_do_not_hide_others(tmp_path: Path) -> None:
    path = DATA / "ttree_unread.root"
    tree = kaon.open(path)["t"]
    unread = ["trail.cells._M_elems[2]", "trail.points._M_elems[2]", "cells._M_elems[2]", "hits"]
    assert [name for name, _, _ in tree.unreadable] == unread
    readable = ["trail", "named", "number"]
    assert tree.arrays().fields == readable
    assert [chunk.fields for chunk in tree.iterate()] == [readable]
    frame = tree.frames()[3]
    assert {name: frame.parameters[name] for name in ["number"]} == {"number": 3}
    names = r"'trail.cells._M_elems\[2\]', .* and 1 more are not read, and are left out"
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=names):
        kaon.convert(path, tmp_path / "out.kaon")
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=names) as caught:
        kaon.dataset(f"{path}:t").snapshot(tmp_path / "snapshot.kaon").value  # noqa: B018
    assert len(caught) == 1
    for copy in ["out.kaon", "snapshot.kaon"]:
        assert kaon.open(tmp_path / copy)["t"].arrays().fields == readable


def unreadable_later(path: Path, **others: Any) -> None:
    """Write a tree with a list of strings that claims more strings than its entry has."""
    texts = [["a", "bcd"], ["efgh"], ["ij", "k"]]
    with kaon.create(path, format="ttree", codec="none") as file:
        file["t"].extend({"number": [1, 2, 3], "texts": ak.Array(texts)})
        for name, columns in others.items():
            file[name].extend(columns)
    whole = path.read_bytes()
    assert whole.count(b"\x04efgh") == 1
    path.write_bytes(whole.replace(b"\x04efgh", b"\x44efgh"))


def test_a_column_that_is_unreadable_later_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.root"
    unreadable_later(path)
    tree = kaon.open(path)["t"]
    assert tree.unreadable == []
    left_out = "branch 'texts', basket of entry 1: kaon does not understand .* it is left out"
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=left_out) as caught:
        arrays = tree.arrays()
    assert len(caught) == 1
    assert arrays.to_list() == [{"number": 1}, {"number": 2}, {"number": 3}]
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=left_out) as caught:
        pieces = list(tree.iterate(step_size=1))
    assert len(caught) == 1
    assert [piece.number.to_list() for piece in pieces] == [[1], [2], [3]]
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=left_out):
        assert kaon.concatenate(f"{path}:t", library="np").keys() == {"number"}
    with pytest.raises(kaon.errors.FormatError, match="kaon does not understand") as raised:
        tree.arrays("texts")
    assert list(raised.value.columns) == ["texts", "texts.text"]
    frame = tree.frames()[1]
    assert frame.parameters["number"] == 2
    with pytest.raises(kaon.errors.FormatError, match="kaon does not understand"):
        frame.parameters["texts"]


def test_a_copy_is_without_a_column_that_is_unreadable_later(tmp_path: Path) -> None:
    path = tmp_path / "a.root"
    unreadable_later(path)
    with pytest.warns(
        kaon.errors.UnreadMemberWarning, match="branch 'texts'.* it is left out"
    ) as caught:
        kaon.convert(path, tmp_path / "copy.kaon")
    assert len(caught) == 1
    copy = kaon.open(tmp_path / "copy.kaon")["t"].arrays()
    assert copy.to_list() == [{"number": 1}, {"number": 2}, {"number": 3}]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.root", "copy.kaon"]


@pytest.mark.parametrize("copies", ["snapshot", "train", "skim"])
def test_events_are_written_without_a_column_that_is_unreadable_later(
    copies: str, tmp_path: Path
) -> None:
    path, out = tmp_path / "a.root", tmp_path / "out.kaon"
    unreadable_later(path)
    events = kaon.dataset(f"{path}:t").filter("number != 2")

    def write(names: list[str] | None) -> None:
        if copies == "snapshot":
            counted = events.count()  # in the same pass
            assert events.snapshot(out, names or ()).value.count().value == counted.value == 2
            return
        train = kaon.train.Train(events, provenance=False, other_categories=copies == "train")
        train.add(out, keep=names)
        assert train.run().entries == 2

    left_out = "branch 'texts', basket of entry 1: kaon does not understand .* it is left out"
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=left_out) as caught:
        write(None)
    assert len(caught) == 1
    assert kaon.open(out)["t"].arrays().to_list() == [{"number": 1}, {"number": 3}]
    out.unlink()
    with pytest.raises(kaon.errors.FormatError, match="kaon does not understand"):
        write(["texts"])
    write(["number"])
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.root", "out.kaon"]


def test_a_train_leaves_unreadable_columns_of_other_categories_out(tmp_path: Path) -> None:
    path, out = tmp_path / "a.root", tmp_path / "out.kaon"
    unreadable_later(path, events={"x": [1, 2]})
    train = kaon.train.Train(kaon.dataset(f"{path}:events"), provenance=False)
    train.add(out)
    with pytest.warns(kaon.errors.UnreadMemberWarning, match="'texts'.* it is left out") as caught:
        assert train.run().entries == 2
    assert len(caught) == 1
    copy = kaon.open(out)
    assert copy["events"].arrays().to_list() == [{"x": 1}, {"x": 2}]
    assert copy["t"].arrays().to_list() == [{"number": 1}, {"number": 2}, {"number": 3}]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.root", "out.kaon"]


def test_an_unreadable_column_is_not_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.root"
    unreadable_later(path)
    verification = kaon.verify(path)
    assert not verification.is_sound
    assert {finding.column for finding in verification.findings} == {"texts", "texts.text"}
    assert all(finding.is_unreadable for finding in verification.findings)
    assert "unreadable: " in repr(verification)


def test_unread_branches_are_shown_by_name(command: Any) -> None:
    status, out, _ = command("show", DATA / "ttree_unread.root", "cells*")
    assert status == 0
    assert "not read: 'cells._M_elems[2]', an array<short,2>: ROOT has written" in out


@pytest.mark.parametrize(
    "ask",
    [
        lambda tree, _: tree.arrays("cells"),
        lambda tree, _: tree.arrays(["number", "cells"]),
        lambda tree, _: tree.arrays("number + count(cells)"),
        lambda tree, _: tree["cells"],
        lambda tree, _: tree.frames()[0]["cells"],
        lambda tree, _: tree.frames()[0].parameters["cells"],
        lambda _, dataset: dataset.take("cells").value,
        lambda _, dataset: dataset.define("n", "count(cells)").sum("n").value,
        lambda _, dataset: dataset.snapshot("never.kaon", ["cells"]).value,
    ],
)
def test_requests_for_unread_branches_report_the_reason(ask: Any) -> None:
    path = DATA / "ttree_unread.root"
    why = r"'cells._M_elems\[2\]', an array<short,2>, which is not read: ROOT has written the arr"
    with pytest.raises(kaon.errors.UnknownNameError, match=why):
        ask(kaon.open(path)["t"], kaon.dataset(f"{path}:t"))


def test_a_second_branch_of_a_name_is_read_by_another() -> None:
    events = kaon.open(shared_file("root/real/uproot-issue513.root"))["Delphes"]
    assert events.unreadable == []
    counts = events.arrays(["Particle.PT", "Particle_2.PT", "Particle_size_2"])
    assert ak.all(ak.num(counts.Particle_2.PT) == counts.Particle_size_2)
    assert not ak.all(ak.num(counts.Particle.PT) == counts.Particle_size_2)


def test_alternatives_in_another_order_are_left_out(tmp_path: Path) -> None:
    numbers, texts = ak.Array([1.5, 2.5, 3.5]).layout, ak.Array(["one"]).layout
    tags, order = [0, 1, 0, 0], [0, 0, 2, 1]
    union = ak.contents.UnionArray(ak.index.Index8(tags), ak.index.Index64(order), [numbers, texts])
    path = tmp_path / "union.root"
    with uproot.recreate(path) as out:
        lists = ak.unflatten(ak.unflatten(ak.Array(union), [1, 3]), [1, 0, 1, 0])
        out.mkrntuple("t", {"x": [1, 2, 3, 4], "either": ak.Array(union), "lists": lists})
    tree = kaon.open(path)["t"]
    with pytest.warns(UserWarning, match="values have another order than the entries.*left out"):
        arrays = tree.arrays()
    assert arrays.x.tolist() == [1, 2, 3, 4]
    assert arrays.either["1"].tolist() == [[], ["one"], [], []]
    assert arrays.lists["1"].tolist() == [[[[]]], [], [[["one"], [], []]], []]
    with pytest.raises(kaon.errors.Error, match="kaon does not read alternatives"):
        tree.arrays(["either.0"])


def test_baskets_in_the_record_of_a_tree_count_as_its_bytes() -> None:
    file = kaon.open(shared_file("root/real/nanoAOD_2015_CMS_Open_Data_ttbar.root"))
    size = file.size()
    (events,) = (each for each in size.categories if each.name == "Events")
    stored = {column.name: column.stored_bytes for column in events.columns}
    assert 0.5 * size.bytes < sum(stored.values()) < size.bytes  # the rest describes branches
    assert stored["run"] > 50 and all(stored[name] > 0 for name in ("MET_pt", "Muon.pt"))
