"""Reads bytes from front to back."""

import numpy as np
import xxhash


class DamagedError(Exception):
    """A file that breaks a rule of docs/format.md."""


def check(condition, what):
    if not condition:
        raise DamagedError(what)


def checksum(data):
    """Return XXH3-64 with seed 0, as a number."""
    return xxhash.xxh3_64_intdigest(bytes(data))


def decoded(text):
    """Return a text from UTF-8."""
    try:
        return bytes(text).decode()
    except UnicodeDecodeError as error:
        raise DamagedError(f"a text is not UTF-8: {error}") from None


class Cursor:
    def __init__(self, data):
        self.data = memoryview(data)
        self.at = 0

    def take(self, count):
        check(count <= len(self.data) - self.at, f"{count} bytes wanted, fewer left")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size):
        """Read an unsigned number of `size` bytes."""
        return int.from_bytes(self.take(size), "little")

    def varint(self):
        """Read an unsigned number in groups of 7 bits."""
        value = 0
        for group in range(10):
            byte = self.number(1)
            value |= (byte & 0x7F) << 7 * group
            if byte < 0x80:
                check(value < 1 << 64, "a number has more than 64 bits")
                return value
        raise DamagedError("a number has more than 64 bits")

    def array(self, dtype, count):
        return np.frombuffer(self.take(np.dtype(dtype).itemsize * count), dtype, count)

    def one(self, dtype):
        return self.array(dtype, 1)[0]

    def rest(self):
        return self.take(len(self.data) - self.at)

    def end(self):
        check(self.at == len(self.data), "more bytes than needed")
