"""Python values of objects, by their classes, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kaon.errors import CorruptFileError, FormatError
from kaon.objects.graphs import Graph, from_graph, to_graph
from kaon.objects.hist_histograms import from_hist, from_numpy, is_histogram, to_hist
from kaon.objects.members import Members
from kaon.objects.root_histograms import HISTOGRAM, axes_of, from_binned, to_binned
from kaon.objects.sparse import to_sparse


@dataclass(eq=False)
class Efficiency:
    """Histograms of the passed entries and of all entries, as ROOT's TEfficiency has them."""

    passed: Any
    total: Any
    name: str = ""
    title: str = ""

    def values(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the fraction that passed in each bin; NaN in bins without entries."""
        passed, total = self.passed.values(), self.total.values()
        fractions = np.full(total.shape, np.nan)
        np.divide(passed, total, out=fractions, where=total != 0)
        return fractions


def _histogram(members: Members, seen: tuple[int, ...]) -> Any:
    """Return a histogram of hist; its members if ROOT has not chosen the bins yet."""
    buffer = members.get("fBuffer", ())  # old histograms have no buffer
    is_waiting = len(buffer) > 0 and buffer[0] > 0
    ranges = (members[f"f{axis}axis"] for axis in "XYZ"[: axes_of(members.type)])
    if is_waiting or any(axis["fXmin"] == axis["fXmax"] for axis in ranges):
        return members
    return to_hist(to_binned(members))


def _items(members: Members, seen: tuple[int, ...]) -> list[Any]:
    return [_value(item, (*seen, id(members))) for item in members["items"]]


def _pairs(members: Members, seen: tuple[int, ...]) -> list[Any]:
    return [tuple(_value(each, (*seen, id(members))) for each in p) for p in members["items"]]


def _matrix(members: Members, seen: tuple[int, ...]) -> Any:
    return members["fElements"].reshape(members["fNrows"], members["fNcols"])


def _efficiency(members: Members, seen: tuple[int, ...]) -> Efficiency:
    passed, total = (
        _value(members[name], seen) for name in ("fPassedHistogram", "fTotalHistogram")
    )
    return Efficiency(passed, total, members["fName"], members["fTitle"])


#: Classes and the functions that turn their members into values.
_READERS: tuple[tuple[str, Callable[[Members, tuple[int, ...]], Any]], ...] = (
    (HISTOGRAM.pattern, _histogram),
    (r"THnSparseT<.*>", lambda members, seen: to_sparse(members)),
    (r"TGraph(Errors|AsymmErrors)?", lambda members, seen: to_graph(members)),
    (r"TEfficiency", _efficiency),
    (r"TParameter<.*>", lambda members, seen: members["fVal"]),
    (r"TObjString", lambda members, seen: members["fString"]),
    (r"TNamed", lambda members, seen: members["fTitle"]),
    (r"TVectorT<.*>", lambda members, seen: members["fElements"]),
    (r"TMatrixT(Sym)?<.*>", _matrix),
    (r"TArray[CSILFD]64|TArray[CSILFD]", lambda members, seen: members["fArray"]),
    (r"TList|THashList|TObjArray|TClonesArray", _items),
    (r"TMap", _pairs),
)


def value_of(member: Any, where: str) -> Any:
    """Return the value of an object: of hist, NumPy or Python by its class, else its members.

    Parameters
    ----------
    member
        The object, or a value of its members.
    where
        The file and the object, for messages.

    Raises
    ------
    FormatError
        If the members of the object could not be read.
    CorruptFileError
        If its members contradict each other.
    """
    try:
        with np.errstate(all="ignore"):  # for the numbers of damaged files
            return _value(member, ())
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise CorruptFileError(f"{where}: its members contradict its class: {error!r}") from error
    except (CorruptFileError, FormatError) as error:
        error.args = (f"{where}: {error}",)
        raise


def _value(member: Any, seen: tuple[int, ...]) -> Any:
    if not isinstance(member, Members):
        return member
    if id(member) in seen:  # a list that contains itself
        return member
    if member.failure:
        if not seen:
            raise FormatError(member.failure)
        return member
    for pattern, read in _READERS:
        if re.fullmatch(pattern, member.type):
            return read(member, seen)
    return member


def members_of(value: Any, name: str) -> Members | None:
    """Return the members of a value that can be an object of a ROOT file; None for other values.

    These values are histograms of hist, ``(counts, edges)`` of NumPy, results of dataframes,
    `Graph`, and strings.

    Parameters
    ----------
    name
        The name of the object in the file.

    Raises
    ------
    UsageError
        If the histogram cannot be in a ROOT file.
    """
    if hasattr(value, "is_done"):  # a result of a dataframe
        value = value.value
    if isinstance(value, str):
        members = Members("TObjString")
        members["fString"] = value
        return members
    if isinstance(value, Graph):
        members = from_graph(value)
    elif is_histogram(value):
        members = from_binned(from_hist(value))
    elif isinstance(value, tuple) and len(value) > 1:
        members = from_binned(from_numpy(*value))
    else:
        return None
    members["fName"] = name.rpartition("/")[2]
    return members
