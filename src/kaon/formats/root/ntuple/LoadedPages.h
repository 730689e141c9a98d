#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/detail/base/SparseVector.h>
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

/// A decompressed page.
struct LoadedNTuplePage {
  std::uint64_t firstElement = 0; ///< counted from the beginning of the cluster
  Elements elements;
  std::span<const std::uint64_t> ends; ///< index columns only: the decoded elements
  /// Keeps the memory alive; null if the bytes are in the file.
  std::shared_ptr<const void> keeper = {};
  [[nodiscard]] bool contains(std::uint64_t element) const noexcept {
    return element >= firstElement && element - firstElement < elements.count;
  }
  [[nodiscard]] std::uint64_t last() const noexcept { return firstElement + elements.count; }
};

/// The current page of each stored column for one reader. If they exceed the memory budget, it
/// keeps only pages that are read alternately.
class LoadedPages {
public:
  explicit LoadedPages(const NTuple& ntuple)
      : m_ntuple(ntuple), m_bytes(ntuple), m_current(ntuple.descriptor.columns.size()) {}

  [[nodiscard]] PageBytes& bytes() noexcept { return m_bytes; }

  /// Returns the page with an element of a column. The cluster must have the element. The page is
  /// valid until another page is requested. Throws Error(corrupt) if its checksum is wrong or it
  /// does not decode.
  [[nodiscard]] const LoadedNTuplePage& at(std::size_t cluster, std::uint32_t column,
                                           std::uint64_t element);

  /// Calls `use(page, first, count)` for each page with some of the elements [begin, end). The
  /// elements to use are [first, first + count) of the page.
  template <class Use>
  void forEach(std::size_t cluster, std::uint32_t column, std::uint64_t begin, std::uint64_t end,
               Use use) {
    while (begin < end) {
      const LoadedNTuplePage& page = at(cluster, column, begin);
      const std::uint64_t last = std::min(end, page.last());
      use(page, static_cast<std::size_t>(begin - page.firstElement),
          static_cast<std::size_t>(last - begin));
      begin = last;
    }
  }

private:
  struct Current {
    std::size_t cluster = ~std::size_t{0};
    LoadedNTuplePage page;
    std::shared_ptr<Buffer> storage;
    std::size_t bytes = 0; // counted towards the memory budget
    std::uint64_t lastUse = 0;
  };
  void load(std::size_t cluster, std::uint32_t column, const PageLocator& stored, Current& current);
  void loadEnds(const StoredColumn& column, const Elements& elements, Current& current);
  struct StoredBytes {
    std::span<const std::byte> bytes;
    bool isFetched;
    bool isSound; // whether it matches its checksum
  };
  [[nodiscard]] StoredBytes storedBytes(const PageLocator& stored, bool isKept, Buffer& room);
  [[noreturn]] void failPage(std::size_t cluster, std::uint32_t column, const PageLocator& stored,
                             ErrorKind kind, std::string_view what) const;
  void keepBudget(std::uint32_t newest);
  void release(Current& current);

  const NTuple& m_ntuple;
  PageBytes m_bytes;
  detail::SparseVector<Current> m_current; // by column
  std::vector<std::uint32_t> m_used;       // columns that have storage
  std::uint64_t m_uses = 0;
  std::size_t m_kept = 0; // bytes of all storages
  Buffer m_scratch, m_unpacked;
  const std::string m_noPlace; // empty; failPage() adds the place to messages
};

} // namespace kaon::root
