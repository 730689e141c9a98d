"""Damaged bytes that contradict their checksums."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import awkward as ak

import kaon
from torture.damage import KINDS
from torture.files import FORMS, check_prefix, check_values, truth, write

NAME = "damages"
CASE = "a file with one to three damages: reading gives right values or an error; recovering, too"


def run(chance: random.Random, folder: Path) -> int:
    entries = truth(chance.randint(1, 3000), chance.randrange(1000))
    path = folder / "good.kaon"
    write(path, entries, chance.choice(list(FORMS)), chance.choice((10, 200, 5000)))
    good = path.read_bytes()
    cases = 20
    for case in range(cases):
        data = bytearray(good)
        for _ in range(chance.randint(1, 3)):
            chance.choice(KINDS)(data, chance)
        damaged = folder / f"{case}.kaon"
        damaged.write_bytes(data)
        check(damaged, entries)
        damaged.unlink()
    return cases


def check(path: Path, entries: ak.Array) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with kaon.open(path) as file:
                if "events" in file:
                    check_prefix(file["events"].arrays(), entries)
        except kaon.Error:
            pass
        try:
            file = kaon.open(path, on_damage="skip")
        except kaon.Error:
            return
        if "events" in file:
            check_values(file["events"].arrays(), entries)
