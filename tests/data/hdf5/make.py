"""Write files with h5py 3: rows of different lengths, references, vectors of vectors."""

from pathlib import Path

import h5py
import numpy as np

WORDS = ["one", "", "three four", "fünf"] * 5

with h5py.File(Path(__file__).with_name("variable.h5"), "w", libver="v110") as file:
    file["texts"] = WORDS
    file.create_dataset("chunked", data=WORDS, chunks=(6,), compression="gzip", shuffle=True)
    file["padded"] = np.array([word.encode() for word in WORDS])
    lists = file.create_dataset("lists", (len(WORDS),), h5py.vlen_dtype("f4"))
    for i in range(len(WORDS)):
        lists[i] = np.arange(i % 4)
    record = np.dtype(
        [("n", "<i4"), ("text", h5py.string_dtype()), ("list", h5py.vlen_dtype("i2")), ("x", "<f8")]
    )
    records = np.empty(len(WORDS), record)
    for i, word in enumerate(WORDS):
        records[i] = (i, word, np.arange(i % 3, dtype="i2"), i / 2)
    file["records"] = records

with h5py.File(Path(__file__).with_name("foreign.h5"), "w") as file:
    file["hits"] = [1.0]
    references = file.create_dataset("references", (4,), dtype=h5py.ref_dtype)
    for i in range(4):
        references[i] = file["hits"].ref
    table = file.create_group("table")  # as LEGEND writes vectors of vectors
    lists = table.create_group("lists")
    lists.attrs["datatype"] = "array<1>{array<1>{real}}"
    lists["cumulative_length"] = np.arange(3, 33, 3, dtype="u4")
    lists["flattened_data"] = np.arange(30) / 2
