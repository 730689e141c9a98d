#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/SparseVector.h>
#include <kaon/formats/root/ntuple/Elements.h>
#include <kaon/formats/root/ntuple/NTuple.h>
#include <kaon/formats/root/ntuple/PageBytes.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// A page as its elements, decompressed.
struct LoadedPage {
  std::uint64_t firstElement = 0; ///< counted from the beginning of the cluster
  Elements elements;
  std::span<const std::uint64_t> ends;     ///< of an index column: its elements, decoded
  std::shared_ptr<const void> keeper = {}; ///< of their memory; null where they lie in the file
  [[nodiscard]] bool contains(std::uint64_t element) const noexcept {
    return element >= firstElement && element - firstElement < elements.count;
  }
  [[nodiscard]] std::uint64_t last() const noexcept { return firstElement + elements.count; }
};

/// The current page of each stored column for one reader. Beyond the memory budget only pages stay
/// that are read in turn.
class LoadedPages {
public:
  explicit LoadedPages(const NTuple& ntuple)
      : m_ntuple(ntuple), m_bytes(ntuple), m_current(ntuple.descriptor.columns.size()) {}

  [[nodiscard]] PageBytes& bytes() noexcept { return m_bytes; }

  /// The page of a column in which an element lies that the cluster has. It lasts until another
  /// page is asked for. Throws Error(corrupt) if it does not pass its checksum, or does not decode.
  [[nodiscard]] const LoadedPage& at(std::size_t cluster, std::uint32_t column,
                                     std::uint64_t element);

  /// Calls `use(page, first, count)` with the elements [first, first + count) of each page in which
  /// some of the elements [begin, end) lie.
  template <class Use>
  void forEach(std::size_t cluster, std::uint32_t column, std::uint64_t begin, std::uint64_t end,
               Use use) {
    while (begin < end) {
      const LoadedPage& page = at(cluster, column, begin);
      const std::uint64_t last = std::min(end, page.last());
      use(page, static_cast<std::size_t>(begin - page.firstElement),
          static_cast<std::size_t>(last - begin));
      begin = last;
    }
  }

private:
  struct Current {
    std::size_t cluster = ~std::size_t{0};
    LoadedPage page;
    std::shared_ptr<Buffer> storage;
    std::size_t bytes = 0; // of it, as counted
    std::uint64_t lastUse = 0;
  };
  void load(std::size_t cluster, std::uint32_t column, const StoredPage& stored, Current& current);
  void loadEnds(const StoredColumn& column, const Elements& elements, Current& current);
  struct StoredBytes {
    std::span<const std::byte> bytes;
    bool isFetched;
    bool isSound; // matches its checksum
  };
  [[nodiscard]] StoredBytes storedBytes(const StoredPage& stored, Buffer& room);
  [[noreturn]] void failPage(std::size_t cluster, std::uint32_t column, const StoredPage& stored,
                             ErrorKind kind, std::string_view what) const;
  void keepBudget(std::uint32_t newest);
  void release(Current& current);

  const NTuple& m_ntuple;
  PageBytes m_bytes;
  SparseVector<Current> m_current;   // by column
  std::vector<std::uint32_t> m_used; // columns that had storage
  std::uint64_t m_uses = 0;
  std::size_t m_kept = 0; // bytes of all storages
  Buffer m_scratch, m_unpacked;
  const std::string m_noPlace; // of blocks, in messages
};

} // namespace kaon::root
