#!/usr/bin/env python3
"""Check that each C++ type and each header of the library has a name of its own.

Types in unnamed namespaces and in namespaces `detail` count, too. Members of classes may share
names, because the class tells them apart; so may aliases of the same type. Names in
include/kaon-podio are podio's.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PODIOS = "PodioCollectionBase.h"
"""The header of a class that has podio's name."""
FOLDERS = ["include/kaon", "src", "python/src"]

# Types at namespace scope begin at the beginning of a line. This finds their definitions: no
# declarations, specializations or members that are defined outside their class.
TYPE = re.compile(
    r"""
    ^(?:template\ <[^\n]*>\s+)?
    (?: (?:class|struct|union|enum(?:\ class)?)\s+(?:\[\[\w+\]\]\s+)?(?P<type>\w+)(?:\ final)?\s*
        (?::(?!:)[^;{]*)?{
      | using\s+(?P<alias>\w+)\s*=\s*(?P<meaning>[^;]+);
    )
    """,
    re.VERBOSE | re.MULTILINE,
)


def types(source):
    """Yield `(name, line, meaning)` for each type that a text defines; None means a new type."""
    for match in TYPE.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        meaning = match["meaning"]
        yield match["type"] or match["alias"], line, meaning and " ".join(meaning.split())


def repeated_types(sources):
    """Yield a message for each name with several meanings in texts: `{path: text}`."""
    found = defaultdict(lambda: defaultdict(list))  # places by name and meaning
    for path, source in sources.items():
        for name, line, meaning in types(source):
            place = f"{path}:{line}"
            found[name][meaning or place].append(place)
    for name, meanings in sorted(found.items()):
        if len(meanings) > 1:
            places = [place for each in meanings.values() for place in each]
            yield f"{places[0]}: type {name} has the name of another one: {', '.join(places[1:])}"


def repeated_headers(paths):
    """Yield a message for each header that has the name of another one."""
    found = defaultdict(list)
    for path in paths:
        if path.suffix == ".h":
            found[path.name].append(str(path))
    for places in found.values():
        if len(places) > 1:
            yield f"{places[0]}: header has the name of another one: {', '.join(places[1:])}"


def main():
    paths = sorted(
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".h", ".cpp") and path.name != PODIOS
    )
    sources = {path.relative_to(ROOT): path.read_text() for path in paths}
    wrong = [*repeated_types(sources), *repeated_headers(sources)]
    print("\n".join(wrong) or f"{len(sources)} files, each type and header with its own name")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
