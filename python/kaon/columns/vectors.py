"""Vectors in arrays, as records of the package `vector`, and the four-momenta of objects.

They make `events.MCParticles.momentum.pt` and the invariant mass `(muons[:, 0] + muons[:, 1]).mass`
work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

import awkward as ak
import numpy as np

from kaon import _core
from kaon.errors import UnknownMemberError, WrongTypeError

UNITS = "units"
"""The parameter of records with the units of their fields."""

PARTICLE = "ParticleWithMomentum"
"""The name of records without a name of their own that have four-momenta."""

_CARTESIAN = {"xy": "2D", "xyz": "3D", "xyzt": "4D"}
_DIRECTIONS = ({"px", "py", "pz"}, {"pt", "eta", "phi"}, {"pt", "phi", "pz"})
_TIMES = {"energy", "mass", "E", "e", "M", "m"}  # names of the fourth coordinate in vector
_VECTORS = {f"{kind}{size}D" for kind in ("Vector", "Momentum") for size in (2, 3, 4)}
_COORDINATES = {"x", "y", "z", "t", "rho", "theta", "tau"}.union(_TIMES, *_DIRECTIONS)


def vector_name(fields: Collection[str], name: str) -> str:
    """Return the name of records with these fields in vector; "" if they are not vectors.

    Parameters
    ----------
    name
        The name of the records; records in a ``momentum`` are momenta.
    """
    dimension = _CARTESIAN.get("".join(sorted(fields, key="xyzt".find)))
    if dimension is not None:
        _register()
        return f"{'Momentum' if 'momentum' in name.lower() else 'Vector'}{dimension}"
    coordinates = _COORDINATES.intersection(fields)  # coordinates of two kinds would be ambiguous
    if len(coordinates) == 4 and any(each < coordinates for each in _DIRECTIONS):
        _register()
        return "Momentum4D"
    return ""


def behavior(names: Collection[str]) -> dict[Any, Any]:
    """Return the behavior of arrays; records with these names have four-momenta."""
    arrays = {("*", name): ParticleArray for name in names}
    unpickled = {("kaon", "vector"): _Registration()} if names else {}
    return {**arrays, **dict.fromkeys(names, ParticleRecord), **unpickled}


def has_momentum(datatype: str, members: Iterable[str]) -> bool:
    """Tell whether objects with these members have momenta for `four_momentum`.

    Parameters
    ----------
    members
        Their names; those of components with dots, as in "momentum.x".
    """
    is_vector = datatype in _VECTORS  # vector itself gives these four-momenta
    names = list(members)
    return not is_vector and "p4" not in names and bool(_momentum(_core.momentum_members(names)[0]))


def four_momentum(particles: Any) -> Any:
    """Return the four-momenta of objects, or of the objects that relations lead to.

    Parameters
    ----------
    particles
        An array or a record of objects. Expressions explain the names that their members may have:
        a `momentum`, or `px`, `py`, `pz`, or `pt`, `eta`, `phi`; and an `energy` or a `mass`, or
        a `pid`. The names of other programs count, too.

    Returns
    -------
    ak.Array or ak.Record
        ``Momentum4D`` of vector, in the units of the file.

    Raises
    ------
    UnknownMemberError
        If the objects lack these members, or the members were not read.
    WrongTypeError
        If the momenta and the energies or masses have different units.
    """
    members, is_massless = _core.momentum_members(member_names(particles))
    momentum = _momentum(members)
    time = next((name for name in ("E", "mass", "particle") if name in members), None)
    if not momentum or not (time or is_massless):
        raise UnknownMemberError(
            "a four-momentum needs `momentum`, or `px`, `py`, `pz`, or `pt`, `eta`, `phi`, and "
            "`energy` or `mass`, which these objects lack, or which were not read"
        )
    dimensional = [name for name in (*momentum, time) if name not in ("eta", "phi", "particle")]
    paths = [members[name] for name in dimensional if name]
    _require_one_unit(particles, paths, "GeV" if time == "particle" else "")
    coordinates = {name: _member(particles, members[name]) for name in momentum}
    if time is None:
        coordinates["mass"] = ak.zeros_like(coordinates["pt"])
    elif time == "particle":
        coordinates["mass"] = ak.transform(_masses, _member(particles, members[time]))
    else:
        coordinates[time] = _member(particles, members[time])
    _register()
    return ak.zip(coordinates, with_name="Momentum4D")


def member_names(objects: Any) -> list[str]:
    """Return the names of the members of objects; those of components with dots."""
    if hasattr(type(objects), "member_names"):
        return list(objects.member_names())
    names = []
    for name in ak.fields(objects):
        member = objects[name]
        below = ak.fields(member) if isinstance(member, (ak.Array, ak.Record)) else []
        names += [f"{name}.{inner}" for inner in below] or [name]
    return names


def _momentum(members: Mapping[str, str]) -> tuple[str, ...]:
    """Return the components of momenta that have members: three, or none."""
    forms = (("px", "py", "pz"), ("pt", "eta", "phi"))
    return next((form for form in forms if members.keys() >= set(form)), ())


def _member(objects: Any, path: str) -> Any:
    for name in path.split("."):
        objects = objects[name] if name in ak.fields(objects) else getattr(objects, name)
    return objects


def _masses(numbers: Any, **_: Any) -> Any:
    """Return masses in place of PDG numbers, for `ak.transform`."""
    if not numbers.is_numpy:
        return None
    return ak.contents.NumpyArray(_core.particle_masses(np.asarray(numbers.data, np.float64)))


def _require_one_unit(objects: Any, members: Iterable[str], unit_of_masses: str) -> None:
    if not isinstance(objects, (ak.Array, ak.Record)):
        return
    said = objects.layout.purelist_parameter(UNITS) or {}
    units = {unit_of_masses: "the mass of the particle"} if unit_of_masses and said else {}
    for path in members:
        if unit := said.get(path.partition(".")[0]):
            units.setdefault(unit, path)
    if len(units) > 1:
        (first, one), (second, other), *_ = units.items()
        raise WrongTypeError(f"'{one}' is in {first}, but '{other}' is in {second}")


@cache
def _register() -> None:
    """Register vector's behaviors in Awkward."""
    import vector

    vector.register_awkward()


class _Registration:
    """Registers vector in a process that unpickles an array; other processes import it later."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _registration, ()


def _registration() -> _Registration:
    _register()
    return _Registration()


class _Particles:
    @property
    def p4(self) -> Any:
        """The four-momenta, see `four_momentum`, or the field ``p4`` if it was set."""
        if "p4" in ak.fields(self):
            return self["p4"]  # type: ignore[index]
        return four_momentum(self)

    def __getattr__(self, name: str) -> Any:
        if name == "p4":  # the property raised an error: raise it again
            return four_momentum(self)
        return super().__getattr__(name)  # type: ignore[misc]


class ParticleArray(_Particles, ak.Array):  # type: ignore[misc]  # Awkward has no types
    """Objects with four-momenta, in lists of any depth."""


class ParticleRecord(_Particles, ak.Record):  # type: ignore[misc]
    """An object with a four-momentum."""
