"""ROOT files. Readers of all names read files of any format."""

from kaon.podio.readers import Reader, Writer

RNTupleReader = LegacyReader = Reader
RNTupleWriter = Writer

__all__ = ["LegacyReader", "RNTupleReader", "RNTupleWriter", "Reader", "Writer"]
