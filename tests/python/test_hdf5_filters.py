"""HDF5 files of other programs: filters in any order, user blocks, bit fields, references."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import cramjam
import numpy as np
import pytest
from numpy.typing import NDArray

import kaon

h5py = pytest.importorskip("h5py")

ROWS, CHUNK = 1003, 250
VALUES = np.cumsum(np.random.default_rng(1).integers(-3, 9, ROWS)).astype("i4")
OPTIONAL = h5py.h5z.FLAG_OPTIONAL


def lz4_blocks(data: bytes, block: int, stored_last: bool = False) -> bytes:
    """Encode bytes as the filter 32004 does. With `stored_last`, the last block is raw."""
    parts = [data[i : i + block] for i in range(0, len(data), block)]
    encoded = [bytes(cramjam.lz4.compress_block(part, store_size=False)) for part in parts]
    if stored_last:
        encoded[-1] = parts[-1]
    return struct.pack(">QI", len(data), block) + b"".join(
        struct.pack(">I", len(each)) + each for each in encoded
    )


def shuffled_bits(data: bytes, size: int) -> bytes:
    """Return the bits of elements, ordered by position; this is the definition of bitshuffle."""
    elements = np.frombuffer(data, "u1").reshape(-1, size)
    bits = np.unpackbits(elements, axis=1, bitorder="little")  # element, bit
    return np.packbits(bits.T.ravel(), bitorder="little").tobytes()


def bitshuffled(
    data: bytes, size: int, block: int, encode: Callable[[bytes], bytes] | None
) -> bytes:
    """Encode bytes as the filter 32008 does, with blocks of this many elements."""
    whole = len(data) // size // 8 * 8 * size
    encoded = b"" if encode is None else struct.pack(">QI", len(data), block * size)
    for begin in range(0, whole, block * size):
        bits = shuffled_bits(data[begin : min(begin + block * size, whole)], size)
        if encode is None:
            encoded += bits
        else:
            part = encode(bits)
            encoded += struct.pack(">I", len(part)) + part
    return encoded + data[whole:]


def written(
    path: Path, filters: list[tuple[int, tuple[int, ...]]], encode: Callable[[bytes], bytes]
) -> None:
    """Write VALUES in chunks that the test encodes itself."""
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((CHUNK,))
    for number, values in filters:
        plist.set_filter(number, OPTIONAL, values)
    with h5py.File(path, "w") as file:
        space = h5py.h5s.create_simple((ROWS,))
        made = h5py.h5d.create(file.id, b"x", h5py.h5t.STD_I32LE, space, plist)
        padded = np.concatenate([VALUES, np.zeros(-ROWS % CHUNK, "i4")])
        for begin in range(0, ROWS, CHUNK):
            made.write_direct_chunk((begin,), encode(padded[begin : begin + CHUNK].tobytes()))


def zstd(data: bytes) -> bytes:
    return bytes(cramjam.zstd.compress(data))


def lz4(data: bytes) -> bytes:
    return bytes(cramjam.lz4.compress_block(data, store_size=False))


def shuffled(data: bytes) -> bytes:
    whole = len(data) // 4 * 4
    return np.frombuffer(data[:whole], "u1").reshape(-1, 4).T.tobytes() + data[whole:]


FILTERS: dict[str, tuple[list[tuple[int, tuple[int, ...]]], Callable[[bytes], bytes]]] = {
    "zstd": ([(32015, (3,))], zstd),
    "shuffle, zstd": ([(2, (4,)), (32015, (3,))], lambda data: zstd(shuffled(data))),
    "zstd, shuffle": ([(32015, (3,)), (2, (4,))], lambda data: shuffled(zstd(data))),
    "lz4": ([(32004, (0,))], lambda data: lz4_blocks(data, 1 << 20)),
    "lz4 in blocks": ([(32004, (300,))], lambda data: lz4_blocks(data, 300)),
    "lz4, a raw block": ([(32004, (300,))], lambda data: lz4_blocks(data, 300, stored_last=True)),
    "bitshuffle": ([(32008, (0, 3, 4, 0))], lambda data: bitshuffled(data, 4, 2048, None)),
    "bitshuffle in blocks": ([(32008, (0, 3, 4, 64))], lambda data: bitshuffled(data, 4, 64, None)),
    "bitshuffle, lz4": ([(32008, (0, 3, 4, 0, 2))], lambda data: bitshuffled(data, 4, 64, lz4)),
    "bitshuffle, zstd": ([(32008, (0, 3, 4, 0, 3))], lambda data: bitshuffled(data, 4, 128, zstd)),
}  # fmt: skip


@pytest.mark.parametrize("name", FILTERS)
def test_filters_of_other_programs_are_undone(tmp_path: Path, name: str) -> None:
    written(tmp_path / "x.h5", *FILTERS[name])
    events = kaon.open(tmp_path / "x.h5")["events"]
    assert events["x"].array().to_list() == VALUES.tolist()
    assert events["x"].array(entry_start=777, entry_stop=780).to_list() == VALUES[777:780].tolist()


@pytest.mark.parametrize("name", FILTERS)
def test_changed_bytes_of_chunks_end_in_other_values_or_an_error(tmp_path: Path, name: str) -> None:
    filters, encode = FILTERS[name]
    random = np.random.default_rng(2)

    def damage(data: bytes) -> bytes:
        changed = bytearray(encode(data))
        for place in random.integers(0, len(changed), 3):
            changed[place] ^= 1 << random.integers(8)
        return bytes(changed[: len(changed) - random.integers(0, 5)])

    for _ in range(20):
        written(tmp_path / "x.h5", filters, damage)
        try:
            assert len(kaon.open(tmp_path / "x.h5")["events"]["x"].array()) == ROWS
        except kaon.errors.CorruptFileError as error:
            assert "'/x': the chunk with row" in str(error)


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("type", ["u1", "i4", "f8"])
def test_lzf_of_h5py_is_undone(tmp_path: Path, type: str, shuffle: bool) -> None:
    values = (VALUES % 100).astype(type)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("x", data=values, chunks=(CHUNK,), compression="lzf", shuffle=shuffle)
    assert kaon.open(tmp_path / "x.h5")["events"]["x"].array().to_list() == values.tolist()


def test_filters_are_undone_in_the_order_that_the_file_states(tmp_path: Path) -> None:
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((CHUNK,))
    plist.set_fletcher32()
    plist.set_deflate(1)
    plist.set_shuffle()
    with h5py.File(tmp_path / "x.h5", "w") as file:
        space = h5py.h5s.create_simple((ROWS,))
        made = h5py.h5d.create(file.id, b"x", h5py.h5t.NATIVE_INT32, space, plist)
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, VALUES)
    assert kaon.open(tmp_path / "x.h5")["events"]["x"].array().to_list() == VALUES.tolist()


def packed(file: h5py.File, name: str, values: np.ndarray, bits: int) -> None:
    """Write integers of a few bits, with the filter nbit."""
    type_ = h5py.h5t.py_create(values.dtype).copy()
    type_.set_precision(bits)
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((64, *values.shape[1:]))
    plist.set_filter(h5py.h5z.FILTER_NBIT)
    space = h5py.h5s.create_simple(values.shape)
    h5py.h5d.create(file.id, name.encode(), type_, space, plist).write(
        h5py.h5s.ALL, h5py.h5s.ALL, values
    )


def test_filters_of_libhdf5_are_undone_by_it(tmp_path: Path) -> None:
    numbers = VALUES % 1000
    columns = {
        "scaled": numbers.astype("i4"),
        "swapped": numbers.astype(">i8"),
        "rows": np.stack([numbers, numbers + 1, numbers + 2], axis=1).astype("u2"),
        "floats": np.round(numbers / 8, 3).astype("f8"),
    }
    with h5py.File(tmp_path / "x.h5", "w") as file:
        for name, values in columns.items():
            chunks = (100, 2) if values.ndim == 2 else (100,)
            scale = 3 if values.dtype.kind == "f" else 0
            file.create_dataset(
                name, data=values, chunks=chunks, scaleoffset=scale, shuffle=True, compression=1
            )
        packed(file, "packed", numbers.astype("i2"), 12)
        columns["packed"] = numbers
        if h5py.h5z.filter_avail(h5py.h5z.FILTER_SZIP):
            file.create_dataset("szip", data=VALUES, chunks=(100,), compression="szip")
            columns["szip"] = VALUES
        late = file.create_dataset("late", VALUES.shape, "i4", chunks=(100,), scaleoffset=0)
        late[:100] = VALUES[:100]
        columns["late"] = np.where(np.arange(len(VALUES)) < 100, VALUES, 0)
    events = kaon.open(tmp_path / "x.h5")["events"]
    for name, values in columns.items():
        assert events[name].array().to_list() == values.tolist(), name
        assert events[name].array(entry_start=150, entry_stop=155).to_list() == (
            values[150:155].tolist()
        )


@pytest.mark.parametrize(
    ("filters", "reason"),
    [
        ([(32015, (3,)), (1, (1,))], "several filters"),
        ([(32008, (0, 3, 4, 0, 9))], "bitshuffle in a way that kaon does not know"),
        ([(32026, (1,))], "filter 32026"),
    ],
)
def test_columns_of_unknown_filters_are_left_out(
    tmp_path: Path, filters: list[tuple[int, tuple[int, ...]]], reason: str
) -> None:
    written(tmp_path / "x.h5", filters, lambda data: data)
    with h5py.File(tmp_path / "x.h5", "a") as file:
        file["y"] = VALUES
    events = kaon.open(tmp_path / "x.h5")["events"]
    assert events.keys() == ["y"]
    with pytest.raises(kaon.Error, match=reason):
        events["x"]


@pytest.mark.parametrize("size", [512, 4096])
@pytest.mark.parametrize("libver", ["earliest", "v110"])
def test_files_with_a_user_block_are_read(tmp_path: Path, size: int, libver: str) -> None:
    texts = [f"muon {value % 17}" for value in VALUES]
    with h5py.File(tmp_path / "x.h5", "w", userblock_size=size, libver=libver) as file:
        file["whole"] = VALUES
        file.create_dataset("chunks", data=VALUES, chunks=(CHUNK,), compression="gzip")
        file["text"] = texts
    with (tmp_path / "x.h5").open("r+b") as raw:
        raw.write(b"#!/usr/bin/env python\n")
    arrays = kaon.open(tmp_path / "x.h5")["events"].arrays()
    assert arrays.whole.to_list() == arrays.chunks.to_list() == VALUES.tolist()
    assert arrays.text.to_list() == texts


@pytest.mark.parametrize("type", ["B8", "B16", "B32", "B64"])
@pytest.mark.parametrize("order", ["LE", "BE"])
def test_bit_fields_are_unsigned_integers(tmp_path: Path, type: str, order: str) -> None:
    size = int(type[1:]) // 8
    values = (VALUES % 128).astype(f"{'<' if order == 'LE' else '>'}u{size}")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        kind = getattr(h5py.h5t, f"STD_{type}{order}")
        made = h5py.h5d.create(file.id, b"x", kind, h5py.h5s.create_simple((ROWS,)))
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, values, mtype=kind)
    array: NDArray[np.generic] = kaon.open(tmp_path / "x.h5")["events"]["x"].array(library="np")
    assert array.dtype == np.dtype(f"u{size}")
    assert array.tolist() == values.tolist()


def test_references_are_the_paths_of_objects(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["detector/hits"] = [1.0]
        made = file.create_dataset("x", (3,), dtype=h5py.ref_dtype)
        made[0], made[2] = file["detector/hits"].ref, file["detector"].ref
    paths = kaon.open(tmp_path / "x.h5")["events"]["x"].array().to_list()
    assert paths == ["/detector/hits", "", "/detector"]


def test_complex_numbers_are_their_parts(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["x"] = VALUES * (1 + 2j)
    arrays = kaon.open(tmp_path / "x.h5")["events"].arrays()
    assert arrays.x.r.to_list() == VALUES.tolist()
    assert arrays.x.i.to_list() == (2 * VALUES).tolist()


@pytest.mark.parametrize("ends_type", ["u4", "i8", ">u8"])
@pytest.mark.parametrize("compression", [None, "gzip"])
def test_vectors_of_vectors_are_lists_of_their_table(
    tmp_path: Path, ends_type: str, compression: str | None
) -> None:
    lengths = VALUES % 4
    lists = [[value + 0.5] * length for value, length in zip(VALUES, lengths, strict=True)]
    with h5py.File(tmp_path / "x.lh5", "w") as file:
        raw = file.create_group("geds/raw")
        raw.attrs["datatype"] = "table{energy,hits}"
        raw["energy"] = VALUES
        hits = raw.create_group("hits")
        hits.attrs["datatype"] = "array<1>{array<1>{real}}"
        ends = np.cumsum(lengths).astype(ends_type)
        hits.create_dataset("cumulative_length", data=ends, compression=compression)
        made = hits.create_dataset(
            "flattened_data", data=np.repeat(VALUES + 0.5, lengths), compression=compression
        )
        made.attrs["units"] = "keV"
    file = kaon.open(tmp_path / "x.lh5")
    assert file.keys() == ["geds/raw"]
    events = file["geds/raw"]
    assert events.arrays().to_list() == [
        {"energy": value, "hits": each} for value, each in zip(VALUES, lists, strict=True)
    ]
    assert events["hits"].array(entry_start=500, entry_stop=510).to_list() == lists[500:510]
    assert events["hits"].unit == "keV"


@pytest.mark.parametrize("place", ["hits", "hits/flattened_data"])
def test_units_of_tables_and_vectors_of_vectors_are_kept(tmp_path: Path, place: str) -> None:
    with h5py.File(tmp_path / "x.lh5", "w") as file:
        raw = file.create_group("geds/raw")
        raw.attrs["datatype"] = "table{energy,hits,pair}"
        raw["energy"] = [1.5, 2.5]
        raw["energy"].attrs["units"] = "ADC"
        raw["pair"] = [[1, 2], [3, 4]]
        raw["pair"].attrs["units"] = "ns"
        hits = raw.create_group("hits")
        hits.attrs["datatype"] = "array<1>{array<1>{real}}"
        hits["cumulative_length"] = [1, 3]
        hits["flattened_data"] = [1.0, 2.0, 3.0]
        raw[place].attrs["units"] = "keV"
    for name in ("y.kaon", "y.h5", "y.root"):
        kaon.convert(tmp_path / "x.lh5", tmp_path / name)
    for name in ("x.lh5", "y.kaon", "y.h5"):
        events = kaon.open(tmp_path / name)["geds/raw"]
        units = {key: events[key].unit for key in ("energy", "pair", "hits")}
        assert units == {"energy": "ADC", "pair": "ns", "hits": "keV"}
    assert kaon.open(tmp_path / "y.root")["geds/raw"].arrays().hits.tolist() == [[1], [2, 3]]


def test_vectors_of_vectors_that_end_behind_their_values_are_left_out(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "x.lh5", "w") as file:
        file["energy"] = VALUES
        hits = file.create_group("hits")
        hits.attrs["datatype"] = "array<1>{array<1>{real}}"
        hits["cumulative_length"] = np.arange(1, ROWS + 1)
        hits["flattened_data"] = [1.0, 2.0]
    events = kaon.open(tmp_path / "x.lh5")["events"]
    assert events.keys() == ["energy"]
    with pytest.raises(kaon.Error, match="lists that end behind its 2 values"):
        events["hits"]
