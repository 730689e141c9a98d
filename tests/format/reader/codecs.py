"""Codecs: decompress stored bytes to `size` bytes."""

import lzma
import zlib

import lz4.block
import zstandard

from .cursor import DamagedError, check

ERRORS = (lz4.block.LZ4BlockError, zstandard.ZstdError, zlib.error, lzma.LZMAError)


def decompress(codec, stored, size):
    check(codec in _DECODERS, f"codec {codec} is not known")
    try:
        decoded = _DECODERS[codec](bytes(stored), size)
    except ERRORS as error:
        raise DamagedError(f"codec {codec}: {error}") from None
    check(len(decoded) == size, f"codec {codec} made {len(decoded)} bytes of {size}")
    return decoded


def _lz4(stored, size):
    return lz4.block.decompress(stored, uncompressed_size=size)


def _zstd(stored, size):
    reader = zstandard.ZstdDecompressor().stream_reader(stored, read_across_frames=True)
    return reader.read(size + 1)


def _zlib(stored, size):
    return _whole(zlib.decompressobj(), stored, size + 1)


def _lzma2(stored, size):
    window = min(max(1 << (size - 1).bit_length(), 1 << 12), 1 << 30)
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": window}]
    return _whole(lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters), stored, size + 1)


def _whole(decoder, stored, most):
    """Return the decoded bytes of a stream, which must be complete and without bytes after it."""
    decoded = decoder.decompress(stored, most)
    check(decoder.eof and not decoder.unused_data, "bytes before or behind the end of a stream")
    return decoded


_DECODERS = {1: _lz4, 2: _zstd, 3: _zlib, 4: _lzma2}
