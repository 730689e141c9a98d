"""Ctrl-C, which ends a command at once, whatever it does."""

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
"""What a process exits with, by convention, that was ended by Ctrl-C."""


_directories: set[str] = set()
_parts: set[str] = set()


def will_write(path: str) -> None:
    """Let Ctrl-C, and errors, remove what there is by then of a new file."""
    part = f"{path}.part"
    if not os.path.exists(part):  # else it is another writer's
        _parts.add(part)


@contextmanager
def temporary_directory() -> Iterator[Path]:
    """Make a directory for files of a command; it is gone after the block, and after Ctrl-C."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="kaon-") as directory:
        _directories.add(directory)
        try:
            yield Path(directory)
        finally:
            _directories.discard(directory)


def _is_removed(part: str) -> bool:
    """Remove a file, if it is there, and tell whether it was."""
    with suppress(OSError):  # nothing was written where nothing can be removed
        os.remove(part)
        return True
    return False


def _are_removed() -> bool:
    """Remove what there is of new files, and tell whether there was something."""
    return any([_is_removed(part) for part in list(_parts)])


def leave(status: int) -> NoReturn:
    """End the process at once: to take Python's modules down takes longer than users like."""
    with suppress(OSError):  # what cannot be written was said
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def notice_interruption() -> None:
    """Make Ctrl-C, which until now ended the process, an exception: there may be more to do."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def run_interruptibly(run: Callable[[], int], output: str | None) -> int:
    """Return what a function returns; Ctrl-C ends the process.

    Python notices Ctrl-C where it is running itself, in the main thread, and C++ may work for a
    long time: so that is done by another thread.

    Parameters
    ----------
    output
        The file that is written, if there is one: of a new one nothing is left after Ctrl-C, nor
        after an error.
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
            thread.join(0.1)  # for good, it would not notice a signal that another thread got
    except KeyboardInterrupt:
        sys.stderr.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the thread may miss what is removed here
        import shutil

        while _are_removed():
            time.sleep(0.02)  # the thread may just be making others
        for directory in 2 * list(_directories):  # where a file may just have been made
            shutil.rmtree(directory, ignore_errors=True)
        os._exit(INTERRUPTED)
    if errors or results[0] != 0:
        _are_removed()
    _parts.clear()
    if errors:
        raise errors[0]
    return results[0]
