"""Conversion of arrays of strings to the arrays of their characters' tables."""

from __future__ import annotations

import numpy as np
from awkward.contents import Content

from kaon import _core
from kaon.columns.awkward_layouts import is_string, lists, present_and_content, required
from kaon.errors import WrongTypeError

# In all functions `where` names the values in messages, such as "Runs.detectors".


def text_arrays(strings: Content, where: str) -> _core.TableArrays:
    """Return the characters of strings; none may be missing."""
    if strings.is_unknown:
        ends = np.zeros(strings.length + 1, np.int64)
        return _core.TableArrays(ends, None, {0: np.empty(0, np.uint8)})
    strings = required(strings, where)
    if not is_string(strings):
        raise WrongTypeError(f"'{where}' needs strings, not {strings.form.type}")
    ends, content = lists(strings, where)
    return _core.TableArrays(ends, None, {0: np.ascontiguousarray(content.data, np.uint8)})


def string_arrays(layout: Content | None, rows: int, where: str) -> _core.TableArrays:
    """Return the characters of one string for each row; missing strings are empty."""
    if layout is None:
        return _core.TableArrays(np.zeros(rows + 1, np.int64), None, {0: np.empty(0, np.uint8)})
    present, content = present_and_content(layout)
    text = text_arrays(content, where)
    if present is None:
        return text
    counts = np.zeros(rows, np.int64)
    counts[present] = np.diff(text.offsets)
    return _core.TableArrays(np.concatenate([[0], np.cumsum(counts)]), None, text.members)
