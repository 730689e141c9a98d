#pragma once

#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::kaonfile {

/// The contents of a file by all sound records, wherever they are.
struct SalvagedContents {
  FileContents contents;            ///< lost entries are clusters at position 0
  std::vector<std::string> rebuilt; ///< parts that were taken from their copies
  std::uint64_t lostBytes = 0;      ///< bytes that belong to no sound record
};

/// Reads the contents of a file that may be damaged anywhere. Needs neither its header nor its
/// index, but reads no pages. Throws Error(corrupt) if no record is sound, and Error(version) if a
/// newer kaon is needed.
[[nodiscard]] SalvagedContents salvage(const io::ByteSource& bytes);

/// Returns whether a file has a sound record. Reads files that have none completely.
[[nodiscard]] bool hasRecords(const io::ByteSource& bytes);

} // namespace kaon::kaonfile
