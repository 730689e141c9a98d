"""The commands that tell what is in files."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from kaon.command.json_output import print_json, print_json_rows

if TYPE_CHECKING:
    from kaon.files.category import Category


def add_commands(commands: Any) -> None:
    """Add them to the parser's subcommands."""
    from kaon.command.arguments import positive

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

    sql = commands.add_parser(
        "sql",
        help="ask questions in SQL, which DuckDB answers",
        description="Each category is a table of its name, of one file behind the other. Only what "
        "the statement needs is read. It can write, too: copy (select ...) to 'out.parquet'.",
    )
    sql.add_argument("files", metavar="[NAME=]FILE[:CATEGORY]", nargs="+", help="may be a pattern")
    sql.add_argument("statement", metavar="STATEMENT", help="such as 'select avg(MET) from events'")
    sql.add_argument(
        "--flat", action="store_true", help='each member is a column, "Muon.pt", of lists'
    )
    sql.add_argument(
        "-n", "--count", type=positive, default=40, metavar="N", help="rows shown (default: 40)"
    )
    sql.add_argument("--json", action="store_true", help="print JSON: all rows")
    sql.set_defaults(run=_sql)


def _show(options: argparse.Namespace) -> int:
    from kaon.command.categories import open_categories
    from kaon.files.overview import columns

    file, categories = open_categories(options.file)
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
        print_json(
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
    from kaon.command.head import first_entries, to_text

    entries = first_entries(
        chosen_category(options.file), options.names, options.cut, options.count
    )
    if options.json:
        print_json(entries.to_list())
    else:
        print(to_text(entries))
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
        print_json(
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


def _sql(options: argparse.Namespace) -> int:
    from kaon.command.sql import find_tables, print_rows, query

    names, rows = query(options.statement, find_tables(options.files, options.flat))
    if options.json:
        print_json_rows(dict(zip(names, row, strict=True)) for row in rows)
    else:
        print_rows(names, rows, options.count)
    return 0
