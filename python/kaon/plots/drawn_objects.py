"""Places, directions and texts of an event's objects, to draw them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import awkward as ak
import numpy as np
from numpy.typing import NDArray

from kaon.columns.records import REFERENCE, SELF
from kaon.columns.references import follow
from kaon.columns.subsets import OBJECT
from kaon.columns.vectors import UNITS, four_momentum
from kaon.errors import UnknownMemberError
from kaon.model.standard import subset_target
from kaon.modelgen.mistakes import printable

METRES = {"um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0}
"""Units of lengths, in metres."""

GEV = {"keV": 1e-6, "MeV": 1e-3, "GeV": 1.0, "TeV": 1e3}
"""Units of momenta, in GeV."""

MOST_MEMBERS = 24
"""The largest number of members in a text."""

# Names of members in small letters, the first of them that objects have.
_MEASURED = (("position",),)
_BEGINNING = (("vertex",), ("vx", "vy", "vz"), ("referencepoint",), ("x", "y", "z"))
_ENERGY = ("energy", "edep", "e")
_CHARGE = ("charge", "q")
_AT_BEAM = 1  # `location` of the state of a track at the interaction point


class States(NamedTuple):
    """States of tracks: curvatures in one over the unit of lengths, and angles."""

    phi: NDArray[np.float64]
    omega: NDArray[np.float64]
    tan_lambda: NDArray[np.float64]


class Objects(NamedTuple):
    """The objects of a collection that have finite coordinates.

    Attributes
    ----------
    name
        The name of the collection.
    records
        The objects.
    indices
        The position of each object in its collection.
    total
        The number of objects in the collection.
    places
        Positions, or the points where momenta and tracks begin: an array of shape (objects, 3).
        None if the objects have only momenta.
    length_unit
        The unit of the places, or "".
    momenta
        Momenta, an array of shape (objects, 3); None for objects without momenta.
    momentum_unit
        The unit of the momenta, or "".
    states
        States of tracks; None for other objects.
    charges
        Charges in units of the elementary charge; None if objects have no charge.
    sizes
        Energies, or the sizes of momenta, by which large collections are cut; None if unknown.
    """

    name: str
    records: ak.Array
    indices: NDArray[np.int64]
    total: int
    places: NDArray[np.float64] | None
    length_unit: str
    momenta: NDArray[np.float64] | None
    momentum_unit: str
    states: States | None
    charges: NDArray[np.float64] | None
    sizes: NDArray[np.float64] | None

    def chosen(self, which: NDArray[Any]) -> Objects:
        """Return some of the objects, by a mask or by numbers."""
        parts: dict[str, Any] = {
            name: None if (of := getattr(self, name)) is None else of[which]
            for name in ("records", "indices", "places", "momenta", "charges", "sizes")
        }
        states = None if self.states is None else States(*(of[which] for of in self.states))
        return self._replace(states=states, **parts)

    def largest(self, most: int) -> Objects:
        """Return at most `most` objects: those of the largest sizes, or else the first ones."""
        if len(self.indices) <= most:
            return self
        if self.sizes is None:
            return self.chosen(np.arange(most))
        return self.chosen(np.sort(np.argsort(-self.sizes, kind="stable")[:most]))

    def texts(self) -> list[str]:
        """Return for each object its name and its members with units, as lines of HTML."""
        members = {name: self.records[name] for name in self.records.fields if name != SELF}
        shown = {name: of for name, of in members.items() if _is_shown(of)}
        units = self.records.layout.purelist_parameter(UNITS) or {}
        names = list(shown)[:MOST_MEMBERS]
        values = {name: ak.to_list(shown[name]) for name in names}
        more = f"<br>… and {len(shown) - len(names)} more" if len(shown) > len(names) else ""
        texts = []
        for row, index in enumerate(self.indices.tolist()):
            lines = [
                f"{_plain(name)}: {_value_text(values[name][row])} {_plain(units.get(name, ''))}"
                for name in names
            ]
            head = f"<b>{_plain(self.name)}[{index}]</b>"
            texts.append("<br>".join([head, *map(str.rstrip, lines)]) + more)
        return texts


def drawn_objects(event: ak.Record) -> Iterator[Objects]:
    """Yield the collections of an event whose objects have positions, momenta or states of tracks.

    Positions are members ``position``, ``vertex``, ``referencePoint`` with ``x``, ``y``, ``z``, or
    members ``x y z`` or ``vx vy vz``, in small or capital letters. Momenta are the four-momenta of
    objects; without a mass their direction is drawn.
    """
    for name in event.fields:
        records = _collection(event, name)
        if records is not None and (objects := _objects(name, records)) is not None:
            yield objects


def _collection(event: ak.Record, name: str) -> ak.Array | None:
    """Return the objects of a collection, those of a subset from its file; None for other data.

    Objects may be None, such as those that a subset has lost. A single object is a collection of
    one, unless its members are lists of equal length.
    """
    records = event[name]
    if isinstance(records, ak.Record):
        members = {field: records[field] for field in records.fields}
        lengths = {len(of) if isinstance(of, ak.Array) else None for of in members.values()}
        if len(lengths) == 1 and None not in lengths:
            records = ak.zip(members, depth_limit=1)
        else:
            layout = records.layout
            records = ak.Array(layout.array[layout.at : layout.at + 1], attrs=records.attrs)
    if not isinstance(records, ak.Array) or records.ndim != 1 or not records.fields:
        return None
    datatype = records.layout.purelist_parameter("__record__") or ""
    if subset_target(datatype) is not None:
        records = follow(records[OBJECT])
    return None if datatype == REFERENCE else records


def _objects(name: str, records: ak.Array) -> Objects | None:
    total = len(records)
    indices = np.arange(total)
    if records.layout.is_option:
        indices = indices[np.asarray(records.layout.mask_as_bool(valid_when=True))]
        records = ak.drop_none(records)
    if not len(records):
        return None
    names = {field.lower(): field for field in reversed(records.fields)}
    measured, unit = _place(records, names, _MEASURED)
    states = momenta = None
    if measured is None and "trackstates" in names:
        measured, unit, states = _track_states(records[names["trackstates"]])
    places = measured
    if measured is None:
        momenta = _momenta(records)
        places, unit = _place(records, names, _BEGINNING)
    if places is None and momenta is None:
        return None
    sizes = _first(records, names, _ENERGY)
    if momenta is not None:
        sizes = np.linalg.norm(momenta, axis=1)
    units = records.layout.purelist_parameter(UNITS) or {}
    spelled = (units.get(names.get(of, ""), "") for of in ("momentum", "px", "pt"))
    charges = None if momenta is None else _first(records, names, _CHARGE)
    momentum_unit = next(filter(None, spelled), "")
    objects = Objects(
        *(name, records, indices, total, places, unit, momenta, momentum_unit),
        *(states, charges, sizes),
    )
    numbers = [of for of in (places, momenta) if of is not None]
    columns = np.concatenate([*numbers, *([] if states is None else [np.stack(states, 1)])], axis=1)
    return objects.chosen(np.isfinite(columns).all(axis=1))


def _place(
    records: ak.Array, names: dict[str, str], forms: Sequence[tuple[str, ...]]
) -> tuple[NDArray[np.float64] | None, str]:
    """Return positions, and their unit; None without positions."""
    units = records.layout.purelist_parameter(UNITS) or {}
    for form in forms:
        if not all(name in names for name in form):
            continue
        members = [records[names[name]] for name in form]
        if len(form) == 1:
            inner = {field.lower(): field for field in members[0].fields}
            if not {"x", "y", "z"} <= inner.keys():
                continue
            members = [members[0][inner[axis]] for axis in "xyz"]
        if all(map(_is_numbers, members)):
            return np.stack(list(map(_numbers, members)), axis=1), units.get(names[form[0]], "")
    return None, ""


def _momenta(records: ak.Array) -> NDArray[np.float64] | None:
    without_names = ak.without_parameters(records)  # vector's records refuse further members
    massless = (records, ak.with_field(without_names, np.zeros(len(records)), "mass"))
    for particles in massless:
        try:
            momenta = four_momentum(particles)
        except UnknownMemberError:
            continue
        components = [getattr(momenta, name) for name in ("px", "py", "pz")]
        if all(map(_is_numbers, components)):
            return np.stack(list(map(_numbers, components)), axis=1)
    return None


def _track_states(
    states: ak.Array,
) -> tuple[NDArray[np.float64] | None, str, States | None]:
    """Return where tracks begin, the unit, and their states; None if they have other members.

    A track begins at its state at the interaction point, or else at its first state. The first
    point is the one nearest to the reference point (LCIO's track parameters, LC-DET-2006-004).
    """
    names = {field.lower(): field for field in states.fields}
    wanted = ("d0", "phi", "omega", "z0", "tanlambda", "referencepoint")
    if not all(name in names for name in wanted):
        return None, "", None
    if "location" in names:
        at_beam = states[names["location"]] == _AT_BEAM
        states = ak.concatenate([states[at_beam], states[~at_beam]], axis=1)
    first = ak.firsts(states, axis=1)
    d0, phi, omega, z0, tan_lambda = (_numbers(first[names[name]]) for name in wanted[:5])
    reference = first[names["referencepoint"]]
    x, y, z = (_numbers(reference[axis]) for axis in "xyz")
    places = np.stack([x - d0 * np.sin(phi), y + d0 * np.cos(phi), z + z0], axis=1)
    units = states.layout.purelist_parameter(UNITS) or {}
    unit = units.get(names["referencepoint"], "") or units.get(names["d0"], "")
    return places, unit, States(phi, omega, tan_lambda)


def _first(
    records: ak.Array, names: dict[str, str], wanted: Sequence[str]
) -> NDArray[np.float64] | None:
    """Return the numbers of the first member that the objects have."""
    for name in wanted:
        if name in names and _is_numbers(records[names[name]]):
            return _numbers(records[names[name]])
    return None


def _is_numbers(values: Any) -> bool:
    """Return whether an array has a number, or None, for each object."""
    return bool(values.ndim == 1 and not values.fields and _type_of(values) is None)


def _type_of(values: Any) -> str | None:
    """Return the kind of lists that stand for one value, such as "string"."""
    kind: str | None = values.layout.purelist_parameter("__array__")
    return kind


def _is_shown(values: Any) -> bool:
    """Return whether a text shows a member: numbers, texts, and components of numbers."""
    if values.fields:
        is_reference = values.layout.purelist_parameter("__record__") == REFERENCE
        return not is_reference and all(_is_shown(values[name]) for name in values.fields)
    return _is_numbers(values) or _type_of(values) == "string"


def _numbers(values: Any) -> NDArray[np.float64]:
    return np.asarray(ak.to_numpy(ak.fill_none(values, np.nan)), dtype=np.float64)


def _value_text(value: Any) -> str:
    if isinstance(value, dict):
        return f"({', '.join(map(_value_text, value.values()))})"
    return f"{value:.5g}" if isinstance(value, float) else _plain(str(value))


def _plain(text: str) -> str:
    """Return a text for plotly, which knows a few tags of HTML and obeys no others."""
    return printable(text).replace("&", "&amp;").replace("<", "&lt;")
