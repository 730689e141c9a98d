"""The categories that a command's FILE[:CATEGORY] names."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from kaon.files.category import Category
from kaon.files.file import File, main_category
from kaon.files.paths import matching_paths, split_path


def open_categories(path: str) -> tuple[File, list[Category]]:
    """Return a file, and the category that the path names, or all of them."""
    where, category = split_path(path)
    file = File(where)
    return file, list(file.values()) if category is None else [file._category(category)]


def chosen_category(path: str) -> Category:
    """Return the category that the path names; else the only one, or ``events``."""
    where, category = split_path(path)
    file = File(where)
    return file._category(category or main_category(file))


_INDEX = re.compile(r"\[[^\[\]]*\]")
_OF_THE_SAME_UNIT = re.compile(r"(?:min|max|sum|mean|abs|sort)\((.*)\)")
_OF_A_MOMENTUM = re.compile(r"(.*)\.(?:pt|p|px|py|pz)")


def unit_of(path: str, expressions: Sequence[str]) -> str:
    """Return the common unit of expressions; "" if they have no unit, or several.

    The unit is known for members, also for selected ones, as in ``max(Muon.pt[Muon.pt > 5])``,
    and for components of vectors.
    """
    category = chosen_category(os.fspath(matching_paths(path)[0]))
    units = {_unit(category, expression) for expression in expressions}
    return units.pop() if len(units) == 1 else ""


def _unit(category: Category, expression: str) -> str:
    while _INDEX.search(expression):
        expression = _INDEX.sub("", expression)
    expression = expression.strip()
    if of := _OF_THE_SAME_UNIT.fullmatch(expression):
        return _unit(category, of[1])
    if expression in category:
        return category[expression].unit
    vector = _OF_A_MOMENTUM.fullmatch(expression)
    return category[vector[1]].unit if vector and vector[1] in category else ""
