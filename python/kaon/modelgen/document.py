"""A YAML text as nodes with places, and the mistakes found in it so far."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path

import yaml

from kaon.modelgen.mistakes import NOWHERE, Mistake, ModelError, Place, did_you_mean

_INT = "tag:yaml.org,2002:int"
_BOOL = "tag:yaml.org,2002:bool"
_NULL = "tag:yaml.org,2002:null"
_TRUE = ("true", "yes", "on")  # of YAML 1.1, in any case
_NUMBER = re.compile(r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,4})?")

_MOST_MISTAKES = 100
"""The number of mistakes after which reading stops: more help nobody, and suggestions take time."""

_MOST_REPEATED = 10_000
"""The limit of entries that aliases repeat. They let a small text stand for any number of them."""

Entries = dict[str, tuple[yaml.ScalarNode, yaml.Node]]
"""The entries of a mapping by key, each with the nodes of its key and value."""


class Document:
    """A model file while it is being read.

    If a node is not of the requested kind, the document notes a mistake and returns an empty
    answer. Callers continue, so that one reading finds all mistakes.

    Parameters
    ----------
    outside_files
        Whether the file may name files outside its folder.
    code_files
        Whether to read the files with extra code that the file names.
    """

    def __init__(
        self, path: Path, text: str, outside_files: bool = False, code_files: bool = True
    ) -> None:
        self.path = path
        self.text = text
        self.outside_files = outside_files
        self.code_files = code_files
        self.sources = [path]
        self.mistakes: list[Mistake] = []
        self._line_begins = [0, *(match.end() for match in re.finditer("\n", text))]
        self._seen: set[int] = set()
        self._repeated = 0

    def place(self, index: int) -> Place:
        """Return the place of a character of the text."""
        line = bisect_right(self._line_begins, index)
        return Place(line, index - self._line_begins[line - 1] + 1)

    def note(self, where: yaml.Node | Place, message: str) -> None:
        """Note a mistake.

        Raises
        ------
        ModelError
            If the file has too many mistakes.
        """
        place = where if isinstance(where, Place) else self.place(where.start_mark.index)
        self.mistakes.append(Mistake(place, message))
        if len(self.mistakes) == _MOST_MISTAKES:
            more = f"the file has at least {_MOST_MISTAKES} mistakes: correct these first"
            raise ModelError(self.path, [*self.mistakes, Mistake(NOWHERE, more)])

    def _use(self, node: yaml.CollectionNode) -> None:
        """Note the use of a node, and count its entries if aliases repeat it.

        Raises
        ------
        ModelError
            If the aliases of the file stand for too many entries.
        """
        if id(node) in self._seen:
            self._repeated += 1 + len(node.value)
        self._seen.add(id(node))
        if self._repeated > _MOST_REPEATED:
            wrong = f"the aliases stand for more than {_MOST_REPEATED:,} entries: write these out"
            raise ModelError(self.path, [Mistake(NOWHERE, wrong)])

    def root(self) -> yaml.Node:
        """Return the node that holds all others.

        Raises
        ------
        ModelError
            If the text is empty or not YAML.
        """
        loader = None
        try:
            loader = yaml.SafeLoader(self.text)
            node: yaml.Node | None = loader.get_single_node()
            if node is not None:
                return node
            self.note(NOWHERE, "the file is empty")
        except yaml.reader.ReaderError as error:
            wrong = f"the character U+{error.character:04X} cannot be in YAML"
            self.note(self.place(error.position), wrong)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            said = ", ".join(part for part in (error.context, error.problem) if part)
            self.note(self.place(mark.index) if mark else NOWHERE, f"this is not YAML: {said}")
        except RecursionError:
            self.note(NOWHERE, "the file is nested too deeply")
        except (ValueError, OverflowError) as error:
            # PyYAML does not catch the errors of int() and chr() in escapes and directives.
            place = self.place(loader.index) if loader else NOWHERE
            self.note(place, f"this is not YAML: {error}")
        raise ModelError(self.path, self.mistakes)

    def mapping(
        self,
        node: yaml.Node,
        context: str,
        known: Iterable[str] | None = None,
    ) -> Entries:
        """Return the entries of a mapping.

        Parameters
        ----------
        context
            The name of the mapping, as the beginning of messages.
        known
            The allowed keys; None for any.
        """
        if not isinstance(node, yaml.MappingNode):
            self.note(node, f"{context}expected 'key: value' entries, found {_kind(node)}")
            return {}
        self._use(node)
        known = None if known is None else list(known)
        entries: Entries = {}
        for key_node, value in node.value:
            key = self.text_of(key_node, context)
            if key is None:
                continue
            if key in entries:
                line = self.place(entries[key][0].start_mark.index).line
                again = f"the key '{key}' appears twice (first in line {line})"
                self.note(key_node, f"{context}{again}")
            elif known is not None and key not in known:
                hint = did_you_mean(key, known) or f"; use one of {', '.join(known)}"
                self.note(key_node, f"{context}unknown key '{key}'{hint}")
            else:
                entries[key] = (key_node, value)
        return entries

    def lines(
        self, node: yaml.Node, context: str, like: str = "TYPE NAME // comment"
    ) -> list[yaml.ScalarNode]:
        """Return the items of a list of lines, such as those of members."""
        if not isinstance(node, yaml.SequenceNode):
            wanted = f"a list of lines '- {like}'"
            self.note(node, f"{context}expected {wanted}, found {_kind(node)}")
            return []
        self._use(node)
        items = []
        for item in node.value:
            if isinstance(item, yaml.ScalarNode) and item.value:
                if self.text_of(item, context) is not None:
                    items.append(item)
            elif isinstance(item, yaml.MappingNode):
                wanted = "a member line; quote it, as YAML needs quotes around ': '"
                self.note(item, f"{context}expected {wanted}")
            else:
                self.note(item, f"{context}expected a member line, found {_kind(item)}")
        return items

    def names(self, node: yaml.Node, context: str) -> list[tuple[str, Place]]:
        """Return the items of a list of names, each with its place."""
        if not isinstance(node, yaml.SequenceNode):
            self.note(node, f"{context}expected a list of names, found {_kind(node)}")
            return []
        self._use(node)
        named = [(self.text_of(item, context), item) for item in node.value]
        return [(name, self.place(item.start_mark.index)) for name, item in named if name]

    def text_of(self, node: yaml.Node, context: str) -> str | None:
        """Return the text of a scalar."""
        if not isinstance(node, yaml.ScalarNode) or node.tag == _NULL:
            self.note(node, f"{context}expected a text, found {_kind(node)}")
            return None
        text: str = node.value
        return text if self.is_text(text, node, context) else None

    def is_text(self, text: str, node: yaml.Node, context: str) -> bool:
        """Check that a text that a node stands for can be in a source file."""
        for character in text:
            # An escape can make characters that source files or UTF-8 cannot have.
            if character < " " and character not in "\n\t" or "\x7f" <= character <= "\x9f":
                self.note(node, f"{context}the text has a control character U+{ord(character):04X}")
                return False
            if "\ud800" <= character <= "\udfff":
                self.note(node, f"{context}the text has half a character, U+{ord(character):04X}")
                return False
        return True

    def boolean(self, node: yaml.Node, context: str) -> bool | None:
        """Return the value of a boolean."""
        if not isinstance(node, yaml.ScalarNode) or node.tag != _BOOL:
            self.note(node, f"{context}expected true or false, found {_kind(node)}")
            return None
        return node.value.lower() in _TRUE

    def whole_number(self, node: yaml.Node, context: str, least: int, greatest: int) -> int | None:
        """Return the value of a whole number within bounds."""
        digits = isinstance(node, yaml.ScalarNode) and node.tag == _INT and node.value
        # No plain decimal number of ten digits or less is costly to convert.
        if digits and digits.isdecimal() and digits.isascii() and len(digits) <= 10:
            if digits[0] != "0" and least <= int(digits) <= greatest:
                return int(digits)
        self.note(
            node,
            f"{context}expected a whole number from {least} to {greatest}, found {_kind(node)}",
        )
        return None

    def number(self, node: yaml.Node, context: str) -> float | None:
        """Return the value of a finite number."""
        is_plain = isinstance(node, yaml.ScalarNode) and node.style is None
        # Accepts more numbers than YAML 1.1, which needs a point and a sign, as in 1.0e+3.
        if is_plain and _NUMBER.fullmatch(node.value) and math.isfinite(float(node.value)):
            return float(node.value)
        self.note(node, f"{context}expected a number, found {_kind(node)}")
        return None

    def indexes(self, node: yaml.ScalarNode) -> list[int]:
        """Return the position in the file of each character of a scalar's text, and of its end."""
        begin, end, value = node.start_mark.index, node.end_mark.index, node.value
        length = len(value)
        quote = 1 if node.style in ("'", '"') else 0
        if self.text[end - quote - length : end - quote] == value:
            return list(range(end - quote - length, end - quote + 1))
        if node.style == '"' and "\\" in self.text[begin:end]:
            return [begin] * (length + 1)
        # Folding lines and doubling quotes only leave characters out of the text.
        at = self.text.find("\n", begin) + 1 if node.style in ("|", ">") else begin + quote
        indexes = []
        for character in value:
            at = self.text.find(character, at, end)
            if at < 0:
                return [begin] * (length + 1)
            indexes.append(at)
            at += 1
        return [*indexes, at]


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    if node.tag == _NULL:
        return "nothing"
    shown = node.value if len(node.value) <= 40 else node.value[:37] + "..."
    return f"'{shown}'"


def read_document(path: Path, outside_files: bool = False, code_files: bool = True) -> Document:
    """Read a model file; the parameters are those of `Document`.

    Raises
    ------
    ModelError
        If the file does not exist or is not text.
    """

    def whole(message: str) -> ModelError:
        return ModelError(path, [Mistake(NOWHERE, message)])

    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise whole("the file does not exist") from None
    except IsADirectoryError:
        raise whole("this is a directory, not a model file") from None
    except OSError as error:
        raise whole(f"the file cannot be read: {error.strerror}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        valid = Document(path, content[: error.start].decode("utf-8-sig"))
        valid.note(valid.place(len(valid.text)), "this is not UTF-8")
        raise ModelError(path, valid.mistakes) from None
    return Document(path, text, outside_files, code_files)
