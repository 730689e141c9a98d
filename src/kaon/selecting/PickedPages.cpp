#include <kaon/selecting/PickedPages.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/reading/Window.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace kaon {

class PickedPages::Implementation {
public:
  Implementation(const Source& source, std::span<const std::uint64_t> picked)
      : m_window(source), m_picked(picked) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
    const EntrySelection cut = entries.within({0, m_picked.size()});
    if (cut.size() >=
        m_window.source().entries() / 2) // sorting takes longer than reading the others
      return m_window.fetch(columns, {});
    std::vector<std::uint64_t> wanted;
    for (const EntryRange& run : cut.runs())
      for (std::uint64_t entry = run.first; entry < run.last; ++entry)
        if (m_picked[entry] != none)
          wanted.push_back(m_picked[entry]);
    sortUnique(wanted);
    m_window.fetch(columns, EntrySelection::ofList(wanted));
  }

  /// Returns a block with as many entries as the group's page of the first picked entry, but at
  /// most 4096.
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) {
    constexpr std::uint64_t most = 4096;
    std::uint64_t& width = m_widths[group];
    if (width == 0) {
      const auto some =
          std::ranges::find_if(m_picked, [](std::uint64_t each) { return each != none; });
      width = most;
      if (some != m_picked.end()) {
        const detail::PageRange page = m_window.cursor().pages(group, *some);
        width = std::min(page.lastEntry - page.firstEntry, most);
      }
    }
    const std::uint64_t first = entry - entry % width;
    return {first, std::min(first + width, m_picked.size()), 0, 0};
  }

  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) {
    page.shared.reset();
    turnTo(range);
    const Column& info = schema().columns()[column];
    switch (info.role) {
    case ColumnRole::presence:
      return readPresence(info.table, values, page);
    case ColumnRole::counts:
      return readCounts(info.table, values, page);
    case ColumnRole::rows:
    case ColumnRole::member:
      return readRows(column, values, page);
    }
  }

