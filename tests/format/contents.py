"""The contents of a file as plain values that JSON can hold, as read by kaon and by the reader.

The reader is made from docs/format.md.
"""

import json
import re
import warnings

import numpy as np
from comparison import offsets_of
from reader import File
from reader.cluster import joined
from reader.schema import Use

import kaon
from kaon import _core


def by_kaon(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
        core = _core.File(path)
    categories = {name: core.category(name) for name in core.categories}
    return {
        "complete": core.is_complete,
        "documents": {name: core.document(name) for name in core.documents},
        "categories": {name: _category_by_kaon(one) for name, one in categories.items()},
    }


def _category_by_kaon(core):
    tables = [core.table(number) for number in range(core.num_tables)]
    wanted = {number: list(range(len(one.members))) for number, one in enumerate(tables)}
    read, lost = _read_by_kaon(core, wanted)
    return _with_losses(lost) | {
        "clusters": [last - first for first, last in core.clusters],
        "tables": [
            {
                "name": one.name,
                "kind": one.kind.name,
                "type": one.type,
                "layout": one.layout,
                "group": one.group,
                "tag": one.is_tag,
                "key": one.is_key,
                "parent": one.parent,
                "present": _plain(read[number].present),
                "offsets": _plain(read[number].offsets),
                "members": {
                    member.name: {
                        "type": member.type,
                        "unit": member.unit,
                        "precision": _precision_by_kaon(member.precision),
                        **_structure(member),
                        "values": _plain(read[number].members[place]),
                    }
                    for place, member in enumerate(one.members)
                },
            }
            for number, one in enumerate(tables)
        ],
    }


def _read_by_kaon(core, wanted):
    """Return the data of the tables and the lost entries.

    If entries are lost, reads the others cluster by cluster.
    """
    try:
        return core.read(wanted, 0, core.entries), []
    except kaon.errors.CorruptFileError:
        parts, lost = [], []
        for first, end in core.clusters:
            try:
                parts.append(core.read(wanted, first, end))
            except kaon.errors.CorruptFileError as error:
                assert "lost" in str(error)
                lost.append([first, end])
    return [_joined([part[number] for part in parts]) for number in wanted], lost


def _joined(parts):
    """Return the data of a table in several clusters together."""
    together = None if parts[0].present is None else np.concatenate([p.present for p in parts])
    offsets = None
    if parts[0].offsets is not None:
        offsets = offsets_of(np.concatenate([np.diff(part.offsets) for part in parts]))
    members = {
        member: np.concatenate([part.members[member] for part in parts])
        for member in parts[0].members
    }
    return _core.TableArrays(offsets, together, members)


def _structure(member):
    return {"structure": member.structure} if member.structure else {}


def _with_losses(lost):
    return {"lost": lost} if lost else {}


def _precision_by_kaon(precision):
    if precision is None:
        return []
    if precision.step is None:
        return ["mantissa", precision.bits]
    return ["range", precision.low, precision.step, precision.last]


def by_reader(path):
    file = File(path.read_bytes())
    return {
        "complete": file.is_complete,
        "documents": {name: text.decode() for name, text in sorted(file.documents.items())},
        "categories": {name: _category_by_reader(one) for name, one in file.categories.items()},
    }


def _read_by_reader(category):
    there = [cluster for cluster in category.clusters if not cluster.is_lost]
    lost = [
        [one.first_entry, one.first_entry + one.entries] for one in category.clusters if one.is_lost
    ]
    if not lost:
        return category.read(), lost
    parts = map(category.read_cluster, there)
    return [joined(of_table) for of_table in zip(*parts, strict=True)], lost


def _category_by_reader(category):
    read, lost = _read_by_reader(category)
    return _with_losses(lost) | {
        "clusters": [cluster.entries for cluster in category.clusters],
        "tables": [
            {
                "name": one.name,
                "kind": re.sub("_(.)", lambda match: match[1].upper(), one.kind.name.lower()),
                "type": one.type,
                "layout": one.layout.name.lower(),
                "group": one.group_text,
                "tag": bool(one.use & Use.TAG),
                "key": bool(one.use & Use.KEY),
                "parent": one.parent,
                "present": _plain(data.present),
                "offsets": _plain(None if data.counts is None else offsets_of(data.counts)),
                "members": {
                    member.name: {
                        "type": member.type,
                        "unit": member.unit,
                        "precision": list(member.precision),
                        **_structure(member),
                        "values": _plain(values.view(member.type)),
                    }
                    for member, values in zip(one.members, data.members, strict=True)
                },
            }
            for one, data in zip(category.schema.tables, read, strict=True)
        ],
    }


def _plain(array):
    """Return values in JSON's form; values that it lacks, such as "nan", become strings."""
    if array is None:
        return None
    if array.ndim == 2:
        return [_plain(row) for row in array]
    return [one if np.isfinite(one) else str(one) for one in array.tolist()]


def to_json(contents):
    """Return JSON with each list of values on one line."""
    text = json.dumps(contents, indent=1, allow_nan=False)
    return re.sub(r"\[[^][{}]*\]", lambda found: " ".join(found[0].split()), text) + "\n"
