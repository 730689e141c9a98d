#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/PassIterator.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/root/SerializedSource.h>
#include <kaon/io/FetchedRanges.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// Pages of RNTuples, or baskets of trees, as they lie in the file, with what must be known to
/// decode them elsewhere: on a GPU, or another machine. Those of a cluster come before those of the
/// next one. A single pass, for one thread; it must not outlive its file.
///
///   for (const kaon::root::SerializedPage& page : kaon::root::SerializedPages(events.source(),
///        {"Muon.pt"}))
///     send(page.form, page.bytes);
class SerializedPages {
public:
  /// Names as in Schema::membersBelow(); the columns that say how many rows there are come by
  /// themselves. Only pages that have some of the entries. Throws Error(name) for unknown ones,
  /// Error(usage) for those that are stored as objects of classes, or where the source is of
  /// another format.
  SerializedPages(const Source& source, const std::vector<std::string>& names,
                  EntryRange entries = {});

  /// Goes on to the next page; false at the end. Throws Error(corrupt).
  bool next();
  /// Lasts until the next one.
  [[nodiscard]] const SerializedPage& page() const noexcept { return m_pages[m_next - 1]; }
  /// What a column of a page is: `schema().columns()[page.column]`.
  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }

  using Iterator = PassIterator<SerializedPages, &SerializedPages::page>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  void fetch();

  const Source* m_source;
  const SerializedSource* m_serialized;
  std::vector<SerializedPage> m_pages;
  std::size_t m_next = 0;
  std::size_t m_fetchedPages = 0; // up to there they are fetched
  io::FetchedRanges m_fetched;
  Buffer m_room;
};

/// The bytes of a page, decompressed: in `room`, or as they are stored. This is what ROOT's bulk
/// reading calls serialized. Throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> decompressed(const SerializedPage& page, Buffer& room);

} // namespace kaon::root