private:
  /// Entries of the block that are consecutive in the source.
  struct Piece {
    std::size_t first; // in the block
    EntryRange picked;
  };

  [[nodiscard]] const Schema& schema() const noexcept { return m_window.source().schema(); }

  void turnTo(const detail::PageRange& range) {
    if (m_block == EntryRange{range.firstEntry, range.lastEntry})
      return;
    m_block = {range.firstEntry, range.lastEntry};
    m_begins.clear();
    m_pieces.clear();
    for (std::uint64_t entry = m_block.first; entry < m_block.last; ++entry) {
      const std::uint64_t there = m_picked[entry];
      if (there == none)
        continue;
      const auto place = static_cast<std::size_t>(entry - m_block.first);
      if (!m_pieces.empty() && m_pieces.back().picked.last == there &&
          m_pieces.back().first + m_pieces.back().picked.size() == place)
        ++m_pieces.back().picked.last;
      else
        m_pieces.push_back({place, {there, there + 1}});
    }
    // Each page is decoded once, in any order of the picked entries.
    std::ranges::sort(m_pieces, {}, [](const Piece& piece) { return piece.picked.first; });
  }

  /// Calls `use` with each piece, cut at the ends of the source's pages.
  template <class Use>
  void forPieces(TableNumber table, Use use) {
    for (Piece rest : m_pieces)
      while (rest.picked.size() > 0) {
        const std::uint64_t end = m_window.pages(table, rest.picked.first).lastEntry;
        const std::uint64_t last = std::min(rest.picked.last, end);
        use(Piece{rest.first, {rest.picked.first, last}});
        rest.first += static_cast<std::size_t>(last - rest.picked.first);
        rest.picked.first = last;
      }
  }

  /// Returns the offsets of a table's rows in the block: entry i has the rows [begins[i], begins[i
  /// + 1]).
  const std::vector<std::size_t>& beginsOf(TableNumber table) {
    std::vector<std::size_t>& begins = m_begins[table];
    if (!begins.empty())
      return begins;
    // Places without a picked entry have one row in tables with one row per entry.
    const Table info = schema().table(table);
    const std::size_t without = info.isRoot() && !info.isCounted() ? 1 : 0;
    std::vector<std::size_t> sums(m_block.size() + 1, without);
    sums.front() = 0;
    forPieces(table, [&](const Piece& piece) {
      for (std::uint64_t entry = piece.picked.first; entry < piece.picked.last; ++entry) {
        const auto [first, last] = m_window.rows(table, entry);
        sums[piece.first + static_cast<std::size_t>(entry - piece.picked.first) + 1] = last - first;
      }
    });
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    begins = std::move(sums);
    return begins;
  }

  /// Throws unless a page has the expected number of values, and at most 1 GiB. An entry may be
  /// picked many times, so pages can be far larger than the source's.
  void checkPage(TableNumber table, std::size_t expected, std::size_t values,
                 std::size_t size) const {
    constexpr std::size_t mostBytes = std::size_t{1} << 30;
    if (expected != values)
      fail(ErrorKind::corrupt, m_window.source().name(), ": changed while it was read");
    if (values > mostBytes / size)
      fail(ErrorKind::memory, m_window.source().name(), ": '", schema().table(table).name, "' has ",
           values, " values in the entries ", m_block.first, " to ", m_block.last,
           " that are picked, which would take more than 1 GiB");
  }

  void readPresence(TableNumber table, std::size_t values, detail::Page& page) {
    const auto out = page.storage.assign(values);
    std::ranges::fill(out, std::byte{0});
    forPieces(table, [&](const Piece& piece) {
      for (std::uint64_t entry = piece.picked.first; entry < piece.picked.last; ++entry)
        out[piece.first + static_cast<std::size_t>(entry - piece.picked.first)] =
            std::byte{m_window.isPresent(table, entry)};
    });
    page.values = values;
    page.data = out.data();
  }

  void readCounts(TableNumber table, std::size_t values, detail::Page& page) {
    const Table info = schema().table(table);
    const std::vector<std::size_t>* const above = info.isRoot() ? nullptr : &beginsOf(info.parent);
    checkPage(table, above ? above->back() : m_block.size(), values, sizeof(std::uint32_t));
    const auto bytes = page.storage.assign((values + 1) * sizeof(std::uint32_t));
    const std::span sums(detail::valuesAt<std::uint32_t>(bytes.data()), values + 1);
    std::ranges::fill(sums, 0);
    forPieces(table, [&](const Piece& piece) {
      const EntryRange entries = piece.picked;
      const std::uint64_t begin = m_window.pages(table, entries.first).firstEntry;
      const std::size_t first = info.isRoot() ? static_cast<std::size_t>(entries.first - begin)
                                              : m_window.rows(info.parent, entries.first).first;
      const std::size_t last = info.isRoot() ? static_cast<std::size_t>(entries.last - begin)
                                             : m_window.rows(info.parent, entries.last - 1).second;
      const auto inPage = m_window.offsets(table, entries.first);
      std::uint32_t* out = sums.data() + (above ? (*above)[piece.first] : piece.first) + 1;
      for (std::size_t row = first; row < last; ++row)
        *out++ = inPage[row + 1] - inPage[row];
    });
    const std::uint64_t total = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
    if (total > std::numeric_limits<std::uint32_t>::max())
      fail(ErrorKind::memory, m_window.source().name(), ": '", info.name, "' has ", total,
           " rows in the entries ", m_block.first, " to ", m_block.last,
           " that are picked, more than 4294967295");
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    page.values = values + 1;
    page.data = bytes.data();
  }

  void readRows(ColumnNumber column, std::size_t values, detail::Page& page) {
    const Column& info = schema().columns()[column];
    const std::size_t size = info.elementSize;
    const std::vector<std::size_t>& begins = beginsOf(info.table);
    checkPage(info.table, begins.back(), values, size);
    const auto out = page.roomFor(values * size);
    fillMissing(info, begins, out);
    forPieces(info.table, [&](const Piece& piece) {
      const std::size_t first = m_window.rows(info.table, piece.picked.first).first;
      const std::size_t last = m_window.rows(info.table, piece.picked.last - 1).second;
      if (first == last)
        return;
      const detail::Page& from = m_window.page(column, piece.picked.first);
      const std::size_t stride = from.isRepeated ? 0 : size;
      detail::copyStrided(out.data() + begins[piece.first] * size, size, from.data + first * stride,
                          stride, last - first, size);
    });
    page.values = values;
  }

  /// Fills in the rows of places without a picked entry, in tables with one row per entry.
  void fillMissing(const Column& info, const std::vector<std::size_t>& begins,
                   std::span<std::byte> out) const {
    const Table table = schema().table(info.table);
    if (table.isCounted() || !table.isRoot())
      return;
    const Member member = table.members[info.member];
    for (std::uint64_t entry = m_block.first; entry < m_block.last; ++entry)
      if (m_picked[entry] == none)
        for (std::uint32_t i = 0; i < member.extent; ++i)
          std::memcpy(out.data() + begins[entry - m_block.first] * info.elementSize +
                          std::size_t{i} * sizeOf(member.type),
                      &member.missing, sizeOf(member.type));
  }

  detail::Window m_window; // of the source
  std::span<const std::uint64_t> m_picked;
  std::map<std::uint32_t, std::uint64_t> m_widths; // by group
  EntryRange m_block{0, 0};
  std::vector<Piece> m_pieces;                                // of the block
  std::map<std::uint32_t, std::vector<std::size_t>> m_begins; // by table
};

PickedPages::PickedPages(const Source& source, std::span<const std::uint64_t> picked)
    : m_implementation(std::make_unique<Implementation>(source, picked)) {}
PickedPages::~PickedPages() = default;

void PickedPages::fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) {
  m_implementation->fetch(columns, entries);
}

detail::PageRange PickedPages::pages(TableNumber group, std::uint64_t entry) {
  return m_implementation->pages(group, entry);
}

void PickedPages::read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
                       detail::Page& page) {
  m_implementation->read(column, range, values, page);
}

} // namespace kaon
