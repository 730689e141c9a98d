"""Encodings: decode stored bytes to values.

Values are arrays of a NumPy type; rows have the type `V<size>`. Encodings of numbers treat values
of 1, 2, 4 or 8 bytes as unsigned numbers.
"""

import numpy as np

from .codecs import decompress
from .cursor import Cursor, check

NONE, DELTA, ROTATED, ZIGZAG, XOR = range(5)
"""Transforms."""


def decode(encoding, dtype, count, stored):
    """Return `count` values of a type."""
    dtype = np.dtype(dtype)
    check(encoding in _ENCODINGS, f"encoding {encoding} is not known")
    check(count > 0 or encoding == 0, "only raw pages have no values")
    decoder, is_of_numbers = _ENCODINGS[encoding]
    cursor = Cursor(stored)
    if is_of_numbers:
        check(dtype.itemsize in (1, 2, 4, 8), f"encoding {encoding} is of numbers")
        values = decoder(cursor, np.dtype(f"<u{dtype.itemsize}"), count).view(dtype)
    else:
        values = decoder(cursor, dtype, count)
    cursor.end()
    return values


def _raw(cursor, dtype, count):
    return cursor.array(dtype, count)


def _constant(cursor, dtype, count):
    return np.repeat(cursor.array(dtype, 1), count)


def _compressed(cursor, dtype, count):
    codec = cursor.number(1)
    return np.frombuffer(decompress(codec, cursor.rest(), dtype.itemsize * count), dtype)


def _piece(cursor, size):
    """Return a piece of `size` bytes."""
    how, stored = cursor.number(1), cursor.take(cursor.number(4))
    if how == 0:
        check(len(stored) == size, "a piece has another size")
        return np.frombuffer(stored, "u1")
    if how == 255:
        check(len(stored) == 1, "one byte stands for all")
        return np.full(size, stored[0], "u1")
    return np.frombuffer(decompress(how, stored, size), "u1")


def _inner(cursor, dtype, count):
    encoding, stored = cursor.number(1), cursor.take(cursor.number(4))
    check(encoding in (0, 2, 3, 4), f"encoding {encoding} cannot be within another")
    return decode(encoding, dtype, count, stored)


def _bits(data):
    return np.unpackbits(np.frombuffer(data, "u1"), bitorder="little")


def _numbers(bits, dtype):
    """Return numbers from the bits in each row of an array."""
    padded = np.zeros((len(bits), 8 * dtype.itemsize), "u1")
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(dtype).reshape(-1)


