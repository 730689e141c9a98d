"""Objects such as histograms, as lines of the browser."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from rich.text import Text

from kaon.command.plot import bars
from kaon.command.texts import short_text
from kaon.files.stored_objects import FileObject
from kaon.modelgen.mistakes import printable
from kaon.objects.hist_histograms import is_histogram

_MOST_HEIGHT = 12
_BESIDE = (11, 12)  # columns and lines that bars leave to other texts
_MOST_LINES = 40  # of members and items


class ObjectLine:
    """A line of the tree: an object of the file that is not a category."""

    def __init__(self, info: FileObject) -> None:
        self.info = info
        self.heading = info.name
        self.meaning = info.title

    @cached_property
    def text(self) -> str:
        """The text that a search looks into, in lower case."""
        return f"{self.info.name} {self.info.type} {self.info.title}".lower()

    @property
    def title(self) -> Text:
        """The text that the tree shows."""
        return Text.assemble(printable(self.info.name), (f"  {printable(self.info.type)}", "dim"))

    def facts(self) -> list[tuple[str, str]]:
        """Return the file's description, without reading the object."""
        return [("class", self.info.type), ("bytes", f"{self.info.bytes:,}")]

    def contents(self, room: tuple[int, int]) -> Text:
        """Read the object; return bars for a histogram of one axis, otherwise its values.

        Parameters
        ----------
        room
            Columns and lines of the screen.
        """
        value = self.info.read()
        if is_histogram(value):
            return Text(_bars(value, room) if len(value.axes) == 1 else str(value))
        if isinstance(value, dict):
            lines = [f"{name}: {short_text(member)}" for name, member in value.items()]
        elif isinstance(value, (list, np.ndarray)):
            lines = [short_text(item) for item in value]
        else:
            lines = [printable(str(value))]
        more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
        return Text("\n".join([*lines[:_MOST_LINES], *more]))


def _bars(histogram: Any, room: tuple[int, int]) -> str:
    """Return the values of a histogram as bars; neighbouring bins share a bar if room is short."""
    values = np.nan_to_num(np.asarray(histogram.values(), np.float64))
    edges = np.asarray(histogram.axes[0].edges, np.float64)
    joined = -(-len(values) // max(1, room[0] - _BESIDE[0]))
    starts = np.arange(0, len(values), joined)
    height = min(_MOST_HEIGHT, max(1, room[1] - _BESIDE[1]))
    shown = np.add.reduceat(values, starts)
    lines = bars(shown, np.append(edges[starts], edges[-1]), 1, height=height)
    label = histogram.axes[0].label
    return "\n".join([f"{len(values)} bins, sum {values.sum():.6g}", "", *lines, label or ""])
