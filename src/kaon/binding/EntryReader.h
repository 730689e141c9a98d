#pragma once

#include <kaon/batch/Source.h>
#include <kaon/binding/Binding.h>
#include <kaon/detail/batch/Window.h>
#include <kaon/detail/object/CollectionData.h>
#include <kaon/detail/object/ColumnLoader.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// One entry of a source as collections, whose columns are decoded when they are first touched,
/// once, from any thread. Only during moveTo() no other thread may use it.
class EntryReader final : public ColumnLoader {
public:
  /// Shares ownership of the file, to which the source belongs.
  EntryReader(std::shared_ptr<const File> file, const Source& source, std::uint64_t entry);
  virtual ~EntryReader();

  [[nodiscard]] const Source& source() const noexcept { return m_window.source(); }
  [[nodiscard]] const std::shared_ptr<const File>& file() const noexcept { return m_file; }
  [[nodiscard]] std::uint64_t entry() const noexcept { return m_entry; }

  /// Entries up to this one will be visited in order: from the next cluster on, the columns that
  /// were touched so far are fetched a cluster at a time.
  void readAhead(std::uint64_t last);

  /// Goes to another entry: collections stay where they are and get that entry's objects. A
  /// collection that cannot be read has none; asking for it throws the Error.
  void moveTo(std::uint64_t entry);

  /// The entry's collection in this table, nullptr if the entry is without it. Throws Error(type)
  /// if its datatype is another one, Error(corrupt) if there is no such table.
  [[nodiscard]] CollectionData* collection(std::uint32_t table, const Datatype& type);
  [[nodiscard]] CollectionData* collection(std::uint32_t table, const Relation& relation) override;
  void load(const CollectionData& data, std::uint32_t column) override;
  void checkAbsent(const CollectionData& data, std::uint32_t index) override;
  [[nodiscard]] ColumnView decoration(const CollectionData& data, std::string_view name,
                                      Scalar type) override;
  [[nodiscard]] std::vector<DecorationInfo> decorations(const CollectionData& data) const override;
  /// The collection in this table, with what a program added to it; nullptr if nobody asked for it.
  [[nodiscard]] const CollectionData* bound(std::uint32_t table);

  /// Runs `use(window)` with the window to itself.
  template <class Use>
  auto withWindow(Use use) {
    const std::lock_guard lock(m_mutex);
    return use(m_window);
  }

private:
  struct BoundCollection { // a collection and how it is read
    std::unique_ptr<CollectionData> data;
    std::vector<Origin> origins;
    std::vector<std::byte> zeros; // where origins of elements' missing members point
    bool mayBeStructs = false;    // the file has all members together, as the program
    // What is known of the pages that the entry lies in; the next entry mostly lies there too.
    PageRange pages;
    const std::byte* presence = nullptr;
    std::span<const std::uint32_t> offsets;
    std::vector<Buffer> converted; // the values of columns that do not lie in a page
  };
  [[gnu::cold]] void enterCluster();
  [[gnu::noinline]] void enterOtherPages();
  [[gnu::cold]] void forgetDecorations() noexcept;
  void checkTable(std::uint32_t table) const;
  void enterPages(BoundCollection& bound) noexcept;
  void bindPages(BoundCollection& bound);
  void bindEntry(BoundCollection& bound);
  void placeEntry(BoundCollection& bound) const noexcept;
  static void findStructs(const CollectionData& data, ColumnView first);
  [[nodiscard]] std::uint32_t firstRow(const BoundCollection& bound) const noexcept {
    return bound.offsets[static_cast<std::size_t>(m_entry - bound.pages.firstEntry)];
  }
  [[nodiscard]] ColumnView loadColumn(BoundCollection& bound, const Origin& origin);

  std::shared_ptr<const File> m_file;
  std::mutex m_mutex;
  Window m_window;
  std::uint64_t m_entry;
  std::vector<EntryRange> m_clusters; // that are still to come, if entries are visited in order
  std::uint64_t m_lastAhead = 0;
  std::size_t m_fetchedColumns = 0;
  std::vector<std::unique_ptr<BoundCollection>> m_bound; // by table
  std::vector<BoundCollection*> m_boundSoFar;            // those of them that are there
  EntryRange m_common{0, 0}; // the entries of which all of these have pages: nothing is to be read
};

} // namespace kaon::detail
