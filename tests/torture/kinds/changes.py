"""Files that others change while they are read."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import awkward as ak

import kaon
from torture.files import check_prefix, truth, write

NAME = "changes"
CASE = "a file that is cut, overwritten or replaced while it is read: the values are the first ones"


def run(chance: random.Random, folder: Path) -> int:
    path, other = folder / "events.kaon", folder / "other.kaon"
    cases = 10
    for _ in range(cases):
        entries = truth(chance.randint(100, 3000), chance.randrange(1000))
        form = chance.choice(("split", "row", "raw"))
        for old in (path, other):
            old.unlink(missing_ok=True)
        write(other, truth(len(entries), 1000), form)
        write(path, entries, form)
        chance.choice((read_parts, read_frames))(path, other, entries, chance)
    return cases


def change(path: Path, other: Path, chance: random.Random) -> None:
    size = path.stat().st_size
    match chance.randrange(4):
        case 0:
            with path.open("r+b") as file:
                file.truncate(chance.randrange(size))
        case 1:  # at the same length, in place
            with path.open("r+b") as file:
                file.write(other.read_bytes()[:size])
        case 2:
            with path.open("r+b") as file:
                file.seek(chance.randrange(size))
                file.write(chance.randbytes(chance.randint(1, 5000)))
        case 3:
            path.unlink()


def read_parts(path: Path, other: Path, entries: ak.Array, chance: random.Random) -> None:
    step = chance.randint(1, len(entries))
    changed_after = chance.randrange(-(-len(entries) // step))
    events = kaon.open(path, map=chance.choice(("auto", "never")))["events"]
    parts = []
    try:
        for number, part in enumerate(events.iterate(step_size=step)):
            parts.append(part)
            if number == changed_after:
                change(path, other, chance)
    except kaon.errors.FileError:
        pass
    if parts:
        check_prefix(ak.concatenate(parts), entries)


def read_frames(path: Path, other: Path, entries: ak.Array, chance: random.Random) -> None:
    frames = kaon.open(path)["events"].frames()
    changed_at = chance.randrange(len(entries))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for entry, frame in enumerate(frames):
                if entry == changed_at:
                    change(path, other, chance)
                assert frame.parameters["x"] == entries.x[entry]
        except kaon.errors.FileError:
            pass
