#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Container.h>
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
  /// Reads the record of the tree, the classes that the file describes, and the first entries of
  /// branches of which only these say whether they can be read. Throws Error(corrupt),
  /// Error(version).
  TreeSource(const Container& container, const ListedObject& object, const SchemaDocument& stored);

  [[nodiscard]] const std::string& name() const noexcept override { return m_contents.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override {
    return m_contents.tables().schema;
  }
  [[nodiscard]] std::uint64_t entries() const noexcept override {
    return m_contents.tree().entries();
  }
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override;
  /// What the tree says of the baskets of branches, their keys included. How many values there are
  /// it does not say.
  [[nodiscard]] std::optional<ColumnUsage> usage(std::uint32_t column) const override;

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
};

/// Opens a tree of a file; the container must outlive the source. `stored` is what kaon wrote of
/// the tables, "" for nothing. Throws Error(corrupt), Error(version).
[[nodiscard]] std::unique_ptr<Source> openTree(const Container& container,
                                               const ListedObject& object, std::string_view stored);

} // namespace kaon::root
