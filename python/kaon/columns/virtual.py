"""Awkward arrays whose parts are read when they are first used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np

from kaon.columns.buffers import RecordBuffers

if TYPE_CHECKING:
    from kaon.columns.reading import CategoryReader


@dataclass(frozen=True)
class Accessed:
    """A part that was read because a program used an array.

    Attributes
    ----------
    name
        A member, or the common name of several; for the lists of a collection, its name.
        The buffer of the array that was read: "data", "offsets" or "index".
    """

    name: str
    buffer: str


def virtual_records(
    reader: CategoryReader,
    keys: Sequence[str],
    entries: range,
    attributes: Mapping[str, Any],
    memory_limit: int = 0,
    access_log: list[Accessed] | None = None,
) -> ak.Array:
    """Return members as Awkward records, one per entry, without reading them.

    Parameters
    ----------
    The attributes of the array.
        Of the array.
    memory_limit
        The largest memory of each part; 0 for all available memory.
    access_log
        A list that gets each part when it is read.
    """
    buffers = RecordBuffers(reader, keys)

    def read(key: str) -> np.ndarray:
        name, selection = buffers.needed(key)
        if access_log is not None:
            access_log.append(Accessed(name, key.rpartition("-")[2]))
        return buffers.of(buffers.records(selection, entries, memory_limit), key)

    container = {key: partial(read, key) for key in buffers.keys}
    return ak.from_buffers(
        buffers.form, len(entries), container, behavior=buffers.behavior, attrs=attributes
    )
