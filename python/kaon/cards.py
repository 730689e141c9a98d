"""Cards that notebooks show for files, columns, models and objects: tables that fold.

The colours are those of the notebook, light or dark.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from kaon.modelgen.mistakes import printable

_STYLE = """<style>
.kaon{font-size:13px;line-height:1.5;border:1px solid rgba(128,128,128,.35);border-radius:6px;
padding:6px 12px;margin:4px 0;max-width:70em;max-height:40em;overflow:auto}
.kaon header{display:flex;gap:1em;align-items:baseline;flex-wrap:wrap}
.kaon header b{font-size:14px}
.kaon small,.kaon .kaon-dim{opacity:.65;font-size:12px}
.kaon details{margin:2px 0}
.kaon details>summary{cursor:pointer;padding:1px 0}
.kaon details>:not(summary){margin-left:1.2em}
.kaon table{border-collapse:collapse;margin:2px 0;font-size:12px;background:none}
.kaon th,.kaon td{text-align:left!important;padding:1px 12px 1px 0!important;vertical-align:top;
border:none;max-width:38em;overflow-wrap:break-word;background:none}
.kaon thead th{opacity:.65;font-weight:normal;border-bottom:1px solid rgba(128,128,128,.35)}
.kaon td.kaon-number,.kaon th.kaon-number{text-align:right!important;white-space:nowrap;
font-variant-numeric:tabular-nums}
.kaon td:first-child{font-family:var(--jp-code-font-family,ui-monospace,monospace)}
</style>"""

MOST_ROWS = 500
"""The largest number of rows shown of a table: browsers are slow with longer ones."""

MOST_CHARACTERS = 500
"""The largest number of characters shown of a text."""


def card(title: str, facts: Iterable[str], *parts: str) -> str:
    """Return a card as HTML: a title, a few facts beside it, and parts below.

    Parameters
    ----------
    facts
        Short texts such as "250 entries"; empty ones are left out.
    parts
        HTML.
    """
    shown = " · ".join(_plain(fact) for fact in facts if fact)
    head = f"<header><b>{_plain(title)}</b><small>{shown}</small></header>"
    return f'{_STYLE}<div class="kaon">{head}{"".join(parts)}</div>'


def fold(title: str, note: str, inside: str, is_open: bool = False) -> str:
    """Return a part that folds: a title with a note beside it, and the hidden HTML `inside`."""
    summary = f'{_plain(title)} <span class="kaon-dim">{_plain(note)}</span>'
    return f"<details{' open' * is_open}><summary>{summary}</summary>{inside}</details>"


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()
) -> str:
    """Return a table; of a long one, the first rows and the number of rows left out.

    Parameters
    ----------
    numbers
        The headings of columns of numbers.
    """
    rows = list(rows)
    is_number = [heading in numbers for heading in headings]

    def line(cells: Iterable[str], tag: str) -> str:
        shown = (
            f"<{tag}{_NUMBER * right}>{text(cell)}</{tag}>"
            for cell, right in zip(cells, is_number, strict=True)
        )
        return f"<tr>{''.join(shown)}</tr>"

    body = "".join(line(row, "td") for row in rows[:MOST_ROWS])
    left = len(rows) - MOST_ROWS
    more = f'<div class="kaon-dim">and {left:,} more</div>' if left > 0 else ""
    return f"<table><thead>{line(headings, 'th')}</thead><tbody>{body}</tbody></table>{more}"


def note(words: str) -> str:
    """Return a dim line with a remark; text in backquotes becomes code."""
    parts = _plain(words).split("`")
    coded = "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))
    return f'<div class="kaon-dim">{coded}</div>'


def _plain(text: str) -> str:
    """Return a text as HTML, without the effect of characters that would reorder the page."""
    return html.escape("\n".join(map(printable, text.split("\n"))))


def text(whole: str) -> str:
    """Return a text as HTML; of a long one, its beginning."""
    shown = whole if len(whole) <= MOST_CHARACTERS else f"{whole[:MOST_CHARACTERS]}…"
    return _plain(shown)


def size_text(count: int) -> str:
    """Return a number of bytes with its unit, such as "4 MB"."""
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{count:,} bytes" if unit == "bytes" else f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


_NUMBER = ' class="kaon-number"'
