"""The commands that write new files from others."""

from __future__ import annotations

import argparse
import glob
import os
import shlex
from typing import TYPE_CHECKING, Any

from kaon.command.arguments import (
    add_bad_file_option,
    add_layout_options,
    add_value_options,
    layout_options,
)
from kaon.command.json_output import print_json
from kaon.modelgen.mistakes import printable
from kaon.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kaon.files.bad_files import BadFile
    from kaon.train.train import TrainOutput


def adders() -> dict[str, Callable[[Any], None]]:
    """Return for each command the function that adds its parser."""
    return {
        "skim": _add_skim,
        "train": _add_train,
        "merge": _add_merge,
        "convert": _add_convert,
        "recover": _add_recover,
    }


def _add_skim(commands: Any) -> None:
    skim = commands.add_parser(
        "skim",
        help="write the entries that pass a cut to a new file",
        description="Reads one category. Relations to dropped objects become empty.",
    )
    skim.add_argument("inputs", metavar="IN[:CATEGORY]", nargs="+", help="files, or patterns")
    skim.add_argument("output", metavar="OUT", help="the new file")
    skim.add_argument(
        "--cut", metavar="EXPRESSION", help="condition on entries, such as 'MET > 50'"
    )
    skim.add_argument(
        "--keep",
        action="append",
        metavar="PATTERN",
        help="keep only these collections, parameters and values (default: all)",
    )
    skim.add_argument(
        "--drop",
        action="append",
        metavar="PATTERN",
        default=[],
        help="drop these, or parts of collections, such as Muon.hits",
    )
    skim.add_argument(
        "--to",
        default="",
        metavar="FORMAT",
        help="kaon, rntuple, ttree, podio, podio-sio, hipo, lcio, hdf5 (default: by OUT's suffix)",
    )
    skim.add_argument("--force", action="store_true", help="replace OUT if it exists")
    add_bad_file_option(skim)
    add_layout_options(skim)
    skim.add_argument("--json", action="store_true", help="print JSON")
    skim.set_defaults(run=_skim)


def _add_train(commands: Any) -> None:
    train = commands.add_parser(
        "train",
        help="write several files in one pass, by a plan",
        description="The plan is a YAML file: see docs/trains.md.",
    )
    train.add_argument("plan", metavar="PLAN", help="the YAML file")
    train.add_argument("inputs", metavar="IN[:CATEGORY]", nargs="+", help="files, or patterns")
    train.add_argument(
        "--directory",
        default="",
        metavar="DIR",
        help="folder of the files (default: the current one)",
    )
    train.add_argument(
        "--outside-files",
        action="store_true",
        help="let the plan write files outside this folder",
    )
    train.add_argument(
        "--dry-run", action="store_true", help="estimate the files from a sample; write nothing"
    )
    train.add_argument("--force", action="store_true", help="replace existing files")
    add_bad_file_option(train)
    train.add_argument("--json", action="store_true", help="print JSON")
    train.set_defaults(run=_train)


def _add_merge(commands: Any) -> None:
    merge = commands.add_parser(
        "merge",
        help="join files without decoding them",
        description="Entries with other tables than the first file are encoded again. "
        "Small neighbouring clusters are joined into larger ones.",
        usage="kaon merge [-h] [--force] [--on-bad-file raise|skip|report] [--json] "
        "IN... (OUT | -o OUT)",
    )
    merge.add_argument("inputs", metavar="IN", nargs="+", help="files, or patterns")
    merge.add_argument(
        "-o", "--output", metavar="OUT", help="the new file (default: the last argument)"
    )
    merge.add_argument("--force", action="store_true", help="replace the OUT of -o if it exists")
    add_bad_file_option(merge)
    merge.add_argument("--json", action="store_true", help="print JSON")
    merge.set_defaults(run=lambda options: _merge(merge, options))


