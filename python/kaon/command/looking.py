"""The commands that show the contents of files."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from kaon.command.arguments import positive
from kaon.command.json_output import print_json, print_json_rows
from kaon.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kaon.command.plot import Histograms
    from kaon.dataframe.dataframe import Dataframe
    from kaon.files.category import Category
    from kaon.files.overview import ColumnInfo


def adders() -> dict[str, Callable[[Any], None]]:
    """Return for each command the function that adds its parser."""
    return {
        "show": _add_show,
        "dump": _add_dump,
        "head": _add_head,
        "plot": _add_plot,
        "display": _add_display,
        "sql": _add_sql,
        "browse": _add_browse,
    }


def _add_show(commands: Any) -> None:
    show = commands.add_parser(
        "show",
        help="show the contents of a file and how they are stored",
        description="The table fits the terminal; without a terminal it has 80 columns.",
    )
    show.add_argument("file", metavar="FILE[:CATEGORY]")
    show.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        default=[],
        help="show only matching names, such as 'Muon.*' (default: all)",
    )
    show.add_argument(
        "--bounds",
        action="store_true",
        help="show the least and greatest values of members, and whether they have NaNs",
    )
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(run=_show)


def _add_dump(commands: Any) -> None:
    dump = commands.add_parser("dump", help="print one entry")
    dump.add_argument("file", metavar="FILE[:CATEGORY]")
    dump.add_argument(
        "--entry",
        type=int,
        default=0,
        metavar="N",
        help="number of the entry; -1 is the last (default: 0)",
    )
    dump.add_argument("--all", action="store_true", help="print long collections and lists in full")
    dump.add_argument("--json", action="store_true", help="print JSON")
    dump.set_defaults(run=_dump)


def _add_head(commands: Any) -> None:
    head = commands.add_parser(
        "head",
        help="print the first entries, one a line",
        description="Prints as many columns as fit; all of them with --json.",
    )
    head.add_argument("file", metavar="FILE[:CATEGORY]")
    head.add_argument(
        "names",
        metavar="NAME|EXPRESSION",
        nargs="*",
        default=[],
        help="such as Muon.pt (default: all)",
    )
    head.add_argument(
        "-n",
        "--count",
        type=positive,
        default=10,
        metavar="N",
        help="number of entries (default: 10)",
    )
    head.add_argument(
        "--cut", metavar="EXPRESSION", help="condition on entries, such as 'MET > 50'"
    )
    head.add_argument("--json", action="store_true", help="print JSON")
    head.set_defaults(run=_head)


def _add_plot(commands: Any) -> None:
    plot = commands.add_parser(
        "plot",
        help="draw histograms of members or expressions",
        description="Draws in the terminal, or into a picture. See docs/expressions.md.",
    )
    plot.add_argument("file", metavar="FILE[:CATEGORY]", help="a file, or a pattern")
    plot.add_argument(
        "expressions", metavar="EXPRESSION", nargs="+", help="such as Muon.pt or 'max(Muon.pt)'"
    )
    plot.add_argument(
        "--cut", metavar="EXPRESSION", help="condition on entries, such as 'MET > 50'"
    )
    plot.add_argument("--weight", metavar="EXPRESSION", help="a weight for each entry or value")
    plot.add_argument(
        "--bins", type=positive, metavar="N", help="number of bins (default: 50)", default=50
    )
    plot.add_argument(
        "--range",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        dest="limits",
        help="limits of the axis (default: all values)",
    )
    plot.add_argument("--log", action="store_true", help="make the vertical axis logarithmic")
    plot.add_argument("--log-x", action="store_true", help="make the horizontal axis logarithmic")
    plot.add_argument(
        "--compare", metavar="FILE[:CATEGORY]", help="also draw this file, and the ratio to it"
    )
    plot.add_argument(
        "--stack",
        action="append",
        metavar="LABEL=FILE[:CATEGORY]",
        default=[],
        help="stack this sample on FILE, in a picture; may be repeated",
    )
    plot.add_argument(
        "--data",
        metavar="FILE[:CATEGORY]",
        help="draw this file as points, and its ratio to the other files, in a picture",
    )
    plot.add_argument("--normalise", action="store_true", help="draw fractions of the entries")
    plot.add_argument("-o", "--output", metavar="PICTURE", help="write a .png, .svg or .pdf")
    plot.add_argument("--json", action="store_true", help="print JSON")
    plot.set_defaults(run=_plot)


def _add_display(commands: Any) -> None:
    display = commands.add_parser(
        "display",
        help="draw an event in 3-D, or its decays as a graph",
        description="Draws tracks, hits, clusters and momenta into a page for browsers, and opens "
        "it. Needs pip install plotly.",
    )
    display.add_argument("file", metavar="FILE[:CATEGORY]")
    display.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        default=[],
        help="draw only these collections, such as Muon or 'Jet*' (default: all)",
    )
    display.add_argument(
        "--entry",
        type=int,
        default=0,
        metavar="N",
        help="number of the entry; -1 is the last (default: 0)",
    )
    display.add_argument(
        "--field", type=float, metavar="TESLA", help="magnetic field along z, for curved paths"
    )
    display.add_argument(
        "--radius", type=float, metavar="R", help="distance from the z axis where curved paths end"
    )
    display.add_argument(
        "--length-unit",
        choices=("um", "mm", "cm", "m"),
        help="unit of positions for which the file states no unit",
    )
    display.add_argument(
        "--most",
        type=positive,
        metavar="N",
        help="number of objects drawn: of a collection (default: 1000), or of decays (200)",
    )
    display.add_argument(
        "--decays", action="store_true", help="print the decays of particles as a graph, in DOT"
    )
    display.add_argument(
        "--index", type=int, metavar="N", help="with --decays: begin at this particle"
    )
    display.add_argument(
        "-o", "--output", metavar="FILE", help="write a .html; with --decays a .dot, .svg or .pdf"
    )
    display.set_defaults(run=_display)


def _add_sql(commands: Any) -> None:
    sql = commands.add_parser(
        "sql",
        help="query files in SQL, with DuckDB",
        description="Each category is a table of its name; several files are one table. Only "
        "columns that the statement needs are read. "
        "SQL can also write: copy (select ...) to 'out.parquet'.",
    )
    sql.add_argument(
        "files", metavar="[NAME=]FILE[:CATEGORY]", nargs="+", help="files, or patterns"
    )
    sql.add_argument("statement", metavar="STATEMENT", help="such as 'select avg(MET) from events'")
    sql.add_argument(
        "--flat", action="store_true", help='make each member a column of lists: "Muon.pt"'
    )
    sql.add_argument(
        "-n", "--count", type=positive, default=40, metavar="N", help="rows shown (default: 40)"
    )
    sql.add_argument("--json", action="store_true", help="print all rows as JSON")
    sql.set_defaults(run=_sql)


def _add_browse(commands: Any) -> None:
    browse = commands.add_parser(
        "browse",
        help="browse the contents and distributions of a file in the terminal",
        description="Arrow keys move in the tree, / searches, q quits.",
    )
    browse.add_argument("file", metavar="FILE[:CATEGORY]")
    browse.set_defaults(run=_browse, is_interactive=True)


def _show(options: argparse.Namespace) -> int:
    from kaon.command.categories import open_categories
    from kaon.files.distant import file_size
    from kaon.files.paths import split_path
    from kaon.files.stored_objects import matching_objects, print_objects
    from kaon.modelgen.mistakes import printable

    file, categories = open_categories(options.file)
    has_all = split_path(options.file)[1] is None
    objects = matching_objects(file.objects, options.names) if has_all else []
    if options.names:
        categories = _with_any(categories, options.names, bool(objects))
    size = file_size(file.path)
    if options.json:
        print_json(
            {
                "path": file.path,
                "bytes": size,
                "is_complete": file.is_complete,
                "models": list(file.models),
                "categories": {each.name: _described(each, options) for each in categories},
                "objects": {each.name: each.to_dict() for each in objects},
            }
        )
        return 0
    models = ", ".join(list(file.models)) or "none"
    say(f"{printable(f'{file.path}: {size:,} bytes, model: {models}')}\n")
    for category in categories:
        category.show(options.names or None, bounds=options.bounds)
    if objects:
        print_objects(objects)
    return 0


def _with_any(
    categories: Sequence[Category], names: Sequence[str], has_objects: bool
) -> list[Category]:
    """Return the categories that have columns of these names.

    Parameters
    ----------
    has_objects
        Whether there are objects of these names.

    Raises
    ------
    UnknownNameError
        If there are neither columns nor objects of these names.
    """
    from kaon import _core
    from kaon.errors import UnknownNameError
    from kaon.files.filters import is_wanted_key

    def has_any(category: Category) -> bool:
        unread = (name for name, _, _ in category.unreadable)
        return bool(_lines(category, names)) or any(is_wanted_key(names, name) for name in unread)

    matching = [each for each in categories if has_any(each)]
    if not matching and not has_objects:
        known = [line.name for category in categories for line in _lines(category, ())]
        hint = _core.suggestion(names[0], known)
        raise UnknownNameError(f"no column is called {' or '.join(map(repr, names))}{hint}")
    return matching


def _lines(category: Category, names: Sequence[str]) -> list[ColumnInfo]:
    """Return the columns of a category with these names; without names, all columns."""
    from kaon.files.filters import is_wanted_key
    from kaon.files.overview import columns

    lines = columns(category._core, category._schema)
    return [line for line in lines if is_wanted_key(names or None, line.name)]


def _described(category: Category, options: argparse.Namespace) -> dict[str, Any]:
    described: dict[str, Any] = {
        "entries": len(category),
        "clusters": len(category.clusters()),
        "columns": [line.to_dict() for line in _lines(category, options.names)],
    }
    if options.bounds:
        described["bounds"] = _bounds(category, options.names)
    return described


def _bounds(category: Category, names: Sequence[str]) -> list[dict[str, Any]]:
    from dataclasses import asdict

    from kaon.files.bounds import all_bounds
    from kaon.files.filters import is_wanted_key

    members = all_bounds(category._core, category._schema)
    return [asdict(each) for each in members if is_wanted_key(names or None, each.name)]


def _dump(options: argparse.Namespace) -> int:
    from kaon.command.categories import chosen_category
    from kaon.command.dump import Entry

    entry = Entry(chosen_category(options.file), options.entry)
    if options.json:
        print_json(entry.to_dict())
    else:
        entry.print(options.all)
    return 0


def _head(options: argparse.Namespace) -> int:
    from kaon.command.categories import chosen_category
    from kaon.command.head import first_entries, first_values, to_text

    wanted = (chosen_category(options.file), options.names, options.cut, options.count)
    if options.json:
        print_json(first_entries(*wanted).to_list())
    else:
        say(to_text(first_values(*wanted)))
    return 0


def _display(options: argparse.Namespace) -> int:
    from kaon.command.categories import chosen_category
    from kaon.errors import UsageError
    from kaon.plots.display import display

    category = chosen_category(options.file)
    if options.decays:
        return _decays(category, options)
    if options.index is not None:
        raise UsageError("--index goes together with --decays")
    figure = display(
        category,
        options.entry,
        options.names or None,
        field=options.field,
        radius=options.radius,
        length_unit=options.length_unit,
        most=options.most or 1000,
    )
    if options.output is None:
        _open_page(figure)
    elif options.output.lower().endswith((".html", ".htm")):
        figure.write_html(options.output)
    else:
        raise UsageError(f"{options.output}: write event displays to .html")
    return 0


def _open_page(figure: Any) -> None:
    """Write a page into the folder of temporary files, and open it in the browser."""
    import tempfile
    import webbrowser
    from pathlib import Path

    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        figure.write_html(file)
    say(file.name)
    webbrowser.open(Path(file.name).as_uri())


def _decays(category: Category, options: argparse.Namespace) -> int:
    from kaon.errors import UsageError
    from kaon.plots.decays import decays

    if len(options.names) > 1:
        raise UsageError(f"--decays draws one collection, not {len(options.names)}")
    collection = options.names[0] if options.names else None
    graph = decays(
        category, options.entry, collection, index=options.index, most=options.most or 200
    )
    if options.output is None:
        say(str(graph))
    else:
        graph.save(options.output)
    return 0


def _plot(options: argparse.Namespace) -> int:
    from kaon.command.plot import histograms
    from kaon.dataframe.dataframe import dataset

    if options.stack or options.data:
        return _plot_stack(options)
    paths = [options.file, *([options.compare] if options.compare else [])]
    frames = [dataset([path]) for path in paths]
    if options.cut:
        frames = [frame.filter(options.cut) for frame in frames]
    limits = tuple(options.limits) if options.limits else None
    drawn = histograms(
        *(frames, options.expressions, options.bins, limits, options.weight, options.log_x)
    )
    if options.normalise:
        drawn = [{name: each.normalised() for name, each in of.items()} for of in drawn]
    if options.output:
        _save_picture(drawn, frames[0], paths, options)
    if options.json:
        print_json({name: _bins(name, drawn) for name in drawn[0]})
    elif not options.output:
        say("\n\n".join(_drawing(name, drawn, paths, options) for name in drawn[0]))
    return 0


def _plot_stack(options: argparse.Namespace) -> int:
    """Draw samples on each other, and data."""
    from kaon.command.picture import save
    from kaon.command.plot import defined, limits_of
    from kaon.dataframe.dataframe import dataset
    from kaon.errors import UsageError
    from kaon.files.paths import split_path
    from kaon.plots.plot import plot

    if options.output is None:
        raise UsageError("--stack and --data need -o PICTURE")
    if len(options.expressions) > 1:
        raise UsageError(f"--stack and --data draw one expression, not {len(options.expressions)}")
    for option in ("compare", "normalise", "log_x", "json"):
        if getattr(options, option):
            name = option.replace("_", "-")
            raise UsageError(f"--{name} does not go together with --stack and --data")
    (expression,) = options.expressions
    label = os.path.splitext(os.path.basename(os.fspath(split_path(options.file)[0])))[0]
    files = {label: options.file}
    for sample in options.stack:
        name, is_named, path = sample.partition("=")
        if not is_named:
            raise UsageError(f"--stack {sample}: give a label, as in --stack tt={sample}")
        files[name] = path
    if options.data:
        files["Data"] = options.data
    frames = {name: dataset([path]) for name, path in files.items()}
    if options.cut:
        frames = {name: frame.filter(options.cut) for name, frame in frames.items()}
    frames = {name: defined(frame, [expression]) for name, frame in frames.items()}
    limits = options.limits or limits_of(list(frames.values()), [expression])
    histograms = {
        name: frame.histogram(
            (options.bins, *limits), expression, options.weight if name != "Data" else None
        )
        for name, frame in frames.items()
    }
    data = histograms.pop("Data", None)
    save(plot(histograms, data=data, log=options.log), options.output)
    return 0


def _save_picture(
    drawn: list[Histograms], frame: Dataframe, paths: list[str], options: argparse.Namespace
) -> None:
    from kaon.command.picture import Picture
    from kaon.dataframe.labels import unit_of

    units = {unit_of(frame._core, expression) for expression in options.expressions}
    unit = units.pop() if len(units) == 1 else ""
    names = [os.path.basename(path) for path in paths]
    styles = (options.normalise, options.log, options.log_x)
    Picture(drawn, names, unit, *styles).save(options.output)


def _bins(name: str, drawn: list[Histograms]) -> dict[str, Any]:
    from kaon.command.plot import ratio

    first, *others = (of_file[name] for of_file in drawn)
    bins: dict[str, Any] = {
        "edges": first.edges.tolist(),
        "values": first.sums.tolist(),
        "variances": first.squares.tolist(),
    }
    for other in others:
        values, errors = (part.tolist() for part in ratio(first, other))
        bins |= {
            "compared_values": other.sums.tolist(),
            "compared_variances": other.squares.tolist(),
            "ratio": values,
            "ratio_errors": errors,
        }
    return bins


def _drawing(
    name: str, drawn: list[Histograms], paths: list[str], options: argparse.Namespace
) -> str:
    from kaon.command.plot import ratio, ratio_to_text, to_text

    parts = []
    shown = [of_file[name].fitting() for of_file in drawn]
    for path, histogram in zip(paths, shown, strict=True):
        title = f"{name} of {path}" if len(drawn) > 1 else name
        title += f", {_amount(histogram.sums.sum(), options)}"
        if len(histogram.values) < options.bins:
            title += f", {options.bins} bins in {len(histogram.values)} columns"
        parts.append(to_text(title, histogram, options.log))
    if len(drawn) > 1:
        parts.append(ratio_to_text(*ratio(*shown)))
    return "\n".join(parts)


def _amount(entries: float, options: argparse.Namespace) -> str:
    """Return the content of a histogram as text."""
    if options.normalise:
        return "fractions of the entries"
    return f"sum of weights {entries:g}" if options.weight else f"{entries:,.0f} entries"


def _sql(options: argparse.Namespace) -> int:
    from kaon.command.sql import find_tables, print_rows, query

    names, rows = query(options.statement, find_tables(options.files, options.flat))
    if options.json:
        print_json_rows(dict(zip(names, row, strict=True)) for row in rows)
    else:
        print_rows(names, rows, options.count)
    return 0


def _browse(options: argparse.Namespace) -> NoReturn:
    from kaon.command.browser import Browser
    from kaon.command.categories import open_categories
    from kaon.command.interruption import leave
    from kaon.errors import UsageError
    from kaon.files.paths import split_path

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("browse needs a terminal; show, head and dump print a file's contents")
    file, categories = open_categories(options.file)
    objects = [] if split_path(options.file)[1] else list(file.objects.values())
    browser = Browser(file.path, categories, objects)
    browser.run()
    leave(browser.return_code or 0)
