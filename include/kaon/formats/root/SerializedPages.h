#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/PassIterator.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/root/SerializedSource.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// Pages of RNTuples, or baskets of trees, in the form that the file stores. Each page has all
/// facts that are needed to decode it elsewhere, on a GPU or another machine. Pages come cluster by
/// cluster. This is a single pass for one thread. The file must outlive it.
///
///   for (const kaon::root::SerializedPage& page : kaon::root::SerializedPages(events.source(),
///                                                                             {"Muon.pt"}))
///     send(page.form, page.bytes);
class SerializedPages {
public:
  /// `names` are as in Schema::membersBelow(); the columns with numbers of rows are added. Only
  /// pages with some of the entries are returned. Throws Error(name) for unknown names. Throws
  /// Error(usage) for columns that are stored as objects of classes, or if the source has another
  /// format.
  SerializedPages(const Source& source, const std::vector<std::string>& names,
                  EntryRange entries = {});

  /// Moves to the next page. Returns false at the end. Throws Error(corrupt).
  bool next();
  /// The current page. Valid until the next call of next().
  [[nodiscard]] const SerializedPage& page() const noexcept { return m_pages[m_next - 1]; }
  /// The schema: `schema().columns()[page.column]` describes the column of a page.
  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }

  using Iterator = detail::PassIterator<SerializedPages, &SerializedPages::page>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  void fetch();

  const Source* m_source;
  const SerializedSource* m_serialized;
  std::vector<SerializedPage> m_pages;
  std::size_t m_next = 0;
  std::size_t m_fetchedPages = 0; // the pages before this one are fetched
  io::FetchedRanges m_fetched;
  Buffer m_room;
};

/// Returns the decompressed bytes of a page. They are in `room`, or in the file if they are stored
/// uncompressed. ROOT's bulk reading calls them serialized. Throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> decompressed(const SerializedPage& page, Buffer& room);

} // namespace kaon::root
