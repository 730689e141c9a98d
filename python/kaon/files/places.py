"""Where an open file is, and how it was opened: what another process opens it by."""

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
    """The path of a file, and what its `kaon.open` was told.

    Attributes
    ----------
    path
        Or URL.
    models
        Those that it is read as, in JSON.
    group, tags
        As `kaon.open` has them.
    """

    path: str
    models: Mapping[str, str]
    group: bool
    tags: tuple[int, ...]

    @classmethod
    def of(
        cls, path: StrPath, models: Mapping[str, str], group: bool, tags: Iterable[int]
    ) -> Place:
        """Return the place of a path, which means the same in every folder."""
        path = os.fspath(path)
        return cls(path if is_url(path) else os.path.abspath(path), models, group, tuple(tags))

    def open(self, path: StrPath | None = None) -> _core.File:
        """Open the file, by another path to it if it is to be called so."""
        path = self.path if path is None else path
        return _core.File(path, dict(self.models), self.group, list(self.tags))

    def reader(self, category: str) -> CategoryReader:
        """Open the file; return the reader of a category."""
        core = self.open()
        return CategoryReader(core.category(category), core, Models(core), self)
