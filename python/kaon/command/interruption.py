"""Ctrl-C, which ends a command at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:  # every command would wait for its import
    from pathlib import Path

INTERRUPTED = 130
"""The conventional exit status of a process that was ended by Ctrl-C."""


_directories: set[str] = set()
_parts: set[str] = set()


def will_write(path: str) -> None:
    """Let Ctrl-C and errors remove the unfinished new file of this path."""
    part = f"{path}.part"
    if not os.path.exists(part):  # an existing one belongs to another writer
        _parts.add(part)


@contextmanager
def temporary_directory() -> Iterator[Path]:
    """Make a directory for files of a command; the end of the block and Ctrl-C remove it."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="kaon-") as directory:
        _directories.add(directory)
        try:
            yield Path(directory)
        finally:
            _directories.discard(directory)


def _is_removed(part: str) -> bool:
    """Remove a file if it exists, and return whether it existed."""
    with suppress(OSError):  # files that cannot be removed were not written
        os.remove(part)
        return True
    return False


def _are_removed() -> bool:
    """Remove unfinished new files, and return whether there were any."""
    return any([_is_removed(part) for part in list(_parts)])


def leave(status: int) -> NoReturn:
    """End the process at once, without the slow cleanup of Python's modules."""
    with suppress(OSError):  # errors of writing were reported earlier
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def notice_interruption() -> None:
    """Let Ctrl-C raise an exception instead of ending the process, so that cleanup can run."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def run_interruptibly(run: Callable[[], int], output: str | None) -> int:
    """Run a function and return its result; Ctrl-C ends the process.

    Python notices Ctrl-C only in the main thread, between its own instructions, and C++ code may
    run for long. Therefore another thread runs the function.

    Parameters
    ----------
    output
        The file that is written, if any. Ctrl-C and errors remove an unfinished new file.
    """
    if threading.current_thread() is not threading.main_thread():
        return run()
    if output:
        will_write(output)
    results: list[int] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(run())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    try:
        notice_interruption()
        thread.start()
        while thread.is_alive():
            thread.join(0.1)  # without a limit, join would miss signals to other threads
    except KeyboardInterrupt:
        sys.stderr.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # hide the thread's errors on removed files
        import shutil

        while _are_removed():
            time.sleep(0.02)  # the thread may be making another one
        for directory in 2 * list(_directories):  # the thread may have just made a file there
            shutil.rmtree(directory, ignore_errors=True)
        os._exit(INTERRUPTED)
    if errors or results[0] != 0:
        _are_removed()
    _parts.clear()
    if errors:
        raise errors[0]
    return results[0]
