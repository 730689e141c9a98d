#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/sio/SioContainer.h>
#include <kaon/formats/sio/UnitColumns.h>
#include <kaon/model/Schema.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio {

class LoadedSioPage;

/// The places of the records of an entry.
struct EntryRecords {
  io::ByteRange header;
  io::ByteRange data;      ///< empty if the entry has only one record
  std::uint64_t bytes = 0; ///< of both, decompressed
  /// Known to be damaged; it gets its own page, so that others can be read.
  bool isDamaged = false;
};

/// The contents of a category of a SIO file: the records of its entries, and the tables that they
/// become. It must not outlive its container. All functions are thread-safe.
///
/// All tables have the same pages, which are ranges of entries. The tables of a page are decoded
/// unit by unit, when a column of the unit is first read. Other units are not decoded.
class SioContents {
public:
  virtual ~SioContents() = default;
  SioContents(const SioContents&) = delete;
  SioContents& operator=(const SioContents&) = delete;

  /// File and category, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const SioContainer& container() const noexcept { return m_container; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept { return m_unreadable; }
  [[nodiscard]] std::span<const EntryRecords> entries() const noexcept { return m_entries; }

  [[nodiscard]] std::size_t pages() const noexcept { return m_pages.size() - 1; }
  [[nodiscard]] std::size_t pageOf(std::uint64_t entry) const noexcept;
  /// The entries of a page.
  [[nodiscard]] EntryRange entriesOf(std::size_t page) const noexcept {
    return {m_pages[page], m_pages[page + 1]};
  }

  [[nodiscard]] std::size_t units() const noexcept { return m_units.size(); }
  [[nodiscard]] TableUnit unit(std::size_t number) const noexcept { return m_units[number]; }
  [[nodiscard]] std::uint32_t unitOf(TableNumber table) const noexcept { return m_unitOf[table]; }

  /// Decodes a unit in all entries of a page. Throws Error(corrupt), Error(version), Error(io).
  virtual void decode(std::uint32_t unit, LoadedSioPage& page, UnitColumns& out) const = 0;
  /// Completes a column of a decoded unit whose values depend on other columns.
  virtual void complete(ColumnNumber /*column*/, LoadedSioPage& /*page*/) const {}

protected:
  SioContents(const SioContainer& container, std::string_view category);

  /// Sets the entries and divides them into pages.
  void setEntries(std::vector<EntryRecords> entries);
  /// Makes a unit of the tables that were added since the last one. Returns its number, or `none`
  /// if no table was added.
  std::uint32_t addUnit();
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// Warns once about data that is not read.
  void warnOnce(const std::string& what) const;

  Schema m_schema;
  std::vector<Unreadable> m_unreadable;

private:
  const SioContainer& m_container;
  std::string m_name;
  std::vector<EntryRecords> m_entries;
  std::vector<std::uint64_t> m_pages{0}; // first entries, and the end
  std::vector<TableUnit> m_units;
  std::vector<std::uint32_t> m_unitOf; // by table
  mutable std::atomic<bool> m_hasWarned = false;
};

/// Whether the last record is the header of an entry, by the suffix of its name. The file was
/// truncated behind it; this warns about it.
[[nodiscard]] bool endsWithHeader(const SioContainer& container, std::string_view suffix);

/// Finds the entries that consist of a record `header` directly followed by a record `data`. Throws
/// Error(corrupt) if one of them is missing, except after a header at the end of the file.
[[nodiscard]] std::vector<EntryRecords> findEntries(const SioContainer& container,
                                                    std::string_view header, std::string_view data);

/// Selects evenly spread entries. They are read to find properties that only entries store.
[[nodiscard]] std::vector<std::size_t> sampledEntries(std::size_t entries);

} // namespace kaon::sio
