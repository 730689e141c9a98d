"""
Files, schemas and arrays of kaon, for the Python modules of the package.
"""

from collections.abc import Callable, Mapping, Sequence
import enum
from os import PathLike
from typing import Annotated, Any, overload

import numpy
from numpy import ndarray
from numpy.typing import NDArray


__version__: str

def suggestion(name: object, known: Sequence[str]) -> str:
    """
    " (did you mean 'x'?)" with the known name nearest to `name`, or nothing.
    """

def with_article(noun: str) -> str:
    """The noun with its article: "an int32", "a list"."""

def counted(number: int, one: str, many: str = '') -> str:
    """A number with its noun, such as "1 key" or "1,000 keys"."""

def escape_controls(text: str) -> str:
    """
    A message without control characters, for tests of `printable_message`.
    """

def place_in_tuple(name: str) -> int | None:
    """
    The place of a part of a pair or tuple by its name; None for other names.
    """

class TableKind(enum.Enum):
    """The kinds of rows of tables."""

    collection = 0

    vectorMember = 1

    oneRelation = 2

    manyRelation = 3

    parameter = 4

    text = 5

    value = 6

    decoration = 7

class Precision:
    """The precision to which floats are stored."""

    @staticmethod
    def mantissa(bits: int) -> Precision:
        """So many bits of the mantissa."""

    @staticmethod
    def steps(low: float, high: float, step: float) -> Precision:
        """Steps from `low` to the one nearest to `high`."""

    @staticmethod
    def range(low: float, high: float, bits: int) -> Precision:
        """2^bits steps from `low` to `high`."""

    @property
    def bits(self) -> int: ...

    @property
    def step(self) -> float | None: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def last(self) -> int:
        """The number of the last step."""

    def __eq__(self, other: object, /) -> bool: ...

