#pragma once

#include "support/MemorySink.h"
#include "support/RecordingSource.h"
#include "support/Tables.h"

#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchBuilder.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::test {

/// A writer to memory.
struct Writing {
  explicit Writing(SinkOptions options = {})
      : bytes(std::make_shared<Buffer>()), writer(std::make_unique<MemorySink>(bytes), options) {}
  std::shared_ptr<Buffer> bytes;
  kaonfile::FileWriter writer;
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return openBytes(bytes->bytes());
  }
};

/// A file whose requests are recorded.
struct Recorded {
  std::shared_ptr<RecordingSource::Logs> logs = std::make_shared<RecordingSource::Logs>();
  std::unique_ptr<File> file;
};
[[nodiscard]] inline Recorded openRecorded(std::span<const std::byte> bytes) {
  Recorded recorded;
  recorded.file = kaonfile::openFile(
      std::make_unique<RecordingSource>(io::memorySource("memory.kaon", bytes), recorded.logs));
  return recorded;
}

/// Returns bytes that do not change while a sink appends to the original.
[[nodiscard]] inline std::shared_ptr<const io::ByteSource>
sourceOfCopy(std::span<const std::byte> bytes) {
  const auto copy = std::make_shared<Buffer>();
  copy->append(bytes);
  const std::shared_ptr<const io::ByteSource> source =
      io::memorySource("memory.kaon", copy->bytes());
  return {source.get(), [copy, source](const io::ByteSource*) {}};
}

/// Appends one row to a table.
template <class T>
void addRow(detail::BatchBuilder& builder, std::uint32_t table, const T& value) {
  std::memcpy(builder.append(table, 1), &value, sizeof value);
}

/// Returns entries with one bare value each.
template <class T>
[[nodiscard]] detail::BatchBuilder entriesOf(const TableDefinition& table,
                                             const std::vector<T>& all) {
  detail::BatchBuilder builder;
  builder.add(table);
  for (const T value : all) {
    addRow(builder, 0, value);
    builder.endEntry();
  }
  return builder;
}

/// Returns all values of a member.
template <class T>
[[nodiscard]] std::vector<T> valuesOf(const Source& source, const std::string& member,
                                      EntryRange range = {}) {
  std::vector<T> all;
  for (const Batch& batch : Batches(source, {member}, range)) {
    const auto values = batch.values<T>(member);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

} // namespace kaon::test
