"""HIPO files: read from other libraries, and written so that these read them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np
import pytest
from shared_files import shared_file

import kaon

if TYPE_CHECKING:
    from kaon.files.category import Category

CODECS = ["none", "lz4", "zlib"]
PLACES = ((8, 4), (24, 4), (40, 8))
"""The fields of a file's header and their bytes: own words, bytes behind it, and the index."""


def events_of(path: Path, **options: Any) -> Category:
    file = kaon.open(path, **options)
    assert isinstance(file, kaon.File)
    return file["events"]


def written(path: Path, codec: str = "lz4") -> ak.Array:
    """Write some events with tags; return them in the order of the file."""
    arrays = ak.Array(
        {
            "tag": np.array([0, 2, 0, 1, 0], np.uint32),
            "REC::Particle": [
                [{"pid": 11, "px": 0.5, "charge": -1}, {"pid": 22, "px": 1.5, "charge": 0}],
                [],
                [{"pid": 211, "px": -2.5, "charge": 1}],
                [{"pid": 2212, "px": 3.5, "charge": 1}],
                [],
            ],
        }
    )
    particles = arrays["REC::Particle"]
    arrays["REC::Particle"] = ak.zip(
        {
            "pid": ak.values_astype(particles.pid, np.int32),
            "px": ak.values_astype(particles.px, np.float32),
            "charge": ak.values_astype(particles.charge, np.int8),
        }
    )
    with kaon.create(path, codec=codec) as out:
        out.metadata["run"] = "5038"
        out["events"].extend(arrays)
    return arrays[[0, 2, 4, 3, 1]]


@pytest.mark.parametrize("codec", CODECS)
def test_events_are_written_and_read(tmp_path: Path, codec: str) -> None:
    expected = written(tmp_path / "a.hipo", codec)
    file = kaon.open(tmp_path / "a.hipo")
    assert isinstance(file, kaon.File)
    arrays = file["events"].arrays()
    assert arrays.fields == ["tag", "mask", "REC::Particle"]
    assert arrays["tag"].to_list() == [0, 0, 0, 1, 2]
    particles = ak.fill_none(arrays["REC::Particle"], [], axis=0)
    assert particles.to_list() == expected["REC::Particle"].to_list()
    assert file.metadata["run"] == "5038"


@pytest.mark.parametrize("codec", CODECS)
def test_records_are_of_one_type_and_the_index_is_plain(tmp_path: Path, codec: str) -> None:
    """Otherwise HIPO's Java library stops with an exception."""
    random = np.random.default_rng(1)
    noise = random.integers(-(2**31), 2**31, (300, 50), dtype=np.int32)  # no codec makes it smaller
    with kaon.create(tmp_path / "a.hipo", codec=codec, cluster_entries=100) as out:
        for value in (noise, np.zeros_like(noise)):
            out["events"].extend({"B": ak.zip({"x": ak.from_regular(ak.Array(value))})})
    content = (tmp_path / "a.hipo").read_bytes()
    words, user_bytes, index = (int.from_bytes(content[at : at + n], "little") for at, n in PLACES)
    at, types = 4 * words + user_bytes, []
    while at < index:
        types.append(content[at + 39] >> 4)
        at += 4 * int.from_bytes(content[at : at + 4], "little")
    assert at == index
    assert types == 6 * [{"none": 0, "lz4": 1, "zlib": 3}[codec]]
    assert content[index + 39] >> 4 == 0
    read = events_of(tmp_path / "a.hipo").arrays(entry_stop=300)
    assert np.array_equal(ak.flatten(read.B.x), noise.ravel())


def test_javas_library_finds_all_banks(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "a.hipo") as out:
        out["events"].extend({f"B{number}": [[{"x": 1}]] for number in range(300)})
    events = events_of(tmp_path / "a.hipo")
    assert max(events.metadata_of(f"B{number}")["hipo.item"] for number in range(300)) == 127


def test_metadata_may_be_long(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "a.hipo") as out:
        out.metadata["notes"] = "long " * 10_000
        out["events"].extend({"B": [[{"x": 1}]]})
    assert kaon.open(tmp_path / "a.hipo").metadata["notes"] == "long " * 10_000


def test_other_files_have_no_records_with_tags(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"tag": np.array([1, 2])})
    with pytest.raises(
        kaon.errors.UsageError, match="a.kaon: tags select records of HIPO files only"
    ):
        kaon.open(tmp_path / "a.kaon", tags=[1])
    with open(tmp_path / "a.kaon", "rb") as file, pytest.raises(kaon.errors.UsageError):
        kaon.open(file, tags=[1])


