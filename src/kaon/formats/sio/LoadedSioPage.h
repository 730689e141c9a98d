#pragma once

#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/sio/LoadedSioRecord.h>
#include <kaon/formats/sio/PointerTargets.h>
#include <kaon/formats/sio/SioContents.h>
#include <kaon/formats/sio/UnitColumns.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kaon::sio {

/// The entries of one page: their records and decoded units. Each is loaded once, on demand. For
/// one thread.
class LoadedSioPage {
public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// Records are taken from `fetched` if it has them. Both arguments must outlive this.
  LoadedSioPage(const SioContents& contents, const io::FetchedRanges& fetched)
      : m_contents(contents), m_fetched(fetched) {}

  [[nodiscard]] std::size_t number() const noexcept { return m_number; }
  /// Moves to a page and forgets the previous one.
  void open(std::size_t number);

  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// Return the records of an entry, counted from the first of the page. Both throw like
  /// LoadedSioRecord::load().
  [[nodiscard]] const LoadedSioRecord& header(std::size_t entry);
  [[nodiscard]] const LoadedSioRecord& data(std::size_t entry);
  /// Returns a decoded unit. Throws like SioContents::decode().
  [[nodiscard]] const std::shared_ptr<UnitColumns>& columns(std::uint32_t unit);
  [[nodiscard]] UnitColumns& columnsOf(TableNumber table) {
    return *columns(m_contents.unitOf(table));
  }
  [[nodiscard]] PointerTargets& objects(std::size_t entry) { return m_objects[entry]; }

private:
  const LoadedSioRecord& load(LoadedSioRecord& record, io::ByteRange range);

  const SioContents& m_contents;
  const io::FetchedRanges& m_fetched;
  std::size_t m_number = none;
  std::size_t m_entries = 0;
  std::vector<LoadedSioRecord> m_headers, m_data;
  std::vector<PointerTargets> m_objects;
  std::vector<std::shared_ptr<UnitColumns>> m_columns;
};

} // namespace kaon::sio
