#include <kaon/formats/sio/podio/SioFileDescriptionWriter.h>

#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/podio/SioFileDescription.h>

#include <cstring>

namespace kaon::sio::podio {
namespace {

constexpr std::string_view placesName = "podio_SIO_TOC_Record";

/// Writes a version of three 16-bit numbers. They are stored as one value, with the last number
/// first.
void putVersion(const detail::PodioVersion& version, BlockWriter& out) {
  std::byte* to = out.room(version.size() * sizeof(std::uint16_t));
  for (std::size_t number = version.size(); number-- > 0; to += sizeof(std::uint16_t))
    storeBigEndian(version[number], to);
}

} // namespace

bool isOwnRecord(std::string_view name) {
  return name == fileHeaderRecord || name == definitionsRecord || name == placesName ||
         name == definitionsPlace;
}

Buffer versionRecord() {
  BlockWriter blocks("the version");
  blocks.beginBlock(versionBlock, blockVersion(1, 0));
  putVersion(*detail::podioVersionOf(detail::writtenPodioVersion), blocks);
  blocks.endBlock();
  Buffer record;
  appendRecord(fileHeaderRecord, blocks.bytes(), uncompressed(), record);
  return record;
}

Buffer modelsRecord(std::span<const ModelDatatypes::Document> models, Compression how,
                    const std::string& file) {
  const std::vector<detail::ModelDefinition> definitions = podioDefinitions(models, file);
  BlockWriter blocks("the models");
  blocks.beginBlock(definitionsBlock, blockVersion(0, 2));
  blocks.putCount(definitions.size());
  for (const detail::ModelDefinition& model : definitions) {
    blocks.put(std::string_view(model.name));
    blocks.put(std::string_view(model.definition));
  }
  blocks.endBlock();
  blocks.beginBlock(versionsBlock, blockVersion(0, 2));
  const std::size_t count = blocks.laterCount();
  std::uint32_t versions = 0;
  for (const detail::ModelDefinition& model : definitions)
    if (const auto version = detail::podioVersionOf(model.version)) {
      ++versions;
      blocks.put(std::string_view(model.name));
      putVersion(*version, blocks);
    }
  blocks.setCount(count, versions);
  blocks.endBlock();
  Buffer record;
  appendDeflatedRecord(definitionsRecord, blocks.bytes(), how, record);
  return record;
}

Buffer placesRecord(const std::vector<RecordPositions>& places, std::uint32_t position,
                    Compression how) {
  BlockWriter blocks("the places of records");
  blocks.beginBlock(placesName, blockVersion(0, 1));
  blocks.putCount(places.size());
  for (const auto& [name, positions] : places) {
    blocks.put(std::string_view(name));
    blocks.putCount(positions.size());
    for (const std::uint32_t each : positions)
      blocks.put(each);
  }
  blocks.endBlock();
  Buffer record;
  appendDeflatedRecord(placesName, blocks.bytes(), how, record);
  const std::uint64_t last = podioEndMark << 32 | position;
  std::memcpy(record.grow(sizeof last), &last, sizeof last);
  return record;
}

} // namespace kaon::sio::podio
