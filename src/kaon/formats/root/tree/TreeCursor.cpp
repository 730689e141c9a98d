#include <kaon/formats/root/tree/TreeCursor.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/objects/ObjectHeader.h>
#include <kaon/reading/EntryPages.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace kaon::root {
namespace {

EntryRange entriesOf(const detail::PageRange& range) noexcept {
  return {range.firstEntry, range.lastEntry};
}

/// Decodes whole numbers as counts. Returns the index of the first negative one, or their number if
/// all are valid.
std::size_t takeCounts(const NumberLayout& form, const std::byte* stored,
                       std::span<std::uint32_t> counts) {
  constexpr std::uint32_t sign = 1U << 31;
  if (form.type == Scalar::Int32 || form.type == Scalar::UInt32) { // nearly always
    decodeNumbers(form, stored, counts.size(), detail::bytesAt(counts.data()));
    std::uint32_t all = 0;
    for (const std::uint32_t count : counts)
      all |= count;
    return (all & sign) == 0
               ? counts.size()
               : static_cast<std::size_t>(
                     std::ranges::find_if(counts, [](auto count) { return (count & sign) != 0; }) -
                     counts.begin());
  }
  std::size_t place = 0;
  withScalar(form.type, [&](auto zero) {
    using Number = decltype(zero);
    if constexpr (std::is_integral_v<Number>)
      for (; place < counts.size(); ++place) {
        const auto number = loadBigEndian<Number>(stored + place * sizeof(Number));
        if (!std::in_range<std::int32_t>(number) || std::cmp_less(number, 0))
          return;
        counts[place] = static_cast<std::uint32_t>(number);
      }
  });
  return place;
}

/// Returns the class of the objects of a unit, or its branch.
std::string typeOf(const Unit& unit) {
  const BranchDescription& branch = *unit.branch;
  const std::string_view type = branch.elementName.empty() ? branch.typeName : branch.elementName;
  return type.empty() ? "'" + std::string(branch.name) + "'" : "'" + std::string(type) + "'";
}

} // namespace

TreeCursor::TreeCursor(const TreeContents& contents)
    : m_contents(contents),
      m_reads(contents.container().bytes(), contents.container().options().memoryBudget,
              [this](std::uint64_t entry) { return portionAt(entry); }),
      m_baskets(contents.container(), contents.name(), contents.slots(), m_reads.fetched()) {}

const Unit& TreeCursor::unit(std::uint32_t number) const {
  return m_contents.tables().units[number];
}

void TreeCursor::failUnit(const Unit& unit, std::uint64_t entry, const char* what) const {
  fail(ErrorKind::corrupt, m_baskets.where(unit.slot, entry), ": ", what, "; the file is damaged");
}

std::string TreeCursor::withoutPlace(std::string_view message) {
  const std::size_t basket = message.find(", basket of entry ");
  const std::size_t end = basket == std::string_view::npos ? basket : message.find(": ", basket);
  return std::string(end == std::string_view::npos ? message : message.substr(end + 2));
}

std::string TreeCursor::where(std::uint32_t number, std::uint64_t entry) const {
  return m_baskets.where(unit(number).slot, entry);
}

std::size_t TreeCursor::clusterOf(std::uint64_t entry) const {
  const auto clusters = m_contents.tree().clusters();
  const auto after = std::ranges::upper_bound(clusters, entry, {}, &EntryRange::first);
  return static_cast<std::size_t>(after - clusters.begin()) - 1;
}

void TreeCursor::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  std::vector<std::uint32_t> units;
  for (const std::uint32_t column : columns) {
    const ColumnOrigin& origin = m_contents.tables().origins[column];
    if (origin.kind != ColumnOrigin::Kind::presence)
      units.push_back(origin.unit);
  }
  m_slots = slotsOf(units);
  // The plan covers all entries between the first and the last. A page alone does not tell which
  // parts of a basket are read.
  m_reads.plan(EntrySelection(entries.hull()).within({0, m_contents.tree().entries()}));
}

