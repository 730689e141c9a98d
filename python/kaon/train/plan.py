"""Plans of trains, as YAML files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from kaon.dataframe.dataframe import Dataframe
from kaon.errors import Error, ModelError, UsageError
from kaon.files.distant import is_url
from kaon.files.paths import StrPath, system_path
from kaon.modelgen.document import Document, Entries, read_document
from kaon.modelgen.mistakes import indented
from kaon.train.train import Train

_OPTIONS = ("codec", "layout", "goal", "format", "memory_budget")  # of `Train`
_TOP = (
    "define",
    "outputs",
    "decisions",
    "provenance",
    "copy_clusters",
    "other_categories",
    "keep_order",
    *_OPTIONS,
)
_OUTPUT = ("select", "keep", "drop", "thin", "strict", "virtual")


@dataclass(frozen=True)
class PlannedOutput:
    """A file of a plan; see `Train.add`."""

    path: str
    select: str | None = None
    keep: list[str] | None = None
    drop: list[str] = field(default_factory=list)
    thin: dict[str, str] = field(default_factory=dict)
    strict: bool = False
    virtual: bool = False


@dataclass(frozen=True)
class Plan:
    """The plan of a train; see `Train`.

    Paths of outputs are relative to the directory that `train` gets, and stay in it unless the plan
    was read with `outside_files`.
    """

    path: Path
    outputs: list[PlannedOutput]
    define: dict[str, str] = field(default_factory=dict)
    decisions: str | None = None
    provenance: bool = True
    copy_clusters: bool = True
    other_categories: bool = True
    keep_order: bool = True
    options: dict[str, str] = field(default_factory=dict)

    def paths(self, directory: StrPath = ".") -> list[str]:
        """Return the paths of all files that a train writes into a directory."""
        names = [output.path for output in self.outputs]
        return [os.path.join(directory, name) for name in [*names, self.decisions or ""] if name]

    def train(self, events: Dataframe, directory: StrPath = ".", overwrite: bool = False) -> Train:
        """Return the train over a dataset, which writes its files into a directory.

        Raises
        ------
        Error
            If the plan does not fit the dataset, as in `Train.add`.
        """
        for name, expression in self.define.items():
            try:
                events = events.define(name, expression)
            except Error as error:
                error.args = (f"{self.path}: define: {name}: {error}",)
                raise

        def inside(path: str) -> str:
            return os.path.join(directory, path)

        try:
            train = Train(
                events,
                keep_order=self.keep_order,
                provenance=self.provenance,
                copy_clusters=self.copy_clusters,
                other_categories=self.other_categories,
                decisions=None if self.decisions is None else inside(self.decisions),
                overwrite=overwrite,
                **self.options,
            )
        except Error as error:
            error.args = (f"{self.path}: {error}",)
            raise
        for output in self.outputs:
            train.add(
                inside(output.path),
                output.select,
                keep=output.keep,
                drop=output.drop,
                thin=output.thin,
                strict=output.strict,
                virtual=output.virtual,
                overwrite=overwrite,
            )
        return train


def read_plan(path: StrPath, outside_files: bool = False) -> Plan:
    """Read the plan of a train.

    Parameters
    ----------
    outside_files
        Whether the plan may write files outside the directory of the train.

    Raises
    ------
    UsageError
        If the plan cannot be read or has mistakes; the message lists all of them with their lines.
    """
    try:
        document = read_document(Path(path), outside_files)
        plan = _plan(document, document.root())
        if document.mistakes:
            raise ModelError(document.path, document.mistakes)
    except ModelError as error:
        raise UsageError(indented(str(error))) from None
    return plan


def _plan(document: Document, root: yaml.Node) -> Plan:
    top = document.mapping(root, "", _TOP)
    if "outputs" not in top and isinstance(root, yaml.MappingNode):
        document.note(root, "the key 'outputs' is missing")
    outputs = document.mapping(top["outputs"][1], "outputs: ") if "outputs" in top else {}
    for name, (key, _) in outputs.items():
        _check_inside(document, name, key, "outputs: ")
    if "decisions" in top and (decisions := _text(document, top, "decisions", "")):
        _check_inside(document, decisions, top["decisions"][1], "decisions: ")
    if "outputs" in top and not outputs and not document.mistakes:
        document.note(top["outputs"][1], "outputs: the plan needs at least one")
    return Plan(
        document.path,
        [_output(document, name, node) for name, (_, node) in outputs.items()],
        define=_texts(document, top, "define", ""),
        decisions=_text(document, top, "decisions", ""),
        provenance=_boolean(document, top, "provenance", "", True),
        copy_clusters=_boolean(document, top, "copy_clusters", "", True),
        other_categories=_boolean(document, top, "other_categories", "", True),
        keep_order=_boolean(document, top, "keep_order", "", True),
        options={
            name: text for name in _OPTIONS if (text := _text(document, top, name, "")) is not None
        },
    )


def _check_inside(document: Document, name: str, node: yaml.Node, context: str) -> None:
    """Check that a file of a plan stays in the directory of the train."""
    path = Path(system_path(name or "/"))  # an empty name would be the directory itself
    if document.outside_files or not (path.is_absolute() or ".." in path.parts or is_url(name)):
        return
    wrong = "is outside the directory of the train: name a file in it, or allow it with"
    document.note(node, f"{context}'{name}' {wrong} --outside-files (in Python outside_files=True)")


def _output(document: Document, path: str, node: yaml.Node) -> PlannedOutput:
    context = f"outputs: {path}: "
    entries = document.mapping(node, context, _OUTPUT)
    return PlannedOutput(
        path,
        select=_text(document, entries, "select", context),
        keep=_names(document, entries, "keep", context) if "keep" in entries else None,
        drop=_names(document, entries, "drop", context),
        thin=_texts(document, entries, "thin", context),
        strict=_boolean(document, entries, "strict", context, False),
        virtual=_boolean(document, entries, "virtual", context, False),
    )


def _text(document: Document, entries: Entries, key: str, context: str) -> str | None:
    return document.text_of(entries[key][1], f"{context}{key}: ") if key in entries else None


def _boolean(document: Document, entries: Entries, key: str, context: str, otherwise: bool) -> bool:
    value = document.boolean(entries[key][1], f"{context}{key}: ") if key in entries else None
    return otherwise if value is None else value


def _names(document: Document, entries: Entries, key: str, context: str) -> list[str]:
    if key not in entries:
        return []
    return [name for name, _ in document.names(entries[key][1], f"{context}{key}: ")]


def _texts(document: Document, entries: Entries, key: str, context: str) -> dict[str, str]:
    """Return a mapping of texts, such as expressions by name."""
    if key not in entries:
        return {}
    context = f"{context}{key}: "
    inside = document.mapping(entries[key][1], context)
    named = {
        name: document.text_of(node, f"{context}{name}: ") for name, (_, node) in inside.items()
    }
    return {name: text for name, text in named.items() if text is not None}
