"""HDF5 files: h5py reads files of kaon as the docs show, and kaon reads files of h5py."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import pytest

import kaon

h5py = pytest.importorskip("h5py")

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/format/golden"
PAGE = "docs/hdf5-files.md"


def opened(path: Path) -> kaon.File:
    """Open a file; skip the test where kaon was built without libhdf5."""
    try:
        file = kaon.open(path)
    except kaon.errors.FileError as error:
        if "built without it" in str(error):
            pytest.skip("this kaon was built without libhdf5")
        raise
    assert isinstance(file, kaon.File)
    return file


@pytest.fixture(autouse=True)
def needs_libhdf5(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "any.h5", "w") as file:
        file["x"] = [1]
    opened(tmp_path / "any.h5")


def without_files(value: Any) -> Any:
    """Return lists and dictionaries without the files to which references lead."""
    if isinstance(value, dict):
        return {name: without_files(each) for name, each in value.items() if name != "file"}
    return [without_files(each) for each in value] if isinstance(value, list) else value


FEATURES = [
    "kinds", "late-tables", "nested-lists-row", "precision", "presence", "scalars",
    "strings-split", "tags-and-keys", "many-columns", "no-entries", "documents",
]  # fmt: skip


@pytest.mark.parametrize("name", FEATURES)
def test_all_that_kaon_holds_comes_back(tmp_path: Path, name: str) -> None:
    kaon.convert(GOLDEN / f"{name}.kaon", tmp_path / "a.h5")
    kaon.convert(tmp_path / "a.h5", tmp_path / "b.kaon")
    first, *others = (
        opened(p) for p in (GOLDEN / f"{name}.kaon", tmp_path / "a.h5", tmp_path / "b.kaon")
    )
    for other in others:
        assert list(other.keys()) == list(first.keys())
        for category in first.keys():
            expected, arrays = first[category].arrays(), other[category].arrays()
            assert len(arrays) == len(expected)
            assert repr(without_files(arrays.to_list())) == repr(without_files(expected.to_list()))
            assert arrays.fields == expected.fields
        assert str(other.metadata) == str(first.metadata)


@pytest.fixture
def page_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the events of the demo as HDF5."""
    kaon.convert(ROOT / "examples/ttbar/sample.kaon", tmp_path / "events.h5")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_programs_of_the_docs(page_folder: Path) -> None:
    found: dict[str, Any] = {}
    for program in re.findall(r"```python\n(.*?)```", (ROOT / PAGE).read_text(), flags=re.DOTALL):
        found |= {"np": np, "h5py": h5py, "kaon": kaon}
        exec(compile(program, PAGE, "exec"), found)
        if "highest" in program:
            particles = kaon.open(ROOT / "examples/ttbar/sample.kaon")["events"].arrays(
                ["MCParticles.momentum", "MCParticles.daughters"]
            )["MCParticles"]
            pt = np.hypot(particles.momentum.x, particles.momentum.y)
            assert found["of_first_event"].tolist() == pt[0].tolist()
            assert found["highest"] == ak.max(pt, axis=1).to_list()
    assert found["unit"] == "GeV"
    assert found["collection"] == "MCParticles"
    assert found["of_first_particle"].tolist() == particles.daughters[0][0].index.to_list()
    assert found["hard"].to_list() == [{"pt": 41.5, "charge": 1}]


def test_models_are_json_that_others_can_read(page_folder: Path) -> None:
    import json

    with h5py.File("events.h5") as file:
        [name] = (name for name in file["documents"] if name.startswith("model:"))
        model = json.loads(file["documents"][name][()])
    assert [each["name"] for each in model["datatypes"]] == ["ttbar::MCParticle"]
    event = next(iter(kaon.open("events.h5")["events"].frames()))
    assert event["MCParticles"][0].daughters[0].PDG != 0  # objects of the model in the file