def test_only_events_of_some_tags_are_read(tmp_path: Path) -> None:
    written(tmp_path / "a.hipo")
    assert events_of(tmp_path / "a.hipo", tags=[2, 1]).arrays("tag")["tag"].to_list() == [1, 2]


def test_expressions_know_banks_by_their_names(tmp_path: Path) -> None:
    written(tmp_path / "a.hipo")
    arrays = events_of(tmp_path / "a.hipo").arrays("REC::Particle.px")
    assert ak.sum(arrays["REC::Particle"].px) == 3


def test_a_file_becomes_a_kaon_file_and_comes_back(tmp_path: Path) -> None:
    path = shared_file("hipo/generated/cpp_tags_composite_config.hipo")
    expected = events_of(path).arrays()
    kaon.convert(path, tmp_path / "a.kaon")
    kaon.convert(tmp_path / "a.kaon", tmp_path / "b.hipo")
    assert ak.array_equal(events_of(tmp_path / "a.kaon").arrays(), expected)
    assert ak.array_equal(events_of(tmp_path / "b.hipo").arrays(), expected)


def test_unsupported_tables_are_reported_before_writing(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "a.kaon") as out:
        cells = ak.unflatten(np.array([1], np.uint64), [1])
        out["events"].extend({"Hit": ak.zip({"cell": cells}), "n": np.array([1])})
    with pytest.raises(kaon.errors.UsageError, match=r"HIPO has no uint64, nor a wider type"):
        kaon.convert(tmp_path / "a.kaon", tmp_path / "b.hipo")
    assert not (tmp_path / "b.hipo").exists()


def test_arrays_of_fixed_length_are_columns(tmp_path: Path) -> None:
    counts = [2, 0, 3]
    fits = ak.zip(
        {
            "n": ak.unflatten(np.arange(5, dtype=np.int8), counts),
            "cov": ak.unflatten(np.arange(30, dtype=np.float64).reshape(5, 6), counts),
            "chi2": ak.unflatten(np.arange(5, dtype=np.float32), counts),
        },
        depth_limit=2,
    )
    with kaon.create(tmp_path / "a.hipo") as out:
        out["events"].extend({"Fit": fits})
    events = events_of(tmp_path / "a.hipo")
    assert ak.array_equal(ak.fill_none(events.arrays().Fit, [], axis=0), fits)
    expect_what_oxihipo_reads(tmp_path / "a.hipo", events)


def test_a_file_that_was_not_finished_is_read() -> None:
    path = shared_file("hipo/generated/broken_unclosed.hipo")
    with pytest.warns(kaon.errors.IncompleteFileWarning, match=r"1 whole record with 2,000 events"):
        events = events_of(path)
    whole = events_of(shared_file("hipo/generated/cpp_bankgen2000_lz4.hipo")).arrays()
    assert ak.array_equal(events.arrays(), whole)


def test_a_file_without_a_whole_record_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.hipo"
    with kaon.create(path) as out:
        out["events"].extend({"run": np.arange(1000)})
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(kaon.errors.CorruptFileError, match="cut.hipo: was cut.*no whole record"):
        kaon.open(path)


OTHERS = [
    "generated/cpp_bankgen2000_lz4",
    "generated/java_bankgen2000_c3",
    "generated/java_tags_composite",
    "generated/oxihipo_bankgen2000_ext6_lz4perbank",
    "generated/oxihipo_bankgen2000_ext7_lz4percolumn",
    "generated/oxihipo_bankgen2000_ext8_zstdpercolumn",
    "real/oxihipo_golden_lz4",
    "real/oxihipo_sample",
    "real/proton_80MeV",
]


def expect_what_oxihipo_reads(path: Path, events: Category) -> None:
    """Compare all columns of all banks bit by bit."""
    oxihipo = pytest.importorskip("oxihipo")
    other = oxihipo.open(str(path))
    assert other.num_entries == len(events)
    arrays = events.arrays()
    assert arrays["tag"].to_list() == list(other.event_tags())
    for bank in other.keys():
        [(_, offsets, columns)] = other.read_columns([(bank, [])])
        rows = ak.fill_none(arrays[bank], [], axis=0)
        assert np.array_equal(np.cumsum(ak.num(rows)), offsets[1:]), bank
        for name, values, _ in columns:
            flat = ak.to_numpy(ak.flatten(rows[name], axis=None))
            assert len(values) == 0 or flat.tobytes() == values.tobytes(), f"{bank}.{name}"


