"""Comparison of the contents of a file, as kaon and as the reader read it."""

import warnings

import numpy as np
import pytest
from reader import File
from reader.cluster import HAS_NAN, UNBOUNDED, member_of

import kaon
from kaon import _core


def assert_read_alike(path):
    """Check that both read the same, bit for bit. Return the reader's file."""
    file = File(path.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
        core = _core.File(path)
    assert core.id == file.id
    assert core.is_complete == file.is_complete
    assert {name: core.document(name).encode() for name in core.documents} == file.documents
    assert core.categories == list(file.categories)
    for name, category in file.categories.items():
        assert_same(core.category(name), category)
    return file


def assert_same(core, category):
    """Check that both read the same category."""
    assert core.entries == category.entries
    tables = [core.table(number) for number in range(core.num_tables)]
    assert [_described(one) for one in tables] == [
        _described(one) for one in category.schema.tables
    ]
    wanted = {number: list(range(len(one.members))) for number, one in enumerate(tables)}
    if any(cluster.is_lost for cluster in category.clusters):
        return _assert_same_but_for_losses(core, category, wanted)
    _assert_same_data(category, category.read(), core.read(wanted, 0, core.entries))


def _assert_same_but_for_losses(core, category, wanted):
    """Check clusters separately: those with lost entries must not be readable."""
    for cluster in category.clusters:
        first, end = cluster.first_entry, cluster.first_entry + cluster.entries
        if cluster.is_lost:
            with pytest.raises(kaon.errors.CorruptFileError, match="were lost"):
                core.read(wanted, first, end)
            continue
        read = category.read_cluster(cluster)
        _assert_same_data(category, read, core.read(wanted, first, end))


def _assert_same_data(category, read, expected):
    for number, data in enumerate(read):
        name = category.schema.tables[number].name
        _assert_equal(data.present, expected[number].present, name)
        offsets = None if data.counts is None else offsets_of(data.counts)
        _assert_equal(offsets, expected[number].offsets, name)
        for member, values in enumerate(data.members):
            _assert_equal(values, expected[number].members[member], name)


def offsets_of(counts):
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _assert_equal(found, expected, name):
    if expected is None or found is None:
        assert found is expected, name
        return
    assert found.shape == expected.shape, name
    assert found.tobytes() == expected.tobytes(), name


def _described(one):
    """Return a table's description in a form that both have."""
    members = [
        (m.name, m.type, m.extent, m.offset, m.unit, m.description, m.size) for m in one.members
    ]
    return one.name, one.type, one.description, one.parent, one.row_size, members


def assert_bounds_are_true(category):
    """Check that bounds are the least and greatest values of their pages. Return their number."""
    found = 0
    for cluster in [*category.clusters, *category.tags]:
        for column, info in enumerate(category.schema.columns):
            if not cluster.has_column(column):
                continue
            for page, entry in enumerate(cluster.column(column).pages):
                members = category.schema.members_in(column)
                values = cluster.values(column, page)
                for member, bounds in zip(members, entry.bounds, strict=True):
                    of_member = member_of(values, member) if info.role == "rows" else values
                    found += _is_bounded(bounds, of_member)
    return found


def _is_bounded(bounds, values):
    numbers = values[values == values]
    assert bool(bounds.flags & HAS_NAN) == (numbers.size < values.size)
    assert bool(bounds.flags & UNBOUNDED) == (numbers.size == 0)
    if numbers.size == 0:
        return False
    assert (bounds.least, bounds.greatest) == (numbers.min(), numbers.max())
    return True
