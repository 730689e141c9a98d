#include <kaon/formats/hdf5/Hdf5Format.h>

#include "support/DamagedFiles.h"
#include "support/DataFiles.h"
#include "support/Files.h"
#include "support/RandomEvents.h"
#include "support/Sanitizers.h"

#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

// kaon's HDF5 files, changed at random many times, are read or refused with one clear error. HDF5's
// metadata and the pages that kaon decodes have checksums. Undetected changes are in kaon's
// description of tables, and in chunks that were not deflated.

namespace kaon::hdf5 {
namespace {

constexpr std::size_t times = test::isSanitized ? 100 : 400;

std::string someFile(Compression codec) {
  Buffer bytes;
  test::RandomEvents events(7, 20);
  const auto sink =
      createHdf5File(io::memorySink("f.h5", bytes), {.codec = codec, .pageBytes = 64});
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(Layout::split))
    builder.add(table);
  for (std::size_t i = 0; i < 12; ++i)
    events.addEntry(builder);
  sink->write("events", builder.batch(0));
  sink->addDocument("a text", "of something");
  sink->finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool survives(std::string_view bytes) {
  return test::survives("f.h5", [&] {
    return openHdf5File(io::memorySource("f.h5", std::as_bytes(std::span(bytes))), {});
  });
}

class DamagedHdf5 : public testing::TestWithParam<Compression> {};
INSTANTIATE_TEST_SUITE_P(Codecs, DamagedHdf5, testing::Values(uncompressed(), zlib(1)));

TEST_P(DamagedHdf5, isReadOrRefusedWhereBytesAreOthers) {
  const std::string whole = someFile(GetParam());
  ASSERT_TRUE(survives(whole));
  test::Random random(1);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < times; ++i)
    refused += survives(test::withOtherBytes(whole, random)) ? 0 : 1;
  EXPECT_GT(refused, times / 20);
}

/// Strings and lists that h5py wrote. kaon locates them itself, without checksums. Their
/// description is not changed.
TEST(DamagedHdf5Rows, areOthersOrRefused) {
  const std::string whole = test::readFile(test::dataFile("hdf5/variable.h5"));
  ASSERT_TRUE(survives(whole));
  std::vector<std::size_t> places; // in heaps, and in rows that refer to them
  for (std::size_t heap = whole.find("GCOL"); heap < whole.size();
       heap = whole.find("GCOL", heap + 1)) {
    std::string position(8, '\0');
    std::memcpy(position.data(), &heap, sizeof(heap));
    for (std::size_t row = whole.find(position); row < whole.size();
         row = whole.find(position, row + 1))
      for (std::size_t i = 0; i < 16; ++i)
        places.push_back(row - 4 + i);
    for (std::size_t i = 0; i < 600; ++i)
      places.push_back(heap + i);
  }
  test::Random random(3);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < 20 * times; ++i) {
    std::string changed = whole;
    for (std::size_t n = 1 + random.below(3); n > 0; --n)
      changed[places[random.below(places.size())]] = static_cast<char>(random.bits());
    refused += survives(changed) ? 0 : 1;
  }
  EXPECT_GT(refused, times);
}

std::string lowestFirst(std::uint64_t number, std::size_t size) {
  std::string bytes(size, '\0');
  std::memcpy(bytes.data(), &number, size);
  return bytes;
}

/// Ends of lists, and references, which libhdf5 follows to an address in the file.
TEST(DamagedHdf5Rows, ofOtherProgramsAreOthersOrRefused) {
  const std::string whole = test::readFile(test::dataFile("hdf5/foreign.h5"));
  ASSERT_TRUE(survives(whole));
  const std::size_t ends = whole.find(lowestFirst(3, 4) + lowestFirst(6, 4));
  std::size_t references = 0; // four equal addresses
  while (references + 32 <= whole.size() &&
         (whole.compare(references, 24, whole, references + 8, 24) != 0 || whole[references] == 0 ||
          whole[references] == '\xff'))
    references += 8;
  ASSERT_LT(ends, whole.size());
  ASSERT_LE(references + 32, whole.size());
  test::Random random(4);
  for (const auto& [begin, bytes] : {std::pair(ends, 40), std::pair(references, 32)}) {
    SCOPED_TRACE(begin);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < 10 * times; ++i) {
      std::string changed = whole;
      if (random.chance(0.2)) // an address in the file, but of another object or of none
        changed.replace(begin, 8, lowestFirst(random.below(whole.size()), 8));
      else
        changed[begin + random.below(static_cast<std::size_t>(bytes))] =
            static_cast<char>(random.bits());
      refused += survives(changed) ? 0 : 1;
    }
    EXPECT_GT(refused, times);
  }
}

TEST_P(DamagedHdf5, isReadOrRefusedWhereItIsCut) {
  const std::string whole = someFile(GetParam());
  test::Random random(2);
  for (std::size_t i = 0; i < times / 10; ++i)
    EXPECT_FALSE(survives(whole.substr(0, random.below(whole.size()))));
}

} // namespace
} // namespace kaon::hdf5
