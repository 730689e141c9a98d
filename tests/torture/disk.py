"""A model of a disk that loses power: it keeps synced bytes, and any part of the others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PAGE = 4096


@dataclass
class Inode:
    """A file: the bytes that are durable, and later changes in their order."""

    durable: bytearray = field(default_factory=bytearray)
    changes: list[tuple[int, bytes | None]] = field(default_factory=list)  # None: cut there

    def sync(self) -> None:
        for change in self.changes:
            apply(self.durable, *change)
        self.changes.clear()

    def after_power_loss(self, chance: random.Random) -> bytes:
        """Return the durable bytes with some of the later pages, and any later size."""
        kept = bytearray(self.durable)
        share = chance.choice((0.0, 0.5, 0.9, 1.0))
        for offset, data in self.changes:
            if data is None:
                if chance.random() < share:
                    apply(kept, offset, None)
                continue
            for begin, page in pages_of(offset, data):
                if chance.random() < share:
                    apply(kept, begin, page)
        return bytes(kept)


def apply(content: bytearray, offset: int, data: bytes | None) -> None:
    """Make one change; bytes between the end and a later write are zeros."""
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def pages_of(offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut a write at the borders of pages."""
    begin = 0
    while begin < len(data):
        end = min(len(data), begin + PAGE - (offset + begin) % PAGE)
        yield offset + begin, data[begin:end]
        begin = end


class Disk:
    """The files of one folder while a recorded program writes them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inodes: dict[int, Inode] = {}
        self.names: dict[str, int] = {}  # as the running program sees them
        self.durable_names: dict[str, int] = {}
        self.renames: list[dict[str, int]] = []  # names after each change since the last sync
        self.acknowledged = ""

    def add_durable(self, path: Path) -> None:
        """Add a file that exists before the program starts."""
        number = path.stat().st_ino
        self.inodes[number] = Inode(bytearray(path.read_bytes()))
        self.names[str(path)] = self.durable_names[str(path)] = number

    def replay(self, log: Path) -> Iterator[str]:
        """Yield the kind of each recorded step after it."""
        with log.open("rb") as records:
            while line := records.readline().decode().rstrip("\n"):
                kind, *words = line.split(" ")
                self._step(records, kind, *words)
                yield kind

    def _step(self, records, kind: str, *words: str) -> None:
        if kind == "open":
            self.inodes.setdefault(int(words[0]), Inode())
            if self.names.get(words[1]) != int(words[0]):
                self._rename({**self.names, words[1]: int(words[0])})
        elif kind == "write":
            number, offset, count = map(int, words)
            self.inodes[number].changes.append((offset, records.read(count)))
        elif kind == "resize":
            self.inodes[int(words[0])].changes.append((int(words[1]), None))
        elif kind == "sync":
            self.inodes[int(words[0])].sync()
        elif kind == "folder":
            self.durable_names = dict(self.names)
            self.renames.clear()
        elif kind == "rename":
            names = dict(self.names)
            names[words[1]] = names.pop(words[0])
            self._rename(names)
        elif kind == "acknowledged":
            self.acknowledged = words[0]
        else:
            raise ValueError(kind)

    def _rename(self, names: dict[str, int]) -> None:
        self.names = names
        self.renames.append(names)

    def lose_power(self, chance: random.Random, into: Path) -> None:
        """Write the files as the next start of the machine may find them."""
        names = chance.choice([self.durable_names, *self.renames])
        contents = {number: inode.after_power_loss(chance) for number, inode in self.inodes.items()}
        for name, number in names.items():
            if not name.endswith("/acknowledged"):
                (into / Path(name).name).write_bytes(contents[number])
