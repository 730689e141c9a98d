"""Tables, their members, and their columns."""

import re
from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from itertools import islice
from math import prod

import numpy as np

from .cursor import Cursor, DamagedError, check, decoded

TYPES = [
    np.dtype(t) for t in "u1 i1 u1 <i2 <u2 <i4 <u4 <i8 <u8 <f4 <f8".split()
]  # a bool is a byte
TYPE_NAMES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()

TABLE = np.dtype(
    [
        ("name", "<u4"),  # for texts: their sizes
        ("type", "<u4"),
        ("description", "<u4"),
        ("group", "<u4"),
        ("parent", "<u4"),
        ("row_size", "<u4"),
        ("members", "<u4"),
        ("kind", "u1"),
        ("layout", "u1"),
        ("use", "u1"),
        ("states_structure", "u1"),
    ]
)
MEMBER = np.dtype(
    [
        ("name", "<u4"),
        ("unit", "<u4"),
        ("description", "<u4"),
        ("extent", "<u4"),
        ("offset", "<u4"),
        ("type", "u1"),
        ("precision", "u1"),
        ("bits", "u1"),
        ("lists", "u1"),
        ("missing", "V8"),
        ("low", "<f8"),
        ("step", "<f8"),
        ("last", "<u4"),
        ("structure", "<u4"),
    ]
)
TABLE_TEXTS = ("name", "type", "description", "group")
MEMBER_TEXTS = ("name", "unit", "description", "structure")
assert TABLE.itemsize == 32 and MEMBER.itemsize == 56


class Kind(IntEnum):
    COLLECTION = 0
    VECTOR_MEMBER = 1
    ONE_RELATION = 2
    MANY_RELATION = 3
    PARAMETER = 4
    TEXT = 5
    VALUE = 6
    DECORATION = 7


LISTS = (Kind.COLLECTION, Kind.VECTOR_MEMBER, Kind.PARAMETER)
"""Kinds of tables with lists under each of any number of rows."""

MOST_LEVELS = 64
"""The maximal depth of tables."""


class Layout(IntEnum):
    SPLIT = 0
    ROW = 1
    MEMBER = 2


class Use(IntFlag):
    TAG = 1
    KEY = 2


@dataclass(frozen=True)
class Member:
    name: str
    unit: str
    description: str
    structure: str  # "" if the table does not state it: see `structures`
    type: str
    extent: int
    offset: int
    missing: bytes
    precision: tuple  # (), ("mantissa", bits) or ("range", low, step, last)

    @property
    def dtype(self):
        return TYPES[TYPE_NAMES.index(self.type)]

    @property
    def size(self):
        return self.dtype.itemsize * self.extent


@dataclass(frozen=True)
class Table:
    name: str
    type: str
    description: str
    group_text: str
    parent: int | None
    row_size: int
    kind: Kind
    layout: Layout
    use: Use
    members: list

    @property
    def can_be_absent(self):
        return self.kind in (Kind.COLLECTION, Kind.PARAMETER)

    @property
    def is_counted(self):
        return self.kind not in (Kind.ONE_RELATION, Kind.VALUE, Kind.DECORATION)

    @property
    def is_in_rows(self):
        kinds = (Kind.COLLECTION, Kind.VECTOR_MEMBER)
        return self.layout == Layout.ROW and self.kind in kinds and bool(self.members)


class Column:
    """A column: its table and role, and the type of its values in encodings."""

    def __init__(self, table, role, dtype, member=None):
        self.table = table  # the number of the table
        self.role = role  # "presence", "counts", "rows" or "member"
        self.dtype = np.dtype(dtype)
        self.member = member  # the number of the member


