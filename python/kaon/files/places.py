"""The path and options of an open file, so that another process can open it again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kaon import _core
from kaon.columns.reading import CategoryReader
from kaon.files.distant import is_url
from kaon.files.paths import StrPath
from kaon.model.file_models import Models


@dataclass(frozen=True)
class Place:
    """The path of a file, and the arguments of its `kaon.open`.

    Attributes
    ----------
    path
        The absolute path or the URL.
    models
        The models that the file is read with, in JSON by name.
    group, tags, map
        As in `kaon.open`.
    skips_damage
        Whether damaged data are skipped.
    """

    path: str
    models: Mapping[str, str]
    group: bool
    tags: tuple[int, ...]
    map: str
    skips_damage: bool = False

    @classmethod
    def of(
        cls,
        path: StrPath,
        models: Mapping[str, str],
        group: bool,
        tags: Iterable[int],
        map: str,
        skips_damage: bool = False,
    ) -> Place:
        """Return the place of a path, independent of the current folder."""
        path = os.fspath(path)
        place = path if is_url(path) else os.path.abspath(path)
        return cls(place, models, group, tuple(tags), map, skips_damage)

    def open(self, path: StrPath | None = None) -> _core.File:
        """Open the file; another path to it sets the name in messages."""
        path = self.path if path is None else path
        return _core.File(
            path, dict(self.models), self.group, list(self.tags), self.map, self.skips_damage
        )

    def reader(self, category: str) -> CategoryReader:
        """Open the file and return the reader of a category."""
        core = self.open()
        return CategoryReader(core.category(category), core, Models(core), self)
