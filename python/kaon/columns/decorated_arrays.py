"""Decorations in arrays: fields of records; a parameter of the records names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import awkward as ak
import numpy as np
from awkward.contents import Content, RecordArray

from kaon.columns.decorations import check_name, missing_bytes
from kaon.errors import WrongTypeError

MARKS = "decorations"
"""The parameter of records with the type and the missing values of each decoration."""


def mark(type_: str, missing: Mapping[str, int]) -> dict[str, Any]:
    """Return the entry of a decoration in `MARKS`.

    Parameters
    ----------
    missing
        The bytes of the missing value of each member, as a number.
    """
    return {"type": type_, "missing": dict(missing)}


def decorate(objects: ak.Array, name: str, values: Any, missing: Any = None) -> ak.Array:
    """Return objects with an additional member that their datatype does not have.

    >>> events["Jets"] = kaon.decorate(events.Jets, "isolation", isolation)
    >>> out["events"].extend(events)

    Parameters
    ----------
    objects
        Lists of records, one list for each event.
    values
        A number or boolean for each object, or one for all objects.
    missing
        The value of objects without the decoration, such as those of events written before; by
        default 0.

    Raises
    ------
    UsageError
        If the objects have a member of this name, or `missing` is out of range.
    WrongTypeError
        If values are neither numbers nor booleans.
    """
    decorated = ak.with_field(objects, values, name)
    numbers = ak.to_layout(ak.flatten(decorated[name], axis=None))
    if not numbers.is_numpy:
        raise WrongTypeError(f"the decoration '{name}' needs numbers, not {numbers.form.type}")
    dtype = np.dtype(numbers.dtype)
    new_mark = mark(dtype.name, {"": missing_bytes(missing, dtype, name)})
    before = objects.layout.purelist_parameter(MARKS) or {}
    members = [field for field in objects.fields if field not in before]
    check_name(name, members, objects.layout.purelist_parameter("__record__") or "record")

    def marked(layout: Content, **kwargs: Any) -> Content | None:
        if not layout.is_record:
            return None
        return layout.copy(parameters={**layout.parameters, MARKS: {**before, name: new_mark}})

    return ak.transform(marked, decorated)


def decoration_content(pieces: Sequence[Mapping[str, np.ndarray]]) -> Content:
    """Return the decorations of consecutive events as one field of their records."""
    joined = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    contents = {
        name: ak.from_numpy(values, regulararray=True, highlevel=False)
        for name, values in joined.items()
    }
    if list(contents) == [""]:
        return contents[""]
    return RecordArray(list(contents.values()), list(contents))
