"""The files that a command is given, as a dataframe."""

from __future__ import annotations

from collections.abc import Sequence

from kaon.command.categories import main_category
from kaon.dataframe.dataframe import Dataframe, dataset
from kaon.files.file import File
from kaon.files.paths import matching_paths, split_path


def open_dataset(paths: Sequence[str]) -> Dataframe:
    """Return the entries of files: of the category that they name, the only one, or ``events``.

    Raises
    ------
    UsageError
        If it is not clear which category is meant.
    """
    categories = {category for _, category in map(split_path, paths) if category}
    if categories:
        return dataset(paths)
    with File(matching_paths(paths[0])[0]) as file:
        return dataset(paths, main_category(file))
