"""Files on web servers, read by ranges with fsspec's client for HTTP, and checked as C++ does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kaon.errors import Error, FileError, MissingFileError

PATIENCE = 30.0
"""The seconds for which a server may send fewer than `LEAST_SPEED` bytes a second."""

LEAST_SPEED = 1000
"""The least number of bytes a second that an answer must have."""

WHOLE_SPEED = 10_000
"""A request takes at most the time of its bytes at this speed, and four times `PATIENCE`."""

_MOST_ATTEMPTS = 3
_FIRST_PAUSE = 0.2  # seconds before the second attempt
_MOST_AT_ONCE = 8  # requests; as in C++

_EDGE_BYTES = 128 << 10
"""The bytes read at both ends of a file when it is opened."""

_FIRST_BYTES = _EDGE_BYTES + (32 << 10)
"""The bytes read at the beginning, including a gap to the end if one read gets both."""


class _Passing(Exception):
    """A failure that may be over at the next attempt."""


class _Refused(Exception):
    """An answer without bytes, which other requests may not get."""


class _Answer(NamedTuple):
    first: int
    size: int
    tag: str
    body: bytes


def longest_time(count: int) -> float:
    """Return the most seconds that a request for this number of bytes may take."""
    return 4 * PATIENCE + count / WHOLE_SPEED


class WebFile:
    """A file on a web server.

    Parameters
    ----------
    system, path
        fsspec's client and path for the URL.
    """

    def __init__(self, url: str, system: Any, path: str) -> None:
        self.url = url
        self._system = system
        self._path = path
        self._size: int | None = None
        self._tag = ""

    def of_system(self, system: Any) -> WebFile:
        """Return this version of the file, read by another client, as in a forked process."""
        other = WebFile(self.url, system, self._path)
        other._size, other._tag = self._size, self._tag
        return other

    def know(self, size: int) -> None:
        """Set the size of the file, if `ends` did not return it."""
        self._size = size

    def ends(self) -> tuple[int, bytes, bytes] | None:
        """Return the size of the file, and its first and last bytes.

        Both ends come in one round trip, without a request for the size before. Returns None after
        unexpected answers; later requests then report the error.

        Raises
        ------
        FileError
            If the server does not answer, or sends only whole files.
        """
        import asyncio

        async def both(end: float) -> list[_Answer]:
            wanted = (f"bytes=0-{_FIRST_BYTES - 1}", f"bytes=-{_EDGE_BYTES}")
            parts = (self._part(each, _FIRST_BYTES, end) for each in wanted)
            return list(await asyncio.gather(*parts))

        try:
            first, last = self._run(both, _FIRST_BYTES + _EDGE_BYTES)
        except (TimeoutError, asyncio.TimeoutError) as error:  # further requests would wait as long
            raise FileError(f"{self.url}: cannot be opened: the server does not answer") from error
        except FileError:
            raise
        except Exception:
            return None
        size = first.size
        is_whole = (len(first.body), len(last.body)) == (
            min(size, _FIRST_BYTES),
            min(size, _EDGE_BYTES),
        )
        if not is_whole or (first.size, first.tag) != (last.size, last.tag):
            return None
        self._size, self._tag = size, first.tag
        return size, first.body, last.body

    def fetch(self, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
        """Return the bytes of ranges, each a pair of its first byte and the byte behind its last.

        Raises
        ------
        MissingFileError
            If the file no longer exists.
        FileError
            If the server does not send these bytes, or not in time, or the file has changed.
        """
        import asyncio

        limit = asyncio.Semaphore(_MOST_AT_ONCE)

        async def one(start: int, stop: int, end: float) -> bytes:
            async with limit:
                return await self._range(start, stop, end)

        async def all_ranges(end: float) -> list[bytes]:
            tasks = [asyncio.ensure_future(one(*each, end)) for each in ranges]
            try:
                return list(await asyncio.gather(*tasks))
            finally:
                for task in tasks:
                    task.cancel()  # after an error, nobody wants the others

        try:
            pieces: list[bytes] = self._run(all_ranges, sum(stop - start for start, stop in ranges))
        except Error:
            raise
        except (TimeoutError, asyncio.TimeoutError) as error:
            wrong = "the server does not answer, or is too slow"
            raise FileError(f"{self.url}: cannot be read: {wrong}") from error
        except Exception as error:
            text = next(iter(str(error).splitlines()), "") or type(error).__name__
            raise FileError(f"{self.url}: cannot be read: {text}") from error
        return pieces

    def _run(self, work: Any, count: int) -> Any:
        """Return the result of a coroutine, which gets the time of the loop when it must end."""
        import asyncio

        from fsspec.asyn import sync

        longest = longest_time(count)

        async def limited() -> Any:
            end = asyncio.get_running_loop().time() + longest
            return await asyncio.wait_for(work(end), longest)

        return sync(self._system.loop, limited)

    async def _range(self, start: int, stop: int, end: float) -> bytes:
        """Return a range; repeat requests whose failure may pass."""
        import asyncio

        import aiohttp

        wanted = f"bytes={start}-{stop - 1}"
        for attempt in range(1, _MOST_ATTEMPTS + 1):
            try:
                answer = await self._part(wanted, stop - start, end)
                break
            except (_Passing, aiohttp.ClientConnectionError, aiohttp.ClientPayloadError) as error:
                is_late = isinstance(error, (TimeoutError, asyncio.TimeoutError))
                if attempt == _MOST_ATTEMPTS or is_late:
                    raise
                await asyncio.sleep(_FIRST_PAUSE * attempt**2)
        self._check_unchanged(answer.size, answer.tag)
        if answer.first == 0 and len(answer.body) == answer.size:  # sent as a whole
            return answer.body[start:stop]
        if answer.first != start or len(answer.body) != stop - start:
            raise FileError(
                f"{self.url}: the server sent other bytes than those from {start} to {stop}; "
                "has the file changed?"
            )
        self._tag = answer.tag
        return answer.body

    def _check_unchanged(self, size: int, tag: str) -> None:
        if size != self._size or (self._tag and tag != self._tag):
            raise FileError(f"{self.url}: has changed since it was opened; open it again")

    async def _part(self, wanted: str, count: int, end: float) -> _Answer:
        """Return the answer to one request for a range of at most `count` bytes."""
        system = self._system
        options = {**system.kwargs}
        headers = {**options.pop("headers", {}), "Range": wanted, "Accept-Encoding": "identity"}
        session = await system.set_session()
        url = system.encode_url(self._path)
        async with session.get(url, headers=headers, **options) as answer:
            status = answer.status
            tag = answer.headers.get("ETag", "")
            if status == 206:
                place, _, size = answer.headers["Content-Range"].rpartition("/")
                first = int(place.removeprefix("bytes ").partition("-")[0])
                return _Answer(
                    first, self._possible(int(size)), tag, await self._body(answer, count, end)
                )
            if status == 200:
                size = answer.content_length
                if size is None or size >= _FIRST_BYTES:  # each range would transfer the whole file
                    raise FileError(
                        f"{self.url}: the server sends only whole files, no ranges of bytes; copy "
                        "the file to this machine first"
                    )
                return _Answer(0, size, tag, await self._body(answer, size, end))
            if status in (404, 410):
                raise MissingFileError(f"{self.url}: the file does not exist")
            if status == 416 and self._size is not None:
                size = answer.headers.get("Content-Range", "").rpartition("/")[2]
                if size.isdecimal() and int(size) != self._size:
                    self._check_unchanged(int(size), tag)
            wrong = f"the server answers {status}"
            if status == 429 or status >= 500:
                raise _Passing(wrong)
            raise _Refused(wrong)

    def _possible(self, size: int) -> int:
        return possible_size(size, self.url)

    async def _body(self, answer: Any, count: int, end: float) -> bytes:
        """Return the body of an answer, at most `count` bytes."""
        import asyncio

        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise FileError(f"{self.url}: the server sends compressed bytes, not those of the file")
        now = asyncio.get_running_loop().time
        pieces: list[bytes] = []
        received = before = 0
        check = now() + PATIENCE  # the next time to check the speed since the last one
        while True:
            # Python's `wait_for` can lose a cancellation while data arrive, so this loop has the
            # limit of the whole request, too.
            if now() >= end:
                raise asyncio.TimeoutError
            if now() >= check:
                if received - before < PATIENCE * LEAST_SPEED:
                    raise asyncio.TimeoutError
                check, before = now() + PATIENCE, received
            try:
                left = max(min(check, end) - now(), 0.001)
                piece = await asyncio.wait_for(answer.content.readany(), left)
            except (TimeoutError, asyncio.TimeoutError):
                continue  # to the checks
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
            received += len(piece)
            if received > count:
                raise FileError(
                    f"{self.url}: the server sent more bytes than requested; has the file changed?"
                )


def possible_size(size: int, where: str) -> int:
    """Return a size after checking that files can have it.

    Raises
    ------
    FileError
        If the size is negative or at least 2^63.
    """
    if not 0 <= size < 2**63:
        raise FileError(f"{where}: the size of {size} bytes is impossible")
    return size
