#pragma once

#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/sio/Contents.h>
#include <kaon/formats/sio/LoadedRecord.h>
#include <kaon/formats/sio/ObjectNumbers.h>
#include <kaon/formats/sio/UnitColumns.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kaon::sio {

/// The entries of one page: their records and decoded units. Each is loaded once, on demand. For
/// one thread.
class LoadedPage {
public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// Records are taken from `fetched` if it has them. Both arguments must outlive this.
  LoadedPage(const Contents& contents, const io::FetchedRanges& fetched)
      : m_contents(contents), m_fetched(fetched) {}

  [[nodiscard]] std::size_t number() const noexcept { return m_number; }
  /// Moves to a page and forgets the previous one.
  void open(std::size_t number);

  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// Return the records of an entry, counted from the first of the page. Both throw like
  /// LoadedRecord::load().
  [[nodiscard]] const LoadedRecord& header(std::size_t entry);
  [[nodiscard]] const LoadedRecord& data(std::size_t entry);
  /// Returns a decoded unit. Throws like Contents::decode().
  [[nodiscard]] const std::shared_ptr<UnitColumns>& columns(std::uint32_t unit);
  [[nodiscard]] UnitColumns& columnsOf(std::uint32_t table) {
    return *columns(m_contents.unitOf(table));
  }
  [[nodiscard]] ObjectNumbers& objects(std::size_t entry) { return m_objects[entry]; }

private:
  const LoadedRecord& load(LoadedRecord& record, io::ByteRange range);

  const Contents& m_contents;
  const io::FetchedRanges& m_fetched;
  std::size_t m_number = none;
  std::size_t m_entries = 0;
  std::vector<LoadedRecord> m_headers, m_data;
  std::vector<ObjectNumbers> m_objects;
  std::vector<std::shared_ptr<UnitColumns>> m_columns;
};

} // namespace kaon::sio
