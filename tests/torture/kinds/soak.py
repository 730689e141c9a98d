"""Random steps on a file, beside a model of it in memory."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import awkward as ak
import numpy as np

import kaon

NAME = "soak"
CASE = "a step: append, flush, convert, merge, recover, salvage or read; the file equals the model"

LAYOUTS, CODECS = ("split", "row", "member"), ("none", "lz4", "zstd", "zlib", "lzma")


class Soak:
    """A file and its expected entries."""

    def __init__(self, chance: random.Random, folder: Path) -> None:
        self.chance = chance
        self.folder = folder
        self.path = folder / "soak.kaon"
        self.entries = self.batch(chance.randint(1, 50))
        with kaon.create(self.path, **self.options()) as out:
            out["events"].extend(self.entries)

    def options(self) -> dict[str, object]:
        return {
            "layout": self.chance.choice(LAYOUTS),
            "codec": self.chance.choice(CODECS),
            "cluster_entries": self.chance.choice((1, 7, 100, 10_000)),
        }

    def batch(self, size: int) -> ak.Array:
        random = np.random.default_rng(self.chance.randrange(2**32))
        counts = random.integers(0, 4, size)
        return ak.zip(
            {
                "n": random.integers(-(2**62), 2**62, size),
                "x": random.choice([0.0, -0.0, 1.5, np.inf, np.nan, 1e-310], size),
                "list": ak.unflatten(random.random(counts.sum(), np.float32), counts),
                "text": ak.Array([f"{number:x}" for number in random.integers(0, 2**40, size)]),
            },
            depth_limit=1,
        )

    def append(self) -> None:
        with kaon.append(self.path, codec=self.chance.choice(CODECS)) as out:
            for _ in range(self.chance.randint(0, 3)):
                more = self.batch(self.chance.randint(1, 40))
                out["events"].extend(more)
                self.entries = ak.concatenate([self.entries, more])
                if self.chance.random() < 0.5:
                    out.flush()

    def convert(self) -> None:
        other = self.folder / "converted.kaon"
        kaon.convert(self.path, other, overwrite=True, **self.options())
        other.replace(self.path)

    def merge(self) -> None:
        more, other = self.batch(self.chance.randint(1, 30)), self.folder / "more.kaon"
        with kaon.create(other, overwrite=True, **self.options()) as out:
            out["events"].extend(more)
        merged = self.folder / "merged.kaon"
        kaon.merge([self.path, other], merged, overwrite=True)
        merged.replace(self.path)
        self.entries = ak.concatenate([self.entries, more])

    def recover(self) -> None:
        other = self.folder / "recovered.kaon"
        report = kaon.recover(self.path, other, overwrite=True)
        assert all(each.lost_entries == 0 for each in report.categories)
        other.replace(self.path)

    def cut_append(self) -> None:
        """Append, and lose the appended bytes: the file is the earlier one."""
        before = self.path.read_bytes()
        with kaon.append(self.path) as out:
            out["events"].extend(self.batch(10))
        after = self.path.read_bytes()
        length = self.chance.randint(len(before), len(after) - 1)
        self.path.write_bytes(after[:length])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
            with kaon.append(self.path):
                pass
            found = kaon.open(self.path)["events"].arrays()
        same(found[: len(self.entries)], self.entries)
        self.path.write_bytes(before)

    def read_part(self) -> None:
        first, last = sorted(self.chance.choices(range(len(self.entries) + 1), k=2))
        with kaon.open(self.path) as file:
            same(
                file["events"].arrays(entry_start=first, entry_stop=last), self.entries[first:last]
            )

    def check(self) -> None:
        assert kaon.verify(self.path).is_sound
        with kaon.open(self.path) as file:
            same(file["events"].arrays(), self.entries)
            parts = file["events"].iterate(step_size=self.chance.randint(1, 60))
            same(ak.concatenate(list(parts)), self.entries)


def same(found: ak.Array, expected: ak.Array) -> None:
    assert len(found) == len(expected)
    for name in expected.fields:
        assert ak.array_equal(found[name], expected[name], equal_nan=True), name
    zeros = expected.x == 0
    assert ak.array_equal(np.signbit(found.x[zeros]), np.signbit(expected.x[zeros]))


def run(chance: random.Random, folder: Path) -> int:
    soak = Soak(chance, folder)
    steps = 25
    for _ in range(steps):
        chance.choice(
            (soak.append, soak.convert, soak.merge, soak.recover, soak.cut_append, soak.read_part)
        )()
        soak.check()
    return steps
