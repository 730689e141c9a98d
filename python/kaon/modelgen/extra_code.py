"""The blocks ``ExtraCode`` and ``MutableExtraCode``, with C++ code of the user."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from kaon.modelgen.document import Document, Entries, read_document
from kaon.modelgen.mistakes import ModelError
from kaon.modelgen.model import ExtraCode

DATATYPE_KEYS = (
    "includes",
    "declaration",
    "implementation",
    "declarationFile",
    "implementationFile",
)
_INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([^>\"\n]*)", re.MULTILINE)
_OUTSIDE = (
    "is outside the folder of the model: move it there, or allow it with --outside-files "
    "(in Python outside_files=True, in CMake OUTSIDE_FILES)"
)

COMPONENT_KEYS = ("includes", "declaration", "declarationFile")


def parse_extra_code(
    document: Document, entries: Entries, key: str, context: str, known: tuple[str, ...]
) -> ExtraCode:
    """Read a block of extra code, or return an empty one. Code of named files comes last."""
    if key not in entries:
        return ExtraCode()
    context = f"{context}{key}: "
    parts = document.mapping(entries[key][1], context, known)

    def code(part: str) -> str:
        texts = []
        if part in parts:
            texts.append(document.text_of(parts[part][1], f"{context}{part}: "))
        if f"{part}File" in parts:
            texts.append(_file(document, parts[f"{part}File"][1], f"{context}{part}File: "))
        whole = "\n".join(text.strip("\n") for text in texts if text)
        for name in () if document.outside_files else _INCLUDE.findall(whole):
            if Path(name).is_absolute() or ".." in Path(name).parts:
                node = (parts.get(part) or parts[f"{part}File"])[1]
                document.note(node, f"{context}{part}: '{name}' {_OUTSIDE}")
        return whole

    return ExtraCode(code("includes"), code("declaration"), code("implementation"))


def _file(document: Document, node: yaml.Node, context: str) -> str | None:
    """Return the text of a file that a model file names; the path is relative to the model file."""
    name = document.text_of(node, context)
    if not name or not document.code_files:
        return None
    folder = document.path.parent
    path = folder / Path(name)
    if not document.outside_files and not path.resolve().is_relative_to(folder.resolve()):
        document.note(node, f"{context}'{name}' {_OUTSIDE}")
        return None
    try:
        text = read_document(path).text
    except ModelError as error:
        document.note(node, f"{context}'{name}': {error.mistakes[0].message}")
        return None
    document.sources.append(path)
    text = text.replace("\r\n", "\n")
    return text if document.is_text(text, node, f"{context}'{name}': ") else None
