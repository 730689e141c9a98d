#include <kaon/formats/sio/SioFile.h>

#include "support/DamagedFiles.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/OldLcio.h"
#include "support/PodioWriting.h"
#include "support/Sanitizers.h"
#include "support/SioBytes.h"
#include "support/Warnings.h"
#include "support/WholeSource.h"

#include <kaon/base/Error.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/sio/LoadedSioRecord.h>
#include <kaon/formats/sio/SioContainer.h>
#include <kaon/formats/sio/podio/PodioFileWriter.h>
#include <kaon/io/ByteSink.h>

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// SIO files, changed at random many times, are read or refused with one clear error.

namespace kaon::sio {
namespace {

using test::lcioParticle;
using test::sioNumbers;

constexpr std::size_t manyTimes = test::isSanitized ? 1'000 : 20'000;

bool survives(std::string_view bytes) {
  return test::survives("f.sio", [&] {
    return openSioFile(io::memorySource("f.sio", std::as_bytes(std::span(bytes))), {});
  });
}

std::string smallFile(bool isCompressed) {
  const std::string particles =
      sioNumbers(2) + lcioParticle(1, 25, {}) + lcioParticle(2, 22, {1}, 1U << 31);
  const std::string generic = sioNumbers(1) + sioNumbers(1, 1, 1) + sioNumbers(5) +
                              sioNumbers(1.5F) + sioNumbers(2.5) + sioNumbers(~0U);
  const std::string hits = sioNumbers(1, 4) + sioNumbers(0.5F) + sioNumbers(1) +
                           sioNumbers(2U, 0.25F, 1.5F) + sioNumbers(~0U);
  return test::lcioRun(7) +
         test::lcioEvent(1,
                         {{"Generic", "LCGenericObject", 0, generic},
                          {"Hits", "SimCalorimeterHit", 0, hits},
                          {"MCParticle", "MCParticle", 0, particles},
                          {"Stable", "MCParticle_References", 1U << 18, sioNumbers(1, 2)},
                          {"Vecs", "LCIntVec", 0, sioNumbers(1, 2, 8, 9, ~0U)}},
                         isCompressed) +
         test::lcioEvent(2, {{"MCParticle", "MCParticle", 0, sioNumbers(0)}}, isCompressed);
}

TEST(DamagedSio, isReadOrRefusedWhereBytesAreOthers) {
  test::Warnings warnings;
  for (const std::string& whole : {smallFile(false), smallFile(true), test::lcioOfVersion1()}) {
    ASSERT_TRUE(survives(whole));
    EXPECT_GT(test::refusals(whole, manyTimes, 1, survives), manyTimes / 20);
  }
}

/// Returns the ends of runs and events, with and without padding. A file cut at one of these cannot
/// be recognised as cut.
std::set<std::size_t> endsOfEntries(const std::string& file) {
  const SioContainer container(io::memorySource("f.sio", std::as_bytes(std::span(file))), {});
  std::set<std::size_t> ends;
  for (const SioRecordLocator& record : container.records())
    if (container.nameOf(record) != "LCEventHeader")
      for (std::size_t end = record.range.offset + record.range.count; ends.insert(end), end % 4;)
        ++end;
  return ends;
}

TEST(DamagedSio, saysThatAFileWasCutWhereverItWas) {
  test::Warnings warnings;
  for (const bool isCompressed : {false, true}) {
    const std::string whole = smallFile(isCompressed);
    const std::set<std::size_t> ends = endsOfEntries(whole);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const bool isRefused = !survives(whole.substr(0, size));
      const bool isWarnedOf = !warnings.take().empty();
      EXPECT_NE(isRefused || isWarnedOf, ends.contains(size)) << size;
    }
  }
}

/// Returns the same records without compression. Changes then reach decoders, because zlib's
/// checksum does not stop them.
std::string uncompressed(std::span<const std::byte> bytes) {
  const SioContainer container(io::memorySource("f.sio", bytes), {});
  const io::ByteRange last = container.records().back().range;
  const std::size_t end = (last.offset + last.count + 3) / 4 * 4; // podio's files continue here
  std::string plain;
  for (const SioRecordLocator& place : container.records()) {
    LoadedSioRecord record;
    record.load(container, place.range);
    std::string blocks;
    for (const RecordBlock& block : record.blocks())
      blocks += test::sioBlock(
          block.name, {reinterpret_cast<const char*>(block.content.data()), block.content.size()},
          block.version);
    plain += test::sioRecord(container.nameOf(place), blocks);
  }
  return plain.append(reinterpret_cast<const char*>(bytes.data()) + end, bytes.size() - end);
}

/// Returns the toy frames with metadata in podio's form.
std::string toyFrames() {
  const std::string toy = test::podioSample("toy", ".rntuple.root");
  const auto frames =
      root::openRootFile(io::memorySource("toy.root", std::as_bytes(std::span(toy))), {});
  Buffer bytes;
  podio::PodioFileWriter writer(io::memorySink("toy.sio", bytes), {});
  test::copy(*frames, writer);
  writer.finish();
  return uncompressed(bytes.bytes());
}

TEST(DamagedSio, isReadOrRefusedWhereFramesArePlain) {
  test::Warnings warnings;
  constexpr std::size_t times = manyTimes / 10;
  const std::string whole = toyFrames();
  ASSERT_TRUE(survives(whole));
  EXPECT_TRUE(warnings.take().empty());
  EXPECT_GT(test::refusals(whole, times, 3, survives), times / 20);
}

/// Each vertex repeats the name of its algorithm, so long names would exhaust memory.
TEST(DamagedSio, refusesLongNamesOfVertexAlgorithms) {
  const std::string name(1 << 20, 'x');
  const std::string vertex = sioNumbers(1, 0) + std::string(48, '\0') + sioNumbers(0, ~0U);
  std::string vertices = sioNumbers(16'384);
  for (int i = 0; i < 16'384; ++i)
    vertices += vertex;
  const std::string file =
      test::lcioEvent(1, {{"Vertices", "Vertex", 0, vertices,
                           sioNumbers(0, 0, 0, 1) + test::sioText("_lcio.VertexAlgorithmTypes") +
                               sioNumbers(1) + test::sioText(name)}});
  test::expectError(
      ErrorKind::corrupt,
      "f.slcio: record at byte 144, block 'Vertices': has a name of 1048576 bytes for the "
      "algorithm that found vertices",
      [&] {
        test::readAll(openSioFile(io::memorySource("f.slcio", std::as_bytes(std::span(file))), {})
                          ->category("events"));
      });
}

/// A particle may be a daughter of particles in any collection. Comparing all collections with each
/// other would take too long.
TEST(DamagedSio, isReadWithAsManyCollectionsAsItCanHave) {
  test::Warnings warnings;
  std::vector<test::LcioCollection> collections;
  for (std::uint32_t i = 1; i <= 10'000; ++i)
    collections.push_back({"Particles" + std::to_string(i), "MCParticle", 0,
                           sioNumbers(1) + lcioParticle(i, 22, {i == 1 ? 10'000 : i - 1})});
  EXPECT_TRUE(survives(test::lcioEvent(1, collections)));
}

/// Without members, the struct of track states has no size.
TEST(DamagedSio, hasNoListsOfNothing) {
  std::string file = toyFrames();
  const std::string_view first = "\"std::int32_t location", last = "// lower triangle\"";
  const std::size_t begin = file.find(first), end = file.find(last, begin) + last.size();
  ASSERT_LT(end, file.size());
  file.replace(begin, end - begin, end - begin, ' ');
  ASSERT_TRUE(survives(file));
  const auto read = openSioFile(io::memorySource("f.sio", std::as_bytes(std::span(file))), {});
  const auto unreadable = read->category("events").unreadable();
  ASSERT_FALSE(unreadable.empty());
  for (const Unreadable& tracks : unreadable)
    EXPECT_EQ(tracks.reason, "the struct in its list 'states' has no members") << tracks.name;
}

/// Files with each type of LCIO and of podio.
TEST(DamagedSio, isReadOrRefusedWhereOthersWroteIt) {
  test::Warnings warnings;
  constexpr std::size_t times = test::isSanitized ? 40 : 400;
  for (const char* const name : {"lcio_3.slcio", "edm4hep_3.sio"}) {
    const auto path = test::sharedFile(std::string("podio/") + name);
    if (!path)
      GTEST_SKIP() << test::noSharedFiles;
    const std::string file = test::readFile(*path);
    const std::string whole = uncompressed(std::as_bytes(std::span(file)));
    ASSERT_TRUE(survives(whole));
    EXPECT_GT(test::refusals(whole, times, 2, survives), times / 20);
  }
}

} // namespace
} // namespace kaon::sio
