#include <kaon/base/Buffer.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/kaonfile/ClusterIdentity.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/MemorySink.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// kaon writes exactly the file that docs/format.md explains byte by byte.

namespace kaon::kaonfile {
namespace {

using Bytes = std::vector<std::byte>;

/// Writes three events with two, no and three hits, and a tag.
Buffer exampleFile() {
  struct Hit {
    std::int32_t cell;
    float time;
  };
  const std::vector<std::vector<Hit>> events{
      {{5, 0.5F}, {7, 1.5F}}, {}, {{6, 0.25F}, {5, 2.5F}, {8, 3.5F}}};
  detail::BatchBuilder builder;
  TableDefinition hits =
      test::collection("Hits", {{"cell", Scalar::Int32}, {"time", Scalar::Float32}});
  hits.type = "Hit";
  hits.members[1].unit = "ns";
  builder.add(hits);
  TableDefinition number = test::values("event", TableKind::value, Scalar::Int32);
  number.layout = Layout::member;
  number.use = TableUse::tag;
  builder.add(number);
  for (std::size_t event = 0; event < events.size(); ++event) {
    builder.setPresent(0);
    const auto rows = std::as_bytes(std::span(events[event]));
    if (!rows.empty())
      std::memcpy(builder.append(0, events[event].size()), rows.data(), rows.size());
    const auto value = static_cast<std::int32_t>(100 + event);
    std::memcpy(builder.append(1, 1), &value, sizeof value);
    builder.endEntry();
  }
  const auto bytes = std::make_shared<Buffer>();
  FileWriter writer(std::make_unique<test::MemorySink>(bytes),
                    {.codec = uncompressed(), .encodings = {{"Hits.cell", Encoding::packed}}});
  writer.write("events", builder.batch(0));
  writer.finish();
  return std::move(*bytes);
}

template <class T>
void put(Bytes& bytes, std::size_t position, const T& thing) {
  std::memcpy(bytes.data() + position, &thing, sizeof thing);
}

/// Returns the file with another id and the checksums that depend on it.
Bytes withId(const Buffer& file, std::uint64_t id) {
  Bytes bytes(file.bytes().begin(), file.bytes().end());
  auto header = detail::loadAs<FileHeader>(bytes.data());
  header.fileId = id;
  header.checksum = checksum(bytesBefore(header, offsetof(FileHeader, checksum)));
  put(bytes, 0, header);
  for (std::size_t position = aligned(sizeof header); position < bytes.size();) {
    auto record = detail::loadAs<RecordHeader>(bytes.data() + position);
    if (record.kind == RecordKind::cluster) {
      const std::span meta(bytes.data() + position + sizeof record, record.metaSize);
      for (const std::uint64_t each : {record.fileId, id}) // unseal, seal
        sealBlocks(meta,
                   ClusterIdentity{{each, header.flags},
                                   record.kind,
                                   record.category,
                                   {.firstEntry = record.firstEntry, .entries = record.entries}}
                       .seal());
      record.metaChecksum = checksum(meta);
    }
    record.fileId = id;
    if (record.kind == RecordKind::end) {
      put(bytes, position + sizeof record, header);
      record.metaChecksum = checksum(std::as_bytes(std::span(&header, 1)));
    }
    record.checksum = checksum(bytesBefore(record, offsetof(RecordHeader, checksum)));
    put(bytes, position, record);
    position = behind(position, record);
  }
  return bytes;
}

/// Appends the bytes of a line of the page's example, without its position. "4B41 00" are three
/// bytes, "00 x 32" 32 zeros, and "= 128 + 40" the 40 bytes at 128. Two spaces end the bytes.
void appendLine(std::string_view line, Bytes& bytes) {
  std::istringstream words{std::string(line.substr(0, line.find("  ")))};
  std::string word;
  while (words >> word) {
    std::size_t from = 0, count = 0;
    char sign = 0;
    if (word == "=" && words >> from >> sign >> count) {
      for (std::size_t i = 0; i < count; ++i)
        bytes.push_back(bytes.at(from + i));
    } else if (word == "x" && words >> count) {
      bytes.resize(bytes.size() + count - 1, bytes.back());
    } else {
      for (std::size_t i = 0; i < word.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(word.substr(i, 2), nullptr, 16)));
    }
  }
}

/// Returns the bytes of the page's example.
Bytes workedBytes() {
  std::ifstream page(KAON_FORMAT_PAGE);
  Bytes bytes;
  bool isExample = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      isExample = line == "```hex";
      continue;
    }
    std::size_t position = 0;
    const auto first = line.find_first_not_of(' ');
    if (!isExample || first == std::string::npos)
      continue;
    const char* const end = line.data() + line.size();
    const auto [behind, error] = std::from_chars(line.data() + first, end, position);
    if (error != std::errc())
      continue; // a heading
    EXPECT_EQ(position, bytes.size()) << "the page is wrong about where this stands: " << line;
    appendLine(line.substr(static_cast<std::size_t>(behind - line.data()) + 2), bytes);
  }
  return bytes;
}

/// Returns lines of 16 bytes, so that failures show the position.
std::vector<std::string> dump(std::span<const std::byte> bytes) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 16 == 0)
      lines.push_back(std::to_string(i) + ":");
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto value = std::to_integer<std::size_t>(bytes[i]);
    lines.back() += {' ', digits[value / 16], digits[value % 16]};
  }
  return lines;
}

TEST(WorkedBytes, equalTheBytesOfTheWriter) {
  const Bytes page = workedBytes();
  ASSERT_GE(page.size(), sizeof(FileHeader)) << "docs/format.md has no example";
  const auto id = detail::loadAs<FileHeader>(page.data()).fileId;
  EXPECT_EQ(dump(page), dump(withId(exampleFile(), id)));
}

TEST(WorkedBytes, areReadAsThePageSays) {
  const Bytes page = workedBytes();
  const auto file = test::openBytes(page);
  EXPECT_EQ(file->id(), detail::loadAs<FileHeader>(page.data()).fileId);
  const Source& events = file->category("events");
  ASSERT_EQ(events.entries(), 3U);
  for (const Batch& batch : Batches(events, {"Hits.cell", "Hits.time", "event"})) {
    const auto cells = batch.values<std::int32_t>("Hits.cell");
    const auto offsets = batch.offsets("Hits");
    EXPECT_EQ(std::vector(cells.begin(), cells.end()), (std::vector{5, 7, 6, 5, 8}));
    EXPECT_EQ(std::vector(offsets.begin(), offsets.end()),
              (std::vector<std::uint32_t>{0, 2, 2, 5}));
  }
}

} // namespace
} // namespace kaon::kaonfile
