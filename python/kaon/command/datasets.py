"""The files that a command is given, as a dataframe."""

from __future__ import annotations

from collections.abc import Sequence

from kaon.dataframe.dataframe import Dataframe, dataset
from kaon.errors import UsageError
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
        names = list(file)
    if len(names) > 1 and "events" in names:
        names = ["events"]
    if len(names) != 1:
        raise UsageError(
            f"{paths[0]}: which category? There are {', '.join(names) or 'none'}: FILE:CATEGORY"
        )
    return dataset(paths, names[0])