def _block(cursor, dtype, count, width):
    """Return a block of packed values."""
    size = 8 * dtype.itemsize
    check(width <= size, "values are packed to more bits than they have")
    lanes = 1024 // size
    rows = count // lanes if count >= 256 else 0
    words = -(-rows * width // size)
    # Dimensions: word, lane and bit; then lane, row and bit.
    table = _bits(cursor.take(words * 128)).reshape(words, lanes, size).swapaxes(0, 1)
    table = table.reshape(lanes, words * size)[:, : rows * width].reshape(lanes, rows, width)
    left = count - rows * lanes
    string = _bits(cursor.take(-(-left * width // 8)))[: left * width].reshape(left, width)
    bits = np.concatenate([table.swapaxes(0, 1).reshape(rows * lanes, width), string])
    return _numbers(bits, dtype)


def _block_sizes(count):
    return [min(1024, count - first) for first in range(0, count, 1024)]


def _rotated_right(values):
    return values >> 1 | values << (8 * values.itemsize - 1)


def _packed(cursor, dtype, count):
    transform, shift = cursor.number(1), cursor.number(1)
    check(transform in (NONE, DELTA, ROTATED), f"transform {transform} is not known")
    check(shift < 8 * dtype.itemsize, "values are shifted away")
    sizes = _block_sizes(count)
    widths = cursor.array("u1", len(sizes))
    bases = cursor.array(dtype, len(sizes))
    firsts = cursor.array(dtype, len(sizes)) if transform == DELTA else bases
    blocks = []
    for size, width, base, first in zip(sizes, widths, bases, firsts, strict=True):
        block = _block(cursor, dtype, size, int(width))
        if transform == DELTA:
            block = block + base
            block[0] = first
            block = np.cumsum(block, dtype=dtype)
        else:
            block = (block << shift) + base
        blocks.append(_rotated_right(block) if transform == ROTATED else block)
    return np.concatenate(blocks)


def _parts(cursor, dtype, count):
    transform, shift, low_bits, planes = cursor.array("u1", 4).tolist()
    base = cursor.array(dtype, 1)
    check(transform in (NONE, ROTATED), f"parts are not of transform {transform}")
    check(shift < 8 * dtype.itemsize and 1 <= planes <= 8, "parts have no planes, or too many")
    check(low_bits + 8 * (planes - 1) < 8 * dtype.itemsize, "parts have more bits than a value")
    high = [_piece(cursor, count).astype(dtype) for _ in range(planes)]
    sizes = _block_sizes(count)
    values = np.concatenate([_block(cursor, dtype, size, low_bits) for size in sizes])
    for number, plane in enumerate(high):
        values = values + (plane << (low_bits + 8 * number))
    values = (values << shift) + base
    return _rotated_right(values) if transform == ROTATED else values


def _of_planes(transform, dtype, values):
    """Return values from transformed values, whose planes were stored."""
    if transform == NONE:
        return values
    check(transform in (ZIGZAG, XOR), f"planes are not of transform {transform}")
    check(dtype.itemsize in (1, 2, 4, 8), "only numbers are transformed")
    values = values.view(f"<u{dtype.itemsize}")
    if transform == ZIGZAG:
        differences = values >> 1 ^ (0 - (values & 1))
        return np.cumsum(differences, dtype=values.dtype).view(dtype)
    return np.bitwise_xor.accumulate(values).view(dtype)


def _byte_planes(cursor, dtype, count):
    size = dtype.itemsize
    transform = cursor.number(1)
    joined = cursor.number(1)
    check(joined in (0, 1) and size > 1, "byte planes are joined or not")
    if joined:
        planes = _piece(cursor, size * count)
    else:
        planes = np.concatenate([_piece(cursor, count) for _ in range(size)])
    values = planes.reshape(size, count).T.copy().view(dtype).reshape(-1)
    return _of_planes(transform, dtype, values)


def _bit_planes(cursor, dtype, count):
    bits, size = 8 * dtype.itemsize, -(-count // 8)
    transform = cursor.number(1)
    planes = _piece(cursor, bits * size).reshape(bits, size)
    runs = []
    for first in range(0, size, 128):
        run = planes[:, first : first + 128]
        lanes = run.shape[1]
        in_run = min(1024, count - 8 * first)
        by_byte = np.unpackbits(run.reshape(bits, lanes, 1), axis=2, bitorder="little")
        runs.append(by_byte.swapaxes(1, 2).reshape(bits, -1)[:, :in_run])
    return _of_planes(transform, dtype, _numbers(np.concatenate(runs, axis=1).T, dtype))


def _dictionary(cursor, dtype, count):
    numbers = cursor.array(dtype, cursor.number(1) + 1)
    which = _inner(cursor, np.dtype("u1"), count)
    check(which.max() < len(numbers), "a value is not in the dictionary")
    return numbers[which]


def _runs(cursor, dtype, count):
    runs = cursor.number(4)
    check(1 <= runs <= count, "there are no runs, or more than values")
    lengths = _inner(cursor, np.dtype("<u4"), runs).astype(np.uint64) + 1
    check(lengths.sum() == count, "the runs have another length than there are values")
    return np.repeat(_inner(cursor, dtype, runs), lengths.astype(np.int64))


def _selected(cursor, count, many):
    """Return which of `count` values a bitmap selects."""
    bits = _bits(_piece(cursor, -(-count // 8))).astype(bool)
    check(not bits[count:].any(), "a bitmap has bits behind its last one")
    check(bits.sum() == many, "not as many bits are set as told")
    return bits[:count]


def _frequent(cursor, dtype, count):
    frequent, others = cursor.array(dtype, 1), cursor.number(4)
    check(others > 0, "there are no others")
    is_other = _selected(cursor, count, others)
    values = np.repeat(frequent, count)
    values[is_other] = _inner(cursor, dtype, others)
    return values


def _quantised(cursor, dtype, count):
    check(dtype in (np.float32, np.float64), "only floats are quantised")
    low, step = cursor.array("<f8", 2)
    size = cursor.number(1)
    check(size in (1, 2, 4), f"numbers of {size} bytes")
    exceptions = cursor.number(4)
    if exceptions:
        is_exception = _selected(cursor, count, exceptions)
        others = _inner(cursor, np.dtype(f"<u{dtype.itemsize}"), exceptions).view(dtype)
    values = (low + step * _inner(cursor, np.dtype(f"<u{size}"), count)).astype(dtype)
    if exceptions:
        values[is_exception] = others
    return values


# The decoder of each encoding, and whether it decodes only numbers.
_ENCODINGS = {
    0: (_raw, False),
    1: (_constant, False),
    2: (_packed, True),
    3: (_compressed, False),
    4: (_parts, True),
    5: (_byte_planes, False),
    6: (_bit_planes, True),
    7: (_dictionary, True),
    8: (_runs, True),
    9: (_frequent, True),
    10: (_quantised, False),
}
