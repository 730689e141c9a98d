#pragma once

#include <kaon/batch/Source.h>
#include <kaon/binding/Binding.h>
#include <kaon/detail/object/CollectionData.h>
#include <kaon/detail/object/ColumnLoader.h>
#include <kaon/detail/reading/Window.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

/// Throws Error(usage) if the source does not have the entry.
void checkEntry(const Source& source, std::uint64_t entry);

/// One entry of a source, as collections. Each column is decoded once, on first access, from any
/// thread. During moveTo() no other thread may use the reader.
class EntryReader final : public ColumnLoader {
public:
  /// Shares ownership of the file, which has the source.
  EntryReader(std::shared_ptr<const File> file, const Source& source, std::uint64_t entry)
      : EntryReader(std::move(file), Window(source), entry) {}
  /// Reads the source through this window.
  EntryReader(std::shared_ptr<const File> file, Window window, std::uint64_t entry);
  virtual ~EntryReader();

  [[nodiscard]] const Source& source() const noexcept { return m_window.source(); }
  [[nodiscard]] const std::shared_ptr<const File>& file() const noexcept { return m_file; }
  [[nodiscard]] std::uint64_t entry() const noexcept { return m_entry; }

  /// Announces that the entries up to `last` will be visited in order. From the next cluster on,
  /// the columns that were used so far are fetched cluster by cluster.
  void readAhead(std::uint64_t last);

  /// Whether an entry exists and is in the pages of all collections that were used so far.
  [[nodiscard]] bool hasPagesOf(std::uint64_t entry) const noexcept {
    return entry >= m_common.first && entry < m_common.last;
  }

  /// Moves to another entry. Collections keep their addresses and get that entry's objects. A
  /// collection that cannot be read has no objects; requesting it throws the Error.
  void moveTo(std::uint64_t entry);

  /// Returns the entry's collection in this table; nullptr if the entry lacks it. Throws
  /// Error(type) if it has another datatype, and Error(corrupt) if the table does not exist.
  [[nodiscard]] CollectionData* collection(TableNumber table, const Datatype& type);
  [[nodiscard]] CollectionData* collection(TableNumber table, const Relation& relation) override;
  void load(const CollectionData& data, ColumnNumber column) override;
  void checkAbsent(const CollectionData& data, std::uint32_t index) override;
  [[nodiscard]] ColumnView decoration(const CollectionData& data, std::string_view name,
                                      Scalar type) override;
  [[nodiscard]] std::vector<DecorationInfo> decorations(const CollectionData& data) const override;
  /// Returns the collection in this table, with the program's additions; nullptr if it was not
  /// requested.
  [[nodiscard]] const CollectionData* bound(TableNumber table);

  /// Calls `use(window)` while no other thread uses the window.
  template <class Use>
  auto withWindow(Use use) {
    const std::lock_guard lock(m_mutex);
    return use(m_window);
  }

private:
  struct BoundCollection { // a collection and how it is read
    std::unique_ptr<CollectionData> data;
    std::vector<BindingOrigin> origins;
    // The values of members that elements lack.
    std::vector<std::byte> zeros;
    // Whether the file has all members together, in the layout of the program.
    bool mayBeStructs = false;
    // The state of the entry's pages. The next entry is usually in the same pages.
    PageRange pages;
    const std::byte* presence = nullptr;
    std::span<const std::uint32_t> offsets;
    std::vector<Buffer> converted; // values of columns that are not in a page
  };
  [[gnu::cold]] void enterCluster();
  [[gnu::noinline]] void enterOtherPages();
  [[gnu::cold]] void forgetExtras() noexcept;
  void checkTable(TableNumber table) const;
  void enterPages(BoundCollection& bound) noexcept;
  void bindPages(BoundCollection& bound);
  void bindEntry(BoundCollection& bound);
  void placeEntry(BoundCollection& bound) const noexcept;
  static void findStructs(const CollectionData& data, ColumnView first);
  [[nodiscard]] std::uint32_t firstRow(const BoundCollection& bound) const noexcept {
    return bound.offsets[static_cast<std::size_t>(m_entry - bound.pages.firstEntry)];
  }
  [[nodiscard]] ColumnView loadColumn(BoundCollection& bound, const BindingOrigin& origin);

  std::shared_ptr<const File> m_file;
  std::mutex m_mutex;
  Window m_window;
  std::uint64_t m_entry;
  std::vector<EntryRange> m_clusters; // clusters to come, if entries are visited in order
  std::uint64_t m_lastAhead = 0;
  std::size_t m_fetchedColumns = 0;
  std::vector<std::unique_ptr<BoundCollection>> m_bound; // by table
  std::vector<BoundCollection*> m_boundSoFar;            // the bound collections
  // The entries for which all bound collections have their pages, so that nothing must be read.
  EntryRange m_common{0, 0};
};

} // namespace kaon::detail