/// Returns the slots of units and of their counters.
std::vector<std::uint32_t> TreeCursor::slotsOf(std::span<const std::uint32_t> units) const {
  std::vector<std::uint32_t> slots;
  for (const std::uint32_t number : units)
    for (const std::uint32_t wanted : {number, unit(number).counter, unit(number).sizes})
      if (wanted != Unit::none)
        slots.push_back(unit(wanted).slot);
  sortUnique(slots);
  return slots;
}

void TreeCursor::fetchFirst(std::span<const std::uint32_t> units) {
  m_baskets.dropFetched();
  m_reads.fetch(m_baskets.rangesOf(slotsOf(units), {0, 1}));
}

/// Returns the baskets of an entry's cluster, beginning at the entry. Leaves out the last entries
/// if the baskets do not fit into the memory budget.
PlannedReads::Portion TreeCursor::portionAt(std::uint64_t entry) const {
  const std::uint64_t budget = m_contents.container().options().memoryBudget;
  EntryRange entries{entry, std::min(m_contents.tree().clusters()[clusterOf(entry)].last,
                                     m_reads.planned().hull().last)};
  for (;;) {
    std::vector<io::ByteRange> ranges = m_baskets.rangesOf(m_slots, entries);
    if (io::bytesIn(ranges) <= budget || entries.size() <= 1)
      return {entries, std::move(ranges)};
    entries.last = entries.first + (entries.size() + 1) / 2;
  }
}

detail::PageRange TreeCursor::pages(TableNumber group, std::uint64_t entry) {
  if (m_reads.isDue({entry, entry + 1})) {
    m_baskets.dropFetched();
    m_reads.reach({entry, entry + 1});
  }
  const std::size_t number = clusterOf(entry);
  return pageIn(m_contents.tree().clusters()[number], number, m_contents.pageEntries(group), entry);
}

const Basket& TreeCursor::basketAt(const Unit& unit, std::uint64_t entry) {
  return m_baskets.at(unit.slot, entry, [&](Basket& basket) { setSizes(unit, basket); });
}

/// Computes the sizes of entries from their counter, for a basket that does not store where its
/// entries begin.
void TreeCursor::setSizes(const Unit& unit, Basket& basket) {
  if (unit.counter == Unit::none || unit.kind != Unit::Kind::numbers)
    fail(ErrorKind::version, m_baskets.where(unit.slot, basket.firstEntry()),
         ": it does not say where its entries begin");
  std::vector<std::uint32_t> sizes =
      countsOf(unit.counter, {basket.firstEntry(), basket.lastEntry()});
  for (std::uint32_t& size : sizes) {
    if (size > std::numeric_limits<std::uint32_t>::max() / unit.valueBytes())
      failUnit(unit, basket.firstEntry(), "an entry has too many values");
    size *= unit.valueBytes();
  }
  basket.setSizes(sizes);
}

/// Calls `use` for the part of each basket with some of these entries.
template <class Use>
void TreeCursor::forPieces(const Unit& unit, EntryRange entries, Use use) {
  for (std::uint64_t entry = entries.first; entry < entries.last;) {
    const Basket& basket = basketAt(unit, entry);
    const std::uint64_t last = std::min(basket.lastEntry(), entries.last);
    use(basket, EntryRange{entry, last});
    entry = last;
  }
}

bool TreeCursor::lacksValues(std::uint32_t number, EntryRange entries) {
  const Unit& values = unit(number);
  std::size_t bytes = 0;
  forPieces(values, entries, [&](const Basket& basket, EntryRange piece) {
    bytes += basket.bytes(piece.first, piece.last).size();
  });
  if (values.counter == Unit::none)
    return bytes == 0;
  return bytes == 0 && std::ranges::any_of(countsOf(values.counter, entries),
                                           [](std::uint32_t count) { return count > 0; });
}

