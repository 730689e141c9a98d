"""Displays of events: tracks, hits, clusters and momenta in space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import awkward as ak
import numpy as np
from numpy.typing import NDArray

from kaon import _core
from kaon.errors import OutOfRangeError, UnknownNameError, UsageError, WrongTypeError
from kaon.files.category import Category
from kaon.files.filters import Filter, is_wanted, is_wanted_key
from kaon.plots.drawn_objects import GEV, METRES, Objects, drawn_objects
from kaon.plots.helices import CURVATURE, Helix

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_LARGEST_MARKER = 14
_SMALLEST_MARKER = 4


def display(
    events: Category | ak.Array,
    entry: int = 0,
    names: Filter = None,
    *,
    field: float | None = None,
    radius: float | None = None,
    length_unit: str | None = None,
    most: int = 1000,
) -> Figure:
    """Draw the tracks, hits, clusters and momenta of one event, in 3-D and in the x-y plane.

    >>> kaon.display(kaon.open("sim.root:events"), entry=7, field=3.5)

    Collections are drawn in this way, and the legend switches them on and off:

    - Objects with a `position`, or with members `x y z` and no momentum, are points. If they have
      an energy, the area of a point grows with it.
    - Tracks with `trackStates` are helices, which begin at the interaction point.
    - Objects with four-momenta are lines in their direction from `vertex`, `vx vy vz`,
      `referencePoint`, `x y z` or the origin. With `field`, charged objects are helices. Without,
      the length of a line is proportional to the momentum: the largest one has the size of the
      event.
    - If no object has a position, the axes are those of the momenta.

    If you point at an object, its members appear with their units.

    Parameters
    ----------
    events
        A category of a file, or an Awkward array of events, such as a selection of
        `Category.arrays`.
    entry
        The number of the event; negative numbers count from the end.
    names
        Patterns of the collections to draw, such as ``["Muon", "Jet*"]``; by default all.
    field
        The magnetic field along z, in tesla.
    radius
        The distance from the z axis where helices end, in the unit of the picture; by default
        that of the farthest position.
    length_unit
        The unit of lengths for which the file states no unit: "um", "mm", "cm" or "m".
    most
        The number of objects of a collection that are drawn: those with the largest momentum or
        energy. The legend and the title state how many are left out.

    Returns
    -------
    plotly.graph_objects.Figure
        The figure, which notebooks show; ``write_html("event.html")`` writes a page that needs no
        other file.

    Raises
    ------
    OutOfRangeError
        If the entry does not exist.
    UnknownNameError
        If no collection has one of the names.
    UsageError
        If no collection can be drawn, a number is too small, or `field` needs a unit of lengths
        or a radius.
    WrongTypeError
        If `events` are neither a category nor an array of events.
    ImportError
        If plotly is not installed.
    """
    if length_unit is not None and length_unit not in METRES:
        raise UsageError(f"length_unit must be one of {', '.join(METRES)}, not {length_unit!r}")
    if most < 1:
        raise UsageError(f"most must be at least 1, not {most}")
    if radius is not None and not radius > 0:
        raise UsageError(f"radius must be above 0, not {radius}")
    event, title = event_of(events, entry, names)
    found = list(drawn_objects(event))
    if not found:
        raise UsageError(
            f"{title}: no collection has objects with positions, tracks or four-momenta"
        )
    scene = _Scene(found, field, radius, length_unit)
    shown = [objects.largest(most) for objects in scene.objects]
    left_out = sum(objects.total - len(objects.indices) for objects in shown)
    if left_out:
        title += f"; left out: {_core.counted(left_out, 'object')}"
    return _figure(scene, shown, title)


def event_of(
    events: Category | ak.Array, entry: int, names: Filter = None
) -> tuple[ak.Record, str]:
    """Return an event with the collections of some names, and a title.

    Raises
    ------
    OutOfRangeError
        If the entry does not exist.
    UnknownNameError
        If no collection has one of the names.
    WrongTypeError
        If `events` are neither a category nor an array of events.
    """
    if not isinstance(events, Category) and not (isinstance(events, ak.Array) and events.fields):
        raise WrongTypeError(
            "draw an event of a category, such as kaon.open('a.kaon')['events'], or of an array "
            f"of events, not of {events!r:.80}"
        )
    where = events.file_path if isinstance(events, Category) else "events"
    count = len(events)
    if not -count <= entry < count:
        raise OutOfRangeError(f"{where}: there is no entry {entry}; there are {count} entries")
    number = entry % count
    if isinstance(events, Category):
        wanted = [key for key in events.keys() if _is_wanted_part(names, key)]
        _check_found(wanted, names, events.keys(), where)
        array = events.arrays(wanted, entry_start=number, entry_stop=number + 1)
        return array[0], f"{where}, entry {number}"
    fields = [name for name in events.fields if is_wanted(names, name)]
    _check_found(fields, names, events.fields, where)
    return events[fields][number], f"entry {number}"


def _check_found(found: list[str], names: Filter, known: list[str], where: str) -> None:
    if not found and names is not None:
        hint = ""
        if isinstance(names, str):
            hint = _core.suggestion(names, [*{name.partition(".")[0] for name in known}])
        raise UnknownNameError(f"{where}: no collection is called {names!r}{hint}")


def _is_wanted_part(names: Filter, key: str) -> bool:
    """Return whether patterns of collections accept a member, such as "Muon.pt"."""
    return is_wanted_key(names, key) or is_wanted(names, key.partition(".")[0])


class _Scene:
    """The size and units of an event, in which its objects are drawn."""

    def __init__(
        self,
        objects: list[Objects],
        field: float | None,
        radius: float | None,
        length_unit: str | None,
    ) -> None:
        objects = [
            of if of.length_unit in METRES else of._replace(length_unit=length_unit or "")
            for of in objects
        ]
        placed = [of.length_unit for of in objects if of.places is not None]
        self.length_unit = _common_unit([*placed, length_unit or ""], METRES)
        self.momentum_unit = _common_unit([of.momentum_unit for of in objects], GEV)
        self.objects = [self._in_units(of) for of in objects]
        self.field = field
        points = [of.places for of in self.objects if of.places is not None]
        places = np.concatenate([*points, np.zeros((1, 3))])
        around = float(np.hypot(places[:, 0], places[:, 1]).max())
        along = float(np.abs(places[:, 2]).max())
        self.has_places = bool(around or along or radius)
        self.radius = radius or around or along
        self.half_length = max(along, self.radius)
        momenta = [of.momenta for of in self.objects if of.momenta is not None]
        largest = max((np.linalg.norm(of, axis=1).max(initial=0) for of in momenta), default=0)
        reach = max(self.radius, along)
        self.length_of_momentum = reach / largest if self.has_places and largest else 1.0
        if field is not None and not self.has_places:
            raise UsageError("the event has no positions, so field= needs radius=, too")
        if field is not None and self.length_unit not in METRES:
            raise UsageError("the file states no unit of lengths, so field= needs length_unit=")

    def _in_units(self, objects: Objects) -> Objects:
        places, momenta = objects.places, objects.momenta
        if places is not None and objects.length_unit in METRES:
            places = places * (METRES[objects.length_unit] / METRES[self.length_unit])
        if objects.states is not None and objects.length_unit in METRES:
            omega = objects.states.omega * (METRES[self.length_unit] / METRES[objects.length_unit])
            objects = objects._replace(states=objects.states._replace(omega=omega))
        if momenta is not None and objects.momentum_unit in GEV:
            momenta = momenta * (GEV[objects.momentum_unit] / GEV[self.momentum_unit])
        return objects._replace(places=places, momenta=momenta)

    def paths(self, objects: Objects) -> list[NDArray[np.float64]]:
        """Return the line of each object, as points; [] for objects that are points."""
        count = len(objects.indices)
        starts = np.zeros((count, 3)) if objects.places is None else objects.places
        if objects.states is not None:
            helices = zip(starts, *objects.states, strict=True)
            return [
                Helix(start, phi, slope, omega).points(self.radius, self.half_length)
                for start, phi, omega, slope in helices
            ]
        if objects.momenta is None:
            return []
        charges = np.zeros(count) if objects.charges is None else objects.charges
        return [self._path(*each) for each in zip(starts, objects.momenta, charges, strict=True)]

    def _path(
        self, start: NDArray[np.float64], momentum: NDArray[np.float64], charge: float
    ) -> NDArray[np.float64]:
        transverse = float(np.hypot(momentum[0], momentum[1]))
        if not (self.field and charge and transverse):
            return np.stack([start, start + momentum * self.length_of_momentum])
        transverse_gev = transverse * GEV.get(self.momentum_unit, 1.0)
        curvature = CURVATURE * charge * self.field / transverse_gev  # in 1/m
        helix = Helix(
            start,
            phi=float(np.arctan2(momentum[1], momentum[0])),
            tan_lambda=float(momentum[2] / transverse),
            omega=curvature * METRES[self.length_unit],
        )
        return helix.points(self.radius, self.half_length)

    def label(self, axis: str) -> str:
        """Return the label of an axis."""
        unit = self.length_unit if self.has_places else self.momentum_unit
        return f"{axis if self.has_places else f'p{axis}'} {f'[{unit}]' if unit else ''}".strip()


def _common_unit(found: Iterable[str], known: dict[str, float]) -> str:
    """Return the smallest unit that was found, to which all are converted; "" without a unit."""
    return min({unit for unit in found if unit in known}, key=list(known).index, default="")


def _figure(scene: _Scene, shown: list[Objects], title: str) -> Figure:
    try:
        from plotly.colors import qualitative
        from plotly.graph_objects import Scatter, Scatter3d
        from plotly.subplots import make_subplots
    except ImportError as error:
        raise ImportError("event displays need: pip install plotly") from error
    panels = [{"type": "scene"}, {"type": "xy"}]
    figure = make_subplots(rows=1, cols=2, specs=[panels], column_widths=[0.56, 0.44])
    for number, objects in enumerate(shown):
        paths, texts = scene.paths(objects), objects.texts()
        if paths:
            points, texts = _joined(paths, texts)
        else:
            assert objects.places is not None  # objects without places have momenta
            points = objects.places
        x, y, z = points.T
        count = len(objects.indices)
        amount = f"{count:,}" if count == objects.total else f"{count:,} of {objects.total:,}"
        color = qualitative.Dark24[number % 24]
        style: dict[str, Any] = {
            "name": f"{objects.name} ({amount})",
            "legendgroup": objects.name,
            "hovertext": texts,
            "hoverinfo": "text",
            "mode": "lines" if paths else "markers",
            "line" if paths else "marker": {"color": color},
        }
        if not paths:
            style["marker"] |= {"size": _marker_sizes(objects), "line": {"width": 0}}
        figure.add_trace(Scatter3d(x=x, y=y, z=z, **style), row=1, col=1)
        figure.add_trace(Scatter(x=x, y=y, showlegend=False, **style), row=1, col=2)
    x, y, z = map(scene.label, "xyz")
    camera = {"up": {"x": 0, "y": 1, "z": 0}, "eye": {"x": -1.3, "y": 0.6, "z": 1.1}}
    titles = {"xaxis_title": x, "yaxis_title": y, "zaxis_title": z}
    figure.update_scenes(aspectmode="data", camera=camera, **titles)
    figure.update_xaxes(title=x)
    figure.update_yaxes(title=y, scaleanchor="x", scaleratio=1)
    figure.update_layout(
        title=title,
        template="plotly_white",
        height=620,
        margin={"l": 10, "r": 10, "t": 60, "b": 50},
        hovermode="closest",
    )
    return figure


def _joined(
    paths: list[NDArray[np.float64]], texts: list[str]
) -> tuple[NDArray[np.float64], list[str]]:
    """Return lines as one with gaps between them, and a text for the ends and middle of each."""
    points, hovered = [], []
    for path, text in zip(paths, texts, strict=True):
        points += [path, np.full((1, 3), np.nan)]
        named = {0, len(path) // 2, len(path) - 1}
        hovered += [text if point in named else "" for point in range(len(path) + 1)]
    return np.concatenate(points), hovered


def _marker_sizes(objects: Objects) -> Any:
    """Return the diameters of points: their areas grow with the energy."""
    if objects.sizes is None or not len(objects.sizes):
        return _SMALLEST_MARKER
    energies = np.nan_to_num(np.maximum(objects.sizes, 0), posinf=0)
    shares = np.sqrt(energies / (energies.max() or 1))
    return _SMALLEST_MARKER + (_LARGEST_MARKER - _SMALLEST_MARKER) * shares
