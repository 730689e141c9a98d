"""A browser of files in the terminal: columns, objects, their meaning and distributions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from kaon import _core
from kaon.columns.flat import FlatArrays
from kaon.command.interruption import INTERRUPTED
from kaon.command.object_line import ObjectLine
from kaon.command.plot import bars
from kaon.command.texts import short_text
from kaon.errors import Error, UsageError
from kaon.files.category import Category
from kaon.files.overview import ColumnInfo, columns
from kaon.files.stored_objects import FileObject
from kaon.modelgen.mistakes import printable

try:
    from textual.app import App, ComposeResult
    from textual.binding import Binding
    from textual.containers import Horizontal, Vertical, VerticalScroll
    from textual.widgets import Footer, Input, Static, Tree
    from textual.widgets.tree import TreeNode
except ImportError as error:
    raise UsageError("the browser needs Textual: pip install textual") from error

_MOST_MATCHES = 300  # shown by a search
_SAMPLE = "4 MB"  # of a column, for its histogram
_MOST_VALUES = 8
_MOST_BINS = 40
_MOST_HEIGHT = 12
_BESIDE = (11, 16)  # columns and lines that a histogram leaves to other texts
_TAIL = 0.005  # the fraction of values that the histogram leaves out on each side


class Line:
    """A line of the tree: a category, a collection, or a member.

    Attributes
    ----------
    category
        The category of the line.
    info
        The file's description of the column; None for a category.
    """

    def __init__(self, category: Category, info: ColumnInfo | None = None) -> None:
        self.category = category
        self.info = info

    @cached_property
    def name(self) -> str:
        """The column's name in the category."""
        if self.info is None:
            return ""
        parts = (self.info.collection, self.info.member)
        return ".".join(part for part in parts if part)

    @cached_property
    def text(self) -> str:
        """The text that a search looks into, in lower case; with "Muon_pt" beside "Muon.pt"."""
        info = self.info
        branch = self.name.replace(".", "_")
        return f"{self.name} {branch} {info.unit} {info.description}".lower() if info else ""

    @property
    def heading(self) -> str:
        """The line above the details."""
        return self.name or self.category.name

    @property
    def meaning(self) -> str:
        """The description of a column."""
        return self.info.description if self.info else ""

    @property
    def title(self) -> Text:
        """The text that the tree shows."""
        if self.info is None:
            entries = _core.counted(len(self.category), "entry", "entries")
            return Text.assemble(printable(self.category.name), (f"  {entries}", "dim"))
        unit = f" [{self.info.unit}]" if self.info.unit else ""
        name = printable(self.info.member or self.info.collection)
        title = Text(f"{name}  {printable(self.info.type + unit)}")
        title.stylize("dim", len(name))
        return title

    def facts(self) -> list[tuple[str, str]]:
        """Return the file's description, without reading data."""
        facts: list[tuple[str, str]] = []
        if info := self.info:
            facts = [("type", info.type), ("unit", info.unit), ("precision", info.precision)]
            facts += [("layout", info.layout), ("stored as", ", ".join(info.codecs))]
            if info.stored_bytes:
                facts.append(("bytes", f"{info.stored_bytes:,}, {info.ratio:.1f} times smaller"))
        else:
            clusters = len(self.category.clusters())
            facts = [("entries", f"{len(self.category):,}"), ("clusters", f"{clusters:,}")]
        return facts

    def contents(self, room: tuple[int, int]) -> Text:
        """Read a part of a member; return its histogram, or some of its values.

        Parameters
        ----------
        room
            Columns and lines of the screen.
        """
        category = self.category
        if self.info is None or self.name not in category._schema.members or not len(category):
            return Text()
        selection = category._schema.select(self.name)
        entries = min(len(category), category._entries_per_step(_SAMPLE, selection))
        arrays = category.arrays(self.name, entry_stop=entries, library="np")
        assert isinstance(arrays, FlatArrays)
        values = arrays[self.name]
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "biuf":
            shown = [short_text(value) for value in list(values)[:_MOST_VALUES]]
            return Text("\n".join(shown))
        part = f"the first {entries:,} entries" if entries < len(category) else "all entries"
        bins = min(_MOST_BINS, max(1, room[0] - _BESIDE[0]))
        height = min(_MOST_HEIGHT, max(1, room[1] - _BESIDE[1]))
        there = np.ma.compressed(values)  # without the missing values of optionals
        text = _distribution(there, bins, height)
        return Text(f"{text}\n\n{part}")


def _distribution(values: np.ndarray, bins: int, height: int) -> str:
    """Return a histogram of numbers as text, without the tails, and facts about all of them."""
    numbers = values.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    if not len(finite):
        return f"{len(values):,} values, none of them finite" if len(values) else "no values"
    least, greatest = float(finite.min()), float(finite.max())
    low, high = map(float, np.quantile(finite, (_TAIL, 1 - _TAIL)))
    low, high = (low, high) if low < high else (least, greatest)
    counts, edges = np.histogram(finite, bins, (low, high) if low < high else None)
    facts = [
        f"{len(values):,} values from {least:.6g} to {greatest:.6g}",
        f"mean {finite.mean():.4g}, deviation {finite.std():.4g}",
    ]
    if len(finite) < len(values):
        facts.append(f"{len(values) - len(finite):,} not finite")
    return "\n".join([*facts, "", *bars(counts.astype(float), edges, 1, height=height)])


AnyLine = Line | ObjectLine


