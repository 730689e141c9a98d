"""The categories of the file that a command is given."""

from __future__ import annotations

import os
from collections.abc import Sequence

from kaon.errors import UsageError
from kaon.files.category import Category
from kaon.files.file import File
from kaon.files.paths import matching_paths, split_path


def open_categories(path: str) -> tuple[File, list[Category]]:
    """Return a file and the categories that the path means."""
    where, category = split_path(path)
    file = File(where)
    return file, list(file.values()) if category is None else [file[category]]


def chosen_category(path: str) -> Category:
    """Return the category that is meant: the one that is named, the only one, or ``events``."""
    file, categories = open_categories(path)
    if len(categories) != 1:
        categories = [category for category in categories if category.name == "events"]
    if not categories:
        names = ", ".join(file) or "none"
        raise UsageError(f"{file.path}: which category? There are {names}: FILE:CATEGORY")
    return categories[0]


def unit_of(path: str, names: Sequence[str]) -> str:
    """Return the unit that members of a file have in common; "" if they have none, or several."""
    category = chosen_category(os.fspath(matching_paths(path)[0]))
    units = {category[name].unit if name in category else "" for name in names}
    return units.pop() if len(units) == 1 else ""
