"""Files that are not in the file system: URLs, which fsspec reads, and open file objects."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any, NamedTuple

from kaon.errors import FileError, MissingFileError, UsageError
from kaon.files.paths import StrPath

_EDGE_BYTES = 128 << 10
"""What is read at both ends of a file when it is opened."""

_FIRST_BYTES = _EDGE_BYTES + (32 << 10)
"""The same at its beginning, and what may lie between them where both are read as one."""

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
    if not is_url(path):
        return os.path.getsize(path)
    url = os.fspath(path)
    return _size(url, *_located(url))


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
    system, path = _located(url)
    ends = _ends(url, system, path)
    size = ends[0] if ends else _size(url, system, path)
    waiting = [ends[1:]] if ends else []  # for who reads them first
    owner = os.getpid()

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        if waiting:
            first, last = waiting.pop()
            places = [_inside(*each, first, last, size) for each in ranges]
            if None not in places:
                return [piece for piece in places if piece is not None]
        starts, stops = map(list, zip(*ranges, strict=True))  # only lists are taken by all
        paths = [path] * len(ranges)
        # A client has connections and a thread, which processes that are forked cannot use.
        client = system if os.getpid() == owner else _located(url)[0]
        pieces: Sequence[bytes] = client.cat_ranges(paths, starts, stops, on_error="raise")
        return pieces

    return DistantFile(url, size, fetch)


def _located(url: str) -> tuple[Any, str]:
    """Return fsspec's client for a URL, and what it calls the file; raise as `file_at_url`."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError(f"{url}: needs fsspec: pip install 'kaon[remote]'") from None
    try:
        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url}: {error}") from None
    except OSError as error:  # of clients that connect at once
        raise FileError(f"{url}: cannot be opened: {_text(error)}") from error
    return system, path


def _size(url: str, system: Any, path: str) -> int:
    """Return how many bytes a file has; raise as `file_at_url`."""
    try:
        size = system.size(path)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url}: {error}") from None
    except FileNotFoundError as error:
        is_missing = getattr(error.__cause__, "status", None) in (404, 410)
        if error.__cause__ is not None and not is_missing:  # such as a connection that was refused
            raise FileError(f"{url}: cannot be opened: {error.__cause__}") from error
        raise MissingFileError(f"{url}: there is no such file") from None
    except Exception as error:  # of whatever client
        if "no such file" in str(error).lower():  # as XRootD's says
            raise MissingFileError(f"{url}: there is no such file") from error
        raise FileError(f"{url}: cannot be opened: {_text(error)}") from error
    if size is None:
        raise FileError(f"{url}: the server does not say how large it is")
    return _possible(int(size), url)


def _possible(size: int, where: str) -> int:
    """Return a size that a file can have.

    Raises
    ------
    FileError
        If it is none.
    """
    if not 0 <= size < 2**63:
        raise FileError(f"{where}: is said to have {size} bytes, which no file has")
    return size


def _ends(url: str, system: Any, path: str) -> tuple[int, bytes, bytes] | None:
    """Return the size of a file on a web server, its first and its last bytes.

    Both come in one round, without asking for the size before. None of other files, and where the
    server does not answer as it should: others say what is wrong.

    Raises
    ------
    FileError
        If it does not answer at all, or gives whole files only.
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
                raise FileError(  # before each range brings the whole file
                    f"{url}: the server gives whole files only, no ranges of their bytes; copy it "
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
    except (TimeoutError, asyncio.TimeoutError) as error:  # who asks again waits as long again
        raise FileError(f"{url}: cannot be opened: the server does not answer") from error
    except FileError:
        raise
    except Exception:
        return None
    _possible(size, url)
    is_whole = (len(first), len(last)) == (min(size, _FIRST_BYTES), min(size, _EDGE_BYTES))
    return (size, first, last) if is_whole and size == same else None


def _inside(start: int, stop: int, first: bytes, last: bytes, size: int) -> bytes | None:
    """Return a range of a file whose first and last bytes are there; None if it is not in them."""
    begin = size - len(last)
    if start >= begin:
        return last[start - begin : stop - begin]
    if stop <= len(first):
        return first[start:stop]
    if start < len(first) and begin <= len(first):
        return first[start:] + last[len(first) - begin : stop - begin]
    return None


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
        nothing = file.read(0)
    except (OSError, ValueError) as error:
        text = _text(error)
        raise UsageError(
            f"{where}: cannot be read at any place: {text}: open it with 'rb'"
        ) from None
    if not isinstance(nothing, bytes):
        raise UsageError(f"{where}: gives text: open it with 'rb'")

    def fetch(ranges: Ranges) -> Sequence[bytes]:
        pieces = []
        with lock:
            for start, end in ranges:
                file.seek(start)
                pieces.append(_read(file, end - start))
        return pieces

    return DistantFile(where, _possible(size, where), fetch)


def _read(file: IO[bytes], count: int) -> bytes:
    """Read so many bytes, or all there are: one call may give fewer."""
    pieces = []
    while count > 0 and (piece := file.read(count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _text(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
