"""Tables of a category's columns and how they are stored."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from kaon import _core
from kaon._core import TableKind
from kaon.columns.schema import RELATIONS, Schema, is_text
from kaon.columns.shapes import shape_text
from kaon.modelgen.mistakes import printable
from kaon.terminal import say

if TYPE_CHECKING:
    from rich.table import Table


_LEAST_WORD = 5
"""The least width of a column of words, so that numbers keep their digits."""

_LEAST_ROOM = 24
"""The least width of descriptions that were not asked for."""


@dataclass
class ColumnInfo:
    """A line of the table: a member, or a collection itself, with its counts.

    Attributes
    ----------
    collection
        The collection, parameter or value.
    member
        The name inside the collection; "" for the collection itself.
    layout, group
        The layout and group of a collection in the file.
    use
        The uses of a value: "tag", "key".
    precision
        The precision of floating-point numbers, such as "14 bits"; "" for all bits.
    codecs
        Codecs and encodings in use.
    stored_bytes, decoded_bytes
        Its size in the file and in memory.
    """

    collection: str
    member: str
    type: str
    unit: str = ""
    description: str = ""
    layout: str = ""
    group: str = ""
    use: list[str] = field(default_factory=list)
    precision: str = ""
    codecs: list[str] = field(default_factory=list)
    stored_bytes: int = 0
    decoded_bytes: int = 0

    @property
    def name(self) -> str:
        """The full name, "Muon.pt"."""
        return f"{self.collection}.{self.member}" if self.member else self.collection

    @property
    def ratio(self) -> float | None:
        """Decoded bytes divided by stored bytes; None without stored bytes."""
        return self.decoded_bytes / self.stored_bytes if self.stored_bytes else None

    def to_dict(self) -> dict[str, Any]:
        """Return the line as values for JSON."""
        return {**asdict(self), "ratio": self.ratio}

    def add(self, usage: _core.Usage) -> None:
        """Add the bytes and codecs of a column to this line."""
        self.codecs += [codec for codec in usage.codecs if codec not in self.codecs]
        self.stored_bytes += usage.stored_bytes
        self.decoded_bytes += usage.decoded_bytes


def columns(category: _core.Category, schema: Schema) -> list[ColumnInfo]:
    """Return the lines of a category's table, in the order of the file."""
    lines: dict[tuple[int | None, int | None], ColumnInfo] = {}
    for number, table in enumerate(schema.tables):
        label = schema.labels[schema.root(number)]
        tail = schema.label(number).removeprefix(label).removeprefix(".")
        head = lines.get((_named(schema, number), None))
        if table.kind == TableKind.text and head:
            head.unit = table.members[0].unit
            continue
        if head is None:
            head = ColumnInfo(label, tail, _type(schema, number), description=table.description)
            if table.kind in (TableKind.collection, TableKind.vectorMember):
                head.layout = table.layout
            head.group = table.group
            head.use = [use for use, is_so in _uses(table) if is_so]
            lines[number, None] = head
        for index, member in enumerate(table.members):
            if not member.name:
                head.unit, head.precision = member.unit, precision_text(member)
            elif table.kind not in RELATIONS:
                name = f"{tail}.{member.name}" if tail else member.name
                extents = shape_text(schema.member_shape(number, member))
                line = ColumnInfo(label, name, f"{member.type}{extents}", member.unit)
                line.description, line.precision = member.description, precision_text(member)
                lines[number, index] = line
    for usage in category.usage():
        head = lines[_named(schema, usage.table), None]
        lines.get((usage.table, usage.member), head).add(usage)
    return list(lines.values())


def total(lines: Iterable[ColumnInfo]) -> ColumnInfo:
    """Return the sum of lines."""
    lines = list(lines)
    stored = sum(line.stored_bytes for line in lines)
    decoded = sum(line.decoded_bytes for line in lines)
    return ColumnInfo("total", "", "", stored_bytes=stored, decoded_bytes=decoded)


def print_columns(
    lines: Sequence[ColumnInfo], title: str, file: TextIO | None = None, *, described: bool = False
) -> None:
    """Print a category's table, as wide as the terminal, with members under their collection.

    Parameters
    ----------
    described
        Whether descriptions have a column even if the terminal has little room for them.
    """
    rows: list[tuple[str, ...]] = []
    before = None
    for line in lines:
        if line.member and line.collection != before:
            rows.append((line.collection, "", "", "", "", ""))
        before = line.collection
        rows.append((*_short_cells(line), line.description))
    is_known = any(line.codecs for line in lines)  # HIPO compresses all columns together
    if is_known:
        rows.append((*_short_cells(total(lines)), ""))
    say(printable(title), file=file)
    headings = ["name", "type", "storage", "bytes", "ratio", "description"]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    room = shutil.get_terminal_size().columns - sum(width + 1 for width in widths[:-1])
    if not any(line.description for line in lines) or room < (10 if described else _LEAST_ROOM):
        headings, rows = headings[:-1], [row[:-1] for row in rows]
    print_narrow_table(headings, rows, 3, file, has_total=is_known)


