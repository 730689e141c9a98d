"""Relations in reverse: the objects that refer to an object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import awkward as ak
import numpy as np
from awkward.contents import Content, IndexedArray, ListOffsetArray
from awkward.index import Index64

from kaon import _core
from kaon.columns.awkward_layouts import lists, present_and_content
from kaon.columns.records import SELF
from kaon.columns.references import is_whole_reference, names_and_codes, numbers_of
from kaon.errors import UnknownNameError, UsageError, WrongTypeError


def referrers(objects: ak.Array, others: ak.Array, relation: str) -> ak.Array:
    """Return for each object references to the other objects whose relation leads to it.

    >>> a = events.arrays(["MCParticles.PDG", "Hits.energy", "Hits.particle"])
    >>> hits = kaon.referrers(a.MCParticles, a.Hits, "particle")
    >>> ak.sum(hits.energy, axis=-1)  # for each particle

    For links, the result has the objects at their other end: ``kaon.referrers(a.MCParticles,
    a.Links, "to")["from"].energy``.

    Parameters
    ----------
    objects
        The objects that `others` refer to, or some of them, in any structure.
    others
        Objects that were read with the relation: all, or some, in any order.
    relation
        The relation, to one object or to many.

    Returns
    -------
    ak.Array
        An array with the structure of the objects, and a list for each object: references in the
        order of `others`. You can follow them like any others.

    Raises
    ------
    UnknownNameError
        If the others lack the relation.
    UsageError
        If the relation does not hold whole references. Or if objects lack the field ``_self``,
        because they were read without a relation.
    WrongTypeError
        If `objects` or `others` are not lists of objects.
    """
    records = _records(others, "others")
    if relation not in records.fields or relation == SELF:
        hint = _core.suggestion(relation, [field for field in records.fields if field != SELF])
        raise UnknownNameError(f"the others have no relation '{relation}'{hint}")
    targets, owner = _references(records, relation)
    owners = _own(records, "others")

    def replace(layout: Content, **kwargs: Any) -> Content | None:
        if not layout.is_record:
            return None
        begin, end, order = _matches(_own(layout, "objects"), targets)
        counts = end - begin
        offsets = np.concatenate([[0], np.cumsum(counts)])
        places = np.arange(offsets[-1]) + np.repeat(begin - offsets[:-1], counts)
        inside = IndexedArray.simplified(Index64(owner[order[places]]), owners)
        return ListOffsetArray(Index64(offsets), inside)

    _records(objects, "objects")  # raises if they are not records
    referring = ak.transform(replace, objects)
    return ak.Array(referring, attrs={**objects.attrs, **others.attrs})


def _records(objects: ak.Array, what: str) -> Content:
    """Return the records in lists of any depth."""
    layout = present_and_content(ak.to_layout(objects))[1]
    while layout.is_list:
        layout = present_and_content(lists(layout, what)[1])[1]
    if not layout.is_record:
        raise WrongTypeError(f"`{what}` must be lists of objects, not of {layout.form.type}")
    return layout


def _own(records: Content, what: str) -> Content:
    if SELF not in records.fields:
        raise UsageError(
            f"`{what}` lack the field '_self', which identifies objects: read them together with a "
            "relation, and keep this field"
        )
    return present_and_content(records[SELF])[1]


def _references(records: Content, relation: str) -> tuple[Content, np.ndarray]:
    """Return the references of objects, and the number of the object that has each."""
    owner = np.arange(records.length)
    present, content = present_and_content(records[relation])
    if present is not None:
        owner = owner[present]
    if content.is_list:
        offsets, content = lists(content, relation)
        owner = np.repeat(owner, np.diff(offsets))
    if not content.is_record or not is_whole_reference(content.fields):
        raise UsageError(f"'{relation}' holds no whole references")
    return content, owner


def _matches(wanted: Content, given: Content) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return an order of the given references, and the range in it that matches each wanted one."""
    codes: dict[Any, int] = {}
    keys = [_places(references, codes) for references in (wanted, given)]
    entries, ranks = np.unique(np.concatenate([key[0] for key in keys]), return_inverse=True)
    most = 1 + max((int(key[1].max()) for key in keys if len(key[1])), default=0)
    places = np.concatenate([key[2] for key in keys]) * len(entries) + ranks
    numbers = places * most + np.concatenate([key[1] for key in keys])
    is_set = np.concatenate([key[1] for key in keys]) >= 0
    numbers[~is_set] = -1  # no wanted reference leads nowhere
    first, others = numbers[: wanted.length], numbers[wanted.length :]
    order = np.argsort(others, kind="stable")
    ordered = others[order]
    return np.searchsorted(ordered, first), np.searchsorted(ordered, first, "right"), order


def _places(references: Content, codes: dict[Any, int]) -> Sequence[np.ndarray]:
    """Return entries, indices, and a number for file and collection that calls share."""
    entry, index, file = (numbers_of(references, name) for name in ("entry", "index", "file"))
    names, collection = names_and_codes(references["collection"])
    places = np.zeros(len(index), dtype=np.int64)
    for number in np.unique(file).tolist():
        is_here = file == number
        known, inverse = np.unique(collection[is_here], return_inverse=True)
        keys = [(number, names[code] if code >= 0 else None) for code in known.tolist()]
        numbers = [codes.setdefault(key, len(codes)) for key in keys]
        places[is_here] = np.array(numbers, dtype=np.int64)[inverse]
    return entry, index.astype(np.int64), places
