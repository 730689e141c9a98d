"""The command ``kaon``: its subcommands call the library."""

from __future__ import annotations

import argparse
import codecs
import json
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaon.command.interruption import run_interruptibly

if TYPE_CHECKING:
    from kaon.files.category import Category
    from kaon.files.file import File
    from kaon.modelgen import Model


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        By default those of the process.

    Returns
    -------
    int
        0 if all is well, 1 after an error, whose message is on the standard error output.
        The wrong usage exits with 2, Ctrl-C with 130, at once.
    """
    options = _parser().parse_args(arguments)
    from kaon.errors import IncompleteFileWarning  # the list of commands needs none of it

    with warnings.catch_warnings():
        warnings.simplefilter("always", IncompleteFileWarning)
        warnings.showwarning = _show_warning
        return run_interruptibly(lambda: _run(options), getattr(options, "output", None))


def _run(options: argparse.Namespace) -> int:
    from kaon.errors import Error

    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Error, OSError) as error:
        print(f"kaon: {error}", file=sys.stderr)
        return 1
    return status


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"kaon: warning: {message}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    from kaon.modelgen.arguments import add_generator_options, add_model_options

    parser = argparse.ArgumentParser(prog="kaon", description="Event data of particle physics.")
    parser.add_argument("--version", action="store_true", help="print the version and end")
    parser.set_defaults(run=lambda options: _version(parser, options))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    show = commands.add_parser(
        "show",
        help="tell what is in a file and how it is stored",
        description="The table fits the terminal, or 80 columns where there is none.",
    )
    show.add_argument("file", metavar="FILE[:CATEGORY]")
    show.add_argument(
        "--bounds",
        action="store_true",
        help="the least and greatest values of members, and whether they have NaNs",
    )
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(run=_show)

    dump = commands.add_parser("dump", help="print one entry")
    dump.add_argument("file", metavar="FILE[:CATEGORY]")
    dump.add_argument(
        "--entry", type=int, default=0, metavar="N", help="which one; -1 is the last (default: 0)"
    )
    dump.add_argument("--all", action="store_true", help="do not cut long collections")
    dump.add_argument("--json", action="store_true", help="print JSON")
    dump.set_defaults(run=_dump)

    head = commands.add_parser(
        "head",
        help="print the first entries, a line each",
        description="As many columns as fit; all of them with --json.",
    )
    head.add_argument("file", metavar="FILE[:CATEGORY]")
    head.add_argument("names", metavar="NAME|EXPRESSION", nargs="*")
    head.add_argument("-n", "--count", type=int, default=10, metavar="N", help="(default: 10)")
    head.add_argument("--cut", metavar="EXPRESSION", help="of entries")
    head.add_argument("--json", action="store_true", help="print JSON")
    head.set_defaults(run=_head)

    _add_analysis(commands)
    _add_tools(commands)

    generate = commands.add_parser("generate", help="make C++ classes from a data model")
    generate.add_argument("model", metavar="MODEL", help="the YAML file")
    generate.add_argument("-o", "--output", metavar="DIR", required=True)
    generate.add_argument("--name", help="of the model and its folder in DIR (default: the file's)")
    add_generator_options(generate)
    generate.set_defaults(run=_generate)

    model = commands.add_parser("model", help="print the data model that a file carries")
    model.add_argument("file", metavar="FILE")
    model.add_argument(
        "--name",
        help="of the model, or of one that it uses (default: all but those used by others)",
    )
    model.add_argument("--json", action="store_true", help="print JSON")
    model.set_defaults(run=_model)

    diff = commands.add_parser(
        "diff",
        help="tell what a new version of a data model makes of data of an old one",
        description="End with 0 if programs with the new model read all data of the old one.",
    )
    diff.add_argument("old", metavar="OLD", help="a YAML file, or a file with data")
    diff.add_argument("new", metavar="NEW", help="another one")
    diff.add_argument("--name", help="of the model, where a file with data carries several")
    add_model_options(diff)
    diff.add_argument("--json", action="store_true", help="print JSON")
    diff.set_defaults(run=_diff)

    completion = commands.add_parser(
        "completion",
        help="print a script by which a shell completes commands and options",
        description='For bash: eval "$(kaon completion bash)" in ~/.bashrc; likewise zsh; '
        "for fish: kaon completion fish | source",
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=lambda options: _completion(parser, options))
    return parser


def _add_analysis(commands: Any) -> None:
    from kaon.command.arguments import positive

    plot = commands.add_parser(
        "plot",
        help="draw histograms of members or expressions",
        description="In the terminal, or into a picture. See docs/expressions.md.",
    )
    plot.add_argument("file", metavar="FILE[:CATEGORY]", help="may be a pattern")
    plot.add_argument("expressions", metavar="EXPRESSION", nargs="+")
    plot.add_argument("--cut", metavar="EXPRESSION", help="of entries")
    plot.add_argument("--weight", metavar="EXPRESSION")
    plot.add_argument("--bins", type=positive, metavar="N", help="(default: 50)", default=50)
    plot.add_argument("--range", type=float, nargs=2, metavar=("LOW", "HIGH"), dest="limits")
    plot.add_argument("--log", action="store_true", help="a logarithmic scale")
    plot.add_argument("-o", "--output", metavar="PICTURE", help=".png, .svg, .pdf")
    plot.add_argument("--json", action="store_true", help="print JSON")
    plot.set_defaults(run=_plot)

    skim = commands.add_parser(
        "skim",
        help="write the entries that pass a cut to a new file",
        description="Of one category. Relations to what is dropped lead to nothing.",
    )
    skim.add_argument("inputs", metavar="IN[:CATEGORY]", nargs="+", help="may be a pattern")
    skim.add_argument("output", metavar="OUT")
    skim.add_argument("--cut", metavar="EXPRESSION", help="of entries")
    skim.add_argument(
        "--keep",
        action="append",
        metavar="PATTERN",
        help="collections, parameters and values (default: all)",
    )
    skim.add_argument("--drop", action="append", metavar="PATTERN", default=[])
    skim.add_argument("--force", action="store_true", help="replace OUT if it is there")
    skim.add_argument("--json", action="store_true", help="print JSON")
    skim.set_defaults(run=_skim)

    train = commands.add_parser(
        "train",
        help="write several files in one pass, as a plan says",
        description="The plan is a YAML file: see docs/trains.md.",
    )
    train.add_argument("plan", metavar="PLAN")
    train.add_argument("inputs", metavar="IN[:CATEGORY]", nargs="+", help="may be a pattern")
    train.add_argument("--directory", default=".", metavar="DIR", help="of the files (default: .)")
    train.add_argument(
        "--dry-run", action="store_true", help="tell from a sample what it would write"
    )
    train.add_argument("--force", action="store_true", help="replace files that are there")
    train.add_argument("--json", action="store_true", help="print JSON")
    train.set_defaults(run=_train)


def _add_tools(commands: Any) -> None:
    from kaon.command.arguments import add_layout_options, positive

    verify = commands.add_parser("verify", help="check every byte of files")
    verify.add_argument("files", metavar="FILE", nargs="+")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(run=_verify)

    size = commands.add_parser("size", help="tell what takes the bytes of a file")
    size.add_argument("file", metavar="FILE")
    size.add_argument("--top", type=positive, metavar="N", help="the N largest columns only")
    size.add_argument(
        "--precision", action="store_true", help="try what rounding floating-point numbers saves"
    )
    size.add_argument("--json", action="store_true", help="print JSON")
    size.set_defaults(run=_size)

    merge = commands.add_parser(
        "merge",
        help="join files without decoding them",
        description="What has other tables than the first file is encoded again.",
    )
    merge.add_argument("inputs", metavar="IN", nargs="+", help="may be a pattern")
    merge.add_argument("output", metavar="OUT")
    merge.add_argument("--force", action="store_true", help="replace OUT if it is there")
    merge.add_argument("--json", action="store_true", help="print JSON")
    merge.set_defaults(run=_merge)

    convert = commands.add_parser(
        "convert", help="copy files to one of another format, or laid out anew"
    )
    convert.add_argument("inputs", metavar="IN", nargs="+")
    convert.add_argument("output", metavar="OUT")
    convert.add_argument(
        "--to",
        default="",
        metavar="FORMAT",
        help="kaon, rntuple, ttree, podio, hipo, lcio, hdf5, parquet or feather (default: by OUT)",
    )
    convert.add_argument(
        "--lossy", action="store_true", help="leave out what the format cannot hold"
    )
    convert.add_argument(
        "--model", metavar="MODEL", help="the version of its model that the copy is to be of: YAML"
    )
    convert.add_argument("--force", action="store_true", help="replace OUT if it is there")
    add_layout_options(convert)
    convert.add_argument("--json", action="store_true", help="print JSON")
    convert.set_defaults(run=_convert)


def _version(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    if not options.version:
        parser.error("which command?")
    from kaon import _core

    print(f"kaon {_core.version}")
    return 0


def _generate(options: argparse.Namespace) -> int:
    from kaon.modelgen import ModelError, generate
    from kaon.modelgen.files import check_name

    try:
        check_name(Path(options.model).stem if options.name is None else options.name)
    except ValueError as error:
        print(f"kaon: {error}: choose another with --name", file=sys.stderr)
        return 2
    try:
        generate(
            *(options.model, options.output, options.name),
            *(options.upstream, options.datamodel_version, options.evolution_file),
        )
    except ModelError as error:
        print(error, file=sys.stderr)  # a line for each mistake, with its place
        return 1
    except ValueError as error:
        print(f"kaon: {error}", file=sys.stderr)
        return 2
    return 0


def _model(options: argparse.Namespace) -> int:
    from kaon.files.file import File
    from kaon.modelgen import to_yaml

    with File(options.file) as file:
        if options.name is None and len(file.models) > 1:
            models = [model.description for model in file.models.values()]
        else:
            models = [_model_of(file, options.name)]
    if options.json:
        entries = [model.to_dict() for model in models]
        _print_json(entries if len(models) > 1 else entries[0])
        return 0
    texts = [f"# {model.name}\n{to_yaml(model)}" for model in models]
    print("---\n".join(texts), end="")
    return 0


def _model_of(file: File, name: str | None) -> Model:
    """Return a model that a file carries, or one that another of its models uses."""
    if name is None:
        file.model()  # or say that there is none, or that there are several
        name = next(iter(file.models))
    used = (upstream for model in file.models.values() for upstream in model.description.upstream)
    upstream = {model.name: model for model in used}
    known = name in file.models or name not in upstream
    return file.models[name].description if known else upstream[name]


def _diff(options: argparse.Namespace) -> int:
    from kaon.modelgen import Effect, ModelError, diff

    try:
        old = _load_model(options.old, options)
        new = _load_model(options.new, options, options.evolution_file)
    except ModelError as error:
        print(error, file=sys.stderr)
        return 1
    changes = diff(old, new)
    if options.json:
        _print_json([change.to_dict() for change in changes])
    else:
        for change in changes:
            what = f"{change.type}.{change.member}" if change.member else change.type
            print(f"{change.effect.value:8}  {what} {change.text}")
        if changes and new.schema_version <= old.schema_version:
            versions = f"{old.schema_version} to {new.schema_version}"
            print(f"kaon: warning: schema_version goes from {versions}", file=sys.stderr)
    return 0 if all(change.effect is Effect.READ for change in changes) else 1


def _load_model(path: str, options: argparse.Namespace, evolution: str | None = None) -> Model:
    """Return the model in a YAML file, or the one that a file with data carries."""
    from kaon.files.file import File
    from kaon.modelgen import load_model

    if _is_text(path):
        return load_model(path, options.name, options.upstream, evolution=evolution)
    with File(path) as file:
        return _model_of(file, options.name)


def _is_text(path: str) -> bool:
    """Tell whether a file begins as text, as YAML does and data do not; also if there is none."""
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


def _open(path: str) -> tuple[File, list[Category]]:
    """Return a file and the categories that the path means."""
    from kaon.files.file import File
    from kaon.files.paths import split_path

    where, category = split_path(path)
    file = File(where)
    return file, list(file.values()) if category is None else [file[category]]


def _show(options: argparse.Namespace) -> int:
    from kaon.files.overview import columns

    file, categories = _open(options.file)
    size = os.path.getsize(file.path)
    if options.json:
        described = {
            category.name: {
                "entries": len(category),
                "clusters": len(category.clusters()),
                "columns": [line.to_dict() for line in columns(category._core, category._schema)],
                **({"bounds": _bounds(category)} if options.bounds else {}),
            }
            for category in categories
        }
        _print_json(
            {
                "path": file.path,
                "bytes": size,
                "is_complete": file.is_complete,
                "models": list(file.models),
                "categories": described,
            }
        )
        return 0
    models = ", ".join(list(file.models)) or "none"
    print(f"{file.path}: {size:,} bytes, model: {models}\n")
    for category in categories:
        category.show(bounds=options.bounds)
    return 0


def _bounds(category: Category) -> list[dict[str, Any]]:
    from dataclasses import asdict

    from kaon.files.bounds import all_bounds

    return [asdict(each) for each in all_bounds(category._core, category._schema)]


def _category(path: str) -> Category:
    """Return the category that is meant: the one that is named, the only one, or ``events``."""
    from kaon.errors import UsageError

    file, categories = _open(path)
    if len(categories) != 1:
        categories = [category for category in categories if category.name == "events"]
    if not categories:
        names = ", ".join(file) or "none"
        raise UsageError(f"{file.path}: which category? There are {names}: FILE:CATEGORY")
    return categories[0]


def _dump(options: argparse.Namespace) -> int:
    from kaon.command.dump import Entry

    entry = Entry(_category(options.file), options.entry)
    if options.json:
        _print_json(entry.to_dict())
    else:
        entry.print(options.all)
    return 0


def _head(options: argparse.Namespace) -> int:
    from kaon.command.head import first_entries, to_text

    entries = first_entries(_category(options.file), options.names, options.cut, options.count)
    if options.json:
        _print_json(entries.to_list())
    else:
        print(to_text(entries))
    return 0


def _completion(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    from kaon.command.completion import script

    print(script(parser, options.shell), end="")
    return 0


def _plot(options: argparse.Namespace) -> int:
    from kaon.command.datasets import open_dataset
    from kaon.command.plot import histograms, save_picture, to_text

    events = open_dataset([options.file])
    if options.cut:
        events = events.filter(options.cut)
    limits = tuple(options.limits) if options.limits else None
    drawn = histograms(events, options.expressions, options.bins, limits, options.weight)
    if options.output:
        save_picture(drawn, options.output, options.log)
    if options.json:
        _print_json(
            {
                name: {
                    "edges": histogram.axes[0].edges.tolist(),
                    "values": histogram.values(flow=True).tolist(),
                    "variances": histogram.variances(flow=True).tolist(),
                }
                for name, histogram in drawn.items()
            }
        )
    elif not options.output:
        print("\n\n".join(to_text(name, of, options.log) for name, of in drawn.items()))
    return 0


def _skim(options: argparse.Namespace) -> int:
    from kaon.command.datasets import open_dataset
    from kaon.command.progress import progress_bar
    from kaon.dataframe.results import run
    from kaon.files.filters import chosen_names
    from kaon.files.paths import check_free

    check_free(options.output, options.force)
    events = open_dataset(options.inputs)
    names = chosen_names(events.contents, options.keep, options.drop)
    chosen = events.filter(options.cut) if options.cut else events
    snapshot, before, after = chosen.snapshot(options.output, names), events.count(), chosen.count()
    with progress_bar(options.output) as progress:
        run(snapshot, before, after, progress=progress)
    size = os.path.getsize(options.output)
    if options.json:
        _print_json(
            {
                "path": options.output,
                "bytes": size,
                "entries": after.value,
                "entries_before": before.value,
            }
        )
    else:
        share = after.value / before.value if before.value else 0.0
        print(f"{options.output}: {after.value:,} entries, {share:.1%} of them; {size:,} bytes")
    return 0


def _merge(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from kaon.command.progress import progress_bar
    from kaon.files.paths import matching_paths
    from kaon.writing.merge import merge

    paths = [match for path in options.inputs for match in matching_paths(path)]
    with progress_bar(options.output) as progress:
        merged = merge(paths, options.output, overwrite=options.force, progress=progress)
    if options.json:
        _print_json([asdict(category) for category in merged])
        return 0
    for category in merged:
        encoded = category.entries - category.copied_entries
        print(
            f"{options.output}: {category.name}: {category.copied_entries:,} entries copied, "
            f"{encoded:,} encoded again"
        )
    return 0


def _train(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from kaon.command.datasets import open_dataset
    from kaon.command.progress import progress_bar
    from kaon.train.plan import read_plan

    plan = read_plan(options.plan)
    events = open_dataset(options.inputs)
    train = plan.train(events, options.directory, options.force or options.dry_run)
    if options.dry_run:
        report = train.estimate()
    else:
        with progress_bar(options.plan) as progress:
            report = train.run(progress=progress)
    if options.json:
        _print_json(asdict(report))
        return 0
    about = "about " if options.dry_run else ""
    for output in report.outputs:
        share = output.entries / report.entries if report.entries else 0.0
        print(
            f"{output.path}: {about}{output.entries:,} entries, {share:.1%} of them; "
            f"{about}{output.bytes:,} bytes"
        )
    return 0


def _verify(options: argparse.Namespace) -> int:
    from kaon.command.progress import progress_bar
    from kaon.errors import Error
    from kaon.files.verification import verify

    results = []
    failed = False
    for path in options.files:
        try:
            with progress_bar(path) as progress:
                results.append(verify(path, progress))
        except (Error, OSError) as error:
            print(f"kaon: {error}", file=sys.stderr)  # and go on to the others
            failed = True
            continue
        if not options.json:
            results[-1].print()
    if options.json:
        _print_json([result.to_dict() for result in results])
    return 0 if not failed and all(result.is_sound for result in results) else 1


def _size(options: argparse.Namespace) -> int:
    from kaon.command.progress import progress_bar
    from kaon.files.sizes import size_of

    with progress_bar(options.file) as progress:
        size = size_of(options.file, options.precision, progress)
    if options.json:
        _print_json(size.to_dict())
    else:
        size.print(options.top)
    return 0


def _convert(options: argparse.Namespace) -> int:
    from kaon.command.arguments import layout_options
    from kaon.command.progress import progress_bar
    from kaon.files.paths import split_path
    from kaon.writing.convert import convert

    with progress_bar(options.output) as progress:
        convert(
            options.inputs,
            options.output,
            format=options.to,
            lossy=options.lossy,
            model=options.model,
            overwrite=options.force,
            progress=progress,
            **layout_options(options),
        )
    before = sum(os.path.getsize(split_path(path)[0]) for path in options.inputs)
    after = os.path.getsize(options.output)
    if options.json:
        _print_json({"path": options.output, "bytes": after, "bytes_before": before})
    else:
        several = f"{len(options.inputs)} files"
        what = options.inputs[0] if len(options.inputs) == 1 else several
        print(f"{options.output}: {after:,} bytes, {after / before:.1%} of {what}")
    return 0


def _print_json(value: Any) -> None:
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    print()
