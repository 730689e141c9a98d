#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/base/Bytes.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/Everything.h"
#include "support/Records.h"
#include "support/Sanitizers.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

// Changes every byte and bit of a file. The unchanged part is read correctly, or there is an Error.

namespace kaon::kaonfile {
namespace {

using test::Everything;
using test::everythingIn;

using Options = std::tuple<Codec, Layout>;

/// Returns a small file with tables of each kind, some of whose pages are compressed.
std::vector<std::byte> smallFile(const Options& options) {
  const auto& [codec, layout] = options;
  const auto bytes = std::make_shared<Buffer>();
  FileWriter writer(std::make_unique<test::MemorySink>(bytes), {{codec, 1}, 4096});
  writer.addDocument("model:m", "{}");
  detail::BatchBuilder builder;
  builder.add(test::collection("H", {{"x", Scalar::Int32}, {"b", Scalar::Bool}}, layout));
  builder.add(test::relation("H.r", TableKind::manyRelation, 0));
  TableDefinition number = test::values("number", TableKind::value, Scalar::Int32);
  number.use = TableUse::tag | TableUse::key;
  builder.add(number);
  for (int cluster = 0; cluster < 2; ++cluster) {
    if (cluster == 1) {
      builder.add(test::table("s", TableKind::parameter, "string", {}));
      builder.add(test::values("s.text", TableKind::text, Scalar::UInt8, 3));
      writer.addDocument("notes", "none");
      builder.setPresent(3);
      builder.append(3, 1);
      std::string text;
      for (int i = 0; i < 8; ++i)
        text += "words that repeat, as words do, ";
      std::memcpy(builder.append(4, text.size()), text.data(), text.size());
      builder.endRow(4);
    }
    builder.setPresent(0);
    const std::size_t rows = cluster == 0 ? 40 : 2;
    for (std::size_t i = 0; i < rows; ++i) {
      std::byte* const row = builder.append(0, 1);
      const auto x = static_cast<std::int32_t>(i / 10);
      std::memcpy(row, &x, sizeof x);
      row[4] = static_cast<std::byte>(i % 2);
      const std::int32_t index = 1;
      const std::uint32_t collection = 0;
      std::byte* const reference = builder.append(1, i % 3 == 0);
      if (i % 3 == 0) {
        std::memcpy(reference, &index, sizeof index);
        std::memcpy(reference + 4, &collection, sizeof collection);
      }
      builder.endRow(1);
    }
    std::memcpy(builder.append(2, 1), &cluster, sizeof cluster);
    builder.endEntry();
    writer.write("events", builder.batch(static_cast<std::uint64_t>(cluster)));
    builder.clear();
  }
  writer.finish();
  return {bytes->data(), bytes->data() + bytes->size()};
}

std::string testName(const testing::TestParamInfo<Options>& info) {
  const auto& [codec, layout] = info.param;
  return std::string(codecName(codec)) + "_" + std::string(layoutName(layout));
}

class Damaged : public testing::TestWithParam<Options> {
protected:
  const std::vector<std::byte> m_file = smallFile(GetParam());
  test::Warnings m_warnings;
};
/// Returns all codecs with all layouts. Under ASan, which takes minutes, each codec and each layout
/// is tested once.
std::vector<Options> testedOptions() {
  std::vector<Options> options;
  for (const Codec codec : {Codec::none, Codec::lz4, Codec::zstd, Codec::zlib, Codec::lzma})
    for (const Layout layout : {Layout::split, Layout::row, Layout::member})
      if (!test::isSanitized || codec == Codec::none || layout == Layout::split)
        options.emplace_back(codec, layout);
  return options;
}
INSTANTIATE_TEST_SUITE_P(File, Damaged, testing::ValuesIn(testedOptions()), testName);

TEST_P(Damaged, isWholeToBeginWith) {
  const auto file = test::openBytes(m_file);
  EXPECT_EQ(everythingIn(*file).categories.at("events").entries, 2U);
  const Source& source = file->category("events");
  std::vector<StoredForm> forms;
  for (std::uint32_t column = 0; column < source.schema().columns().size(); ++column)
    for (const StoredForm& form : source.usage(column).value_or(ColumnUsage{}).forms)
      forms.push_back(form);
  const Codec codec = std::get<0>(GetParam());
  const auto has = [&](auto member, auto value) {
    return std::ranges::find(forms, value, member) != forms.end();
  };
  EXPECT_TRUE(codec == Codec::none ? has(&StoredForm::encoding, Encoding::raw)
                                   : has(&StoredForm::codec, codec));
  EXPECT_TRUE(has(&StoredForm::encoding, Encoding::constant));
}

/// The complete contents of a file that ends after a number of bytes.
struct Whole {
  std::uint64_t entries = 0;
  std::uint32_t tables = 0;
  std::size_t documents = 0;
};
Whole wholeIn(std::span<const std::byte> file, std::size_t size) {
  Whole whole;
  for (const test::Record& record : test::recordsOf(file)) {
    if (record.end > size)
      break;
    if (record.header.category > 0) // sorted keys
      continue;
    const auto meta = file.subspan(record.begin + sizeof(RecordHeader), record.header.metaSize);
    Buffer scratch;
    if (record.kind() == RecordKind::cluster)
      whole.entries += record.header.entries;
    else if (record.kind() == RecordKind::schema)
      whole.tables += detail::loadAs<SchemaHead>(bodyOf(meta, scratch, "file").data()).tables;
    else if (record.kind() == RecordKind::document)
      ++whole.documents;
  }
  return whole;
}

TEST_P(Damaged, givesCompleteClustersWhereverItIsCut) {
  const auto original = test::openBytes(m_file);
  for (std::size_t size = sizeof(FileHeader); size < m_file.size(); ++size) {
    SCOPED_TRACE("cut at byte " + std::to_string(size));
    // In separate memory, so that ASan sees reads past the end.
    const std::vector<std::byte> cut(m_file.begin(),
                                     m_file.begin() + static_cast<std::ptrdiff_t>(size));
    const auto file = test::openBytes(cut);
    EXPECT_FALSE(file->isComplete());
    const auto warnings = m_warnings.take();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].find("memory.kaon: does not end as a kaon file does"), 0U) << warnings[0];
    const Whole whole = wholeIn(m_file, size);
    ASSERT_EQ(file->categories().size(), whole.tables > 0 ? 1U : 0U);
    if (whole.tables > 0) {
      EXPECT_EQ(file->category("events").entries(), whole.entries);
      EXPECT_EQ(file->category("events").schema().size(), whole.tables);
    }
    EXPECT_EQ(file->documents().size(), whole.documents);
    test::expectBeginningOf(*original, *file);
  }
}

