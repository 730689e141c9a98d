"""Progress bars for long work, on terminals and in notebooks."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TypeAlias

from kaon.modelgen.mistakes import printable

Progress: TypeAlias = "Callable[[float], None]"
"""A function that is called with the fraction done, from 0 to 1."""

_LEAST_SECONDS = 0.1  # between two pictures of a notebook's bar


@contextmanager
def progress_bar(what: str) -> Iterator[Progress | None]:
    """Show a progress bar while the block runs: on a terminal, or below a notebook's cell.

    >>> with kaon.progress_bar("filling") as progress:
    ...     kaon.run(spectrum, progress=progress)

    Parameters
    ----------
    what
        The title of the bar: the work being done.

    Yields
    ------
    callable or None
        The argument `progress` of `run`, `convert`, `merge` and others. None without a terminal
        or notebook, as in a batch job.
    """
    if _is_notebook():
        yield _NotebookBar(what)
    elif sys.stderr.isatty():
        with _terminal_bar(what) as progress:
            yield progress
    else:
        yield None


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")  # notebooks have imported it
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextmanager
def _terminal_bar(what: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(printable(what)), total=1.0)
        yield lambda done: bar.update(task, completed=done)


class _NotebookBar:
    """A bar that stays below the cell, with the time the work took."""

    def __init__(self, what: str) -> None:
        show = import_module("IPython.display").display
        self._what = what
        self._begin = self._shown = time.monotonic()
        self._handle = show(self._picture(0), raw=True, display_id=True)

    def __call__(self, done: float) -> None:
        now = time.monotonic()
        if done < 1 and now - self._shown < _LEAST_SECONDS:
            return
        self._shown = now
        self._handle.update(self._picture(done), raw=True)

    def _picture(self, done: float) -> dict[str, str]:
        taken = self._shown - self._begin
        left = f", {taken / done - taken:.0f} s left" if 0 < done < 1 else ""
        facts = f"{done:.0%}, {taken:.1f} s{left}"
        bar = f'<progress value="{done:.4f}" max="1" style="width:20em"></progress>'
        style = "font-size:13px;font-variant-numeric:tabular-nums"
        what = printable(self._what)
        return {
            "text/plain": f"{what}: {facts}",
            "text/html": f'<div style="{style}">{html.escape(what)} {bar} {facts}</div>',
        }
