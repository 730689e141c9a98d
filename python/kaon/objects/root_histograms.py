"""ROOT's histograms and profiles as binned data, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from kaon.errors import CorruptFileError, UsageError
from kaon.objects.binned import Binned, BinnedAxis, Numbers
from kaon.objects.members import Members

#: Classes of histograms, with the number of their axes.
HISTOGRAM = re.compile(r"TH([123])[CSILFD]|TProfile([23]?)D?")
MOST_AXES = 3
_AXES = ("fXaxis", "fYaxis", "fZaxis")
_NO_NUMBERS = np.zeros(0)


def axes_of(type: str) -> int:
    """Return the number of axes of a class of histograms; 0 for other classes."""
    found = HISTOGRAM.fullmatch(type)
    return int(found[1] or found[2] or 1) if found else 0


def to_binned(members: Members) -> Binned:
    """Return the bins of a TH1, TH2, TH3 or profile.

    Raises
    ------
    CorruptFileError
        If the numbers of bins contradict each other.
    """
    most = len(members["fArray"])
    axes = [read_axis(members[name], most) for name in _AXES[: axes_of(members.type)]]
    is_profile = members.type.startswith("TProfile")
    binned = Binned(
        axes,
        _bins(members, "fArray", axes),
        _bins(members, "fSumw2", axes) if len(members["fSumw2"]) else None,
        name=members["fName"],
        title=members["fTitle"],
    )
    if len(axes) < MOST_AXES:
        binned.value_title = members[_AXES[len(axes)]]["fTitle"]
    if is_profile:
        binned.weights = _bins(members, "fBinEntries", axes)
        squared = "fBinSumw2" if len(members.get("fBinSumw2", ())) else "fBinEntries"
        binned.squared_weights = _bins(members, squared, axes)
    return binned


def read_axis(axis: Members, most_bins: int) -> BinnedAxis:
    """Return the bins of a TAxis.

    Raises
    ------
    CorruptFileError
        If it has no bins, more than `most_bins`, or a number of edges that contradicts them.
    """
    bins = axis["fNbins"]
    edges = axis["fXbins"]
    is_regular = not len(edges)
    if not is_regular and len(edges) != bins + 1:
        raise CorruptFileError(f"an axis of {bins} bins has {len(edges)} edges")
    if not 0 < bins <= most_bins:
        raise CorruptFileError(f"an axis has {bins} bins, not 1 to {most_bins}")
    if is_regular:
        edges = np.linspace(axis["fXmin"], axis["fXmax"], bins + 1)
    labels = [""] * bins
    named = axis.get("fLabels")
    for label in named["items"] if named else ():
        place = label["fUniqueID"]  # the number of the bin, from 1
        if 1 <= place <= bins:
            labels[place - 1] = label["fString"]
    return BinnedAxis(edges, is_regular, labels if any(labels) else [], axis["fTitle"])


def _bins(members: Members, name: str, axes: Sequence[BinnedAxis]) -> Numbers:
    """Return the numbers of all bins with flow, by axis; ROOT stores the last axis first."""
    shape = [axis.bins + 2 for axis in axes]
    numbers = np.asarray(members[name], np.float64)
    if len(numbers) != np.prod(shape, dtype=float):
        raise CorruptFileError(f"a {members.type} of {shape} bins has {len(numbers)} in '{name}'")
    bins: Numbers = numbers.reshape(shape[::-1]).T
    return bins


def from_binned(binned: Binned) -> Members:
    """Return the members of a TH1D, TH2D, TH3D or profile.

    Raises
    ------
    UsageError
        If there are no axes, or more than three.
    """
    count = len(binned.axes)
    if not 1 <= count <= MOST_AXES:
        raise UsageError(f"ROOT's histograms have 1 to {MOST_AXES} axes, not {count}")
    is_profile = binned.weights is not None
    profiles = ("TProfile", "TProfile2D", "TProfile3D")
    members = Members(profiles[count - 1] if is_profile else f"TH{count}D")
    members["fName"], members["fTitle"] = binned.name, binned.title
    members["fNcells"] = int(binned.values.size)
    for place, name in enumerate(_AXES):
        is_used = place < count
        title = binned.value_title if place == count else ""
        axis = binned.axes[place] if is_used else BinnedAxis(np.array([0.0, 1.0]), True, [], title)
        members[name] = _axis_members(axis, name[1:].lower())
    members["fBarWidth"] = 1000
    members["fMaximum"] = members["fMinimum"] = -1111.0
    members["fStatOverflows"] = 2  # neutral: the program that reads it decides
    members["fLineColor"], members["fLineStyle"], members["fLineWidth"] = 602, 1, 1
    members["fFillStyle"] = 1001
    members["fMarkerColor"] = members["fMarkerStyle"] = 1
    members["fMarkerSize"] = 1.0
    members["fBuffer"] = _NO_NUMBERS
    members["fArray"] = _flat(binned.values)
    has_variances = binned.variances is not None
    members["fSumw2"] = _flat(_required(binned.variances)) if has_variances else _NO_NUMBERS
    members.update(_statistics(binned))
    if binned.weights is not None:
        members["fBinEntries"] = _flat(binned.weights)
        members["fBinSumw2"] = _flat(_required(binned.squared_weights))
    return members


def _required(numbers: Numbers | None) -> Numbers:
    assert numbers is not None  # profiles have all sums
    return numbers


def _flat(numbers: Numbers) -> Numbers:
    return np.ascontiguousarray(numbers.T, np.float64).reshape(-1)


def _axis_members(axis: BinnedAxis, name: str) -> Members:
    members = Members("TAxis")
    members["fName"], members["fTitle"] = name, axis.title
    members["fNbins"] = axis.bins
    members["fXmin"], members["fXmax"] = float(axis.edges[0]), float(axis.edges[-1])
    members["fXbins"] = _NO_NUMBERS if axis.is_regular else np.asarray(axis.edges, np.float64)
    members["fNdivisions"], members["fLabelFont"], members["fTitleFont"] = 510, 42, 42
    members["fAxisColor"] = members["fLabelColor"] = members["fTitleColor"] = 1
    members["fLabelOffset"], members["fTickLength"] = 0.005, 0.03
    members["fLabelSize"] = members["fTitleSize"] = 0.035
    members["fTitleOffset"] = 0.0 if name == "yaxis" else 1.0
    if axis.labels:
        labels = Members("THashList")
        labels["items"] = []
        for place, text in enumerate(axis.labels, 1):
            if text:
                label = Members("TObjString")
                label["fUniqueID"], label["fString"] = place, text
                labels["items"].append(label)
        members["fLabels"] = labels
    return members


def _statistics(binned: Binned) -> dict[str, float]:
    """Return the sums over all bins without flow, with each bin at its centre."""
    inner = (slice(1, -1),) * len(binned.axes)
    weights = (binned.values if binned.weights is None else binned.weights)[inner]
    squared = binned.squared_weights if binned.weights is not None else binned.variances
    all_weights = binned.values if binned.weights is None else binned.weights
    squares = all_weights if squared is None else squared
    total, total_squares = float(all_weights.sum()), float(squares.sum())
    sums = {
        "fEntries": total**2 / total_squares if total_squares > 0 else 0.0,
        "fTsumw": float(weights.sum()),
        "fTsumw2": float(squares[inner].sum()),
    }
    centres = np.meshgrid(
        *((axis.edges[1:] + axis.edges[:-1]) / 2 for axis in binned.axes), indexing="ij"
    )
    for place, (letter, centre) in enumerate(zip("xyz", centres, strict=False)):
        sums[f"fTsumw{letter}"] = float((weights * centre).sum())
        sums[f"fTsumw{letter}2"] = float((weights * centre**2).sum())
        for earlier in range(place):
            both = (weights * centre * centres[earlier]).sum()
            sums[f"fTsumw{'xyz'[earlier]}{letter}"] = float(both)
    if binned.weights is not None:
        letter = "yzt"[len(binned.axes) - 1]  # of the values
        sums[f"fTsumw{letter}"] = float(binned.values[inner].sum())
        sums[f"fTsumw{letter}2"] = float(_required(binned.variances)[inner].sum())
    return sums
