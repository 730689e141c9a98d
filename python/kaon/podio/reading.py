"""Readers for files of any format."""

from kaon.podio.readers import Paths, Reader


def get_reader(filenames: Paths) -> Reader:
    """Return a reader of one or several files."""
    return Reader(filenames)