class Schema:
    def __init__(self):
        self.tables = []
        self.columns = []
        self.columns_of = []  # their numbers, by table

    def add(self, body):
        """Add all tables of a schema record or none; return the name of the category."""
        cursor = Cursor(body)
        first, tables, members, name_size = (cursor.number(4) for _ in range(4))
        texts_size = cursor.number(8)
        check(first == len(self.tables), "tables are out of order")
        table_records = cursor.array(TABLE, tables)
        member_records = cursor.array(MEMBER, members)
        texts, name = Cursor(cursor.take(texts_size)), decoded(cursor.take(name_size))
        check(name, "a category has no name")
        check(
            table_records["members"].sum(dtype="u8") == members, "members are too many or too few"
        )
        table_texts = [_texts(one, TABLE_TEXTS, texts) for one in table_records]
        states = np.repeat(table_records["states_structure"] == 1, table_records["members"])
        member_records = member_records.copy()
        member_records["structure"][~states] = 0
        every_member = iter(
            [_member(one, _texts(one, MEMBER_TEXTS, texts)) for one in member_records]
        )
        texts.end()
        before = len(self.tables), len(self.columns)
        try:
            for record, of_table in zip(table_records, table_texts, strict=True):
                members = list(islice(every_member, int(record["members"])))
                if record["states_structure"] != 1:
                    members = _with_structures(members)
                self._add_table(_table(record, of_table, members))
        except DamagedError:
            del self.tables[before[0] :], self.columns_of[before[0] :], self.columns[before[1] :]
            raise
        return name

    def _add_table(self, table):
        number = len(self.tables)
        check(table.name, "a table has no name")
        is_root = table.kind in (Kind.COLLECTION, Kind.PARAMETER, Kind.VALUE)
        check(is_root == (table.parent is None), "a table is not where its kind belongs")
        check(is_root or table.parent < number, "a table stands before its parent")
        check(is_root or self._may_have(table), "a table is not where its kind belongs")
        for member in table.members:
            name = member.name
            if table.kind == Kind.DECORATION:  # its name begins with the table's own name
                above = self.tables[table.parent].name
                name = f"{table.name[len(above) + 1 :]}.{name}".rstrip(".")
            _check_structure(name, member)
        columns = []
        if table.can_be_absent:
            columns.append(Column(number, "presence", "u1"))
        if table.is_counted:
            columns.append(Column(number, "counts", "<u4"))
        if table.is_in_rows:
            columns.append(Column(number, "rows", f"V{table.row_size}"))
        else:
            columns += [
                Column(number, "member", member.dtype, place)
                for place, member in enumerate(table.members)
            ]
        self.tables.append(table)
        self.columns_of.append(list(range(len(self.columns), len(self.columns) + len(columns))))
        self.columns += columns

    def _may_have(self, table):
        parent = self.tables[table.parent]
        check(self.level(table.parent) + 1 < MOST_LEVELS, "a table lies too deep")
        if table.kind == Kind.VECTOR_MEMBER:
            if parent.kind == Kind.VALUE:
                return not parent.use
            is_text = parent.type == "string" and parent.kind != Kind.COLLECTION
            return not is_text and parent.kind in LISTS
        if table.kind == Kind.TEXT:
            holds_strings = parent.type == "string" and not parent.members
            return holds_strings and parent.kind in (Kind.PARAMETER, Kind.VECTOR_MEMBER)
        return parent.kind == Kind.COLLECTION

    def level(self, number):
        """Return the number of tables above a table."""
        parent = self.tables[number].parent
        return 0 if parent is None else 1 + self.level(parent)

    def root(self, number):
        parent = self.tables[number].parent
        return number if parent is None else self.root(parent)

    def group(self, number):
        """Return the first table of the table's group."""
        root = self.root(number)
        return next(
            other
            for other in range(root + 1)
            if self.tables[other].parent is None and self._is_one_group(other, root)
        )

    def tables_of(self, group):
        return [number for number in range(len(self.tables)) if self.group(number) == group]

    def members_in(self, column):
        """Return the members whose values are in a column."""
        info = self.columns[column]
        members = self.tables[info.table].members
        if info.role == "member":
            return [members[info.member]]
        return members if info.role == "rows" else []

    def _is_one_group(self, number, other):
        a, b = self.tables[number], self.tables[other]
        if a.group_text or b.group_text or number == other:
            return a.group_text == b.group_text
        return a.kind == b.kind == Kind.VALUE and a.use & Use.TAG == b.use & Use.TAG


def _check_structure(name, member):
    if not member.structure:
        return
    names, steps = name.split("."), member.structure.split(".")
    check(steps[-1] and len(steps) <= len(names), "a structure has more steps than its name parts")
    for place, step in enumerate(steps):
        inside = names[place + 1 :]
        if step == "?":
            is_presence = inside == ["has_value"] and (member.type, member.extent) == ("bool", 1)
            check(is_presence or inside[:1] == ["value"], "an optional has a part too many")
        elif step:
            check(re.fullmatch(r"\[~[1-9]\d*\]|(\[[1-9]\d*\])+", step), "a step is unknown")
            size = prod(int(digits) for digits in re.findall(r"\d+", step))
            check(size < 2**32, "an array has too many elements")
            if inside:
                is_element = re.fullmatch(r"0|[1-9]\d*", inside[0]) and int(inside[0]) < size
                check(is_element, "an array does not have an element")
            else:
                check(size == member.extent, "a shape does not fit its member")


def _with_structures(members):
    """Return the members with the structures that their names imply."""
    below = {}
    for member in members:
        parts = member.name.split(".")
        for depth in range(1, len(parts)):
            inside = below.setdefault(".".join(parts[:depth]), [])
            if not inside or inside[-1] != parts[depth]:
                inside.append(parts[depth])
    bools = {one.name for one in members if (one.type, one.extent) == ("bool", 1)}
    steps = {}
    for path, inside in below.items():
        if inside == [str(number) for number in range(len(inside))]:
            steps[path] = f"[~{len(inside)}]"
        elif inside == ["value", "has_value"] and f"{path}.has_value" in bools:
            steps[path] = "?"
    found = []
    for member in members:
        parts = member.name.split(".")
        paths = [".".join(parts[: depth + 1]) for depth in range(len(parts) - 1)]
        structure = ".".join(steps.get(path, "") for path in paths).rstrip(".")
        found.append(replace(member, structure=structure))
    return found


def _texts(record, names, texts):
    return [decoded(texts.take(int(record[name]))) for name in names]


def _member(record, texts):
    check(record["type"] < len(TYPES) and record["extent"] > 0, "a member has an unknown type")
    kind, bits = record["precision"].item(), record["bits"].item()
    steps = (record[key].item() for key in ("low", "step", "last"))
    precisions = {1: ("mantissa", bits), 2: ("range", *steps)}
    return Member(
        *texts,
        TYPE_NAMES[record["type"]],
        int(record["extent"]),
        int(record["offset"]),
        record["missing"].tobytes(),
        precisions.get(kind, ()),
    )


def _table(record, texts, members):
    kind, layout, use = (int(record[key]) for key in ("kind", "layout", "use"))
    check(kind <= max(Kind) and layout <= max(Layout) and use <= 3, "a table is of unknown kind")
    for member in members:
        check(member.offset + member.size <= record["row_size"], "a member lies outside its row")
    return Table(
        *texts,
        None if record["parent"] == 0xFFFFFFFF else int(record["parent"]),
        int(record["row_size"]),
        Kind(kind),
        Layout(layout),
        Use(use),
        members,
    )
