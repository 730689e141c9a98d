"""Bad files among several, and the policy for them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, get_args

from kaon.errors import BadFileWarning, FileError, UnknownNameError
from kaon.files.choices import checked_option

if TYPE_CHECKING:
    from kaon.files.category import Category

OnBadFile: TypeAlias = Literal["raise", "skip", "report"]
"""The treatment of bad files: raise the error, or leave the file out with or without a warning."""

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class BadFile:
    """A file that was left out.

    Attributes
    ----------
    path
        The path of the file.
    reason
        The message of the error.
    entries
        The number of entries that are missing; None if it is unknown.
    """

    path: str
    reason: str
    entries: int | None


class BadFiles:
    """The bad files so far, under a policy.

    Parameters
    ----------
    policy
        "raise", "skip" or "report".

    Raises
    ------
    UsageError
        If the policy is unknown.
    """

    def __init__(self, policy: OnBadFile) -> None:
        checked_option("on_bad_file", policy, get_args(OnBadFile))
        self.policy = policy
        self._files: dict[str, BadFile] = {}
        self._first_error: Exception | None = None

    @property
    def are_left_out(self) -> bool:
        """Whether the policy leaves bad files out."""
        return self.policy != "raise"

    @property
    def files(self) -> tuple[BadFile, ...]:
        """The files that were left out."""
        return tuple(self._files.values())

    def try_file(
        self, path: str, work: Callable[[], _Value], entries: int | None = None
    ) -> _Value | None:
        """Return the result of work on a file; add the file and return None if it fails.

        Raises
        ------
        FileError, UnknownNameError
            Errors of the file, if bad files are not left out.
        """
        try:
            return work()
        except (FileError, UnknownNameError) as error:
            if not self.are_left_out:
                raise
            self._first_error = self._first_error or error
            self._add(BadFile(path, str(error), entries))
            return None

    def sort(self, paths: Iterable[str]) -> None:
        """Bring the files into the order of some paths."""
        self._files = {path: self._files[path] for path in paths if path in self._files}

    @property
    def first_error(self) -> Exception:
        """The error of the first file that was left out."""
        assert self._first_error is not None, "some file was left out"
        return self._first_error

    def with_result(self, result: _Value) -> Any:
        """Return a result as the policy asks: under "report", a pair of it and the bad files."""
        return (result, self.files) if self.policy == "report" else result

    def _add(self, file: BadFile) -> None:
        if file.path in self._files:
            return
        self._files[file.path] = file
        if self.policy == "skip":
            unread = "" if file.entries is None else f", with {file.entries:,} entries"
            warnings.warn(
                f"{file.reason}; the file is left out{unread}", BadFileWarning, stacklevel=6
            )


def joinable(category: Category, reference: Category | None) -> Category:
    """Return a category if it shares columns with other files, or has no entries.

    Parameters
    ----------
    reference
        The category of the first file whose entries have values. None if all files have only
        collections and parameters, which can be absent.

    Raises
    ------
    UnknownNameError
        If the category has entries, but shares no column with the reference.
    """
    category._core.check_joinable(None if reference is None else reference._core)
    return category


def bad_files_of(core: Iterable[Any]) -> tuple[BadFile, ...]:
    """Return the bad files of a report from C++."""
    return tuple(BadFile(each.path, each.reason, each.entries) for each in core)
