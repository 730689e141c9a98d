"""Decays of particles as graphs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from typing import Any

import awkward as ak

from kaon.columns.records import REFERENCE
from kaon.errors import OutOfRangeError, UnknownNameError, UsageError
from kaon.files.category import Category
from kaon.modelgen.mistakes import printable
from kaon.plots.display import event_of
from kaon.plots.particle_names import particle_name

_CODES = ("PDG", "pdgId", "pdg", "pid")
_DAUGHTERS = "daughters"
_PARENTS = "parents"
_MOTHER = "genPartIdxMother"


class Decays:
    """A graph of particles in the language DOT, which `str` returns and notebooks draw.

    Attributes
    ----------
    names
        The name of each particle in the graph, by its position in the collection.
    edges
        Pairs of positions: a particle and one of its daughters.
    left_out
        The number of particles that the graph leaves out.
    """

    def __init__(self, names: dict[int, str], edges: list[tuple[int, int]], left_out: int) -> None:
        self.names = names
        self.edges = edges
        self.left_out = left_out

    def __str__(self) -> str:
        nodes = [
            f'  {number} [label="{_escaped(name)}", tooltip="{number}"];'
            for number, name in self.names.items()
        ]
        if self.left_out:
            nodes.append(f'  more [label="and {self.left_out} more", shape=none];')
        edges = [f"  {mother} -> {daughter};" for mother, daughter in self.edges]
        style = "  rankdir=LR;\n  node [shape=plaintext, fontname=Helvetica];"
        return "\n".join(["digraph decays {", style, *nodes, *edges, "}"])

    def __repr__(self) -> str:
        return f"<Decays of {len(self.names)} particles>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph, in the format of the suffix: .dot, .svg, .pdf or .png.

        Raises
        ------
        UsageError
            If the suffix is another one.
        ImportError
            If a picture needs Graphviz, which is not installed.
        """
        suffix = os.path.splitext(path)[1].lower()
        if suffix not in (".dot", ".svg", ".pdf", ".png"):
            raise UsageError(f"{os.fspath(path)}: write decays to .dot, .svg, .pdf or .png")
        content = str(self).encode() if suffix == ".dot" else self._drawn(suffix[1:])
        with open(path, "wb") as file:
            file.write(content)

    def _drawn(self, format_: str) -> bytes:
        try:
            import graphviz
        except ImportError as error:
            raise ImportError("pictures of decays need: pip install graphviz") from error
        try:
            drawn: bytes = graphviz.Source(str(self)).pipe(format=format_)
        except graphviz.ExecutableNotFound as error:
            raise ImportError(
                "pictures of decays need Graphviz's program dot, of your system's package "
                "'graphviz'; .dot files do not"
            ) from error
        return drawn

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        try:
            return {"image/svg+xml": self._drawn("svg").decode(), "text/plain": repr(self)}
        except ImportError:
            return {"text/plain": str(self)}


def decays(
    events: Category | ak.Array,
    entry: int = 0,
    collection: str | None = None,
    *,
    index: int | None = None,
    most: int = 200,
) -> Decays:
    """Return the decays of an event's particles as a graph with their names.

    >>> kaon.decays(kaon.open("sim.root:events"), entry=7, index=4).save("top.svg")

    Particles are related by `daughters` and `parents`, as in EDM4hep and LCIO, or by NanoAOD's
    `genPartIdxMother`. The package particle names them.

    Parameters
    ----------
    events
        A category of a file, or an Awkward array of events.
    entry
        The number of the event; negative numbers count from the end.
    collection
        The particles; by default the first collection with these relations.
    index
        The position of a particle, for the graph of its decay; by default the graph begins at all
        particles without parents.
    most
        The number of particles in the graph: those with the fewest steps from the beginning.

    Returns
    -------
    Decays
        The graph. `left_out` of it tells how many particles it leaves out.

    Raises
    ------
    OutOfRangeError
        If the entry or the index does not exist.
    UnknownNameError
        If the collection does not exist, or no collection has the relations.
    UsageError
        If the collection has no codes of particles, or no relations.
    ImportError
        If the package particle is not installed.
    """
    if most < 1:
        raise UsageError(f"most must be at least 1, not {most}")
    event, title = event_of(events, entry, collection)
    name = collection or _first_related(event, title)
    if name not in event.fields:
        raise UnknownNameError(f"{title}: there is no collection '{name}'")
    particles = event[name]
    code = next((each for each in _CODES if each in ak.fields(particles)), None)
    if code is None or not _is_related(particles):
        raise UsageError(
            f"{title}: decays need the members {', '.join(_CODES[:2])}, and {_DAUGHTERS}, "
            f"{_PARENTS} or {_MOTHER}, which '{name}' lacks"
        )
    codes = ak.to_list(particles[code])
    daughters = _daughters(particles, name)
    if index is not None and not 0 <= index < len(codes):
        raise OutOfRangeError(f"{title}: '{name}' has {len(codes)} objects, and no {index}")
    below = {each for of in daughters for each in of}
    begins = [each for each in range(len(codes)) if each not in below] if index is None else [index]
    reached = _reached(begins, daughters)
    shown = reached[:most]
    is_shown = set(shown)
    edges = [(mother, each) for mother in shown for each in daughters[mother] if each in is_shown]
    return Decays(
        {each: particle_name(codes[each]) for each in shown}, edges, len(reached) - len(shown)
    )


def _is_related(particles: Any) -> bool:
    is_collection = isinstance(particles, ak.Array) and particles.ndim == 1
    return is_collection and not {_DAUGHTERS, _PARENTS, _MOTHER}.isdisjoint(particles.fields)


def _first_related(event: ak.Record, title: str) -> str:
    for name in event.fields:
        if _is_related(event[name]):
            return str(name)
    raise UnknownNameError(
        f"{title}: no collection has {_DAUGHTERS}, {_PARENTS} or {_MOTHER}; name the particles"
    )


def _daughters(particles: ak.Array, name: str) -> list[list[int]]:
    """Return the positions of each particle's daughters in its collection, in ascending order."""
    related: list[set[int]] = [set() for _ in range(len(particles))]
    for mother, indices in enumerate(_own(particles, _DAUGHTERS, name)):
        related[mother].update(indices)
    for daughter, mothers in enumerate(_own(particles, _PARENTS, name)):
        for mother in mothers:
            related[mother].add(daughter)
    if _MOTHER in particles.fields:
        for daughter, mother in enumerate(ak.to_list(particles[_MOTHER])):
            if 0 <= mother < len(related):
                related[mother].add(daughter)
    return [sorted(of) for of in related]


def _own(particles: ak.Array, relation: str, name: str) -> list[list[int]]:
    """Return the positions to which a relation leads in the same collection."""
    if relation not in particles.fields:
        return []
    references = particles[relation]
    if references.layout.purelist_parameter("__record__") != REFERENCE:
        return []
    own = references[ak.fill_none(references.collection == name, False)]
    return [[index for index in of if 0 <= index < len(particles)] for of in ak.to_list(own.index)]


def _reached(begins: Iterable[int], daughters: list[list[int]]) -> list[int]:
    """Return the particles below some, those with the fewest steps first."""
    waiting = deque(begins)
    reached = dict.fromkeys(waiting)
    while waiting:
        for each in daughters[waiting.popleft()]:
            if each not in reached:
                reached[each] = None
                waiting.append(each)
    return list(reached)


def _escaped(name: str) -> str:
    return printable(name).replace("\\", "\\\\").replace('"', '\\"')
