#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/tree/BasketCache.h>
#include <kaon/formats/root/tree/ShapeDecoder.h>
#include <kaon/formats/root/tree/TreeContents.h>
#include <kaon/formats/root/tree/Unit.h>
#include <kaon/reading/PlannedReads.h>

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace kaon::root {

/// Reads a tree. Its branches have baskets of different lengths. A page is a range of entries in a
/// cluster, assembled from these baskets.
class TreeCursor final : public detail::Cursor {
public:
  explicit TreeCursor(const TreeContents& contents);

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_reads.hold(); }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override;
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

  /// Fetches the first baskets of units, and of their counters, in one request.
  void fetchFirst(std::span<const std::uint32_t> units);
  /// Reads the basket of a unit with an entry. Throws like read().
  void open(std::uint32_t number, std::uint64_t entry) { (void)basketAt(unit(number), entry); }
  /// Decodes entries of a streamed unit, all in one cluster. Throws like read().
  void decode(std::uint32_t unit, EntryRange entries) { (void)streamed(unit, entries); }
  /// Whether the branch of a unit has no bytes although its counter is above 0 in some entries.
  [[nodiscard]] bool lacksValues(std::uint32_t unit, EntryRange entries);
  /// Returns the place of an entry of a unit, for messages.
  [[nodiscard]] std::string where(std::uint32_t unit, std::uint64_t entry) const;
  /// Returns a message without the place that where() returns.
  [[nodiscard]] static std::string withoutPlace(std::string_view message);

private:
  class Room;
  struct StreamedPage {
    EntryRange entries{0, 0};
    ShapeDecoder stream;
  };
  [[nodiscard]] const Unit& unit(std::uint32_t number) const;
  [[nodiscard]] std::size_t clusterOf(std::uint64_t entry) const;
  [[nodiscard]] std::vector<std::uint32_t> slotsOf(std::span<const std::uint32_t> units) const;
  [[nodiscard]] PlannedReads::Portion portionAt(std::uint64_t entry) const;
  template <class Use>
  void forPieces(const Unit& unit, EntryRange entries, Use use);
  const Basket& basketAt(const Unit& unit, std::uint64_t entry);
  void setSizes(const Unit& unit, Basket& basket);
  [[nodiscard]] std::vector<std::uint32_t> countsOf(std::uint32_t counter, EntryRange entries);
  void readNumbers(const Unit& unit, EntryRange entries, std::size_t values, detail::Page& page);
  void readRun(const Unit& unit, EntryRange piece, std::span<const std::byte> bytes,
               Room& room) const;
  void readLeaf(const Unit& unit, EntryRange piece, std::span<const std::byte> bytes,
                Room& room) const;
  void readList(const Unit& unit, std::uint64_t entry, std::span<const std::byte> bytes,
                Room& room) const;
  void readListSizes(const Unit& unit, EntryRange entries, std::span<std::uint32_t> offsets);
  void readCounts(const ColumnOrigin& origin, EntryRange entries, detail::Page& page);
  void readStreamed(std::uint32_t column, EntryRange entries, std::size_t values,
                    detail::Page& page);
  const ShapeDecoder& streamed(std::uint32_t unit, EntryRange entries);
  template <class Decode>
  void decodeEntry(std::uint32_t number, std::uint64_t entry, Decode decode) const;
  [[nodiscard]] std::vector<std::string> columnsOf(std::uint32_t number) const;
  [[noreturn]] void failUnit(const Unit& unit, std::uint64_t entry, const char* what) const;

  const TreeContents& m_contents;
  PlannedReads m_reads;
  BasketCache m_baskets;
  std::unordered_map<std::uint32_t, StreamedPage> m_streamed; // by unit
  std::vector<std::uint32_t> m_slots;                         // that will be read
};

} // namespace kaon::root