def _table(facts: Sequence[tuple[str, str]]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim")
    table.add_column()
    for name, fact in facts:
        if fact:
            table.add_row(name, Text(printable(fact)))
    return table


class _Tree(Tree[AnyLine]):
    def get_label_width(self, node: TreeNode[AnyLine]) -> int:
        """Return the width without rendering the label: 10 000 lines would take seconds."""
        assert isinstance(node.label, Text)
        return node.label.cell_len + len(self.ICON_NODE) * node.allow_expand


class Browser(App[None]):
    """The program: a tree of columns and objects, a search, and details of the selected line."""

    TITLE = "kaon"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #left { width: 50%; border-right: solid $primary; }
    #search { border: none; height: 1; background: $boost; padding: 0 1; }
    #details { padding: 0 2; }
    #tree, VerticalScroll { scrollbar-size: 1 1; }
    """
    BINDINGS: ClassVar[Any] = [
        Binding("slash", "search", "search"),
        Binding("escape", "leave_search", "all of it", show=False),
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "interrupt", "quit", show=False, priority=True),
    ]

    def __init__(
        self, path: str, categories: Sequence[Category], objects: Sequence[FileObject] = ()
    ) -> None:
        super().__init__()
        self._path = path
        self._objects = [ObjectLine(each) for each in objects]
        self._lines = {
            category: [Line(category, info) for info in columns(category._core, category._schema)]
            for category in categories
        }

    def compose(self) -> ComposeResult:
        """Return the widgets of the screen."""
        with Horizontal():
            with Vertical(id="left"):
                yield Input(placeholder="/ searches names, units and descriptions", id="search")
                yield _Tree(self._path, id="tree")
            with VerticalScroll():
                yield Static(id="details")
        yield Footer()

    def on_mount(self) -> None:
        """Fill the tree."""
        self._fill("")
        self.query_one(Tree).focus()

    def _fill(self, searched: str) -> None:
        tree: Tree[AnyLine] = self.query_one(Tree)
        tree.clear()
        tree.root.expand()
        left = _MOST_MATCHES
        for category, lines in self._lines.items():
            matches = [line for line in lines if searched in line.text]
            if searched and not matches:
                continue
            node = tree.root.add(Line(category).title, Line(category), expand=True)
            _add_lines(node, matches[:left] if searched else matches, bool(searched))
            if searched and len(matches) > left:
                node.add_leaf(Text(f"and {len(matches) - left:,} more", style="dim"))
            left = max(0, left - len(matches))
        objects = [line for line in self._objects if searched in line.text]
        if objects:
            objects_node = tree.root.add(Text("objects"), expand=True)
            for object_line in objects[:left] if searched else objects:
                objects_node.add_leaf(object_line.title, object_line)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the lines that match the search."""
        self._fill(event.value.strip().lower())

    def on_input_submitted(self) -> None:
        """Go to the first match."""
        tree = self.query_one(Tree)
        tree.focus()
        tree.action_cursor_down()

    def action_search(self) -> None:
        """Go to the search."""
        self.query_one(Input).focus()

    def action_leave_search(self) -> None:
        """Show all lines again."""
        self.query_one(Input).value = ""
        self.query_one(Tree).focus()

    def action_interrupt(self) -> None:
        """End as other commands do after Ctrl-C."""
        self.exit(return_code=INTERRUPTED)

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[AnyLine]) -> None:
        """Show the description of a line, and read some of its values in the background."""
        line = event.node.data
        if line is None:
            self.query_one("#details", Static).update(self._state())
            return
        title = Text(printable(line.heading), style="bold")
        meaning = Text("\n".join(map(printable, line.meaning.split("\n"))))
        known = (title, meaning, "", _table(line.facts()), "")
        details = self.query_one("#details", Static)
        details.update(Group(*known))
        room = (details.content_size.width, self.size.height)
        self.run_worker(lambda: self._read(line, known, room), thread=True, exclusive=True)

    def _state(self) -> str:
        """Return a remark about the whole file."""
        if not self._lines:
            return "" if self._objects else "The file has no categories."
        is_complete = all(category._file.is_complete for category in self._lines)
        if is_complete:
            return ""
        return "The file is unfinished or was cut: only its complete part is shown."

    def _read(self, line: AnyLine, known: Sequence[Any], room: tuple[int, int]) -> None:
        try:
            contents = line.contents(room)
        except (Error, OSError, ImportError) as error:
            contents = Text(str(error))
        self.call_from_thread(self._show, line, Group(*known, contents))

    def _show(self, line: AnyLine, details: Group) -> None:
        node = self.query_one(Tree).cursor_node
        if node is not None and node.data is line:  # the user is still there
            self.query_one("#details", Static).update(details)


def _add_lines(node: TreeNode[AnyLine], lines: Sequence[Line], is_open: bool) -> None:
    """Add lines to a node, members below their collections if the lines include these."""
    infos = [(line, line.info) for line in lines if line.info is not None]
    with_members = {info.collection for _, info in infos if info.member}
    collections: dict[str, TreeNode[AnyLine]] = {}
    for line, info in infos:
        if info.member and info.collection in collections:
            collections[info.collection].add_leaf(line.title, line)
        elif info.member:
            node.add_leaf(
                Text.assemble((f"{printable(info.collection)}.", "dim"), line.title), line
            )
        elif info.collection in with_members:
            collections[info.collection] = node.add(line.title, line, expand=is_open)
        else:
            node.add_leaf(line.title, line)