class Member:
    """A scalar, or an array of fixed length, in each row."""

    def __init__(self, name: str, type: str, extent: int = 1, offset: int = 0, unit: str = '', description: str = '', missing: int = 0, structure: str = '', lists_before: int = 0) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def extent(self) -> int: ...

    @property
    def offset(self) -> int: ...

    @property
    def size(self) -> int: ...

    @property
    def unit(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def missing(self) -> int:
        """
        The bytes, as a number, of each value in entries from before there was the member.
        """

    @property
    def structure(self) -> str:
        """How the parts of its name nest: see kaon/model/Structure.h."""

    @property
    def lists_before(self) -> int:
        """
        The number of tables under its table that come before it in the source.
        """

    @property
    def precision(self) -> Precision | None: ...

    def __eq__(self, other: object, /) -> bool: ...

class Table:
    """Rows of one struct type, under entries or under rows."""

    def __init__(self, name: str, kind: TableKind, type: str, members: Sequence[Member], row_size: int, parent: int | None = None, description: str = '') -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> TableKind: ...

    @property
    def layout(self) -> str: ...

    @property
    def group(self) -> str: ...

    @property
    def is_tag(self) -> bool: ...

    @property
    def is_key(self) -> bool: ...

    @property
    def type(self) -> str: ...

    @property
    def parent(self) -> int | None: ...

    @property
    def row_size(self) -> int: ...

    @property
    def members(self) -> list[Member]: ...

    @property
    def description(self) -> str: ...

    @property
    def is_counted(self) -> bool: ...

    @property
    def can_be_absent(self) -> bool: ...

    def __eq__(self, other: object, /) -> bool: ...

def check_metadata(text: str, rule: str) -> None:
    """
    Checks that metadata can have these keys, values and rule; the text is JSON.
    """

def merge_metadata(documents: Sequence[str]) -> str:
    """Returns the document of several files' metadata merged by their rules."""

def check_level(codec: str, level: int) -> None: ...

class Storage:
    """How a collection is to lie in a file."""

    def __init__(self, layout: str | None = None, group: str | None = None, precision: Mapping[str, Precision] = {}) -> None: ...

class WriterOptions:
    """How a file is to be written."""

    def __init__(self, codec: str, level: int, layout: str | None, storage: Mapping[str, Storage], encodings: Mapping[str, str], goal: str, cluster_bytes: int, cluster_entries: int, page_bytes: int, memory_budget: int, tags: Sequence[str], keys: Sequence[str], format: str, sync: str) -> None: ...

def unused_names(options: WriterOptions, categories: Sequence[Sequence[Table]]) -> list[tuple[str, str]]:
    """
    The names in the options `storage`, `tags` and `keys` that no category's tables have, each with
    its message.
    """

class Arrangement:
    """The layout that a writer gives to tables."""

    def __init__(self, layout: str | None = None, storage: Mapping[str, Storage] = {}, tags: Sequence[str] = [], keys: Sequence[str] = []) -> None: ...

    def arranged(self, tables: Sequence[Table]) -> list[Table]:
        """The tables of a collection, parameter or value as they are to lie."""

class MemberChange:
    """A difference between two versions of a member."""

    @property
    def kind(self) -> str: ...

    @property
    def path(self) -> str:
        """Its path now; of a dropped member, its path then."""

    @property
    def before(self) -> str: ...

    @property
    def text(self) -> str:
        """
        Of one that fails, in words; of one that was added or dropped, its type.
        """

class LeafPair:
    """A number, or array of numbers, in both versions."""

    @property
    def path(self) -> str: ...

    @property
    def before(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def type_before(self) -> str: ...

class ComparedType:
    """A datatype that two versions of a model have."""

    @property
    def name(self) -> str: ...

    @property
    def before(self) -> str: ...

    @property
    def changes(self) -> list[MemberChange]: ...

    @property
    def leaves(self) -> list[LeafPair]: ...

def compare_models(before: str, now: str) -> list[ComparedType]:
    """How data of an older model are read with a newer one. Both are JSON."""

def member_of_line(line: str) -> str:
    """
    The JSON of a member as podio's definitions write it, for tests of the generator.
    """

class TableArrays:
    """The arrays of one table."""

    def __init__(self, offsets: ndarray | None, present: ndarray | None, members: Mapping[int, ndarray]) -> None: ...

    @property
    def offsets(self) -> Any:
        """An array of int64 where the table is counted, else None."""

    @property
    def present(self) -> ndarray | None: ...

    @property
    def members(self) -> dict[int, ndarray]: ...

class Usage:
    """How a column lies in its file."""

    @property
    def table(self) -> int: ...

    @property
    def member(self) -> int | None: ...

    @property
    def values(self) -> int: ...

    @property
    def stored_bytes(self) -> int: ...

    @property
    def decoded_bytes(self) -> int: ...

    @property
    def codecs(self) -> list[str]: ...

class Category:
    """One category of an open file. For any thread."""

    @property
    def name(self) -> str: ...

    @property
    def entries(self) -> int: ...

    @property
    def num_tables(self) -> int: ...

    def table(self, number: int) -> Table: ...

    def tables_under(self, root: int) -> list[int]:
        """The numbers of a table under the entries and of all that lie under it."""

    def presences(self, table: int, member: int) -> list[tuple[int, int]]:
        """
        Tables and members of the bools that tell whether a member has a value: of each optional around it one.
        """

    @property
    def clusters(self) -> list[tuple[int, int]]: ...

    @property
    def labels(self) -> dict[int, str]: ...

    @property
    def keys(self) -> list[tuple[str, int, int | None]]: ...

    @property
    def sorted_keys(self) -> list[str]:
        """
        The keys that the file has sorted, in the order in which they are compared.
        """

    @property
    def unreadable(self) -> list[tuple[str, str, str]]:
        """
        The columns that are not read: their names and types in the file, and the reasons.
        """

    def why_unread(self, name: str) -> str:
        """
        The reason why a column of this name is not read, to append to a message; else "".
        """

    def warn_of_unreadable(self) -> None: ...

    def check_joinable(self, reference: Category | None) -> None:
        """Raises if its entries lack all columns of a reference that has values."""

    def has_values(self) -> bool: ...

    def find(self, keys: Sequence[tuple[str, int, bool]]) -> int | None:
        """The first entry with these values, if there is one."""

    def find_all(self, keys: Sequence[tuple[str, int, bool]]) -> ndarray:
        """All entries with these values, ascending."""

    def find_each(self, keys: Sequence[tuple[str, ndarray, bool]]) -> ndarray:
        """The first entry for each row of values; -1 for rows without an entry."""

    def usage(self) -> list[Usage]:
        """How each column lies in the file."""

    def bounds(self, table: int, member: int, by_page: bool) -> list[tuple[int, int, tuple[int, int, bool, bool] | None]]:
        """
        Returns the first entry of each cluster or page, and the first one behind it. If the
        file has bounds, adds the bits of a member's least and greatest value, whether it is
        empty, and whether it has NaNs.
        """

    def check_memory(self, wanted: Mapping[int, Sequence[int]], first: int, last: int, memory_limit: int = 0) -> None:
        """
        Raises the error that read() would raise if the arrays took too much memory.
        """

    def check_pages(self, wanted: Mapping[int, Sequence[int]], first: int, last: int, memory_limit: int) -> None:
        """
        Raises if read() would decode a page that is larger than the arrays and the limit.
        """

    def read(self, wanted: Mapping[int, Sequence[int]], first: int, last: int, memory_limit: int = 0) -> dict[int, TableArrays]:
        """
        Reads members, by the number of their table, of the entries [first, last) into new
        arrays, by the number of the table. The tables above a table must be wanted too. They
        take no more than so many bytes; 0: no more than there are.
        """

class RecoveredCategory:
    @property
    def name(self) -> str: ...

    @property
    def entries(self) -> int: ...

    @property
    def lost_entries(self) -> int: ...

class DamagedColumn:
    @property
    def category(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def damaged_entries(self) -> int: ...

    @property
    def damaged_bytes(self) -> int: ...

    @property
    def left_out(self) -> str: ...

class Recovery:
    @property
    def file(self) -> str: ...

    @property
    def categories(self) -> list[RecoveredCategory]: ...

    @property
    def columns(self) -> list[DamagedColumn]: ...

    @property
    def lost_documents(self) -> list[str]: ...

    @property
    def rebuilt(self) -> list[str]: ...

    @property
    def bytes(self) -> int: ...

    @property
    def lost_bytes(self) -> int: ...

    @property
    def is_sound(self) -> bool: ...

    @property
    def text(self) -> str: ...

class File:
    """An open file. For any thread."""

    @overload
    def __init__(self, path: str | PathLike[str], models: Mapping[str, str] = {}, group: bool = True, tags: Sequence[int] = [], map: str = 'auto', skips_damage: bool = False) -> None:
        """
        With models, JSON by their name in messages, it is read as if it had been written
        with them.
        """
    @overload
    def __init__(self, name: str, size: int, fetch: Callable[[Sequence[tuple[int, int]]], Sequence[bytes]], models: Mapping[str, str] = {}, group: bool = True, tags: Sequence[int] = [], skips_damage: bool = False) -> None:
        """
        Opens a file of `size` bytes through `fetch(ranges)`. A range is the first byte and the
        one behind the last. `fetch` returns the bytes of the ranges, in any thread.
        """

    @property
    def name(self) -> str: ...

    @property
    def id(self) -> int: ...

    @property
    def format(self) -> str: ...

    @property
    def is_complete(self) -> bool: ...

    @property
    def warnings(self) -> list[Warning]: ...

    @property
    def recovery(self) -> Recovery | None:
        """The report if damage is skipped."""

    @property
    def categories(self) -> list[str]: ...

    @property
    def objects(self) -> list[tuple[str, str, str, int]]:
        """Name, class, title and bytes of each object that is not a category."""

    def read_object(self, name: str, make: Callable[[str, str], object]) -> object:
        """
        Returns an object; make(class, failure) returns the mapping for its members.
        """

    def category(self, name: str) -> Category: ...

    def parents(self, category: str) -> File: ...

    @property
    def documents(self) -> list[str]: ...

    def document(self, name: str) -> str: ...

class CommonTables:
    """Tables that suit several files."""

    def __init__(self) -> None: ...

    def add(self, category: Category) -> None: ...

    @property
    def differ(self) -> bool:
        """Whether tables of the files differ, so that some file needs others."""

    def apply(self, category: Category, name: str) -> Category:
        """A category of this name with the tables."""

def may_differ_in_optionals(category: Category) -> bool:
    """Whether columns of the file may be optional in other files."""

def arrow_stream(category: Category, columns: Sequence[tuple[int, int | None]], first: int, last: int, flat: bool, most_bytes: int) -> object:
    """
    Columns, by the numbers of tables and members, of the entries [first, last) as a
    stream of Arrow; if flat, each of them is a field.
    """

def arrow_schema(category: Category, columns: Sequence[tuple[int, int | None]], flat: bool) -> object:
    """The type of the stream that arrow_stream() returns."""

def refused_fields(table: object) -> dict[str, str]:
    """The reasons why fields of an Arrow table cannot be stored, by name."""

class EntryArray:
    """An array of entries, or a part of one, as Arrow's C interface has it."""

    def __init__(self, format: str, name: str, length: int, buffers: Sequence[object], children: Sequence[EntryArray] = [], dictionary: object | None = None, nulls: int = 0, metadata: Mapping[str, str] = {}) -> None: ...

    def __len__(self) -> int: ...

class EntryRules:
    """How arrays become entries of a file."""

    def __init__(self, model: str | None, types: Mapping[str, str], arrangement: Arrangement, zeroes_missing_members: bool, empties_lost_references: bool) -> None:
        """
        `model` is a model as JSON. Checks that there are the `types` of arrays.
        """

class Writer:
    """A file that is being written; it takes its place when it is finished."""

    def __init__(self, path: str | PathLike[str], codec: str = 'zstd', level: int = 1, page_bytes: int = 65536, encodings: Mapping[str, str] = {}, goal: str = 'balance', cluster_bytes: int = 0, cluster_entries: int = 0, memory_budget: int = 0, append: bool = False, keys: Sequence[str] = [], format: str = '', sync: str = 'finish') -> None: ...

    def write(self, category: str, tables: Sequence[Table], arrays: Mapping[int, TableArrays], entries: int) -> None:
        """
        Appends entries: arrays for each of the category's tables that some of them have, by its
        number. The tables are those of the call before and maybe more. The entries are cut into
        clusters, or joined to them.
        """

    def set_rules(self, rules: EntryRules) -> None:
        """Sets the rules of extend()."""

    def add_written(self, name: str, category: Category) -> None:
        """States the tables of the file that is appended to."""

    def extend(self, category: str, entries: EntryArray) -> int:
        """
        Appends entries, an array of structs, by the rules. Returns their number.
        """

    def extend_by_stream(self, category: str, capsule: object, is_in_memory: bool) -> int:
        """
        Appends the entries of a stream of Arrow by the rules, piece by piece. Nulls decide which fields are optionals: of all pieces if they are in memory, otherwise of the first.
        """

    def tables(self, category: str) -> list[Table]:
        """The tables of the category so far."""

    def write_stream(self, category: str, table: object, optionals: Sequence[Sequence[int]]) -> None:
        """
        Appends the entries of an object that provides a stream of Arrow, piece by piece. `optionals` are paths of fields.
        """

    def add_document(self, name: str, text: str) -> None: ...

    def add_object(self, name: str, object: object) -> None:
        """
        Writes an object that is not a category: a mapping with the attribute `type`.
        """

    def add_columns(self, category: str, columns: str) -> None:
        """
        Makes the entries of `columns`, written next, further columns of `category`.
        """

    def flush(self, durable: bool = False) -> None:
        """
        Writes entries that do not fill a cluster yet; the next ones begin a cluster.
        """

    def finish(self) -> list[object]:
        """Returns the warnings."""

    def discard(self) -> None:
        """Closes the file without finishing it."""

def fields_with_nulls(table: object) -> list[list[int]]:
    """
    The paths of the fields that have nulls in the stream of an object, and would be optionals: numbers of children.
    """

class BadFile:
    @property
    def path(self) -> str: ...

    @property
    def reason(self) -> str: ...

    @property
    def entries(self) -> int | None: ...

class Finding:
    @property
    def category(self) -> str: ...

    @property
    def column(self) -> str: ...

    @property
    def entries(self) -> tuple[int, int]: ...

    @property
    def position(self) -> int: ...

    @property
    def what(self) -> str: ...

    @property
    def is_unreadable(self) -> bool: ...

class Verification:
    @property
    def findings(self) -> list[Finding]: ...

    @property
    def is_complete(self) -> bool: ...

    @property
    def records(self) -> int: ...

    @property
    def pages(self) -> int: ...

    @property
    def bytes(self) -> int: ...

def verify(path: str | PathLike[str], progress: Callable[[float], object] | None = None) -> Verification: ...

class ColumnSize:
    @property
    def name(self) -> str: ...

    @property
    def collection(self) -> str: ...

    @property
    def role(self) -> str: ...

    @property
    def values(self) -> int: ...

    @property
    def stored_bytes(self) -> int: ...

    @property
    def decoded_bytes(self) -> int: ...

    @property
    def codecs(self) -> list[str]: ...

class CategorySize:
    @property
    def name(self) -> str: ...

    @property
    def entries(self) -> int: ...

    @property
    def columns(self) -> list[ColumnSize]: ...

    @property
    def meta_bytes(self) -> int: ...

    @property
    def padding_bytes(self) -> int: ...

class FileSize:
    @property
    def bytes(self) -> int: ...

    @property
    def categories(self) -> list[CategorySize]: ...

    @property
    def schema_bytes(self) -> int: ...

    @property
    def document_bytes(self) -> int: ...

    @property
    def index_bytes(self) -> int: ...

    @property
    def other_bytes(self) -> int: ...

class PrecisionTrial:
    @property
    def name(self) -> str: ...

    @property
    def bits(self) -> int: ...

    @property
    def saved_bytes(self) -> int: ...

def size_of(path: str | PathLike[str]) -> FileSize: ...

def precision_trials(category: Category, bits: Sequence[int], progress: Callable[[float], object] | None = None) -> list[PrecisionTrial]: ...

def convert(paths: Sequence[str | PathLike[str]], out: str | PathLike[str], options: WriterOptions, is_lossy: bool, models: Mapping[str, str] = {}, progress: Callable[[float], object] | None = None, on_bad_file: str = 'raise', category: str = '', skip_damaged: bool = False) -> tuple[list[BadFile], list[Warning]]: ...

def recover(path: str | PathLike[str], out: str | PathLike[str], progress: Callable[[float], object] | None = None) -> Recovery: ...

class MergedCategory:
    @property
    def name(self) -> str: ...

    @property
    def entries(self) -> int: ...

    @property
    def copied_entries(self) -> int: ...

    @property
    def joined_entries(self) -> int: ...

class MergeReport:
    @property
    def categories(self) -> list[MergedCategory]: ...

    @property
    def bad_files(self) -> list[BadFile]: ...

def merge(paths: Sequence[str], out: str, progress: object | None, on_bad_file: str = 'raise') -> tuple[MergeReport, list[object]]: ...

def interpret(type: str, description: str) -> None: ...

def usual_cluster_bytes(columns: int) -> int: ...

def momentum_members(names: Sequence[str]) -> tuple[dict[str, str], bool]:
    """
    The members of objects that hold components of four-momenta, by component, and whether the objects have no mass.
    """

def particle_masses(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> object:
    """
    The masses of particles in GeV, given their PDG numbers as float64; NaN for unknown particles.
    """

def kinematic_members() -> list[str]:
    """The members of objects that expressions compute of others."""

class Result:
    @property
    def is_done(self) -> bool: ...

    @property
    def value(self) -> Any: ...

    def variations(self) -> dict[str, Result]: ...

def run(results: Sequence[Result], progress: Callable[[float], object] | None) -> list[Warning]: ...

class Dataframe:
    def filter(self, expression: str, label: str) -> Dataframe: ...

    def define(self, name: str, expression: str) -> Dataframe: ...

    def redefine(self, name: str, expression: str) -> Dataframe: ...

    def vary(self, column: str, variation: str, expression: str) -> Dataframe: ...

    def fallback(self, column: str, value: bool | int | int | float) -> Dataframe: ...

    def alias(self, name: str, column: str) -> Dataframe: ...

    def range(self, first: int, last: int) -> Dataframe: ...

    def sample(self, label: str) -> Dataframe: ...

    def explode(self, collection: str) -> Dataframe: ...

    def implode(self) -> Dataframe: ...

    def filter_by(self, function: object, columns: Sequence[str], label: str) -> Dataframe: ...

    def define_by(self, name: str, function: object, columns: Sequence[str], scalar: str, depth: int, is_new: bool) -> Dataframe: ...

    def vary_by(self, column: str, variation: str, function: object, columns: Sequence[str], scalar: str, depth: int) -> Dataframe: ...

    def count(self) -> Result: ...

    def sum(self, column: str) -> Result: ...

    def mean(self, column: str) -> Result: ...

    def min(self, column: str) -> Result: ...

    def max(self, column: str) -> Result: ...

    def stats(self, column: str) -> Result: ...

    def take(self, column: str) -> Result: ...

    def histogram(self, axes: Sequence[tuple[str, Sequence[float], Sequence[str], str, bool]], columns: Sequence[str], weight: str) -> Result: ...

    def profile(self, axes: Sequence[tuple[str, Sequence[float], Sequence[str], str, bool]], columns: Sequence[str], averaged: str, weight: str) -> Result: ...

    def display(self, columns: Sequence[str], rows: int) -> Result: ...

    def snapshot(self, path: str | PathLike[str], names: Sequence[str], category: str, options: WriterOptions) -> Result: ...

    def columns(self) -> list[str]: ...

    def contents(self) -> list[str]: ...

    def describe(self) -> str: ...

    def filters(self) -> list[str]: ...

    def defined(self) -> list[str]: ...

    def samples(self) -> list[tuple[str, float]]: ...

    def name(self) -> str: ...

    def bad_files(self) -> list[BadFile]: ...

    def members_of(self, text: str) -> tuple[list[str], int] | None:
        """
        The members of objects and the number of lists around these; None for values.
        """

    def documentation_of(self, column: str) -> tuple[str, str]: ...

    def texts(self, column: str) -> Result:
        """The different texts of a column, sorted."""

    def type_of(self, column: str) -> tuple[str, int]: ...

def dataset(samples: Sequence[tuple[str, Sequence[str | PathLike[str]], float]], first: Category, first_number: int, category: str, friends: Sequence[tuple[str, Category, str]], keys: Sequence[str], is_empty_without_partner: bool, on_bad_file: str, missing_are_none: bool) -> Dataframe: ...

def dataframe_of(category: Category, name: str) -> Dataframe: ...

class TrainOutputReport:
    @property
    def path(self) -> str: ...

    @property
    def entries(self) -> int: ...

    @property
    def bytes(self) -> int: ...

class TrainReport:
    @property
    def entries(self) -> int: ...

    @property
    def encoded_entries(self) -> int: ...

    @property
    def copied_entries(self) -> int: ...

    @property
    def outputs(self) -> list[TrainOutputReport]: ...

    @property
    def bad_files(self) -> list[BadFile]: ...

class Train:
    def contents(self) -> list[str]: ...

    def add(self, path: str, selection: str, keep: Sequence[str], drop: Sequence[str], thin: Mapping[str, str], is_strict: bool, is_virtual: bool) -> None: ...

    def run(self, progress: object | None) -> tuple[TrainReport, list[object]]: ...

    def estimate(self, sampled_entries: int) -> tuple[TrainReport, list[object]]: ...

def train(events: Dataframe, options: WriterOptions, keeps_order: bool, provenance: bool, copies_clusters: bool, other_categories: bool, decisions: str) -> Train: ...
