"""SQL over categories of files, which DuckDB reads as streams of Arrow."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from kaon.command.texts import short_text
from kaon.errors import UsageError
from kaon.files.category import Category
from kaon.files.file import File, main_category
from kaon.files.overview import print_columns_apart
from kaon.files.paths import matching_paths, split_path
from kaon.modelgen.mistakes import indented, printable
from kaon.terminal import say

try:
    import duckdb
    from duckdb import DuckDBPyConnection
except ImportError as error:
    raise UsageError("SQL needs DuckDB: pip install duckdb") from error

_UNREAD = "error('kaon: this column is not read')"
_ROWS = 1000  # fetched at a time
_PLANNED = "memory.main."  # the prefix of tables' names in DuckDB's plans


def find_tables(paths: Sequence[str], is_flat: bool) -> list[Table]:
    """Return the categories of files as tables.

    A table has the name of the category, or NAME of ``NAME=FILE:CATEGORY``. Categories of one
    name form one table, file after file.

    Parameters
    ----------
    is_flat
        Whether each member is a column, "Muon.pt", or each collection, parameter and value.

    Raises
    ------
    UsageError
        If several categories are possible, or names differ by case only.
    """
    categories: dict[str, list[Category]] = {}
    for path in paths:
        name, equals, place = path.partition("=")
        is_path = not (equals and name.isidentifier()) or glob.glob(split_path(path)[0])
        if is_path:
            name, place = "", path
        for match in matching_paths(place):
            for category in _categories(os.fspath(match), bool(name)):
                if category.keys():  # a table needs columns
                    categories.setdefault(name or category.name, []).append(category)
    names = {name.casefold(): name for name in categories}
    for name in categories:
        if (other := names[name.casefold()]) != name:
            raise UsageError(
                f"SQL does not distinguish the tables '{name}' and '{other}': "
                "rename one with NAME=FILE"
            )
    return [Table(name, parts, is_flat) for name, parts in categories.items()]


def _categories(path: str, is_one: bool) -> list[Category]:
    where, category = split_path(path)
    file = File(where)
    if category is not None:
        return [file._category(category)]
    return (
        [file._category(main_category(file, "NAME=FILE:CATEGORY"))]
        if is_one
        else list(file.values())
    )


class Table:
    """Categories as one table of DuckDB, with columns joined by name.

    Parameters
    ----------
    name
        The name of the table.
    categories
        The categories that the table consists of.
    is_flat
        Whether each member is a column, or each collection, parameter and value.
    """

    def __init__(self, name: str, categories: Sequence[Category], is_flat: bool) -> None:
        self.name = name
        self._categories = categories
        self._is_flat = is_flat
        self._names: list[list[str]] = []  # DuckDB's names of each category's columns
        self._types: dict[str, str] = {}

    def add_empty(self, database: DuckDBPyConnection) -> None:
        """Add the table to a database, without entries. Call this before `add`."""
        for number, category in enumerate(self._categories):
            stream = self._stream(number)
            database.register(stream, category.arrow(entry_stop=0, flat=self._is_flat))
            described = run(database, f"describe from {_quoted(stream)}").fetchall()
            self._names.append([name for name, *_ in described])
        streams = (f"from {_quoted(self._stream(i))}" for i in range(len(self._categories)))
        run(database, f"create table {_quoted(self.name)} as {' union all by name '.join(streams)}")
        described = run(database, f"describe {_quoted(self.name)}").fetchall()
        self._types = {name: type_ for name, type_, *_ in described}

    def add(self, database: DuckDBPyConnection, wanted: set[str]) -> None:
        """Add the entries with the wanted columns; reading other columns is an error."""
        parts = []
        for number, category in enumerate(self._categories):
            names = self._names[number]
            keys = dict(zip(names, self._keys(category), strict=True))
            chosen = [name for name in names if name in wanted]
            read = [keys[name] for name in chosen] or category.keys()[:1]  # one column to count
            database.register(self._stream(number), category.arrow(read, flat=self._is_flat))
            titles = ", ".join(map(_quoted, chosen or names[:1]))  # their names in the whole table
            parts.append(f"select * from {_quoted(self._stream(number))} as part({titles})")
        values = ", ".join(
            _quoted(name) if name in wanted else f"{_UNREAD}::{type_} as {_quoted(name)}"
            for name, type_ in self._types.items()
        )
        entries = " union all by name ".join(parts)
        run(database, f"drop table {_quoted(self.name)}")
        run(database, f"create view {_quoted(self.name)} as select {values} from ({entries})")

    def _stream(self, number: int) -> str:
        return f"{self.name} {number}"

    def _keys(self, category: Category) -> list[str]:
        return category.keys() if self._is_flat else list(category._schema.labels.values())


def query(statement: str, tables: Sequence[Table]) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Return the names of the columns of a statement's result, and an iterator over its rows.

    Only columns that the statement needs are read from the files.

    Raises
    ------
    UsageError
        If the statement fails; the iterator raises it, too.
    """
    database = connect()
    wanted = wanted_columns(database, statement, tables)
    for table in tables:
        table.add(database, wanted[table.name])
    result = run(database, statement)
    return [name for name, *_ in result.description or ()], _fetched(result)


