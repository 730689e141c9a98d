#include <kaon/formats/sio/podio/PodioFileWriter.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/sio/LoadedSioRecord.h>
#include <kaon/formats/sio/SioContainer.h>
#include <kaon/formats/sio/SioFile.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/podio/StoredStructs.h>
#include <kaon/model/Metadata.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/PodioWriting.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Frames are written as SIO in podio's form and read back unchanged.

namespace kaon::sio::podio {
namespace {

std::unique_ptr<io::ByteSource> sourceOf(std::string_view bytes) {
  return io::memorySource("f.sio", std::as_bytes(std::span(bytes)));
}

struct Writing {
  explicit Writing(SinkOptions options = {})
      : writer(io::memorySink("f.sio", bytes), std::move(options)) {}
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return openSioFile(io::memorySource("f.sio", bytes.bytes()), {});
  }
  [[nodiscard]] std::string text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  Buffer bytes;
  PodioFileWriter writer;
};

class PodioFileWriterSample : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Samples, PodioFileWriterSample,
                         testing::Values("edm4hep_3", "edm4hep_50", "edm4hep_old_3"));

TEST_P(PodioFileWriterSample, isReadBackAsItWas) {
  test::Warnings warnings;
  const auto expected = test::podioContents(GetParam());
  if (!expected)
    GTEST_SKIP() << test::noSharedFiles;
  const std::string bytes = test::podioSample(GetParam(), ".sio");
  const auto file = openSioFile(sourceOf(bytes), {});
  for (const Compression codec : {uncompressed(), zlib(1), zstd(1)}) {
    Writing writing({.codec = codec});
    test::copy(*file, writing.writer);
    const auto back = writing.finished();
    test::expectContents(*back, *expected);
    EXPECT_TRUE(back->isComplete());
    for (const std::string& name : file->documents())
      if (name != detail::metadataDocument) {
        EXPECT_EQ(back->document(name), file->document(name)) << name;
      }
  }
  EXPECT_TRUE(warnings.take().empty());
}

TEST_P(PodioFileWriterSample, takesFramesOfRootFiles) {
  const auto expected = test::podioContents(GetParam());
  if (!expected)
    GTEST_SKIP() << test::noSharedFiles;
  const std::string bytes = test::podioSample(GetParam(), ".rntuple.root");
  Writing writing;
  test::copy(*root::openRootFile(sourceOf(bytes), {}), writing.writer);
  test::expectContents(*writing.finished(), *expected);
}

/// Returns the bytes of a collection's block with zeros in the padding of structs, where podio
/// writes uninitialised memory.
class Normalisation {
public:
  explicit Normalisation(const File& file) : m_structs(modelsOf(file)) {}

  std::string of(const RecordBlock& block, std::string_view type, bool isSubset) {
    m_bytes.assign(reinterpret_cast<const char*>(block.content.data()), block.content.size());
    m_place = 0;
    if (!isSubset && type.starts_with("edm4hep::")) {
      const ObjectStruct object = m_structs.objectOf(type);
      clear(object.layout);
      for (std::size_t i = 0; i < object.references.size(); ++i)
        skip(8);
      for (const ObjectStruct::List& list : object.lists)
        clear(list.element);
    }
    return m_bytes;
  }

private:
  static std::vector<Model> modelsOf(const File& file) {
    std::vector<Model> models;
    for (const std::string& name : file.documents())
      if (name.starts_with(modelDocument))
        models.push_back(Model::fromJson(file.document(name), name));
    return models;
  }
  /// Skips a list of elements; returns their number and the position of the first.
  std::pair<std::size_t, std::size_t> skip(std::size_t size) {
    const auto* const at = reinterpret_cast<const std::byte*>(m_bytes.data() + m_place);
    const std::size_t count = loadBigEndian<std::uint32_t>(at), begin = m_place + 4;
    m_place = begin + (count * size + 3) / 4 * 4;
    return {count, begin};
  }
  void clear(const StructLayout& layout) {
    std::string isUsed(layout.size(), '\0');
    for (const StructLayout::Leaf& leaf : layout.leaves)
      for (std::size_t i = 0; i < leaf.extent * sizeOf(leaf.type); ++i)
        isUsed[leaf.offset + i] = 1;
    const auto [count, begin] = skip(layout.size());
    for (std::size_t i = 0; i < count * layout.size(); ++i)
      if (isUsed[i % layout.size()] == 0)
        m_bytes[begin + i] = '\0';
  }

  StoredStructs m_structs;
  std::string m_bytes;
  std::size_t m_place = 0;
};

