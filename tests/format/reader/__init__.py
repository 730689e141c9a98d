"""A second reader of .kaon files, in NumPy, which uses docs/format.md and no part of kaon.

It shows that the page is complete. Authors of readers may read it beside the page. The reader is
slow, and reads whole files into memory. It checks a file as far as mistakes would give wrong
values; docs/format.md lists all checks that a reader of untrusted files needs.

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
