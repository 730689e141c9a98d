#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/tree/SerializedTree.h>
#include <kaon/formats/root/tree/TreeContents.h>
#include <kaon/model/SchemaDocument.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// A tree (TTree) as columns. It must not outlive its container.
class TreeSource final : public Source, public SerializedSource {
public:
  /// Reads the record of the tree, and the classes that the file describes. Reads the first entries
  /// of some branches, because only these show whether they are readable. Throws Error(corrupt),
  /// Error(version).
  TreeSource(const RootContainer& container, const ListedObject& object,
             const SchemaDocument& stored);

  [[nodiscard]] const std::string& name() const noexcept override { return m_contents.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override {
    return m_contents.tables().schema;
  }
  [[nodiscard]] std::uint64_t entries() const noexcept override {
    return m_contents.tree().entries();
  }
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  /// Returns the sizes of baskets as the tree stores them, including their keys. Baskets in the
  /// tree's record have their share of its compressed size. The number of values is not known.
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override;

  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_contents.tables().unreadable;
  }

  [[nodiscard]] std::vector<SerializedPage> serializedPages(std::uint32_t column,
                                                            EntryRange entries) const override {
    return serializedBaskets(m_contents, column, entries);
  }
  void readSerialized(SerializedPage& page, const io::FetchedRanges& fetched,
                      Buffer& room) const override {
    root::readSerialized(m_contents, page, fetched, room);
  }
  [[nodiscard]] const io::ByteSource& bytesOfFile() const noexcept override {
    return m_contents.container().bytes();
  }

private:
  TreeContents m_contents;
  double m_compressed; // size of the tree's record in the file, as a share of its size in memory
};

/// Opens a tree of a file. The container must outlive the source. `stored` is kaon's own
/// description of the tables, or "" without one. Throws Error(corrupt), Error(version).
[[nodiscard]] std::unique_ptr<Source> openTree(const RootContainer& container,
                                               const ListedObject& object, std::string_view stored);

} // namespace kaon::root
