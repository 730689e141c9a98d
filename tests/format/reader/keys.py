"""Finds entries by their keys."""

import numpy as np

from .cursor import check


def _may_hold(column, page, wanted):
    """Return whether the bounds of a page include a value."""
    (bounds,) = column.pages[page].bounds
    return not bounds.flags & 2 and bounds.least <= wanted <= bounds.greatest


def find(file, name, **keys):
    """Return the entries of a category with these keys, ascending, and the number of pages read."""
    category = file.sorted_keys(name)
    tables = [table.name for table in category.schema.tables]
    places = {tables.index(key): wanted for key, wanted in keys.items()}
    entries, pages = [], 0
    for number, cluster in enumerate(category.clusters):
        bounds = category.key_bounds[number]  # all tables are keys
        if any(not bounds[key][0] <= wanted <= bounds[key][1] for key, wanted in places.items()):
            continue
        data = category.read_cluster(cluster)
        columns = [cluster.column(column) for column in range(len(tables))]
        ends = np.cumsum([0, *(page.values for page in columns[0].pages)])
        for page, (first, last) in enumerate(zip(ends[:-1], ends[1:], strict=True)):
            if any(not _may_hold(columns[key], page, wanted) for key, wanted in places.items()):
                continue
            pages += 1
            chosen = np.ones(last - first, bool)
            for key, wanted in places.items():
                chosen &= data[key].members[0][first:last] == wanted
            entries += data[tables.index("#entry")].members[0][first:last][chosen].tolist()
    entries.sort()
    check(not entries or entries[-1] < file.categories[name].entries, "keys lead to no entry")
    return entries, pages
