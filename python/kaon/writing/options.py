"""The options of writers."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, TypeAlias

from kaon import _core
from kaon.errors import UnknownNameError, UsageError, WrongTypeError
from kaon.files.memory_sizes import size_in_bytes
from kaon.modelgen.precision import MOST_BITS, Precision

_LEAST = {"cluster_bytes": 0, "cluster_entries": 0, "page_bytes": 1}
_STORAGE = ("layout", "group", "precision")
_RANGE = ("low", "high", "step", "bits")


MissingMembers: TypeAlias = Literal["error", "default"]
LostReferences: TypeAlias = Literal["error", "none"]
_CHOICES = {"missing_members": ("error", "default"), "lost_references": ("error", "none")}


@dataclass(frozen=True)
class WriterOptions:
    """Options for writing a file; `kaon.create` describes each.

    Raises
    ------
    UnknownNameError
        If an option has an unknown name as its value.
    WrongTypeError, UsageError
        If a value is invalid.
    """

    codec: str = "zstd"
    level: int | None = None
    layout: str | None = None
    storage: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    encodings: Mapping[str, str] = field(default_factory=dict)
    goal: str = "balance"
    cluster_bytes: int = 0
    cluster_entries: int = 0
    page_bytes: int = 64 * 1024
    memory_budget: int | str = 0
    tags: Iterable[str] = ()
    keys: Iterable[str] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    missing_members: MissingMembers = "error"
    lost_references: LostReferences = "error"
    format: str = ""
    sync: str = "finish"

    @classmethod
    def named(cls, **options: Any) -> WriterOptions:
        """Return options from keyword arguments; raise WrongTypeError for an unknown name."""
        known = [each.name for each in fields(cls)]
        for name in options:
            if name not in known:
                hint = _core.suggestion(name, known)
                raise WrongTypeError(f"writers have no option '{name}'{hint}")
        return cls(**options)

    @classmethod
    def of_copy(cls, **options: Any) -> WriterOptions:
        """Return options for copying files; raise UsageError for options of arrays."""
        for name in ("types", "missing_members", "lost_references"):
            if name in options:
                raise UsageError(
                    f"leave out `{name}`: it is for writing arrays, and files are copied unchanged"
                )
        return cls.named(**options)

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            value = _whole_number(getattr(self, name), name)
            if value < least:
                raise UsageError(f"`{name}` must be at least {least}, not {value}")
        if self.memory_bytes < 0:
            raise UsageError(f"`memory_budget` must be at least 0, not {self.memory_budget}")
        for name in ("goal", "format", "sync"):
            if not isinstance(getattr(self, name), str):
                raise WrongTypeError(f"`{name}` must be a name, not {getattr(self, name)!r}")
        for name in ("storage", "encodings", "types"):
            if not isinstance(getattr(self, name), Mapping):
                raise WrongTypeError(
                    f"`{name}` must be a mapping by name, not {getattr(self, name)!r}"
                )
        for name in ("tags", "keys"):
            given = getattr(self, name)
            names = tuple(given) if isinstance(given, Iterable) else (given,)
            if isinstance(given, str) or not all(isinstance(each, str) for each in names):
                raise WrongTypeError(f"`{name}` must be a list of names, not {given!r}")
            object.__setattr__(self, name, names)
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise UsageError(
                    f"`{name}` must be {' or '.join(choices)}, not {getattr(self, name)!r}"
                )
        _ = self.compression, self.arrangement  # they find mistakes before the file is created

    @cached_property
    def compression(self) -> tuple[str, int]:
        """The codec and its level, which may follow the name: "zstd:9"."""
        if not isinstance(self.codec, str):
            raise WrongTypeError(f"the codec must be a name such as 'zstd', not {self.codec!r}")
        name, colon, text = self.codec.partition(":")
        if colon and self.level is not None:
            raise UsageError(
                f"codec='{self.codec}' sets the level already; leave out level={self.level}"
            )
        given = 1 if self.level is None else self.level
        try:
            level = int(text) if colon else _whole_number(given, "level")
        except ValueError:
            raise UsageError(f"expected a codec such as zstd:3, not '{self.codec}'") from None
        _core.check_level(name, max(-1000, min(level, 1000)))  # levels beyond are as invalid
        return name, level

    @cached_property
    def memory_bytes(self) -> int:
        """The memory budget as a number."""
        budget = self.memory_budget
        if not isinstance(budget, str):
            return _whole_number(budget, "memory_budget")
        size = size_in_bytes(budget)
        if size is None:
            raise UsageError(f"`memory_budget` {budget!r} is not a size such as '100 MB'")
        return int(size)

    @cached_property
    def arrangement(self) -> _core.Arrangement:
        """The layout of tables with these options."""
        return _core.Arrangement(self.layout, self._core_storage, list(self.tags), list(self.keys))

    @cached_property
    def core(self) -> _core.WriterOptions:
        """The options in C++'s form."""
        return _core.WriterOptions(
            *self.compression,
            self.layout,
            self._core_storage,
            dict(self.encodings),
            self.goal,
            self.cluster_bytes,
            self.cluster_entries,
            self.page_bytes,
            self.memory_bytes,
            list(self.tags),
            list(self.keys),
            self.format,
            self.sync,
        )

    @cached_property
    def _core_storage(self) -> dict[str, _core.Storage]:
        return {name: _storage(entries, name) for name, entries in self.storage.items()}