def print_rows(names: Sequence[str], rows: Iterator[tuple[Any, ...]], count: int) -> None:
    """Print the first rows as a table, and whether there are more."""
    shown = [[*map(short_text, row)] for row in islice(rows, count)]
    columns = [(printable(name), [row[i] for row in shown]) for i, name in enumerate(names)]
    print_columns_apart(columns)
    if next(rows, None) is not None:
        say("  ... and more: --count and --json show them")


def wanted_columns(
    database: DuckDBPyConnection, statement: str, tables: Sequence[Table]
) -> dict[str, set[str]]:
    """Return the columns that a statement needs, by the names of the tables.

    Afterwards the database has these tables, without entries.
    """
    for table in tables:
        table.add_empty(database)
    try:
        count = len(duckdb.extract_statements(statement))
    except duckdb.Error as error:
        raise _failure(error) from None
    if count != 1:
        raise UsageError(f"give one statement of SQL, not {count}")
    # DuckDB would optimise empty tables away; without optimisers its plan lists the columns read.
    optimizers = {name for (name,) in run(database, "from duckdb_optimizers()").fetchall()}
    others = ",".join(sorted(optimizers - {"unused_columns"}))
    run(database, f"set disabled_optimizers = '{others}'")
    columns: dict[str, set[str]] = {table.name: set() for table in tables}
    try:
        plans = run(database, f"explain (format json) {statement}").fetchall()
    except UsageError as error:
        if not str(error).startswith("Catalog Error: Table"):
            raise
        unknown, _, _ = str(error).partition("\n")  # DuckDB's suggestion may name a stream
        raise UsageError(f"{unknown}\n  the tables are: {', '.join(columns)}") from None
    for _, plan in plans:
        for name, names in _scans(json.loads(plan)):
            columns[name].update(names)
    run(database, "reset disabled_optimizers")
    return columns


def _scans(operators: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the tables and columns that the operators of a plan read."""
    for operator in operators:
        about = operator["extra_info"]
        name = about.get("Table", "")
        if name.startswith(_PLANNED):
            name = name.removeprefix(_PLANNED)
            if name.startswith('"'):
                name = name[1:-1].replace('""', '"')
            columns = about.get("Projections") or []
            yield name, [columns] if isinstance(columns, str) else columns
        yield from _scans(operator["children"])


def connect() -> DuckDBPyConnection:
    """Return a DuckDB database in memory that does not see Python's variables."""
    return duckdb.connect(config={"python_enable_replacements": False})


def run(database: DuckDBPyConnection, statement: str) -> DuckDBPyConnection:
    """Run a statement."""
    try:
        return database.execute(statement)
    except duckdb.Error as error:
        raise _failure(error) from None


def _fetched(result: DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    try:
        while rows := result.fetchmany(_ROWS):
            yield from rows
    except duckdb.Error as error:
        raise _failure(error) from None


def _failure(error: Exception) -> UsageError:
    message, _, _ = str(error).partition("\n\nLINE ")  # the statement may not be the user's
    return UsageError(indented(message))


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