/// Returns the records of each frame in a form without the order of collections. A record has the
/// parts of its header, and the version and bytes of each block.
std::vector<std::map<std::string, std::string>> framesIn(const std::string& bytes,
                                                         std::string_view category) {
  const SioContainer container(sourceOf(bytes), {});
  Normalisation normalisation(*openSioFile(sourceOf(bytes), {}));
  std::vector<std::map<std::string, std::string>> frames;
  const auto headers = container.recordsNamed(std::string(category) + "_HEADER");
  const auto records = container.recordsNamed(category);
  EXPECT_EQ(headers.size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    LoadedSioRecord header, record;
    header.load(container, headers[i].range);
    record.load(container, records[i].range);
    auto& frame = frames.emplace_back();
    BlockReader in = header.reader(header.get("CollectionIDs"));
    std::vector<std::string> names, ids, types;
    names.resize(in.get<std::uint32_t>());
    for (std::string& name : names)
      name = in.text();
    ids.resize(in.get<std::uint32_t>());
    for (std::string& id : ids)
      id = std::to_string(in.get<std::uint32_t>());
    types.resize(in.get<std::uint32_t>());
    for (std::string& type : types)
      type = in.text();
    EXPECT_EQ(in.get<std::uint32_t>(), names.size());
    const std::byte* const flags = in.take(2 * names.size());
    in.checkEnd();
    for (std::size_t c = 0; c < names.size(); ++c) {
      const RecordBlock& block = record.get(names[c]);
      const bool isSubset = loadBigEndian<std::uint16_t>(flags + 2 * c) != 0;
      frame[names[c]] = ids[c] + " " + types[c] + (isSubset ? " subset " : " ") +
                        std::to_string(block.version) + " " +
                        normalisation.of(block, types[c], isSubset);
    }
    const RecordBlock& parameters = record.get("EventMetaData");
    frame[""] = std::to_string(parameters.version) +
                std::string(reinterpret_cast<const char*>(parameters.content.data()),
                            parameters.content.size());
  }
  return frames;
}