RECORD = np.dtype([("a", ">i4"), ("v", [("x", "<f4"), ("y", "<f8")]), ("m", "<i2", (2, 3))])
COLUMNS: dict[str, np.ndarray] = {
    "int32": np.arange(300, dtype="<i4"),
    "big_int32": np.arange(300, dtype=">i4"),
    "big_float64": np.linspace(0, 1, 300).astype(">f8"),
    "half": np.linspace(0, 1, 300).astype("<f2"),
    "bool": np.arange(300) % 3 == 0,
    "uint64": np.arange(300, dtype="<u8") + 2**63,
    "matrix": np.arange(300 * 35, dtype="<f8").reshape(300, 5, 7),
    "record": np.array([(i, (i / 2, i / 4), [[i] * 3] * 2) for i in range(300)], RECORD),
}
STORED: dict[str, Callable[[np.ndarray], dict[str, Any]]] = {
    "contiguous": lambda _: {},
    "chunked": lambda values: {"chunks": (64, *values.shape[1:])},
    "cut across": lambda values: {"chunks": (64, 2, 3)[: values.ndim]},
    "deflated": lambda _: {"chunks": True, "compression": "gzip"},
    "shuffled": lambda _: {"chunks": True, "compression": 4, "shuffle": True},
    "checksummed": lambda _: {"chunks": True, "fletcher32": True, "shuffle": True},
}


@pytest.mark.parametrize("libver", ["earliest", "v110"])
@pytest.mark.parametrize("stored", STORED)
def test_values_are_those_that_h5py_wrote(tmp_path: Path, stored: str, libver: str) -> None:
    with h5py.File(tmp_path / "a.h5", "w", libver=(libver, "v110")) as file:
        for name, values in COLUMNS.items():
            file.create_dataset(f"run7/jets/{name}", data=values, **STORED[stored](values))
    arrays = opened(tmp_path / "a.h5")["run7/jets"].arrays()
    for name, values in COLUMNS.items():
        if name != "record":
            read = ak.to_numpy(arrays[name])
            assert np.array_equal(read.reshape(values.shape), values), name
    record = arrays["record"]
    assert record["a"].to_list() == COLUMNS["record"]["a"].tolist()
    assert record["v", "y"].to_list() == COLUMNS["record"]["v"]["y"].tolist()
    assert record["m"].to_list() == COLUMNS["record"]["m"].reshape(300, 6).tolist()


def test_units_and_descriptions_of_others_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["pt"] = [1.0]
        file["pt"].attrs["units"] = "GeV"
        file["pt"].attrs["long_name"] = np.bytes_("transverse momentum")
    opened(tmp_path / "a.h5")["events"].show()
    assert "[GeV]" in capsys.readouterr().out
    kaon.convert(tmp_path / "a.h5", tmp_path / "b.h5")
    with h5py.File(tmp_path / "b.h5") as file:
        expected = {"units": "GeV", "description": "transverse momentum"}
        assert dict(file["events/pt"].attrs) == expected