def print_narrow_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    words: int,
    file: TextIO | None = None,
    *,
    has_total: bool = False,
) -> None:
    """Print a table as `narrow_table` has it; without rich, as wide as its texts.

    Parameters
    ----------
    headings, rows, words
        As for `narrow_table`.
    has_total
        Whether the last row is apart from the others.
    """
    try:
        import rich  # noqa: F401
    except ImportError:
        say(*_plain_table(headings, rows, words), "", file=file)
        return
    table = narrow_table(headings, rows, words)
    if has_total:
        table.rows[-2].end_section = True
    print_table(table, file, is_narrow=True)


def _plain_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], words: int
) -> Iterator[str]:
    lines = [[*headings], *([*map(printable, row)] for row in rows)]
    widths = [max(map(len, texts)) for texts in zip(*lines, strict=True)]
    for line in lines:
        texts = [
            *map(str.ljust, line[:words], widths),
            *map(str.rjust, line[words:], widths[words:]),
        ]
        yield "  ".join(texts).rstrip()


def narrow_table(headings: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> Table:
    """Return a table that fits the terminal: words wrap, first those after the first column.

    Parameters
    ----------
    words
        The number of columns, from the first on, that are not numbers. A column "description" at
        the end also has words.
    """
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    rows = [[*map(printable, row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    are_words = [place < words or name == "description" for place, name in enumerate(headings)]
    others = zip(widths[1:], are_words[1:], strict=True)
    needed = sum(1 + (min(width, _LEAST_WORD) if is_word else width) for width, is_word in others)
    room = shutil.get_terminal_size().columns - needed - 2
    table.add_column(headings[0], overflow="fold", width=min(widths[0], 40, max(room, _LEAST_WORD)))
    for place, heading in enumerate(headings[1:], 1):
        is_word = are_words[place]
        table.add_column(
            heading,
            justify="left" if is_word else "right",
            no_wrap=not is_word,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*row)
    return table


def print_table(table: Table, file: TextIO | None = None, is_narrow: bool = False) -> None:
    """Print a table of rich.

    Parameters
    ----------
    is_narrow
        Whether output that does not go to a terminal is limited to the terminal's width, or to 80
        columns without a terminal. Otherwise it has its natural width.
    """
    from rich.console import Console

    console = Console(file=file, markup=False, highlight=False, emoji=False)
    if console.is_terminal:
        console.print(table)
        return
    if not is_narrow:
        console.width = 10_000
        console.width = console.measure(table).maximum
    with console.capture() as capture:
        console.print(table)
    say("\n".join(line.rstrip() for line in capture.get().split("\n")), file=file)


def print_columns_apart(
    columns: Sequence[tuple[str, Sequence[str]]], file: TextIO | None = None
) -> None:
    """Print columns of texts below their headings; the first column names the rows.

    If a terminal is too narrow, further tables follow below, each with the first column. Output
    that does not go to a terminal has one line for each row.
    """
    cells = [[*heading.split("\n"), *texts] for heading, texts in columns]
    widths = [max(map(_width, texts)) for texts in cells]
    room = terminal_width(file) - 2  # a blank on each side
    parts, left = [[0]], room - widths[0]
    for column in range(1, len(columns)):
        if len(parts[-1]) > 1 and left < widths[column] + 2:
            parts, left = [*parts, [0]], room - widths[0]
        parts[-1].append(column)
        left -= widths[column] + 2
    for part in parts:
        lines = _right_table([columns[i] for i in part], [widths[i] for i in part])
        say("", *(line.rstrip() for line in lines), "", file=file)


def _right_table(
    columns: Sequence[tuple[str, Sequence[str]]], widths: Sequence[int]
) -> Iterator[str]:
    """Yield the lines of a table whose texts are aligned to the right, as are its headings."""
    headings = [heading.split("\n") for heading, _ in columns]
    height = max(map(len, headings))
    heads = ([""] * (height - len(heading)) + heading for heading in headings)
    rows = zip(*(texts for _, texts in columns), strict=True)
    lines = [
        " " + "  ".join(map(_right, row, widths)) for row in (*zip(*heads, strict=True), *rows)
    ]
    yield from lines[:height]
    yield f" {'─' * (sum(widths) + 2 * len(widths) - 2)}"
    yield from lines[height:]


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text


def _width(text: str) -> int:
    """Return the number of terminal cells that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def terminal_width(file: TextIO | None = None) -> float:
    """Return the width of the terminal that a file writes to; infinite without a terminal."""
    if not (sys.stdout if file is None else file).isatty():
        return math.inf
    return shutil.get_terminal_size().columns


def to_html(lines: Sequence[ColumnInfo]) -> str:
    """Return a category's columns for a notebook: collections that unfold to their members."""
    from kaon.cards import MOST_ROWS, fold, size_text, table

    by_collection: dict[str, list[ColumnInfo]] = {}
    for line in lines:
        by_collection.setdefault(line.collection, []).append(line)
    parts = []
    for collection, inner in list(by_collection.items())[:MOST_ROWS]:
        head = inner[0]
        stored = size_text(total(inner).stored_bytes)
        type_ = f"{head.type} [{head.unit}]" if head.unit else head.type
        note = " · ".join(filter(None, (type_, stored, head.description)))
        members = [line for line in inner if line.member] or inner
        parts.append(fold(collection, note, table(_HEADINGS, map(_html_cells, members), _NUMBERS)))
    left = len(by_collection) - len(parts)
    return "".join(parts) + (f"<div>and {left:,} more</div>" if left else "")


_HEADINGS = ("member", "type", "unit", "storage", "bytes", "ratio", "description")
_NUMBERS = ("bytes", "ratio")


def _html_cells(line: ColumnInfo) -> tuple[str, ...]:
    _, member, type_, unit, layout, precision, codecs, *sizes = _cells(line)
    storage = ", ".join(filter(None, (layout, precision, codecs)))
    return (member or line.collection, type_, unit, storage, *sizes, line.description)


def _uses(table: _core.Table) -> Iterator[tuple[str, bool]]:
    yield "tag", table.is_tag
    yield "key", table.is_key


def precision_text(member: _core.Member) -> str:
    """Return the precision of a member's floats, such as "14 bits"; "" for full precision."""
    precision = member.precision
    if precision is None:
        return ""
    if precision.step is None:
        return f"{precision.bits} bits"
    return f"{precision.low:g}..{precision.high:g} step {precision.step:g}"


def _named(schema: Schema, number: int) -> int:
    """Return the number of a table; for a table without a name, of the table above it."""
    table = schema.tables[number]
    if table.parent is None or (table.kind != TableKind.text and schema.tail(number)):
        return number
    return _named(schema, table.parent)


def _type(schema: Schema, number: int) -> str:
    table = schema.tables[number]
    inner = [n for n in schema.below(number) if not schema.tail(n)]
    if inner:
        each = _type(schema, inner[0])
        return each if table.kind == TableKind.value else f"{each}[]"
    is_bare = [member.name for member in table.members] == [""]
    if not table.type and not is_bare:
        return "record" if table.kind == TableKind.value else "record[]"
    is_of_objects = table.kind == TableKind.collection and not is_bare
    is_one = table.kind in (TableKind.oneRelation, TableKind.decoration)
    if is_of_objects or is_one or is_text(table):
        return table.type
    shape = shape_text(schema.member_shape(number, table.members[0])) if is_bare else ""
    if table.kind == TableKind.value:
        return f"{table.type}{shape}"
    if is_bare:
        return f"{table.members[0].type}{shape}[]"
    return f"{table.type}[]"


def _cells(line: ColumnInfo) -> tuple[str, ...]:
    ratio = "" if line.ratio is None else f"{line.ratio:.1f}"
    codecs = ", ".join(line.codecs)
    sizes = (f"{line.stored_bytes:,}" if line.codecs or line.collection == "total" else "", ratio)
    group = [f"group {line.group}"] if line.group else []
    layout = ", ".join(filter(None, (line.layout, *group, *line.use)))
    names = (line.collection, line.member, line.type, line.unit)
    return (*names, layout, line.precision, codecs, *sizes)


def _short_cells(line: ColumnInfo) -> tuple[str, ...]:
    """Return the cells of `_cells` in fewer columns, for a terminal."""
    _, _, type_, unit, layout, precision, codecs, *sizes = _cells(line)
    name = f"  {line.member}" if line.member else line.collection
    storage = ", ".join(filter(None, (layout, precision, codecs)))
    return (name, f"{type_} [{unit}]" if unit else type_, storage, *sizes)