/// Returns the values of a counter: one for each entry, or one for each of its counted values.
std::vector<std::uint32_t> TreeCursor::countsOf(std::uint32_t counter, EntryRange entries) {
  const Unit& counts = unit(counter);
  std::vector<std::uint32_t> numbers;
  forPieces(counts, entries, [&](const Basket& basket, EntryRange piece) {
    const auto bytes = basket.bytes(piece.first, piece.last);
    const std::size_t count = bytes.size() / counts.valueBytes();
    if (bytes.size() != count * counts.valueBytes())
      failUnit(counts, piece.first, "the size of its entries does not match their type");
    if (counts.counter == Unit::none && count != piece.size())
      failUnit(counts, piece.first, "it does not have one number in each entry");
    const std::size_t first = numbers.size();
    numbers.resize(first + count);
    const std::span<std::uint32_t> some = std::span(numbers).subspan(first);
    const std::size_t wrong = takeCounts(counts.numbers().form, bytes.data(), some);
    if (wrong < some.size())
      failUnit(counts, piece.first + (counts.counter == Unit::none ? wrong : 0),
               "its counter is negative or too large");
  });
  return numbers;
}

void TreeCursor::read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
                      detail::Page& page) {
  const ColumnOrigin& origin = m_contents.tables().origins[column];
  const EntryRange entries = entriesOf(range);
  page.shared.reset();
  page.values = values;
  switch (origin.kind) {
  case ColumnOrigin::Kind::presence:
    std::memset(page.roomFor(values).data(), 1, values);
    break;
  case ColumnOrigin::Kind::numbers:
    readNumbers(unit(origin.unit), entries, values, page);
    break;
  case ColumnOrigin::Kind::streamed:
    readStreamed(column, entries, values, page);
    break;
  default:
    page.values = values + 1;
    readCounts(origin, entries, page);
  }
}

void TreeCursor::readCounts(const ColumnOrigin& origin, EntryRange entries, detail::Page& page) {
  const auto out = page.storage.assign((entries.size() + 1) * sizeof(std::uint32_t));
  page.data = out.data();
  const std::span offsets(detail::valuesAt<std::uint32_t>(out.data()), entries.size() + 1);
  offsets[0] = 0;
  if (origin.kind == ColumnOrigin::Kind::listSizes)
    return readListSizes(unit(origin.unit), entries, offsets);
  const std::vector<std::uint32_t> counts = countsOf(origin.unit, entries);
  std::uint64_t sum = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    sum += counts[i - 1];
    offsets[i] = static_cast<std::uint32_t>(sum);
  }
  if (sum > std::numeric_limits<std::uint32_t>::max())
    failUnit(unit(origin.unit), entries.first, "its counts are too large");
  if (!canBecome(m_contents.container().bytes().size(), sum)) // before allocating memory for them
    failUnit(unit(origin.unit), entries.first, "it counts more values than the file can have");
}

void TreeCursor::readListSizes(const Unit& unit, EntryRange entries,
                               std::span<std::uint32_t> offsets) {
  const std::size_t valueBytes = unit.valueBytes();
  std::uint64_t sum = 0;
  forPieces(unit, entries, [&](const Basket& basket, EntryRange piece) {
    basket.forEntries(piece.first, piece.last, [&](std::uint64_t entry, auto bytes) {
      const std::size_t size = bytes.size();
      if (size > 0 && (size < unit.headBytes || (size - unit.headBytes) % valueBytes != 0))
        failUnit(unit, entry, "the size of an entry does not match its type");
      sum += size > 0 ? (size - unit.headBytes) / valueBytes : 0;
      if (sum > std::numeric_limits<std::uint32_t>::max())
        failUnit(unit, entry, "its entries have too many values");
      offsets[entry - entries.first + 1] = static_cast<std::uint32_t>(sum);
    });
  });
}

