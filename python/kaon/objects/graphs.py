"""Graphs: points with errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from kaon.errors import UsageError
from kaon.objects.members import Members

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"


@dataclass(eq=False)
class Graph:
    """Points with errors, as ROOT's TGraph, TGraphErrors and TGraphAsymmErrors have them.

    Attributes
    ----------
    x, y
        The coordinates of the points.
    x_errors, y_errors
        The lower and upper errors, an array of shape (2, points) as matplotlib's ``errorbar`` takes
        it; None without errors.
    """

    x: Numbers
    y: Numbers
    x_errors: Numbers | None = None
    y_errors: Numbers | None = None
    name: str = ""
    title: str = ""


def to_graph(members: Members) -> Graph:
    """Return the points of a TGraph."""
    graph = Graph(members["fX"], members["fY"], name=members["fName"], title=members["fTitle"])
    if "fEX" in members:
        graph.x_errors = np.stack([members["fEX"]] * 2)
        graph.y_errors = np.stack([members["fEY"]] * 2)
    elif "fEXlow" in members:
        graph.x_errors = np.stack([members["fEXlow"], members["fEXhigh"]])
        graph.y_errors = np.stack([members["fEYlow"], members["fEYhigh"]])
    return graph


def from_graph(graph: Graph) -> Members:
    """Return the members of a TGraph, TGraphErrors or TGraphAsymmErrors.

    Raises
    ------
    UsageError
        If the lengths of the arrays differ.
    """
    x, y = _numbers(graph.x), _numbers(graph.y)
    errors = [
        np.zeros((2, len(x))) if each is None else _both(each, len(x))
        for each in (graph.x_errors, graph.y_errors)
    ]
    if len(y) != len(x) or any(each.shape != (2, len(x)) for each in errors):
        raise UsageError("x, y and errors of a graph must have the same number of points")
    has_errors = graph.x_errors is not None or graph.y_errors is not None
    is_symmetric = all(np.array_equal(low, high, equal_nan=True) for low, high in errors)
    kind = "TGraphErrors" if is_symmetric else "TGraphAsymmErrors"
    members = Members(kind if has_errors else "TGraph")
    members["fName"], members["fTitle"] = graph.name, graph.title
    members["fLineColor"] = members["fLineStyle"] = members["fLineWidth"] = 1
    members["fFillStyle"] = 1001
    members["fMarkerColor"] = members["fMarkerStyle"] = 1
    members["fMarkerSize"] = 1.0
    members["fMinimum"] = members["fMaximum"] = -1111.0
    members["fNpoints"], members["fX"], members["fY"] = len(x), x, y
    if not has_errors:
        return members
    for axis, (low, high) in zip("XY", errors, strict=True):
        if is_symmetric:
            members[f"fE{axis}"] = _numbers(low)
        else:
            members[f"fE{axis}low"], members[f"fE{axis}high"] = _numbers(low), _numbers(high)
    return members


def _numbers(values: Any) -> Numbers:
    return np.ascontiguousarray(values, np.float64)


def _both(errors: Any, points: int) -> Numbers:
    """Return lower and upper errors, which are equal if one array has both."""
    numbers = _numbers(errors)
    return np.stack([numbers] * 2) if numbers.shape == (points,) else numbers
