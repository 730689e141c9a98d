"""The categories that a command's FILE[:CATEGORY] names."""

from __future__ import annotations

from kaon.files.category import Category
from kaon.files.file import File, main_category
from kaon.files.paths import split_path


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
