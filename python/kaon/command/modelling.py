"""The commands for data models."""

from __future__ import annotations

import argparse
import codecs
import os
from typing import TYPE_CHECKING, Any

from kaon.command.json_output import print_json
from kaon.modelgen.mistakes import printable
from kaon.terminal import complain, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from kaon.files.file import File
    from kaon.modelgen import Model


def adders() -> dict[str, Callable[[Any], None]]:
    """Return for each command the function that adds its parser."""
    return {"generate": _add_generate, "model": _add_model, "diff": _add_diff}


def _add_generate(commands: Any) -> None:
    from kaon.modelgen.arguments import add_generator_options

    generate = commands.add_parser("generate", help="make C++ classes from a data model")
    generate.add_argument("model", metavar="MODEL", help="the YAML file")
    generate.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="the folder to write to"
    )
    generate.add_argument(
        "--name", help="name of the model and its folder in DIR (default: the file's name)"
    )
    add_generator_options(generate)
    generate.add_argument("--json", action="store_true", help="print the new files as JSON")
    generate.set_defaults(run=_generate)


def _add_model(commands: Any) -> None:
    model = commands.add_parser("model", help="print the data model that a file carries")
    model.add_argument("file", metavar="FILE")
    model.add_argument(
        "--name",
        help="name of a model, or of one that it uses (default: all models not used by others)",
    )
    model.add_argument("--json", action="store_true", help="print JSON")
    model.set_defaults(run=_model)


def _add_diff(commands: Any) -> None:
    from kaon.modelgen.arguments import add_model_options

    diff = commands.add_parser(
        "diff",
        help="list what changes for old data with a new version of a data model",
        description="Exits with 0 if programs with the new model read all data of the old one.",
    )
    diff.add_argument("old", metavar="OLD", help="a YAML file, or a file with data")
    diff.add_argument("new", metavar="NEW", help="a YAML file, or a file with data")
    diff.add_argument("--name", help="name of the model, if a file has several")
    add_model_options(diff)
    diff.add_argument("--json", action="store_true", help="print JSON")
    diff.set_defaults(run=_diff)


def _generate(options: argparse.Namespace) -> int:
    from kaon.modelgen import ModelError, generate
    from kaon.modelgen.files import check_name

    try:
        stem, _ = os.path.splitext(os.path.basename(options.model))
        check_name(stem if options.name is None else options.name)
    except ValueError as error:
        complain(f"kaon: {error}: choose another name with --name")
        return 2
    try:
        files = generate(
            *(options.model, options.output, options.name),
            *(options.upstream, options.datamodel_version, options.evolution_file),
            outside_files=options.outside_files,
            list_ranges=options.list_ranges,
        )
    except ModelError as error:
        complain(str(error))  # a line for each mistake, with its place
        return 1
    except ValueError as error:
        complain(f"kaon: {error}")
        return 2
    if options.json:
        print_json({"path": options.output, "files": [str(file) for file in files]})
    return 0


def _model(options: argparse.Namespace) -> int:
    from kaon.files.file import File
    from kaon.modelgen import to_yaml

    with File(options.file) as file:
        if options.name is None and len(file.models) > 1:
            models = [file.models.description(name) for name in file.models]
        else:
            models = [_model_of(file, options.name)]
    if options.json:
        entries = [model.to_dict() for model in models]
        print_json(entries if len(models) > 1 else entries[0])
        return 0
    texts = [f"# {printable(model.name)}\n{to_yaml(model)}" for model in models]
    say("---\n".join(texts), end="")
    return 0


def _model_of(file: File, name: str | None) -> Model:
    """Return a model that a file carries, or one that another of its models uses."""
    if name is None:
        file.model()  # raises if the file has no model, or several
        name = next(iter(file.models))
    if name in file.models:
        return file.models.description(name)
    models = map(file.models.description, file.models)
    upstream = {used.name: used for model in models for used in model.upstream}
    return upstream[name] if name in upstream else file.models.description(name)


def _diff(options: argparse.Namespace) -> int:
    from kaon.model.comparison import Effect, diff
    from kaon.modelgen import ModelError

    try:
        old = _load_model(options.old, options)
        new = _load_model(options.new, options, options.evolution_file)
    except ModelError as error:
        complain(str(error))
        return 1
    changes = diff(old, new)
    if options.json:
        print_json([change.to_dict() for change in changes])
    else:
        for change in changes:
            what = f"{change.type}.{change.member}" if change.member else change.type
            say(printable(f"{change.effect.value:8}  {what} {change.text}"))
        if changes and new.schema_version <= old.schema_version:
            versions = f"{old.schema_version} to {new.schema_version}"
            complain(f"kaon: warning: schema_version goes from {versions}")
    return 0 if all(change.effect is Effect.READ for change in changes) else 1


def _load_model(path: str, options: argparse.Namespace, evolution: str | None = None) -> Model:
    """Return the model in a YAML file, or the one that a file with data carries."""
    from kaon.files.file import File
    from kaon.modelgen import load_model

    if _is_text(path):
        return load_model(
            path,
            options.name,
            options.upstream,
            evolution=evolution,
            outside_files=options.outside_files,
            code_files=False,
        )
    with File(path) as file:
        return _model_of(file, options.name)


def _is_text(path: str) -> bool:
    """Return whether a file begins with text, as YAML does; True if the file is missing."""
    try:
        with open(path, "rb") as file:
            begin = file.read(512)
    except OSError:
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(begin)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    return b"\0" not in begin
