#include <kaon/formats/root/ntuple/NTupleSource.h>

#include <kaon/formats/root/ntuple/Mapping.h>
#include <kaon/formats/root/ntuple/NTuple.h>
#include <kaon/formats/root/ntuple/NTupleAnchor.h>
#include <kaon/formats/root/ntuple/NTupleCursor.h>
#include <kaon/formats/root/ntuple/SerializedNTuple.h>
#include <kaon/formats/root/ntuple/StoredMapping.h>
#include <kaon/formats/root/ntuple/Usage.h>
#include <kaon/model/SchemaDocument.h>

#include <string>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

class NTupleSource final : public Source, public SerializedSource {
public:
  explicit NTupleSource(NTuple ntuple) : m_ntuple(std::move(ntuple)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_ntuple.name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_ntuple.mapping.schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_ntuple.entries(); }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_ntuple.mapping.unreadable;
  }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override {
    return std::make_unique<NTupleCursor>(m_ntuple);
  }

  [[nodiscard]] std::vector<EntryRange> clusters() const override {
    std::vector<EntryRange> ranges;
    for (const Cluster& cluster : m_ntuple.clusters)
      ranges.push_back({cluster.firstEntry, cluster.firstEntry + cluster.entries});
    return ranges;
  }

  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override {
    return usageOf(m_ntuple, column);
  }

  [[nodiscard]] std::vector<SerializedPage> serializedPages(std::uint32_t column,
                                                            EntryRange entries) const override {
    return root::serializedPages(m_ntuple, column, entries);
  }
  void readSerialized(SerializedPage& page, const io::FetchedRanges& fetched,
                      Buffer& room) const override {
    root::readSerialized(m_ntuple, page, fetched, room);
  }
  [[nodiscard]] const io::ByteSource& bytesOfFile() const noexcept override {
    return m_ntuple.container.bytes();
  }

private:
  NTuple m_ntuple;
};

/// Maps fields as kaon wrote them, or by their types alone.
Mapping mappingOf(const NTupleDescriptor& descriptor, std::string_view stored, bool groups,
                  const std::string& name) {
  if (stored.empty())
    return mapFields(descriptor, groups);
  const SchemaDocument document = schemaDocumentFrom(stored, name + ": kaon's description of it");
  try {
    return mapAsStored(document, descriptor);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::type)
      throw;
    return mapFields(descriptor, groups); // Another program changed the fields.
  }
}

} // namespace

std::unique_ptr<Source> openNTuple(const RootContainer& container, const ListedObject& object,
                                   std::string_view stored) {
  const std::string name = container.name() + ":" + object.name();
  const NTupleAnchor anchor = readAnchor(container, object.key);
  NTupleDescriptor descriptor = readDescriptor(container, anchor, name);
  Mapping mapping = mappingOf(descriptor, stored, container.options().group, name);
  std::vector<Cluster> clusters = readClusters(container.bytes(), descriptor, name);
  return std::make_unique<NTupleSource>(
      NTuple{container, name, std::move(descriptor), std::move(mapping), std::move(clusters)});
}

std::unique_ptr<Source> openEarlyNTuple(const RootContainer& container, const ListedObject& object,
                                        std::string_view /*stored*/) {
  fail(ErrorKind::version, container.name(), ": '", object.name(), "' is an RNTuple from before ",
       "version 1.0 of the format, as ", container.writer(),
       " wrote it; kaon reads version 1. ROOT up to 6.32 can read it and write a tree from it");
}

} // namespace kaon::root
