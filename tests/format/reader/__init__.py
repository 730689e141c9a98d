"""A second reader of .kaon files, in plain NumPy, from docs/format.md and nothing of kaon.

It shows that the page suffices, and is meant to be read beside it by those who write a reader. It
is slow, and reads whole files into memory. What a file says is checked as far as wrong values would
follow; docs/format.md lists all that a reader for files from anywhere checks.

The modules, in the order of the page: `records` (and bodies), `file` (header, index, documents),
`schema`, `cluster` (pages, groups, bounds), `encodings`, `codecs`, `model`.

    events = File(Path("events.kaon").read_bytes()).categories["events"]
    for table, data in zip(events.schema.tables, events.read()):
        print(table.name, data.present, data.counts, data.members)
"""

from .cursor import DamagedError
from .file import Category, File
from .model import Model

__all__ = ["Category", "DamagedError", "File", "Model"]
