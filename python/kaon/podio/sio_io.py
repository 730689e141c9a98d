"""SIO files. Readers of all names read files of any format."""

from __future__ import annotations

import os

from kaon.podio.readers import Reader
from kaon.podio.readers import Writer as AnyWriter

LegacyReader = Reader


class Writer(AnyWriter):
    """A new file in podio's SIO format."""

    def __init__(self, filename: str | os.PathLike[str]) -> None:
        super().__init__(filename, "podio-sio")


__all__ = ["LegacyReader", "Reader", "Writer"]
