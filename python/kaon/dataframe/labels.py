"""Labels of axes: expressions with the units of their columns."""

from __future__ import annotations

import re

from kaon import _core
from kaon.errors import Error

_INDEX = re.compile(r"\[[^\[\]]*\]")
_OF_THE_SAME_UNIT = re.compile(r"(?:min|max|sum|mean|abs|sort)\((.*)\)")
_OF_A_MOMENTUM = re.compile(r"(.*)\.(?:pt|p|px|py|pz)")
_IN_A_DESCRIPTION = re.compile(r".*(?:\bin | \[)([TGMk]?eV|[cmun]?m|[munp]?s|rad|T)\b[\])]?\.?")


def label_of(core: _core.Dataframe, expression: str) -> str:
    """Return an expression with its unit, as in "Muon.pt [GeV]"."""
    unit = unit_of(core, expression)
    return f"{expression} [{unit}]" if unit else expression


def unit_of(core: _core.Dataframe, expression: str) -> str:
    """Return the unit of an expression; "" if it has none, or it is not known.

    The unit is known for members, also for selected ones, as in ``max(Muon.pt[Muon.pt > 5])``,
    and for components of vectors. It is that of the file, or the last word of a description such
    as "impact parameter, in cm".
    """
    while _INDEX.search(expression):
        expression = _INDEX.sub("", expression)
    expression = expression.strip()
    if of := _OF_THE_SAME_UNIT.fullmatch(expression):
        return unit_of(core, of[1])
    names = [expression]
    if momentum := _OF_A_MOMENTUM.fullmatch(expression):
        names += [f"{momentum[1]}.{axis}" for axis in "xyz"]
    for name in names:
        try:
            unit, description = core.documentation_of(name)
        except Error:  # an expression of several columns
            continue
        if unit:
            return unit
        if described := _IN_A_DESCRIPTION.fullmatch(description):
            return described[1]
    return ""