TEST_P(PodioFileWriterSample, hasTheBytesOfPodiosOwnBlocks) {
  if (!test::podioContents(GetParam()))
    GTEST_SKIP() << test::noSharedFiles;
  const std::string bytes = test::podioSample(GetParam(), ".sio");
  Writing writing;
  test::copy(*openSioFile(sourceOf(bytes), {}), writing.writer);
  (void)writing.finished();
  for (const std::string_view category : {"events", "runs"}) {
    const auto written = framesIn(writing.text(), category), own = framesIn(bytes, category);
    ASSERT_EQ(written.size(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
      for (const auto& [name, block] : own[i])
        EXPECT_TRUE(written[i].contains(name) && written[i].at(name) == block)
            << category << " " << i << " '" << name << "'";
    EXPECT_EQ(written, own);
  }
}

/// Returns the record at a position of a file.
const SioRecordLocator& recordAt(const SioContainer& container, std::uint64_t position) {
  const auto record =
      std::ranges::find(container.records(), position,
                        [](const SioRecordLocator& each) { return each.range.offset; });
  if (record == container.records().end())
    throw std::runtime_error("no record lies at " + std::to_string(position));
  return *record;
}

/// Returns the positions at the end of a file. Like podio, finds them with the file's last eight
/// bytes.
std::map<std::string, std::vector<std::uint32_t>> placesIn(const std::string& bytes) {
  std::uint64_t last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
  EXPECT_EQ(last >> 32, 0xC001FEA7);
  const SioContainer container(sourceOf(bytes), {});
  LoadedSioRecord record;
  record.load(container, recordAt(container, last & 0xFFFFFFFF).range);
  BlockReader in = record.reader(record.get("podio_SIO_TOC_Record"));
  std::map<std::string, std::vector<std::uint32_t>> places;
  const auto names = in.get<std::uint32_t>();
  for (std::uint32_t i = 0; i < names; ++i) {
    auto& positions = places[std::string(in.text())];
    positions.resize(in.get<std::uint32_t>());
    for (std::uint32_t& position : positions)
      position = in.get<std::uint32_t>();
  }
  in.checkEnd();
  return places;
}

TEST_P(PodioFileWriterSample, saysWhereItsRecordsAre) {
  if (!test::podioContents(GetParam()))
    GTEST_SKIP() << test::noSharedFiles;
  const std::string own = test::podioSample(GetParam(), ".sio");
  Writing writing({.codec = uncompressed()});
  test::copy(*openSioFile(sourceOf(own), {}), writing.writer);
  (void)writing.finished();
  const std::string bytes = writing.text();
  const auto places = placesIn(bytes), ownPlaces = placesIn(own);
  ASSERT_EQ(places.size(), ownPlaces.size());
  const SioContainer container(sourceOf(bytes), {});
  for (const auto& [name, positions] : places) {
    ASSERT_TRUE(ownPlaces.contains(name)) << name;
    EXPECT_EQ(positions.size(), ownPlaces.at(name).size()) << name;
    const bool isCategory = name != "podio_SIO_EDMDefinitions";
    for (const std::uint32_t position : positions)
      EXPECT_EQ(container.nameOf(recordAt(container, position)),
                isCategory ? name + "_HEADER" : "EDMDefinitions");
  }
  // podio expects all records except the first to be compressed.
  for (const SioRecordLocator& record : container.records()) {
    const auto header = readRecordHeader(
        std::as_bytes(std::span(bytes)).subspan(record.range.offset, recordHeaderBytes + 40));
    EXPECT_EQ(header->isCompressed, record.range.offset > 0);
  }
}

TEST(PodioFileWriter, keepsMetadataBesideThoseOfPodio) { test::expectMetadataKept<Writing>(); }

std::map<std::string, std::string> lossesOf(const std::vector<TableDefinition>& tables) {
  return test::lossesOf(tables, lossesInPodio);
}

TEST(PodioFileWriter, reportsTypesThatPodioCannotStore) {
  using enum Scalar;
  const auto losses =
      lossesOf({test::table("A-B", TableKind::collection, "float32", {{"", Float32}}),
                test::table("Truths", TableKind::collection, "bool", {{"", Bool}}),
                test::table("Numbers", TableKind::collection, "float32", {{"", Float32}}),
                test::table("Strange", TableKind::collection, "other::Thing", {{"x", Float32}}),
                test::parameter("small", Int16), test::parameter("fine", Int32)});
  EXPECT_EQ(losses.size(), 4);
  test::expectContains(losses.at("A-B"), "letters");
  test::expectContains(losses.at("Truths"), "bare values");
  test::expectContains(losses.at("Strange"), "no model");
  test::expectContains(losses.at("small"), "int16");
}

TEST(PodioFileWriter, writesNoMoreParametersThanAreRead) {
  std::vector<TableDefinition> tables;
  for (int i = 0; i < 10'001; ++i)
    tables.push_back(test::parameter("p" + std::to_string(10'000 + i), Scalar::Int32));
  const auto losses = lossesOf(tables);
  EXPECT_EQ(losses.size(), 2);
  EXPECT_EQ(losses.at("p20000"), "kaon reads at most 9999 parameters of a file of this format");
  Writing writing;
  detail::BatchBuilder builder;
  for (std::size_t i = 0; i < 9'999; ++i)
    (void)builder.add(tables[i]);
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  EXPECT_EQ(writing.finished()->category("events").entries(), 1U);
}

TEST(PodioFileWriter, writesNoMoreCategoriesThanAreRead) {
  Writing writing;
  detail::BatchBuilder builder;
  builder.endEntry();
  writing.writer.addDocument("notes", "text");
  const auto write = [&](int number) {
    writing.writer.write("c" + std::to_string(number), builder.batch(0));
  };
  for (int i = 0; i < 497; ++i)
    write(i);
  test::expectError(ErrorKind::usage, "there cannot be a category 'c497': kaon reads 497",
                    [&] { write(497); });
  write(0);
  EXPECT_EQ(writing.finished()->categories().size(), 497U);
}

TEST(PodioFileWriter, writesNoMoreModelsThanAreRead) {
  const auto addModels = [](Writing& writing, int models) {
    for (int i = 0; i < models; ++i) {
      const std::string name = "m" + std::to_string(i);
      writing.writer.addDocument("model:" + name,
                                 R"({"schema_version": 1, "name": ")" + name + "\"}");
    }
  };
  Writing most, surplus;
  addModels(most, 100);
  EXPECT_EQ(most.finished()->documents().size(), 101U); // includes the metadata
  addModels(surplus, 101);
  test::expectError(ErrorKind::usage, "f.sio: carries 101 models; kaon reads 100",
                    [&] { (void)surplus.finished(); });
}

TEST(PodioFileWriter, refusesNamesOfItsOwnRecords) {
  detail::BatchBuilder builder;
  builder.endEntry();
  for (const std::string& name : {std::string("EDMDefinitions"), std::string("a b"),
                                  std::string("x_HEADER"), std::string(60, 'x')}) {
    Writing writing;
    test::expectError(ErrorKind::usage, "there cannot be a category",
                      [&] { writing.writer.write(name, builder.batch(0)); });
  }
}

TEST(PodioFileWriter, refusesModelsThatChangeUnderFrames) {
  const std::string bytes = test::podioSample("toy", ".rntuple.root");
  const auto toy = root::openRootFile(sourceOf(bytes), {});
  Writing writing;
  test::copy(*toy, writing.writer);
  const std::string model = toy->document("model:toymodel");
  writing.writer.addDocument("model:toymodel", model);
  test::expectError(ErrorKind::usage, "'toymodel' changes",
                    [&] { writing.writer.addDocument("model:toymodel", model + " "); });
}

TEST(PodioFileWriter, keepsFramesOfTheToysOfRootFiles) {
  const std::string bytes = test::podioSample("toy", ".rntuple.root");
  Writing writing;
  test::copy(*root::openRootFile(sourceOf(bytes), {}), writing.writer);
  test::expectContents(*writing.finished(), *test::podioContents("toy"));
}

} // namespace
} // namespace kaon::sio::podio
