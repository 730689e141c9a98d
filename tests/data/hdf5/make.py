"""Write variable.h5 with h5py 3: rows of different lengths, in chunks and in one piece."""

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
