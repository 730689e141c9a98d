#include <kaon/formats/root/podio/RootFileDescriptionWriter.h>

#include <kaon/formats/root/ntuple/NTupleWriter.h>
#include <kaon/formats/root/podio/FrameNames.h>
#include <kaon/writing/BatchBuilder.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace kaon::root::podio {
namespace {

constexpr std::size_t pageBytes = 64 * 1024;
const FieldForm::RecordClass collectionInfo{
    .name = "podio::root_utils::CollectionWriteInfo",
    .version = ~std::uint32_t{0},
    .parts = {"collectionID", "dataType", "isSubset", "schemaVersion", "name", "storageType"}};
const FieldForm::RecordClass pairOfStrings{.name = "std::tuple<std::string,std::string>"};

/// Builds the single entry of the RNTuple, table by table.
class MetadataWriter {
public:
  void addVersion(const std::string& name, const detail::PodioVersion& version) {
    TableDefinition table{.name = name, .kind = TableKind::parameter};
    table.rowSize = sizeof version[0];
    table.members = {{.name = "", .type = Scalar::UInt16}};
    std::memcpy(addRows(table, version.size()), version.data(), sizeof version);
  }

  void addTexts(const std::string& name, const std::vector<std::string>& texts) {
    addRows({.name = name, .kind = TableKind::parameter}, texts.size());
    addStrings(name + ".text", TableKind::text, texts, std::identity());
  }

  void addModels(const std::vector<detail::ModelDefinition>& models) {
    const std::string name(definitions);
    m_form.classes.emplace(name, pairOfStrings);
    addRows({.name = name}, models.size());
    addStrings(name + "._0", TableKind::vectorMember, models, &detail::ModelDefinition::name);
    addStrings(name + "._1", TableKind::vectorMember, models, &detail::ModelDefinition::definition);
  }

  void addCollections(const std::string& name,
                      const std::vector<CollectionDescription>& collections) {
    struct Row {
      std::uint32_t id, schemaVersion;
      bool isSubset;
    };
    m_form.classes.emplace(name, collectionInfo);
    TableDefinition table{.name = name};
    table.rowSize = sizeof(Row);
    table.members = {
        {.name = "collectionID", .type = Scalar::UInt32, .offset = offsetof(Row, id)},
        {.name = "schemaVersion", .type = Scalar::UInt32, .offset = offsetof(Row, schemaVersion)},
        {.name = "isSubset", .type = Scalar::Bool, .offset = offsetof(Row, isSubset)}};
    std::byte* at = addRows(table, collections.size());
    for (const CollectionDescription& each : collections) {
      const Row row{each.id, each.schemaVersion, each.isSubset};
      std::memcpy(at, &row, sizeof row);
      at += sizeof row;
    }
    const auto add = [&](const char* member, auto text) {
      addStrings(name + member, TableKind::vectorMember, collections, text);
    };
    add(".dataType", &CollectionDescription::type);
    add(".name", &CollectionDescription::name);
    add(".storageType", &CollectionDescription::storage);
  }

  void write(ContainerWriter& file, Compression codec) {
    m_entry.endEntry();
    const Batch batch = m_entry.batch(0);
    NTupleWriter writer(std::string(metadataCategory), codec, pageBytes, true);
    writer.addTables(batch.schema(), file.sink().name());
    writer.write(file, *writer.encode(writer.schema(), batch, {}));
    writer.finish(file, m_form);
  }

private:
  /// Returns room for the rows of a new root table.
  std::byte* addRows(const TableDefinition& table, std::size_t rows) {
    m_root = m_entry.add(table);
    m_entry.setPresent(m_root);
    return m_entry.append(m_root, rows);
  }

  /// Adds a string for each row of the last root table.
  template <class Of, class Text>
  void addStrings(std::string name, TableKind kind, const std::vector<Of>& all, Text text) {
    const TableNumber table = m_entry.add({.name = std::move(name),
                                           .kind = kind,
                                           .type = std::string(VectorMember::string),
                                           .parent = m_root,
                                           .rowSize = 1,
                                           .members = {{.name = "", .type = Scalar::UInt8}}});
    for (const Of& each : all) {
      const std::string& value = std::invoke(text, each);
      if (!value.empty())
        std::memcpy(m_entry.append(table, value.size()), value.data(), value.size());
      m_entry.endRow(table);
    }
  }

  detail::BatchBuilder m_entry;
  std::uint32_t m_root = 0; // the last root table
  FieldForm m_form;
};

} // namespace

void writeDescription(ContainerWriter& file, const RootFileDescription& description,
                      Compression codec) {
  MetadataWriter metadata;
  metadata.addVersion(std::string(buildVersion),
                      *detail::podioVersionOf(detail::writtenPodioVersion));
  for (const detail::ModelDefinition& model : description.models)
    if (const auto version = detail::podioVersionOf(model.version))
      metadata.addVersion(model.name + std::string(versionSuffix), *version);
  metadata.addModels(description.models);
  std::vector<std::string> categories;
  for (const auto& [name, collections] : description.categories)
    categories.push_back(name);
  metadata.addTexts(std::string(availableCategories), categories);
  for (const auto& [name, collections] : description.categories)
    metadata.addCollections(name + std::string(collectionsSuffix), collections);
  metadata.write(file, codec);
}

} // namespace kaon::root::podio
