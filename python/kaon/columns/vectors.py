"""Vectors in arrays, as records of the package `vector`, and the four-momenta of objects.

They make `events.MCParticles.momentum.pt` and the invariant mass `(muons[:, 0] + muons[:, 1]).mass`
work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from contextlib import suppress
from functools import cache
from typing import Any

import awkward as ak

from kaon.errors import UnknownMemberError

_CARTESIAN = {"xy": "2D", "xyz": "3D", "xyzt": "4D"}
_DIRECTIONS = ({"px", "py", "pz"}, {"pt", "eta", "phi"}, {"pt", "phi", "pz"})
_TIMES = {"energy", "mass", "E", "e", "M", "m"}  # names of the fourth coordinate in vector
_MOMENTA = (("momentum",), ("px", "py", "pz"), ("pt", "eta", "phi"))
_ENERGIES = ("energy", "mass", "E", "e", "M", "m")
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


def has_momentum(datatype: str, members: Set[str]) -> bool:
    """Tell whether objects with these members have momenta for `four_momentum`."""
    is_vector = datatype in _VECTORS  # vector itself gives these four-momenta
    has_own = "p4" in members
    spelled = {*members, *map(_plain, members)}
    forms = (*_MOMENTA, ("fP", "fE"))  # the last one is ROOT's TLorentzVector
    return not is_vector and not has_own and any(spelled >= set(form) for form in forms)


def _plain(name: str) -> str:
    """Return a name in small letters, without the "f" of ROOT's members: "px" for "fPx"."""
    is_of_root = name[:1] == "f" and name[1:2].isupper()
    return name[is_of_root:].lower()


def four_momentum(particles: Any) -> Any:
    """Return the four-momenta of objects, or of the objects that relations lead to.

    Parameters
    ----------
    particles
        An array or a record of objects. They have a `momentum`, or `px`, `py`, `pz`, or `pt`,
        `eta`, `phi`; and an `energy` or a `mass`. Capital letters count as small ones, as in
        Delphes' `PT`. Or the objects are ROOT's TLorentzVectors.

    Returns
    -------
    ak.Array or ak.Record
        ``Momentum4D`` of vector, in the units of the file.

    Raises
    ------
    UnknownMemberError
        If the objects lack these members, or the members were not read.
    """
    times = [(name,) for name in _ENERGIES]
    momentum, time = _first_found(particles, _MOMENTA), _first_found(particles, times)
    if not momentum or not time:
        spelled = _spelled(particles)
        momentum = momentum or _first_of(spelled, [*_MOMENTA[1:], ("p.x", "p.y", "p.z")])
        time = time or _first_of(spelled, times)
    if not momentum or not time:
        raise UnknownMemberError(
            "a four-momentum needs `momentum`, or `px`, `py`, `pz`, or `pt`, `eta`, `phi`, and "
            "`energy` or `mass`, which these objects lack, or which were not read"
        )
    if "momentum" in momentum:
        components = momentum["momentum"]
        momentum = {"px": components.x, "py": components.y, "pz": components.z}
    momentum = {name.replace("p.", "p"): values for name, values in momentum.items()}
    _register()
    return ak.zip({**momentum, **time}, with_name="Momentum4D")


def _spelled(particles: Any) -> dict[str, Any]:
    """Return the members by their plain names; a name that two members have is left out."""
    spelled: dict[str, list[Any]] = {}
    for name in ak.fields(particles):
        values = particles[name]
        below = {f"{_plain(name)}.{_plain(inner)}": values[inner] for inner in ak.fields(values)}
        for plain, member in (below or {_plain(name): values}).items():
            spelled.setdefault(plain, []).append(member)
    return {name: members[0] for name, members in spelled.items() if len(members) == 1}


def _first_of(members: dict[str, Any], forms: Iterable[tuple[str, ...]]) -> dict[str, Any]:
    """Return the members of the first complete form, or {}."""
    for form in forms:
        if all(name in members for name in form):
            return {name: members[name] for name in form}
    return {}


def _first_found(particles: Any, forms: Iterable[tuple[str, ...]]) -> dict[str, Any]:
    """Return the members of the first form that the objects have completely, or {}."""
    for form in forms:
        with suppress(AttributeError):
            return {name: getattr(particles, name) for name in form}
    return {}


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