/// Memory for the values of a page, filled part by part. It never exceeds the size of the page.
class TreeCursor::Room {
public:
  Room(detail::Page& page, std::size_t values, std::size_t valueBytes)
      : m_page(page), m_left(values), m_valueBytes(valueBytes),
        m_isGiven(page.room.size() == values * valueBytes) {
    page.storage.clear();
    if (!m_isGiven)
      page.storage.reserve(std::min(values * valueBytes, usualBytes));
  }
  /// Returns null if there are more values than the page has.
  [[nodiscard]] std::byte* next(std::size_t count) {
    if (count > m_left)
      return nullptr;
    m_left -= count;
    const std::size_t bytes = count * m_valueBytes;
    return m_isGiven ? m_page.room.data() + std::exchange(m_done, m_done + bytes)
                     : m_page.storage.grow(bytes);
  }
  /// Whether all values of the page were filled. Sets the page's data.
  [[nodiscard]] bool finish() noexcept {
    m_page.data = m_isGiven ? m_page.room.data() : m_page.storage.data();
    return m_left == 0;
  }

private:
  // Reserved in advance; more memory is allocated only for actual values.
  static constexpr std::size_t usualBytes = std::size_t{1} << 20;

  detail::Page& m_page;
  std::size_t m_left;
  std::size_t m_valueBytes;
  std::size_t m_done = 0;
  bool m_isGiven;
};

void TreeCursor::readNumbers(const Unit& unit, EntryRange entries, std::size_t values,
                             detail::Page& page) {
  const Shape& numbers = unit.numbers();
  Room room(page, values, std::size_t{sizeOf(numbers.form.type)} * numbers.extent);
  forPieces(unit, entries, [&](const Basket& basket, EntryRange piece) {
    if (unit.kind == Unit::Kind::lists)
      basket.forEntries(piece.first, piece.last, [&](std::uint64_t entry, auto bytes) {
        readList(unit, entry, bytes, room);
      });
    else if (unit.entryBytes > 0)
      readLeaf(unit, piece, basket.bytes(piece.first, piece.last), room);
    else
      readRun(unit, piece, basket.bytes(piece.first, piece.last), room);
  });
  if (!room.finish())
    failUnit(unit, entries.first, "it has fewer values than its counter says");
}

/// Decodes consecutive numbers.
void TreeCursor::readRun(const Unit& unit, EntryRange piece, std::span<const std::byte> bytes,
                         Room& room) const {
  const std::size_t count = bytes.size() / unit.valueBytes();
  std::byte* const out = room.next(count);
  if (bytes.size() != count * unit.valueBytes() || (!out && count > 0))
    failUnit(unit, piece.first, "it has another number of values than its counter says");
  decodeNumbers(unit.numbers().form, bytes.data(), count * unit.numbers().extent, out);
}

/// Decodes the numbers of one of several leaves.
void TreeCursor::readLeaf(const Unit& unit, EntryRange piece, std::span<const std::byte> bytes,
                          Room& room) const {
  const std::size_t count = static_cast<std::size_t>(piece.size());
  const Shape& numbers = unit.numbers();
  std::byte* const out = bytes.size() == count * unit.entryBytes ? room.next(count) : nullptr;
  if (!out)
    failUnit(unit, piece.first, "the size of its entries does not match their type");
  const std::size_t outBytes = std::size_t{sizeOf(numbers.form.type)} * numbers.extent;
  for (std::size_t i = 0; i < count; ++i)
    decodeNumbers(numbers.form, bytes.data() + i * unit.entryBytes + unit.offset, numbers.extent,
                  out + i * outBytes);
}

/// Decodes the numbers of a list, behind its header.
void TreeCursor::readList(const Unit& unit, std::uint64_t entry, std::span<const std::byte> bytes,
                          Room& room) const {
  if (bytes.size() <= unit.headBytes)
    return;
  constexpr std::size_t countAt = 6; // in the header of a vector
  const std::size_t count = (bytes.size() - unit.headBytes) / unit.valueBytes();
  const bool isVector = unit.headBytes > countAt;
  const bool isSound =
      bytes.size() == unit.headBytes + count * unit.valueBytes() &&
      (!isVector ||
       (loadBigEndian<std::uint32_t>(bytes.data()) == (hasByteCount | (bytes.size() - 4)) &&
        loadBigEndian<std::uint32_t>(bytes.data() + countAt) == count));
  std::byte* const out = isSound ? room.next(count) : nullptr;
  if (!out)
    failUnit(unit, entry, "the size of an entry does not match its type");
  decodeNumbers(unit.numbers().form, bytes.data() + unit.headBytes, count * unit.numbers().extent,
                out);
}

