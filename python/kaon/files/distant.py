"""Files outside the file system: URLs, which fsspec reads, and open file objects."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple

from kaon.errors import FileError, MissingFileError, UsageError
from kaon.files.paths import StrPath

_EDGE_BYTES = 128 << 10
"""The bytes read at both ends of a file when it is opened."""

_FIRST_BYTES = _EDGE_BYTES + (32 << 10)
"""The bytes read at the beginning, including a gap to the end if one read gets both."""

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
    ends = _ends(url, system, path)
    size = ends[0] if ends else _size(url, system, path)
    waiting = [ends[1:]] if ends else []  # for the first read
    owner = os.getpid()

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        if waiting:
            first, last = waiting.pop()
            places = [_inside(*each, first, last, size) for each in ranges]
            if None not in places:
                return [piece for piece in places if piece is not None]
        starts, stops = map(list, zip(*ranges, strict=True))  # some clients take only lists
        paths = [path] * len(ranges)
        # Forked processes cannot use the connections and the thread of a client.
        client = system if os.getpid() == owner else _located(url)[0]
        pieces: Sequence[bytes] = client.cat_ranges(paths, starts, stops, on_error="raise")
        return pieces

    return DistantFile(url, size, fetch)


def _located(url: str) -> tuple[Any, str]:
    """Return fsspec's client and path for a URL; raise as `file_at_url`."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError(f"{url}: needs fsspec: pip install 'kaon[remote]'") from None
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
    return _possible(int(size), url)


def _possible(size: int, where: str) -> int:
    """Return a size after checking that files can have it.

    Raises
    ------
    FileError
        If the size is negative or at least 2^63.
    """
    if not 0 <= size < 2**63:
        raise FileError(f"{where}: the size of {size} bytes is impossible")
    return size


def _ends(url: str, system: Any, path: str) -> tuple[int, bytes, bytes] | None:
    """Return the size of a file on a web server, and its first and last bytes.

    Both ends come in one round trip, without a request for the size before. Returns None for other
    protocols, and after unexpected answers; later requests then report the error.

    Raises
    ------
    FileError
        If the server does not answer, or sends only whole files.
    """
    if not url.startswith(("http://", "https://")):
        return None
    import asyncio

    from fsspec.asyn import sync

    async def part(wanted: str) -> tuple[int, bytes]:
        options = {**system.kwargs}
        headers = {**options.pop("headers", {}), "Range": wanted, "Accept-Encoding": "identity"}
        session = await system.set_session()
        async with session.get(system.encode_url(path), headers=headers, **options) as answer:
            if answer.status == 200 and (answer.content_length or _FIRST_BYTES) >= _FIRST_BYTES:
                raise FileError(  # otherwise each range would transfer the whole file
                    f"{url}: the server sends only whole files, no ranges of bytes; copy the file "
                    "to this machine first"
                )
            if answer.status != 206:
                raise ValueError
            return int(answer.headers["Content-Range"].rpartition("/")[2]), await answer.read()

    async def both() -> list[tuple[int, bytes]]:
        wanted = (f"bytes=0-{_FIRST_BYTES - 1}", f"bytes=-{_EDGE_BYTES}")
        return list(await asyncio.gather(*map(part, wanted)))

    try:
        (size, first), (same, last) = sync(system.loop, both)
    except (TimeoutError, asyncio.TimeoutError) as error:  # further requests would wait as long
        raise FileError(f"{url}: cannot be opened: the server does not answer") from error
    except FileError:
        raise
    except Exception:
        return None
    _possible(size, url)
    is_whole = (len(first), len(last)) == (min(size, _FIRST_BYTES), min(size, _EDGE_BYTES))
    return (size, first, last) if is_whole and size == same else None


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

    return DistantFile(where, _possible(size, where), fetch)


def _read(file: IO[bytes], count: int) -> bytes:
    """Read `count` bytes, or up to the end; a single read of the file may return fewer."""
    pieces = []
    while count > 0 and (piece := file.read(count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _text(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
