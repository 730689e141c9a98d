"""Datatypes that every model has: links, subsets of other collections, bare values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # its import takes longer than a small read
    from kaon.modelgen.model import Datatype

_SUBSET = "kaon::Subset<"
_LINK = "kaon::Link<"
_BARE = {
    "bool": "bool",
    "float32": "float",
    "float64": "double",
    **{f"{kind}{bits}": f"{kind}{bits}_t" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
}


def subset_of(datatype: str) -> str:
    """Return the datatype of a collection of objects of other collections."""
    return f"{_SUBSET}{datatype}>"


def subset_target(datatype: str) -> str | None:
    """Return the datatype of a subset's objects, or None for other datatypes."""
    return datatype[len(_SUBSET) : -1] if datatype.startswith(_SUBSET) else None


def standard_datatype(name: str) -> Datatype | None:
    """Return a datatype that every model has: a subset, or a link without an own name."""
    from kaon.modelgen.model import Datatype, Link, Relation, TypeName

    if target := subset_target(name):
        relation = Relation(target, "object", "of another collection")
        return Datatype(name, "Objects of other collections", "", one_to_one_relations=(relation,))
    ends = name.removeprefix(_LINK).removesuffix(">").split(",")
    if name.startswith(_LINK) and len(ends) == 2:
        begin, end = map(TypeName, ends)
        return Link(name, "A link between two objects, with a weight", "", begin, end).datatype()
    return None


def bare_datatype(scalar: str) -> Datatype | None:
    """Return the datatype of collections of numbers or booleans, or None for other types."""
    from kaon.modelgen.model import Datatype, Member

    return Datatype(scalar, "", "", (Member(_BARE[scalar], ""),)) if scalar in _BARE else None
