"""The defaults of a data model's members, as NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kaon.errors import UsageError
from kaon.modelgen import defaults
from kaon.modelgen.model import Component, Member


def leaf_defaults(
    members: Sequence[Member], components: Mapping[str, Component]
) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the default of each leaf of a struct with these members, which have the form of files.

    Each default has the type of its leaf, and the shape () or (extent,).

    Raises
    ------
    UsageError
        If a default is C++ that only a compiler understands.
    """
    try:
        values = list(defaults.leaf_defaults(members, components))
    except ValueError as error:
        raise UsageError(f"{error}: give values") from None
    for scalar, numbers in values:
        yield np.array(numbers if len(numbers) > 1 else numbers[0], scalar.dtype)
