"""Files outside the file system: URLs, which fsspec reads, and open file objects."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import IO, Any, NamedTuple

from kaon.errors import FileError, MissingFileError, UsageError
from kaon.files.paths import StrPath
from kaon.files.web_files import WebFile, longest_time, possible_size

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(://|::)")

Ranges = Sequence[tuple[int, int]]


class DistantFile(NamedTuple):
    """A file that Python reads.

    Attributes
    ----------
    fetch
        Returns the bytes of ranges, each a pair of its first byte and the byte behind its last.
        Any thread may call it.
    """

    name: str
    size: int
    fetch: Callable[[Ranges], Sequence[bytes]]


def file_size(path: StrPath) -> int:
    """Return the bytes of a local or distant file; raise OSError or as `file_at_url`."""
    if not is_url(path):
        return os.path.getsize(path)
    url = os.fspath(path)
    return _size(url, *_located(url))


def is_url(path: StrPath) -> bool:
    """Return whether a path is a URL, and not an existing file with this name."""
    is_like = isinstance(path, str) and _URL.match(path) is not None
    return is_like and not os.path.exists(path)


def file_at_url(url: str) -> DistantFile:
    """Return a file of any protocol that fsspec knows: https, root (fsspec-xrootd), s3, ...

    Raises
    ------
    MissingFileError
        If the file does not exist.
    FileError
        If the server does not answer, or does not tell the file's size.
    UsageError
        If the package for this protocol is missing, or fsspec does not know the protocol.
    """
    system, path = _located(url)
    owner = os.getpid()
    if url.startswith(("http://", "https://")):
        return _web_file(WebFile(url, system, path), owner)
    identity = _identity(url, system, path)

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        starts, stops = map(list, zip(*ranges, strict=True))  # some clients take only lists
        # Forked processes cannot use the connections and the thread of a client.
        client = system if os.getpid() == owner else _located(url)[0]
        try:
            pieces = _ranges(client, [path] * len(ranges), starts, stops)
        except Exception as error:  # clients raise any type
            _check_unchanged(url, client, path, identity)
            raise FileError(f"{url}: cannot be read: {_text(error)}") from error
        if [*map(len, pieces)] != [stop - start for start, stop in ranges]:
            _check_unchanged(url, client, path, identity)
            raise FileError(f"{url}: returned other numbers of bytes than requested")
        return pieces

    return DistantFile(url, identity.size, fetch)


class _Identity(NamedTuple):
    """The version of a file: its size, and the tag or time of change that its client tells."""

    size: int
    version: str


_VERSIONS = ("ETag", "etag", "md5Hash", "LastModified", "last_modified", "mtime", "modified")
"""The names of versions in fsspec's clients."""


def _identity(url: str, system: Any, path: str) -> _Identity:
    """Return the version of a file; raise as `file_at_url`."""
    size = _size(url, system, path)
    try:
        info = system.info(path)
    except Exception:  # clients raise any type; the size is known
        return _Identity(size, "")
    return _Identity(size, next((str(info[name]) for name in _VERSIONS if info.get(name)), ""))


def _check_unchanged(url: str, system: Any, path: str, identity: _Identity) -> None:
    """Raise FileError if a file is no longer the version that was opened."""
    system.invalidate_cache()
    if _identity(url, system, path) != identity:
        raise FileError(f"{url}: has changed since it was opened; open it again")


def _ranges(
    system: Any, paths: Sequence[str], starts: Sequence[int], stops: Sequence[int]
) -> Sequence[bytes]:
    """Return ranges of a file; clients with a thread of their own have limited time."""
    read = system.cat_ranges
    if getattr(system, "async_impl", False):
        from fsspec.asyn import sync

        longest = longest_time(sum(stops) - sum(starts))
        read = partial(sync, system.loop, system._cat_ranges, timeout=longest)
    pieces: Sequence[bytes] = read(paths, starts, stops, on_error="raise")
    return pieces


def _web_file(file: WebFile, owner: int) -> DistantFile:
    ends = file.ends()
    if ends:
        size = ends[0]
    else:
        size = _size(file.url, *_located(file.url))
        file.know(size)
    waiting = [ends[1:]] if ends else []  # for the first read

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        if waiting:
            first, last = waiting.pop()
            places = [_inside(*each, first, last, size) for each in ranges]
            if None not in places:
                return [piece for piece in places if piece is not None]
        # Forked processes cannot use the connections and the thread of a client.
        is_forked = os.getpid() != owner
        return (file.of_system(_located(file.url)[0]) if is_forked else file).fetch(ranges)

    return DistantFile(file.url, size, fetch)


def _located(url: str) -> tuple[Any, str]:
    """Return fsspec's client and path for a URL; raise as `file_at_url`."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError(f"{url}: needs fsspec: pip install 'fsspec[http]'") from None
    try:
        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url}: {error}") from None
    except OSError as error:  # some clients connect at once
        raise FileError(f"{url}: cannot be opened: {_text(error)}") from error
    return system, path


def _size(url: str, system: Any, path: str) -> int:
    """Return the size of a file in bytes; raise as `file_at_url`."""
    try:
        size = system.size(path)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url}: {error}") from None
    except FileNotFoundError as error:
        is_missing = getattr(error.__cause__, "status", None) in (404, 410)
        if error.__cause__ is not None and not is_missing:  # for example a refused connection
            raise FileError(f"{url}: cannot be opened: {error.__cause__}") from error
        raise MissingFileError(f"{url}: the file does not exist") from None
    except Exception as error:  # clients raise any type
        if "no such file" in str(error).lower():  # XRootD's message
            raise MissingFileError(f"{url}: the file does not exist") from error
        raise FileError(f"{url}: cannot be opened: {_text(error)}") from error
    if size is None:
        raise FileError(f"{url}: the server does not tell the file's size")
    return possible_size(int(size), url)


def _inside(start: int, stop: int, first: bytes, last: bytes, size: int) -> bytes | None:
    """Return a range of a file from its first and last bytes; None if they do not include it."""
    begin = size - len(last)
    if start >= begin:
        return last[start - begin : stop - begin]
    if stop <= len(first):
        return first[start:stop]
    if start < len(first) and begin <= len(first):
        return first[start:] + last[len(first) - begin : stop - begin]
    return None


def file_of_object(file: IO[bytes]) -> DistantFile:
    """Return a file that was opened for reading bytes; nobody else may use it meanwhile.

    Raises
    ------
    UsageError
        If it returns text, or can only be read from the front.
    """
    name = getattr(file, "name", None)
    where = name if isinstance(name, str) else f"<{type(file).__name__}>"
    lock = threading.Lock()
    try:
        size = file.seek(0, os.SEEK_END)
        nothing = file.read(0)
    except (OSError, ValueError) as error:
        text = _text(error)
        raise UsageError(
            f"{where}: cannot be read at arbitrary positions: {text}: open it with 'rb'"
        ) from None
    if not isinstance(nothing, bytes):
        raise UsageError(f"{where}: returns text: open it with 'rb'")

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        pieces = []
        with lock:
            for start, end in ranges:
                file.seek(start)
                pieces.append(_read(file, end - start))
        return pieces

    return DistantFile(where, possible_size(size, where), fetch)


def _read(file: IO[bytes], count: int) -> bytes:
    """Read `count` bytes, or up to the end; a single read of the file may return fewer."""
    pieces = []
    while count > 0 and (piece := file.read(count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _text(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
