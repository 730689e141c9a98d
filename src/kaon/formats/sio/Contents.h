#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/sio/Container.h>
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

class LoadedPage;

/// Where the records of an entry lie.
struct EntryPlace {
  io::ByteRange header;
  io::ByteRange data;      ///< empty: it has but one record
  std::uint64_t bytes = 0; ///< of both, decompressed
  bool isDamaged = false;  ///< as far as is known: a page of its own, so that others can be read
};

/// What a category of a SIO file has: the records of its entries, the tables that they become, and
/// how. It must not outlive its container. All functions are safe for concurrent use.
///
/// Its pages are runs of entries, the same for all tables, and a page's tables are decoded unit by
/// unit, when a column of the unit is read: so what nobody reads is not decoded.
class Contents {
public:
  virtual ~Contents() = default;
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  /// File and category, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const Container& container() const noexcept { return m_container; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept { return m_unreadable; }
  [[nodiscard]] std::span<const EntryPlace> entries() const noexcept { return m_entries; }

  [[nodiscard]] std::size_t pages() const noexcept { return m_pages.size() - 1; }
  [[nodiscard]] std::size_t pageOf(std::uint64_t entry) const noexcept;
  /// The entries of a page.
  [[nodiscard]] EntryRange entriesOf(std::size_t page) const noexcept {
    return {m_pages[page], m_pages[page + 1]};
  }

  [[nodiscard]] std::size_t units() const noexcept { return m_units.size(); }
  [[nodiscard]] Unit unit(std::size_t number) const noexcept { return m_units[number]; }
  [[nodiscard]] std::uint32_t unitOf(std::uint32_t table) const noexcept { return m_unitOf[table]; }

  /// Decodes a unit in all entries of a page. Throws Error(corrupt), Error(version), Error(io).
  virtual void decode(std::uint32_t unit, LoadedPage& page, UnitColumns& out) const = 0;
  /// Makes a column of a decoded unit that needs what others have.
  virtual void complete(std::uint32_t /*column*/, LoadedPage& /*page*/) const {}

protected:
  Contents(const Container& container, std::string_view category);

  /// Sets the entries, and the pages that they make.
  void setEntries(std::vector<EntryPlace> entries);
  /// Makes a unit of the tables that were added since the last one. Returns its number, or `none`
  /// if there are no such tables.
  std::uint32_t addUnit();
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// Says, once, that something is not read.
  void warnOnce(const std::string& what) const;

  Schema m_schema;
  std::vector<Unreadable> m_unreadable;

private:
  const Container& m_container;
  std::string m_name;
  std::vector<EntryPlace> m_entries;
  std::vector<std::uint64_t> m_pages{0}; // first entries, and the end
  std::vector<Unit> m_units;
  std::vector<std::uint32_t> m_unitOf; // by table
  mutable std::atomic<bool> m_hasWarned = false;
};

/// Whether the last record is the header of an entry, by the end of its name: the file was cut
/// behind it, of which a warning tells.
[[nodiscard]] bool endsWithHeader(const Container& container, std::string_view suffix);

/// The entries that are a record `header` and, right behind it, a record `data`. Throws
/// Error(corrupt) for a record without the other, but for a header at the end of the file.
[[nodiscard]] std::vector<EntryPlace> findEntries(const Container& container,
                                                  std::string_view header, std::string_view data);

/// So many entries are looked at, evenly spread, for what only the entries themselves say.
[[nodiscard]] std::vector<std::size_t> sampledEntries(std::size_t entries);

} // namespace kaon::sio