def _add_convert(commands: Any) -> None:
    convert = commands.add_parser(
        "convert", help="copy files into another format, layout, codec or precision"
    )
    convert.add_argument(
        "inputs", metavar="IN", nargs="+", help="files of any format; several are joined"
    )
    convert.add_argument("output", metavar="OUT", help="the new file; its suffix sets the format")
    convert.add_argument(
        "--to",
        default="",
        metavar="FORMAT",
        help="kaon, rntuple, ttree, podio, podio-sio, hipo, lcio, hdf5, parquet, feather "
        "(default: by OUT's suffix)",
    )
    convert.add_argument(
        "--lossy",
        action="store_true",
        help="leave out data that the format cannot hold, and widen numbers if necessary",
    )
    convert.add_argument(
        "--model", metavar="MODEL", help="convert to this version of the file's model (YAML)"
    )
    convert.add_argument(
        "--category",
        default="",
        metavar="NAME",
        help="copy only this category; it becomes 'events' in HIPO and LCIO files",
    )
    convert.add_argument(
        "--skip-damaged",
        action="store_true",
        help="leave out damaged entries of .kaon files, or damaged columns as a whole",
    )
    convert.add_argument("--force", action="store_true", help="replace OUT if it exists")
    add_bad_file_option(convert)
    add_layout_options(convert)
    add_value_options(convert)
    convert.add_argument("--json", action="store_true", help="print JSON")
    convert.set_defaults(run=_convert)


def _add_recover(commands: Any) -> None:
    recover = commands.add_parser(
        "recover",
        help="write the sound data of a damaged .kaon file to a new one",
        description="Leaves out entries with damaged data, and reports them. Leaves out a whole "
        "collection, parameter or value if fewer values are lost that way.",
    )
    recover.add_argument("input", metavar="IN", help="the damaged file")
    recover.add_argument("output", metavar="OUT", help="the new .kaon file")
    recover.add_argument("--force", action="store_true", help="replace OUT if it exists")
    recover.add_argument("--json", action="store_true", help="print JSON")
    recover.set_defaults(run=_recover)


def _skim(options: argparse.Namespace) -> int:
    from kaon.dataframe.dataframe import dataset
    from kaon.progress import progress_bar
    from kaon.train.train import Train

    _check_patterns(options)
    train = Train(
        dataset(options.inputs, on_bad_file=options.on_bad_file),
        provenance=False,
        other_categories=False,
        format=options.to,
        **layout_options(options),
    )
    train.add(
        options.output,
        options.cut,
        keep=options.keep,
        drop=options.drop,
        overwrite=options.force,
    )
    with progress_bar(options.output) as progress:
        report = train.run(progress=progress)
    output = report.outputs[0]
    if options.json:
        result = {
            "path": options.output,
            "bytes": output.bytes,
            "entries": output.entries,
            "entries_before": report.entries,
        }
        print_json(_with_bad_files(options, result, report.bad_files))
    else:
        say(_line_of(output, report.entries))
        _print_bad_files(options, report.bad_files)
    return 0


def _check_patterns(options: argparse.Namespace) -> None:
    """Check that names after the first one of ``--keep`` or ``--drop`` were not meant as patterns.

    Raises
    ------
    UsageError
        If the new file has no suffix, and an input that does not exist was probably the new file.
    """
    from kaon.errors import UsageError
    from kaon.files.paths import split_path

    for option in ("keep", "drop"):
        first, *_ = getattr(options, option) or [""]
        inputs = [os.fspath(split_path(path)[0]) for path in options.inputs[1:]]
        absent = [path for path in inputs if not glob.glob(path) and "://" not in path]
        if first and absent and not os.path.splitext(options.output)[1]:
            others = [*options.inputs[options.inputs.index(absent[0]) + 1 :], options.output]
            patterns = " ".join(f"--{option} {shlex.quote(name)}" for name in (first, *others))
            raise UsageError(
                f"--{option} takes one pattern, and '{others[0]}' is another argument: write "
                f"{patterns}"
            )


def _with_bad_files(
    options: argparse.Namespace, result: dict[str, Any], bad_files: Sequence[BadFile]
) -> dict[str, Any]:
    """Add the files that were left out to a result, if any may be."""
    from dataclasses import asdict

    if options.on_bad_file == "raise":
        return result
    return {**result, "bad_files": [asdict(file) for file in bad_files]}


def _print_bad_files(options: argparse.Namespace, bad_files: Sequence[BadFile]) -> None:
    if options.on_bad_file != "report":  # warnings have named them
        return
    for file in bad_files:
        entries = "" if file.entries is None else f" ({file.entries:,} entries)"
        say(f"left out: {file.reason}{entries}")