@pytest.mark.parametrize("name", OTHERS)
def test_values_are_those_that_oxihipo_reads(name: str) -> None:
    path = shared_file(f"hipo/{name}.hipo")
    expect_what_oxihipo_reads(path, events_of(path))


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("name", ["generated/cpp_tags_composite_config", "real/proton_80MeV"])
def test_oxihipo_reads_written_files(tmp_path: Path, name: str, codec: str) -> None:
    oxihipo = pytest.importorskip("oxihipo")
    path = shared_file(f"hipo/{name}.hipo")
    kaon.convert(path, tmp_path / "out.hipo", codec=codec)
    expect_what_oxihipo_reads(tmp_path / "out.hipo", events_of(path))
    before, after = oxihipo.open(str(path)), oxihipo.open(str(tmp_path / "out.hipo"))
    assert after.user_config() == before.user_config()
    assert after.bank_ids == before.bank_ids


BY_THE_LIBRARY = """
import sys, hipopybind
reader = hipopybind.Reader()
reader.open(sys.argv[1])
dictionary = hipopybind.Dictionary()
reader.readDictionary(dictionary)
bank = hipopybind.Bank(dictionary.getSchema("REC::Particle"))
event = hipopybind.Event()
while reader.next():
    reader.read(event)
    event.getStructure(bank)
    for row in range(bank.getRows()):
        print(bank.getInt("pid", row), bank.getFloat("px", row), bank.getByte("charge", row))
"""


def test_the_library_of_hipo_reads_written_files(tmp_path: Path) -> None:
    pytest.importorskip("hipopybind")
    particles = ak.flatten(written(tmp_path / "a.hipo")["REC::Particle"])
    command = [sys.executable, "-c", BY_THE_LIBRARY, str(tmp_path / "a.hipo")]
    read = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = [line.split() for line in read.stdout.splitlines() if line.count(" ") == 2]
    assert [(int(pid), float(px), int(charge)) for pid, px, charge in rows] == [
        (row.pid, row.px, row.charge) for row in particles
    ]


def test_sizes_of_columns_are_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path / "out.hipo")
    events_of(tmp_path / "out.hipo").show()
    out = capsys.readouterr().out
    assert "REC::Particle" in out
    assert "total" not in out, "they lie in a record together, which has no size for each"


pa = pytest.importorskip("pyarrow")

OPTIONALS = {
    "number": pa.array([1, None, 3]),
    "name": pa.array(["a", None, ""]),
    "pair": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)),
    "list": pa.array([[1, None], [], [2]]),
    "record": pa.array([{"x": 1, "y": "q"}, None, {"x": 2, "y": "r"}]),
}


@pytest.mark.parametrize("name", OPTIONALS)
def test_values_that_may_be_missing_are_refused_by_name(tmp_path: Path, name: str) -> None:
    table = pa.table({name: OPTIONALS[name]})
    with kaon.create(tmp_path / "in.kaon") as out:
        out["events"].extend(table)
    reason = "no strings" if name == "name" else "no values that may be missing"
    with pytest.raises(kaon.errors.UsageError, match=f"{name}.*: HIPO has {reason}"):
        kaon.convert(tmp_path / "in.kaon", tmp_path / "out.hipo")
    with (
        pytest.raises(kaon.errors.UsageError, match=f"cannot hold '{name}.*: HIPO has {reason}"),
        kaon.create(tmp_path / "out.hipo") as out,
    ):
        out["events"].extend(table)


def test_lossy_copies_tell_by_a_column_which_values_are_present(tmp_path: Path) -> None:
    with kaon.create(tmp_path / "in.kaon") as out:
        out["events"].extend(pa.table(OPTIONALS))
    kaon.convert(tmp_path / "in.kaon", tmp_path / "out.hipo", lossy=True)
    events = kaon.open(tmp_path / "out.hipo")["events"]
    arrays = events.arrays()
    assert "name" not in arrays.fields
    assert ak.flatten(arrays.number.has_value).tolist() == [1, 0, 1]
    assert ak.flatten(arrays.number.value)[[0, 2]].tolist() == [1, 3]
    assert arrays.list.has_value.tolist() == [[1, 0], None, [1]]
    assert ak.flatten(arrays.record.value.x)[[0, 2]].tolist() == [1, 2]