TEST_P(Damaged, isRefusedIfItIsCutWithinItsFirstBytes) {
  for (std::size_t size = 0; size < sizeof(FileHeader); ++size) {
    const std::vector<std::byte> cut(m_file.begin(),
                                     m_file.begin() + static_cast<std::ptrdiff_t>(size));
    test::expectError(size == 0 ? ErrorKind::version : ErrorKind::corrupt,
                      "memory.kaon: ", [&] { (void)test::openBytes(cut); });
  }
  EXPECT_TRUE(m_warnings.take().empty());
}

TEST_P(Damaged, isReadWithAnythingBehindIt) {
  const Everything original = everythingIn(m_file);
  for (const std::size_t more : {1, 8, 32, 63, 64, 65, 1000, 100'000})
    for (const std::byte filling : {std::byte{0}, std::byte{0xff}}) {
      std::vector<std::byte> longer = m_file;
      longer.resize(longer.size() + more, filling);
      const auto file = test::openBytes(longer);
      EXPECT_FALSE(file->isComplete());
      EXPECT_EQ(m_warnings.take().size(), 1U);
      EXPECT_EQ(everythingIn(*file), original) << more;
    }
}

TEST_P(Damaged, isReadWithPiecesOfAnotherFileBehindIt) {
  const Everything original = everythingIn(m_file);
  const auto other = smallFile(GetParam());
  for (std::size_t begin = 0; begin + sizeof(EndRecord) < other.size(); begin += alignment) {
    std::vector<std::byte> longer = m_file;
    longer.insert(longer.end(), other.begin() + static_cast<std::ptrdiff_t>(begin),
                  other.end() - sizeof(EndRecord));
    const auto file = test::openBytes(longer);
    EXPECT_FALSE(file->isComplete());
    EXPECT_EQ(m_warnings.take().size(), 1U);
    EXPECT_EQ(everythingIn(*file), original) << begin;
  }
}

// ASan takes minutes, so it tests one bit of each byte: each of the eight bits in turn.
TEST_P(Damaged, neverGivesWrongDataWhicheverBitFlips) {
  const Everything original = everythingIn(m_file);
  std::vector<std::byte> flipped = m_file;
  std::size_t refused = 0, recovered = 0;
  for (std::size_t byte = 0; byte < m_file.size(); ++byte)
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (test::isSanitized && bit != (byte + byte / 8) % 8)
        continue;
      flipped[byte] ^= std::byte{1} << bit;
      try {
        const auto file = test::openBytes(flipped);
        const std::size_t warnings = m_warnings.take().size();
        EXPECT_EQ(warnings, file->isComplete() ? 0U : 1U);
        recovered += warnings;
        if (everythingIn(*file) != original)
          ADD_FAILURE() << "wrong data with bit " << bit << " of byte " << byte << " flipped";
      } catch (const Error& error) {
        ++refused;
        if (error.kind() != ErrorKind::corrupt && error.kind() != ErrorKind::version)
          ADD_FAILURE() << "bit " << bit << " of byte " << byte << ": " << error.what();
      }
      flipped[byte] = m_file[byte];
    }
  // Some changes have no effect: those between records, in copies in the index, and in the sorted
  // keys, which reading all entries does not use.
  constexpr std::size_t flipsOfByte = test::isSanitized ? 1 : 8;
  std::uint64_t needed = m_file.size();
  for (const test::Record& record : test::recordsOf(m_file))
    if (record.header.category == 1) // the sorted keys
      needed -= record.end - record.begin;
  EXPECT_GT(refused, needed * flipsOfByte / 6);
  // If the index or the records that locate it are damaged, all records are read one after another.
  // The header, except for its magic bytes, has a copy.
  constexpr std::size_t headerBytes = sizeof(FileHeader) - sizeof(fileMagic);
  const auto end = detail::loadAs<EndRecord>(m_file.data() + m_file.size() - sizeof(EndRecord));
  EXPECT_EQ(recovered, (2 * sizeof(RecordHeader) + end.indexSize + headerBytes) * flipsOfByte);
}

TEST_P(Damaged, neverGivesWrongDataWhicheverPieceIsZero) {
  const auto original = test::openBytes(m_file);
  constexpr std::size_t step = test::isSanitized ? 160 : 32; // ASan takes minutes for all positions
  for (std::size_t begin = 0; begin < m_file.size(); begin += step)
    for (const std::size_t size : {32U, 64U, 512U}) {
      std::vector<std::byte> holed = m_file;
      const std::size_t end = std::min(begin + size, holed.size());
      std::fill(holed.begin() + static_cast<std::ptrdiff_t>(begin),
                holed.begin() + static_cast<std::ptrdiff_t>(end), std::byte{0});
      try {
        const auto file = test::openBytes(holed);
        test::expectBeginningOf(*original, *file);
        if (file->isComplete()) {
          EXPECT_EQ(everythingIn(*file), everythingIn(*original));
        }
      } catch (const Error&) {
      }
    }
}

// The bytes at each position are a valid record, but of another file.
TEST_P(Damaged, isNotPatchedWithRecordsOfAnotherFile) {
  const auto original = test::openBytes(m_file);
  const auto other = smallFile(GetParam());
  ASSERT_EQ(other.size(), m_file.size());
  for (std::size_t begin = alignment; begin < m_file.size() - sizeof(FileHeader);
       begin += alignment) {
    std::vector<std::byte> mixed = m_file;
    std::copy(other.begin() + static_cast<std::ptrdiff_t>(begin), other.end(),
              mixed.begin() + static_cast<std::ptrdiff_t>(begin));
    const auto file = test::openBytes(mixed);
    EXPECT_FALSE(file->isComplete());
    test::expectBeginningOf(*original, *file);
    EXPECT_GE(file->categories().empty() ? 0 : file->category("events").entries(),
              wholeIn(m_file, begin).entries);
  }
}

// The clusters before the damaged one are readable, although the next cluster is prefetched.
TEST(DamagedCluster, isAnErrorWhenItIsRead) {
  test::Writing writing;
  const TableDefinition run = test::values("run", TableKind::value, Scalar::Int32);
  for (std::int32_t first : {0, 3, 6})
    writing.writer.write(
        "events", test::entriesOf<std::int32_t>(run, {first, first + 1, first + 2}).batch(0));
  writing.writer.finish();
  const test::Record second = test::recordsOf(writing.bytes->bytes(), RecordKind::cluster).at(1);
  writing.bytes->data()[second.begin + sizeof(RecordHeader) + blockPlace(2)] ^= std::byte{1};
  const auto file = test::openBytes(writing.bytes->bytes());
  Batches batches(file->category("events"), {"run"});
  ASSERT_TRUE(batches.next());
  EXPECT_EQ(batches.batch().values<std::int32_t>("run")[2], 2);
  test::expectError(ErrorKind::corrupt, "does not match its checksum",
                    [&] { (void)batches.next(); });
}

} // namespace
} // namespace kaon::kaonfile