def test_unwritten_elements_have_the_fill_value(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        some = file.create_dataset("some", (100,), "i4", chunks=(10,), fillvalue=42)
        some[25:30] = 1
        file.create_dataset("none", (100,), "f4", fillvalue=1.5)
        file.create_dataset("no_chunk", (100,), "i2", chunks=(7,), fillvalue=-1)
    arrays = opened(tmp_path / "a.h5")["events"].arrays()
    assert arrays["some"].to_list() == [42] * 25 + [1] * 5 + [42] * 70
    assert set(arrays["none"].to_list()) == {1.5}
    assert set(arrays["no_chunk"].to_list()) == {-1}


def test_other_lengths_are_categories_of_their_own(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["events/x"], file["events/y"], file["events/odd"] = [1, 2], [3, 4], [5]
        file["top"] = [6, 7]
    file = opened(tmp_path / "a.h5")
    assert sorted(file.keys()) == ["/", "events", "events/odd"]
    assert file["events"].arrays().to_list() == [{"x": 1, "y": 3}, {"x": 2, "y": 4}]
    assert file["events/odd"].arrays("odd")["odd"].to_list() == [5]
    assert file["/"].arrays("top")["top"].to_list() == [6, 7]


def test_strings_and_lists_are_read(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    words = ["".join(random.choice(list("abcü"), random.integers(0, 9))) for _ in range(3000)]
    numbers = [random.integers(-9, 9, random.integers(0, 5)) for _ in words]
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["texts"] = words
        file.create_dataset("chunked", data=words, chunks=(70,), compression="gzip", shuffle=True)
        file["padded"] = np.array([word.encode() for word in words])
        file.create_dataset("none", (len(words),), h5py.string_dtype(), chunks=(50,))
        lists = file.create_dataset("lists", (len(words),), h5py.vlen_dtype("i2"))
        for i, each in enumerate(numbers):
            lists[i] = each
    events = opened(tmp_path / "a.h5")["events"]
    arrays = events.arrays()
    for name in ("texts", "chunked", "padded"):
        assert arrays[name].to_list() == words
    assert set(arrays["none"].to_list()) == {""}
    assert arrays["lists"].to_list() == [each.tolist() for each in numbers]
    assert events.arrays("lists", entry_start=2000, entry_stop=2001)["lists"].to_list() == [
        numbers[2000].tolist()
    ]
    kaon.convert(tmp_path / "a.h5", tmp_path / "a.kaon")
    assert ak.array_equal(kaon.open(tmp_path / "a.kaon")["events"].arrays(), arrays)


PARTICLES = np.dtype(
    [
        ("id", "<i4"),
        ("name", h5py.string_dtype()),
        ("energy", ">f8"),
        ("hits", h5py.vlen_dtype("i2")),
        ("seen", h5py.ref_dtype),
        ("decay", [("label", "S3"), ("time", "<f4"), ("when", np.void(b"ab").dtype)]),
        ("matrix", "<i2", (2, 2)),
    ]
)


@pytest.mark.parametrize("stored", ["contiguous", "chunked", "deflated", "checksummed"])
def test_each_member_of_records_is_read_that_can_be(
    tmp_path: Path, stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"particle {i}" * (i % 3) for i in range(200)]
    hits = [np.arange(i % 5, dtype="i2") for i in range(200)]
    with h5py.File(tmp_path / "a.h5", "w") as file:
        records = np.empty(200, PARTICLES)
        for i in range(200):
            decay = (f"d{i % 7}".encode(), i / 4, b"xy")
            matrix = [[i, 1], [2, -i]]
            records[i] = (i, names[i], i / 8, hits[i], file.ref, decay, matrix)
        file.create_dataset("particles", data=records, **STORED[stored](records))
        file["texts"] = np.array([(b"one",), (b"two",)] * 100, [("text", "S5")])
        file["none"] = np.array([(b"a",)] * 200, [("void", "V1")])
    events = opened(tmp_path / "a.h5")["events"]
    expected = [
        {
            "id": i,
            "energy": i / 8,
            "decay": {"time": i / 4},
            "matrix": [i, 1, 2, -i],
        }
        for i in range(200)
    ]
    arrays = events.arrays()
    assert len(arrays.fields) == 6
    assert arrays["particles"].to_list() == expected
    assert arrays["particles.name"].to_list() == names
    assert arrays["particles.hits"].to_list() == [each.tolist() for each in hits]
    assert arrays["particles.decay.label"].to_list() == [f"d{i % 7}" for i in range(200)]
    assert arrays["particles.seen"].to_list() == ["/"] * 200  # the path of the file's root
    assert arrays["texts.text"].to_list() == ["one", "two"] * 100
    some = events.arrays(["particles.energy", "particles.name"], entry_start=150, entry_stop=153)
    assert some["particles"]["energy"].to_list() == [150 / 8, 151 / 8, 152 / 8]
    assert some["particles.name"].to_list() == names[150:153]
    events.show()
    shown = " ".join(capsys.readouterr().out.split())
    for name, reason in {
        "particles.decay.when": "an opaque",
        "none.void": "an opaque",
    }.items():
        assert f"'{name}', {reason}: is of HDF5's class {reason.split()[1]}" in shown
    with pytest.warns(kaon.errors.UnreadMemberWarning, match=r"particles\.decay\.when"):
        kaon.convert(tmp_path / "a.h5", tmp_path / "a.kaon")
    assert kaon.open(tmp_path / "a.kaon")["events"].arrays().to_list() == arrays.to_list()


def test_members_of_records_that_nobody_wrote_are_the_fill_value(tmp_path: Path) -> None:
    kind = np.dtype([("n", "<i4"), ("text", "S4"), ("v", h5py.string_dtype())])
    with h5py.File(tmp_path / "a.h5", "w") as file:
        plain = np.array((7, b"fill"), [("n", "<i4"), ("text", "S4")])
        file.create_dataset("none", (20,), kind)
        file.create_dataset("some", (20,), plain.dtype, chunks=(5,), fillvalue=plain)
        file["some"][6] = (1, b"one")
    arrays = opened(tmp_path / "a.h5")["events"].arrays()
    assert arrays["none"].to_list() == [{"n": 0}] * 20
    assert set(arrays["none.text"].to_list()) == set(arrays["none.v"].to_list()) == {""}
    assert arrays["some"]["n"].to_list() == [7] * 6 + [1] + [7] * 13
    assert arrays["some.text"].to_list() == ["fill"] * 6 + ["one"] + ["fill"] * 13


@pytest.mark.parametrize("chunk", [30, 700, 5000])
def test_texts_of_the_same_records_are_each_their_own(tmp_path: Path, chunk: int) -> None:
    """The columns are read together, from chunks whose ends are not those of pages."""
    records = np.empty(5000, [("n", "i4"), ("a", "S8"), ("b", h5py.string_dtype()), ("c", "S6")])
    for i in range(len(records)):
        records[i] = (i, f"a{i}".encode(), f"b{i}", f"c{i % 97}".encode())
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("all", data=records, chunks=(chunk,), compression="gzip")
    events = opened(tmp_path / "a.h5")["events"]
    read = ak.concatenate(list(events.iterate(["all.c", "all.a", "all.b"], step_size=999)))
    for name, text in {"a": "a{0}", "b": "b{0}", "c": "c{1}"}.items():
        expected = [text.format(i, i % 97) for i in range(len(records))]
        assert read[f"all.{name}"].to_list() == expected
    some = events.arrays(["all.a", "all.c"], entry_start=698, entry_stop=702)
    assert some["all.a"].to_list() == ["a698", "a699", "a700", "a701"]
    assert some["all.c"].to_list() == [f"c{i % 97}" for i in range(698, 702)]


def test_a_dataset_that_is_called_as_a_member_is_read_too(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["a"] = np.array([(1, 2, b"x"), (3, 4, b"y")], [("b", "i4"), ("c", "i4"), ("d", "S1")])
        file["a.b"] = [5.5, 6.5]
        file["a.d"] = [7, 8]
    events = opened(tmp_path / "a.h5")["events"]
    assert sorted(events.keys()) == ["a.b", "a.b_2", "a.c", "a.d", "a.d_2"]
    assert events.arrays("a.b")["a"]["b"].to_list() == [1, 3]
    assert events.arrays().to_list() == [
        {"a": {"b": 1, "c": 2}, "a.d": "x", "a.b_2": 5.5, "a.d_2": 7},
        {"a": {"b": 3, "c": 4}, "a.d": "y", "a.b_2": 6.5, "a.d_2": 8},
    ]


def units_in(path: Path) -> str | None:
    """Return the units of a dataset "pt", as a converted file has them."""
    kaon.convert(path, path.with_name("copy.h5"), overwrite=True)
    with h5py.File(path.with_name("copy.h5")) as file:
        units = file["events/pt"].attrs.get("units")
    assert units is None or isinstance(units, str)
    return units


@pytest.mark.parametrize("libver", ["earliest", "v110"])
@pytest.mark.parametrize("others", [0, 5, 40])
def test_units_are_found_among_other_attributes(tmp_path: Path, libver: str, others: int) -> None:
    with h5py.File(tmp_path / "a.h5", "w", libver=(libver, "v110")) as file:
        file["pt"] = np.arange(3.0)
        for number in range(others):
            file["pt"].attrs[f"other {number}"] = "x" * number
        file["pt"].attrs["units"] = "G" * 30_000
    assert units_in(tmp_path / "a.h5") == "G" * 30_000


def test_a_text_is_as_long_as_its_attribute_says(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["pt"] = np.arange(3.0)
        file["pt"].attrs["units"] = "G" * 30_000
    whole = (tmp_path / "a.h5").read_bytes()
    length, heap = (30_000).to_bytes(4, "little"), whole.index(b"GCOL").to_bytes(8, "little")
    assert whole.count(length + heap) == 1
    for claimed, units in [(1, "G"), (30_001, None), (4_000_000_000, None)]:
        text = claimed.to_bytes(4, "little") + heap
        (tmp_path / "a.h5").write_bytes(whole.replace(length + heap, text))
        assert units_in(tmp_path / "a.h5") == units


def test_texts_that_lie_in_other_files_are_refused(tmp_path: Path) -> None:
    kaon.convert(GOLDEN / "documents.kaon", tmp_path / "a.h5")
    (tmp_path / "secret").write_text("what others may not read")
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        texts = file["documents"]
        before = next(iter(texts.values()))
        link, name = before.name.rsplit("/", 1)[1], before.attrs["name"]
        del texts[link]
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_external(str(tmp_path / "secret").encode(), 0, 24)
        text = h5py.h5t.C_S1.copy()
        text.set_size(24)
        space = h5py.h5s.create(h5py.h5s.SCALAR)
        dataset = h5py.h5d.create(texts.id, link.encode(), text, space, properties)
        h5py.Dataset(dataset).attrs["name"] = name
        assert texts[link][()] == b"what others may not read"
    with pytest.raises(
        kaon.errors.FileError, match=f"a.h5: '/documents/{link}': is not a text as kaon"
    ):
        opened(tmp_path / "a.h5")


def test_unreadable_datasets_are_left_out_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from kaon.command.cli import main

    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["good"] = np.arange(20)
        file["texts"] = [["a", "b"]] * 20
        file["single"] = 5
        file.create_dataset("lists", (20,), h5py.vlen_dtype(">i4"))
        file.create_dataset(
            "fast", (20,), "i4", chunks=True, compression=32026, allow_unknown_filter=True
        )
        file.create_dataset("outside", (20,), "i4", external=[("raw.bin", 0, 80)])
        file["soft"] = h5py.SoftLink("/good")
        file["elsewhere"] = h5py.ExternalLink("b.h5", "/x")
        file["round"] = file
        layout = h5py.VirtualLayout((20,), "i4")
        layout[:] = h5py.VirtualSource("c.h5", "x", (20,))
        file.create_virtual_dataset("virtual", layout)
    assert opened(tmp_path / "a.h5")["events"].arrays().fields == ["good"]
    assert main(["show", str(tmp_path / "a.h5")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, reason in {
        "texts": "has several strings or lists in a row",
        "single": "has a single value or no value instead of rows",
        "lists": "kaon reads lists of numbers, little-endian",
        "fast": "filter 32026",
        "outside": "has its values in other files",
        "soft": "leads to another place or file",
        "elsewhere": "leads to another place or file",
        "virtual": "is a virtual dataset",
    }.items():
        assert re.search(rf"'{name}', an? [^:]*: (?:(?!not read).)*{re.escape(reason)}", shown), (
            name
        )


def test_chunks_of_hdf5_are_fetched_together(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    from test_distant_files import CountedFileSystem

    fsspec.register_implementation("counted", CountedFileSystem, clobber=True)
    path = tmp_path / "flat.h5"
    values = np.random.default_rng(1).normal(size=(4, 200_000))
    with h5py.File(path, "w", libver="v110") as file:
        for i, column in enumerate(values):
            file.create_dataset(f"x{i}", data=column, chunks=(4096,), compression="gzip")
    CountedFileSystem().pipe("/flat.h5", path.read_bytes())
    events = kaon.open("counted:///flat.h5")["events"]
    CountedFileSystem.requests = 0
    arrays = events.arrays(["x0", "x2"])
    assert np.array_equal(arrays.x2, values[2])
    assert CountedFileSystem.requests <= 12  # for 98 chunks


def test_descriptions_of_datasets_are_fetched_together(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    from test_distant_files import CountedFileSystem

    fsspec.register_implementation("counted", CountedFileSystem, clobber=True)
    path = tmp_path / "deep.h5"
    values = np.random.default_rng(1).normal(size=20_000)
    with h5py.File(path, "w") as file:
        for i in range(20):  # each lies behind the values of the one before
            file.create_dataset(f"run/x{i}", data=values + i, chunks=(20_000,), compression="gzip")
    CountedFileSystem().pipe("/deep.h5", path.read_bytes())
    CountedFileSystem.requests = 0
    run = kaon.open("counted:///deep.h5")["run"]
    assert CountedFileSystem.requests <= 8
    assert np.array_equal(run.arrays("x7").x7, values + 7)


def test_heaps_of_texts_are_fetched_once(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    from test_distant_files import CountedFileSystem

    fsspec.register_implementation("counted", CountedFileSystem, clobber=True)
    path = tmp_path / "texts.h5"
    texts = [f"text {number}".ljust(40) for number in range(20_000)]
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset("text", (20_000,), h5py.string_dtype())
        dataset[::2] = texts[::2]
        dataset[1::2] = texts[1::2]  # these are in other heaps
    CountedFileSystem().pipe("/texts.h5", path.read_bytes())
    events = kaon.open("counted:///texts.h5")["events"]
    CountedFileSystem.requests = 0
    assert events.arrays("text").text.to_list() == texts
    assert CountedFileSystem.requests <= 200  # for some 400 heaps


def test_more_values_than_the_file_can_hold_are_not_believed(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["good"] = np.arange(3)
        file.create_dataset("huge", (1 << 50,), "f8", chunks=(1 << 20,), compression="gzip")
    with pytest.raises(kaon.errors.UnknownNameError, match="huge"):
        opened(tmp_path / "a.h5")["huge"].arrays("huge")


@pytest.mark.parametrize("what", ["a value", "a checksum"])
def test_damaged_chunks_are_an_error(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        options = {"compression": "gzip"} if what == "a value" else {"fletcher32": True}
        data = file.create_dataset("x", data=np.arange(5000), chunks=(1000,), **options)
        chunk = data.id.get_chunk_info(2)
    bytes_ = bytearray(path.read_bytes())
    bytes_[chunk.byte_offset + chunk.size // 2] ^= 1
    path.write_bytes(bytes_)
    with pytest.raises(
        kaon.errors.CorruptFileError, match=r"a\.h5:events: '/x': the chunk with row 2000"
    ):
        opened(path)["events"].arrays()


PROGRAM = """
import pathlib, random, sys
import kaon
path = pathlib.Path(sys.argv[1])
whole, chance = path.read_bytes(), random.Random(1)
for _ in range(150):
    damaged = bytearray(whole)
    for _ in range(3):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    path.write_bytes(damaged)
    try:
        kaon.open(path)["events"].arrays()
    except kaon.Error:
        print("refused")
"""


def test_nothing_is_said_of_damaged_files_when_the_program_ends(tmp_path: Path) -> None:
    """The library libhdf5 loses memory over them, and said that it cannot close itself."""
    with kaon.create(tmp_path / "a.h5") as out:
        out["events"].extend({"x": np.arange(12)})
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "a.h5")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT / "python")
    assert done.stdout.count("refused") > 10
    assert done.stderr == ""


def test_a_category_that_was_changed_is_an_error(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "a.h5") as out:
        out["events"].extend({"x": np.arange(3), "y": np.arange(3)})
    with h5py.File(tmp_path / "a.h5", "a") as file:
        file["events/z"] = np.arange(7)  # an added dataset does not matter
    assert opened(tmp_path / "a.h5")["events"].arrays().fields == ["x", "y"]
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["events/y"]
    with pytest.raises(kaon.errors.CorruptFileError, match="there is no dataset /events/y"):
        opened(tmp_path / "a.h5")["events"].arrays()
    with h5py.File(tmp_path / "a.h5", "a") as file:
        del file["documents"], file["events/z"]
    assert opened(tmp_path / "a.h5")["events"].arrays("x")["x"].to_list() == [0, 1, 2]


def test_a_name_that_is_no_group_is_refused(tmp_path: Path) -> None:
    for name in ("documents", "run", "a//b", "run/one/x"):
        with (
            pytest.raises(kaon.errors.UsageError, match=f"'{name}'"),
            kaon.create(tmp_path / "a.h5", overwrite=True) as out,
        ):
            out["run/one"].extend({"x": np.arange(3)})
            out[name].extend({"x": np.arange(3)})
    with kaon.create(tmp_path / "a.h5", overwrite=True) as out:
        out["run/one"].extend({"x": np.arange(3)})
    assert list(opened(tmp_path / "a.h5").keys()) == ["run/one"]
