"""Files that are not in the file system: URLs, which fsspec reads, and open file objects."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import IO, NamedTuple

from kaon.errors import FileError, MissingFileError, UsageError
from kaon.files.paths import StrPath

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(://|::)")

Ranges = Sequence[tuple[int, int]]


class DistantFile(NamedTuple):
    """A file that Python reads.

    Attributes
    ----------
    fetch
        Returns the bytes of ranges, each a pair of the first byte and the one behind the last. Any
        thread may call it.
    """

    name: str
    size: int
    fetch: Callable[[Ranges], Sequence[bytes]]


def file_size(path: StrPath) -> int:
    """Return how many bytes a file has, here or far away; raise as `file_at_url`, OSError."""
    return file_at_url(os.fspath(path)).size if is_url(path) else os.path.getsize(path)


def is_url(path: StrPath) -> bool:
    """Tell whether a path is a URL, and no file that is called like one."""
    is_like = isinstance(path, str) and _URL.match(path) is not None
    return is_like and not os.path.exists(path)


def file_at_url(url: str) -> DistantFile:
    """Return a file of any protocol that fsspec knows: https, root (fsspec-xrootd), s3, ...

    Raises
    ------
    MissingFileError
        If there is no such file.
    FileError
        If the server does not answer, or does not say how large it is.
    UsageError
        If what reads such URLs is not installed, or nothing does.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError(f"{url}: needs fsspec: pip install 'kaon[remote]'") from None
    try:
        system, path = url_to_fs(url)
        size = system.size(path)
    except ImportError as error:
        raise UsageError(f"{url}: {error}") from None
    except ValueError as error:
        raise UsageError(f"{url}: {error}") from None
    except FileNotFoundError as error:
        if error.__cause__ is not None:  # such as a connection that was refused
            raise FileError(f"{url}: cannot be opened: {error.__cause__}") from error
        raise MissingFileError(f"{url}: there is no such file") from None
    except Exception as error:  # of whatever client
        if "no such file" in str(error).lower():  # as XRootD's says
            raise MissingFileError(f"{url}: there is no such file") from error
        raise FileError(f"{url}: cannot be opened: {_text(error)}") from error
    if size is None:
        raise FileError(f"{url}: the server does not say how large it is")

    owner = os.getpid()

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        starts, ends = map(list, zip(*ranges, strict=True))  # only lists are taken by all
        paths = [path] * len(ranges)
        # A client has connections and a thread, which processes that are forked cannot use.
        client = system if os.getpid() == owner else url_to_fs(url)[0]
        pieces: Sequence[bytes] = client.cat_ranges(paths, starts, ends, on_error="raise")
        return pieces

    return DistantFile(url, int(size), fetch)


def file_of_object(file: IO[bytes]) -> DistantFile:
    """Return a file that was opened to read bytes, which nobody may use otherwise meanwhile.

    Raises
    ------
    UsageError
        If it gives text, or cannot be read anywhere but from the front.
    """
    name = getattr(file, "name", None)
    where = name if isinstance(name, str) else f"<{type(file).__name__}>"
    lock = threading.Lock()
    try:
        size = file.seek(0, os.SEEK_END)
    except (OSError, ValueError) as error:
        raise UsageError(f"{where}: cannot be read at any place: {error}") from None
    if not isinstance(file.read(0), bytes):
        raise UsageError(f"{where}: gives text: open it with 'rb'")

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        pieces = []
        with lock:
            for start, end in ranges:
                file.seek(start)
                pieces.append(_read(file, end - start))
        return pieces

    return DistantFile(where, size, fetch)


def _read(file: IO[bytes], count: int) -> bytes:
    """Read so many bytes, or all there are: one call may give fewer."""
    pieces = []
    while count > 0 and (piece := file.read(count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _text(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
