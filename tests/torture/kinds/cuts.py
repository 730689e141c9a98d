"""Files that end early."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import kaon
from torture.files import FORMS, check_prefix, truth, write

NAME = "cuts"
CASE = "a file that is cut at one byte: reading gives the first entries or an error"


MOST = 400  # lengths of a file


def run(chance: random.Random, folder: Path) -> int:
    entries = truth(chance.randint(1, 60), chance.randrange(1000))
    path = folder / "good.kaon"
    write(path, entries, chance.choice(list(FORMS)), chance.choice((5, 20)))
    good = path.read_bytes()
    size = len(good)
    lengths = sorted(chance.sample(range(size), min(size, MOST)))
    for length in lengths:
        path.write_bytes(good[:length])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
            try:
                with kaon.open(path) as file:
                    assert not file.is_complete, f"complete with {length} of {size} bytes"
                    if "events" in file:
                        check_prefix(file["events"].arrays(), entries)
            except kaon.Error:
                pass
    return len(lengths)