def _whole_number(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise WrongTypeError(f"`{name}` must be an integer, not {value!r}") from None


def core_precision(precision: Precision) -> _core.Precision:
    """Return a precision in C++'s form.

    Raises
    ------
    UsageError
        If a range is invalid.
    """
    if mistake := precision.mistake_in_range():
        raise UsageError(mistake)
    if precision.low is None or precision.high is None:
        return _core.Precision.mantissa(precision.bits or 0)
    if precision.step is not None:
        return _core.Precision.steps(precision.low, precision.high, precision.step)
    return _core.Precision.range(precision.low, precision.high, precision.bits or 0)


def _storage(entries: Mapping[str, Any], collection: str) -> _core.Storage:
    where = f"storage of '{collection}'"
    _check_keys(entries, _STORAGE, where)
    precision = entries.get("precision", {})
    if not isinstance(precision, Mapping):
        raise WrongTypeError(f"{where}: give the precision by member, not {precision!r}")
    return _core.Storage(
        entries.get("layout"),
        entries.get("group"),
        {
            name: core_precision(_precision(value, f"{where}: precision of '{name}'"))
            for name, value in precision.items()
        },
    )


def _precision(value: int | Mapping[str, Any], where: str) -> Precision:
    if isinstance(value, Mapping):
        _check_keys(value, _RANGE, where)
        if not {"low", "high"} <= value.keys() or ("step" in value) == ("bits" in value):
            raise UsageError(f"{where}: a range needs 'low', 'high', and either 'step' or 'bits'")
        numbers = {name: float(value[name]) for name in ("low", "high", "step") if name in value}
        bits = operator.index(value["bits"]) if "bits" in value else None
        precision = Precision(bits, **numbers)
    else:
        bits = operator.index(value)
        precision = Precision(bits)
    if bits is not None and not 1 <= bits <= (51 if precision.low is None else MOST_BITS):
        most = 51 if precision.low is None else MOST_BITS
        raise UsageError(f"{where}: the number of bits must be from 1 to {most}, not {bits}")
    if mistake := precision.mistake_in_range():
        raise UsageError(f"{where}: {mistake}")
    return precision


def _check_keys(entries: Any, known: Iterable[str], where: str) -> None:
    if not isinstance(entries, Mapping):
        raise WrongTypeError(f"{where}: expected a mapping of {', '.join(known)}, not {entries!r}")
    for key in entries:
        if key not in known:
            hint = _core.suggestion(str(key), list(known))
            raise UnknownNameError(f"{where}: unknown key '{key}'{hint}")