/// Calls `decode`. Bytes that do not match their type are no proof of damage, because classes can
/// have code that the file does not describe.
template <class Decode>
void TreeCursor::decodeEntry(std::uint32_t number, std::uint64_t entry, Decode decode) const {
  std::string reason;
  try {
    return decode();
  } catch (const Error& error) {
    constexpr std::string_view proven = "; the file is damaged";
    reason = withoutPlace(error.what());
    if (error.kind() == ErrorKind::corrupt) {
      if (reason.ends_with(proven))
        reason.resize(reason.size() - proven.size());
      reason = "kaon does not understand the values of " + typeOf(unit(number)) + ", which " +
               m_contents.container().writer() + " wrote: " + reason;
    }
  }
  throw UnreadableColumns(where(number, entry) + ": " + reason, m_contents.name(),
                          columnsOf(number));
}

/// Returns the names of the columns that a streamed unit becomes.
std::vector<std::string> TreeCursor::columnsOf(std::uint32_t number) const {
  const TreeTables& tables = m_contents.tables();
  const auto columns = tables.schema.columns();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (tables.origins[i].kind == ColumnOrigin::Kind::streamed && tables.origins[i].unit == number)
      names.push_back(columns[i].role == ColumnRole::member
                          ? tables.schema.nameOfMember(columns[i].table, columns[i].member)
                          : std::string(tables.schema.table(columns[i].table).name));
  sortUnique(names);
  return names;
}

/// Returns the decoded values of a unit of any shape, for a whole page.
const ShapeDecoder& TreeCursor::streamed(std::uint32_t number, EntryRange entries) {
  const Unit& source = unit(number);
  const auto [place, isNew] =
      m_streamed.try_emplace(number, StreamedPage{{0, 0}, ShapeDecoder(source.part)});
  StreamedPage& page = place->second;
  if (page.entries == entries && entries.size() > 0)
    return page.stream;
  page.entries = {0, 0}; // stays empty if this fails
  page.stream.clear();
  std::vector<std::uint32_t> counts, sizes;
  if (source.counter != Unit::none)
    counts = countsOf(source.counter, entries);
  if (source.sizes != Unit::none)
    sizes = countsOf(source.sizes, entries);
  std::span<const std::uint32_t> left = sizes;
  forPieces(source, entries, [&](const Basket& basket, EntryRange piece) {
    BigEndianReader reader(basket.bytes(piece.first, piece.last),
                           m_baskets.where(source.slot, piece.first));
    page.stream.beginPiece(basket.bytesBefore(piece.first));
    std::size_t end = 0;
    basket.forEntries(piece.first, piece.last, [&](std::uint64_t entry, auto bytes) {
      end += bytes.size();
      const std::size_t count = counts.empty() ? 1 : counts[entry - entries.first];
      const auto ofEntry = left.first(std::min(count, left.size()));
      decodeEntry(number, entry, [&] { page.stream.decode(reader, end, count, ofEntry); });
      left = left.subspan(ofEntry.size());
    });
  });
  page.entries = entries;
  return page.stream;
}

void TreeCursor::readStreamed(std::uint32_t column, EntryRange entries, std::size_t values,
                              detail::Page& page) {
  const ColumnOrigin& origin = m_contents.tables().origins[column];
  const Column& info = m_contents.tables().schema.columns()[column];
  const bool isCounts = info.role == ColumnRole::counts;
  const auto bytes = streamed(origin.unit, entries).values(origin.output);
  page.values = values + (isCounts ? 1 : 0);
  if (bytes.size() != page.values * info.elementSize)
    failUnit(unit(origin.unit), entries.first, "its number of values is wrong");
  if (isCounts) {
    std::memcpy(page.storage.assign(bytes.size()).data(), bytes.data(), bytes.size());
    page.data = page.storage.data();
  } else if (!bytes.empty()) {
    std::memcpy(page.roomFor(bytes.size()).data(), bytes.data(), bytes.size());
  }
}

} // namespace kaon::root
