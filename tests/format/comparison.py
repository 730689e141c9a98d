"""What kaon, and what the reader, find in a file."""

import warnings

import numpy as np
from reader import File

import kaon
from kaon import _core


def assert_read_alike(path):
    """Both find the same in a file, bit for bit. Returns what the reader made of it."""
    file = File(path.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.IncompleteFileWarning)
        core = _core.File(path)
    assert core.id == file.id
    assert core.is_complete == file.is_complete
    assert {name: core.document(name).encode() for name in core.documents} == file.documents
    assert core.categories == list(file.categories)
    for name, category in file.categories.items():
        assert_same(core.category(name), category)
    return file


def assert_same(core, category):
    """Check that a category is the same to both."""
    assert core.entries == category.entries
    tables = [core.table(number) for number in range(core.num_tables)]
    assert [_described(one) for one in tables] == [
        _described(one) for one in category.schema.tables
    ]
    wanted = {number: list(range(len(one.members))) for number, one in enumerate(tables)}
    expected = core.read(wanted, 0, core.entries)
    for number, data in enumerate(category.read()):
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
    """A table as both describe it."""
    members = [
        (m.name, m.type, m.extent, m.offset, m.unit, m.description, m.size) for m in one.members
    ]
    return one.name, one.type, one.description, one.parent, one.row_size, members


def assert_bounds_are_true(category):
    """Check that bounds are the least and the greatest of a page's values. Returns how many are."""
    found = 0
    for cluster in [*category.clusters, *category.tags]:
        for column, info in enumerate(category.schema.columns):
            if not cluster.has_column(column):
                continue
            bounds = cluster.bounds(column)
            assert (bounds is None) == (info.role != "member")
            for page, (least, greatest, flags) in enumerate(bounds or []):
                values = cluster.values(column, page)
                numbers = values[values == values]
                assert bool(flags & 1) == (len(numbers) < len(values))
                assert bool(flags & 2) == (len(numbers) == 0)
                if len(numbers):
                    assert (least, greatest) == (numbers.min(), numbers.max())
                    found += 1
    return found
