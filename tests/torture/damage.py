"""Random damage of a file: what disks, transfers and losses of power do to it."""

from __future__ import annotations

import random

SECTOR, PAGE = 512, 4096
MOST_CUT = 4 * PAGE
"""The most bytes that a cut removes."""


def flip_bit(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def zero_sector(data: bytearray, chance: random.Random) -> None:
    begin = SECTOR * chance.randrange(-(-len(data) // SECTOR))
    end = min(len(data), begin + SECTOR)
    data[begin:end] = bytes(end - begin)


def cut_tail(data: bytearray, chance: random.Random) -> None:
    del data[-chance.randint(1, min(MOST_CUT, len(data) - 1)) :]


def tear_page(data: bytearray, chance: random.Random) -> None:
    """Keep the first sectors of a page; the others still hold bytes of an older file."""
    begin = PAGE * chance.randrange(-(-len(data) // PAGE)) + SECTOR * chance.randrange(1, 8)
    end = min(len(data), -(-begin // PAGE) * PAGE)
    data[begin:end] = chance.randbytes(max(0, end - begin))


KINDS = (flip_bit, zero_sector, cut_tail, tear_page)
