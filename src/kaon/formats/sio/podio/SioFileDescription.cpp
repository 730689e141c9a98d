#include <kaon/formats/sio/podio/SioFileDescription.h>

#include <kaon/base/Warning.h>
#include <kaon/formats/sio/LoadedSioRecord.h>

#include <string_view>

namespace kaon::sio::podio {
namespace {

/// Reads a version of three 16-bit numbers. They are stored as one value, with the last number
/// first.
std::string readVersion(BlockReader& in) {
  constexpr std::size_t numbers = 3;
  const std::byte* const bytes = in.take(numbers * sizeof(std::uint16_t));
  std::string text;
  for (std::size_t number = numbers; number-- > 0;)
    text.append(text.empty() ? "" : ".")
        .append(std::to_string(loadBigEndian<std::uint16_t>(bytes + 2 * number)));
  return text;
}

void readModels(const LoadedSioRecord& record, PodioModels& file) {
  BlockReader in = record.reader(record.get(definitionsBlock));
  const std::uint32_t models = in.count(2 * sizeof(std::uint32_t));
  if (models > mostPodioModels)
    in.failHere("has " + std::to_string(models) + " models");
  for (std::uint32_t i = 0; i < models; ++i) {
    const std::string_view name = in.text(), definition = in.text();
    file.add({std::string(name), std::string(definition), ""});
  }
}

void readVersions(const LoadedSioRecord& record, PodioModels& file) {
  const RecordBlock* const block = record.find(versionsBlock);
  if (!block)
    return;
  BlockReader in = record.reader(*block);
  const std::uint32_t versions = in.count(3 * sizeof(std::uint32_t));
  for (std::uint32_t i = 0; i < versions; ++i) {
    const std::string_view name = in.text();
    const std::string version = readVersion(in);
    for (detail::ModelDefinition& model : file.models)
      if (model.name == name)
        model.version = version;
  }
}

} // namespace

PodioModels describeFile(const SioContainer& container) {
  PodioModels file;
  LoadedSioRecord record;
  record.load(container, container.records().front().range);
  BlockReader in = record.reader(record.get(versionBlock));
  file.version = readVersion(in);
  const auto definitions = container.recordsNamed(definitionsRecord);
  if (definitions.empty()) {
    warn(WarningKind::incompleteFile,
         container.name() + ": was not finished, and carries no models: no objects are read");
    return file;
  }
  record.load(container, definitions.back().range);
  readModels(record, file);
  readVersions(record, file);
  return file;
}

} // namespace kaon::sio::podio