def _train(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from kaon.command.interruption import will_write
    from kaon.dataframe.dataframe import dataset
    from kaon.progress import progress_bar
    from kaon.train.plan import read_plan

    plan = read_plan(options.plan, options.outside_files)
    events = dataset(options.inputs, on_bad_file=options.on_bad_file)
    train = plan.train(events, options.directory, options.force or options.dry_run)
    if options.dry_run:
        report = train.estimate()
    else:
        for path in plan.paths(options.directory):
            will_write(path)
        with progress_bar(options.plan) as progress:
            report = train.run(progress=progress)
    if options.json:
        result = asdict(report)
        del result["bad_files"]
        print_json(_with_bad_files(options, result, report.bad_files))
        return 0
    about = "about " if options.dry_run else ""
    for output in report.outputs:
        say(_line_of(output, report.entries, about))
    _print_bad_files(options, report.bad_files)
    return 0


def _line_of(output: TrainOutput, all_entries: int, about: str = "") -> str:
    share = output.entries / all_entries if all_entries else 0.0
    return (
        f"{printable(output.path)}: {about}{output.entries:,} entries, {share:.1%} of them; "
        f"{about}{output.bytes:,} bytes"
    )


def _merge(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from kaon.command.interruption import will_write
    from kaon.progress import progress_bar
    from kaon.writing.merge import merge

    if options.output is None:
        *options.inputs, options.output = options.inputs
        if not options.inputs:
            parser.error("name the file to write: IN... OUT, or IN... -o OUT")
        _check_new(options.output)
        will_write(options.output)
    with progress_bar(options.output) as progress:
        result = merge(
            options.inputs,
            options.output,
            overwrite=options.force,
            progress=progress,
            on_bad_file=options.on_bad_file,
        )
    merged, bad_files = result if options.on_bad_file == "report" else (result, ())
    if options.json:
        categories = [asdict(category) for category in merged]
        if options.on_bad_file == "report":
            print_json(_with_bad_files(options, {"categories": categories}, bad_files))
        else:
            print_json(categories)
        return 0
    for category in merged:
        encoded = category.entries - category.copied_entries - category.joined_entries
        joined = category.joined_entries
        say(
            f"{printable(f'{options.output}: {category.name}')}: "
            f"{category.copied_entries:,} entries copied, "
            + (f"{joined:,} of small clusters joined, " if joined else "")
            + f"{encoded:,} encoded again"
        )
    _print_bad_files(options, bad_files)
    return 0


def _check_new(output: str) -> None:
    """Check that the last argument is no existing file: users of hadd name the output first.

    Raises
    ------
    ExistingFileError
        If the file exists.
    """
    from kaon.errors import ExistingFileError

    if os.path.exists(output):
        raise ExistingFileError(
            f"{output}: exists already, and the last argument is the file to write; "
            f"`IN... -o {output} --force` replaces it"
        )


def _convert(options: argparse.Namespace) -> int:
    from kaon.files.chain import listed_paths
    from kaon.files.distant import file_size
    from kaon.files.paths import split_path
    from kaon.progress import progress_bar
    from kaon.writing.convert import convert

    paths = [os.fspath(path) for path in listed_paths(options.inputs)]
    with progress_bar(options.output) as progress:
        bad_files = convert(
            paths,
            options.output,
            format=options.to,
            lossy=options.lossy,
            model=options.model,
            category=options.category,
            overwrite=options.force,
            progress=progress,
            on_bad_file=options.on_bad_file,
            on_damage="skip" if options.skip_damaged else "raise",
            **layout_options(options),
        )
    left_out = {file.path for file in bad_files}
    paths = [path for path in paths if split_path(path)[0] not in left_out]
    before = sum(file_size(split_path(path)[0]) for path in paths)
    after = os.path.getsize(options.output)
    if options.json:
        result = {"path": options.output, "bytes": after, "bytes_before": before}
        print_json(_with_bad_files(options, result, bad_files))
    else:
        what = paths[0] if len(paths) == 1 else f"{len(paths)} files"
        say(f"{options.output}: {after:,} bytes, {after / before:.1%} of {what}")
        _print_bad_files(options, bad_files)
    return 0


def _recover(options: argparse.Namespace) -> int:
    from kaon.progress import progress_bar
    from kaon.writing.recover import recover

    with progress_bar(options.output) as progress:
        report = recover(options.input, options.output, overwrite=options.force, progress=progress)
    if options.json:
        print_json(report.to_dict())
    else:
        report.print()
    return 0
