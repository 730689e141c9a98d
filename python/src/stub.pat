# What signatures in C++ do not say, for the stub of the module: see tests/python/test_stub.py.

_core.__prefix__:
    __version__: str

_core.(Precision|Member|Table).__eq__$:
    def __eq__(self, other: object, /) -> bool: ...

_core.(Category|File).name$:
    @property
    def name(self) -> str: ...

_core.TableArrays.__init__$:
    \from typing import Any
    \from collections.abc import Callable
    \from numpy import ndarray
    \from os import PathLike
    def __init__(self, offsets: ndarray | None, present: ndarray | None, members: Mapping[int, ndarray]) -> None: ...

_core.TableArrays.offsets$:
    @property
    def offsets(self) -> Any:
        """An array of int64 where the table is counted, else None."""

_core.TableArrays.present$:
    @property
    def present(self) -> ndarray | None: ...

_core.TableArrays.members$:
    @property
    def members(self) -> dict[int, ndarray]: ...

_core.Category.read$:
    def read(self, wanted: Mapping[int, Sequence[int]], first: int, last: int, memory_limit: int = 0) -> dict[int, TableArrays]:
        \doc

_core.File.read_object$:
    def read_object(self, name: str, make: Callable[[str, str], object]) -> object:
        \doc

_core.arrow_stream$:
    def arrow_stream(category: Category, columns: Sequence[tuple[int, int | None]], first: int, last: int, flat: bool, most_bytes: int) -> object:
        \doc

_core.arrow_schema$:
    def arrow_schema(category: Category, columns: Sequence[tuple[int, int | None]], flat: bool) -> object:
        \doc

_core.Category.find_all$:
    def find_all(self, keys: Sequence[tuple[str, int, bool]]) -> ndarray:
        \doc

_core.Category.find_each$:
    def find_each(self, keys: Sequence[tuple[str, ndarray, bool]]) -> ndarray:
        \doc

_core.File.__init__$:
    \from typing import overload
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

_core.File.warnings$:
    @property
    def warnings(self) -> list[Warning]: ...

_core.Writer.__init__$:
    def __init__(self, path: str | PathLike[str], codec: str = 'zstd', level: int = 1, page_bytes: int = 65536, encodings: Mapping[str, str] = {}, goal: str = 'balance', cluster_bytes: int = 0, cluster_entries: int = 0, memory_budget: int = 0, append: bool = False, keys: Sequence[str] = [], format: str = '', sync: str = 'finish') -> None: ...

_core.Finding.(category|column|what)$:
    @property
    def \1(self) -> str: ...

_core.Finding.entries$:
    @property
    def entries(self) -> tuple[int, int]: ...

_core.verify$:
    def verify(path: str | PathLike[str], progress: Callable[[float], object] | None = None) -> Verification: ...

_core.size_of$:
    def size_of(path: str | PathLike[str]) -> FileSize: ...

_core.precision_trials$:
    def precision_trials(category: Category, bits: Sequence[int], progress: Callable[[float], object] | None = None) -> list[PrecisionTrial]: ...

_core.convert$:
    def convert(paths: Sequence[str | PathLike[str]], out: str | PathLike[str], options: WriterOptions, is_lossy: bool, models: Mapping[str, str] = {}, progress: Callable[[float], object] | None = None, on_bad_file: str = 'raise', category: str = '', skip_damaged: bool = False) -> tuple[list[BadFile], list[Warning]]: ...

_core.recover$:
    def recover(path: str | PathLike[str], out: str | PathLike[str], progress: Callable[[float], object] | None = None) -> Recovery: ...

_core.Recovery.file$:
    @property
    def file(self) -> str: ...

_core.Recovery.text$:
    @property
    def text(self) -> str: ...

_core.Result.value$:
    @property
    def value(self) -> Any: ...

_core.run$:
    def run(results: Sequence[Result], progress: Callable[[float], object] | None) -> list[Warning]: ...

_core.dataset$:
    def dataset(samples: Sequence[tuple[str, Sequence[str | PathLike[str]], float]], first: Category, first_number: int, category: str, friends: Sequence[tuple[str, Category, str]], keys: Sequence[str], is_empty_without_partner: bool, on_bad_file: str, missing_are_none: bool) -> Dataframe: ...

_core.Dataframe.snapshot$:
    def snapshot(self, path: str | PathLike[str], names: Sequence[str], category: str, options: WriterOptions) -> Result: ...
