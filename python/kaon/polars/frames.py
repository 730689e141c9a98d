"""Events as a lazy frame of polars, which passes on its columns and its predicate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from kaon.files.array_forms import package
from kaon.files.category import Category
from kaon.files.chain import Files
from kaon.partners.parts import STEP_SIZE, Part, other_types, planned
from kaon.polars.conditions import PossibleEntries, parsed

if TYPE_CHECKING:
    from polars import DataFrame, Expr, LazyFrame

    from kaon.model.datamodel import AnyModel


def scan(
    files: Files,
    names: str | Iterable[str] | None = None,
    *,
    flat: bool = True,
    step_size: int | str = STEP_SIZE,
    model: AnyModel | None = None,
) -> LazyFrame:
    """Return the entries of many files as a lazy frame of polars.

    >>> muons = kaon.polars.scan("run*.kaon:events").filter(polars.col("MET") > 50)
    >>> muons.select("run", polars.col("Muon.pt").list.max()).collect()

    Only needed columns are read. Pages are skipped if their bounds show that no entry passes a
    filter on numbers. A limit on rows stops the reading.

    Parameters
    ----------
    files, model
        As in `kaon.iterate`.
    names
        Stored columns, as in `Category.arrays`; None for all.
    flat
        Whether each member is a column, a list of numbers such as "Muon.pt". Otherwise each
        collection is a column, a list of structs, and is read completely.
    step_size
        The approximate number of entries read at a time, or their size in memory; at least a
        cluster.

    Raises
    ------
    ImportError
        If polars is not installed.
    MissingFileError
        If a file does not exist.
    UnknownNameError
        If a name does not exist.
    UsageError
        If there are no files, or a file has several categories and none is named. Files that lack
        columns of the largest file, or have other types, raise when they are read.
    """
    polars = package("polars", "kaon.polars.scan()")
    plugins = package("polars.io.plugins", "kaon.polars.scan()")
    names = names if names is None or isinstance(names, str) else list(names)
    plan = planned(files, step_size, names, model)
    if names is None:  # the largest file's columns, even if other files have more
        names = plan.example.keys() if flat else list(plan.example._schema.labels.values())
    schema = polars.DataFrame(plan.example.arrow(names, entry_stop=0, flat=flat)).schema

    def frames(
        columns: list[str] | None, predicate: Expr | None, rows: int | None, _: int | None
    ) -> Iterator[DataFrame]:
        left = rows
        for category, entries in _open_parts(plan.parts):
            if left is not None:
                entries = entries[:left]
                left -= len(entries)
            possible = PossibleEntries(category, {} if predicate is None else parsed(predicate))
            for some in possible.ranges(entries):
                stream = category.arrow(
                    columns or names, entry_start=some.start, entry_stop=some.stop, flat=flat
                )
                wanted = {name: schema[name] for name in columns or schema}
                frame: DataFrame = polars.DataFrame(stream).select(*wanted)
                if dict(frame.schema) != wanted:
                    raise other_types(category._reader.where, plan.example._reader.where)
                yield frame if predicate is None else frame.filter(predicate)
            if left == 0:
                return

    lazy: LazyFrame = plugins.register_io_source(frames, schema=schema)
    return lazy


def _open_parts(parts: Iterable[Part]) -> Iterator[tuple[Category, range]]:
    """Yield the category and entries of each part, opening each file once."""
    for _, of_file in groupby(parts, key=lambda part: part.path):
        category = None
        for part in of_file:
            category = category or part.open()
            if entries := part.entries(category):
                yield category, entries
