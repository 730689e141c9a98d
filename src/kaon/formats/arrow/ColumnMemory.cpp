#include <kaon/formats/arrow/ColumnMemory.h>

#include <kaon/detail/base/Memory.h>

#include <vector>

namespace kaon::arrow {
namespace {

std::shared_ptr<Buffer> newBuffer(std::size_t bytes) {
  auto buffer = std::make_shared<Buffer>();
  (void)buffer->assign(bytes);
  return buffer;
}

using Runs = std::vector<EntryRange>; // of entries, or of rows

std::size_t sizeOf(std::span<const EntryRange> runs) {
  std::size_t size = 0;
  for (const EntryRange run : runs)
    size += static_cast<std::size_t>(run.size());
  return size;
}

std::shared_ptr<Buffer> taken(const Buffer& values, std::size_t bytesOfOne,
                              std::span<const EntryRange> runs) {
  auto buffer = std::make_shared<Buffer>();
  buffer->reserve(sizeOf(runs) * bytesOfOne);
  for (const EntryRange run : runs)
    buffer->append(values.bytes().subspan(static_cast<std::size_t>(run.first) * bytesOfOne,
                                          static_cast<std::size_t>(run.size()) * bytesOfOne));
  return buffer;
}

/// Returns the offsets of lists if only the lists in some runs are kept.
std::shared_ptr<Buffer> offsetsOf(std::span<const std::int64_t> begins,
                                  std::span<const EntryRange> runs) {
  auto buffer = newBuffer((sizeOf(runs) + 1) * sizeof(std::int64_t));
  auto* out = detail::valuesAt<std::int64_t>(buffer->data());
  *out = 0;
  for (const EntryRange run : runs)
    for (std::uint64_t i = run.first; i < run.last; ++i, ++out)
      out[1] = out[0] + begins[i + 1] - begins[i];
  return buffer;
}

Runs rowsIn(std::span<const std::int64_t> begins, std::span<const EntryRange> runs) {
  Runs rows;
  for (const EntryRange run : runs)
    rows.emplace_back(static_cast<std::uint64_t>(begins[run.first]),
                      static_cast<std::uint64_t>(begins[run.last]));
  return rows;
}

} // namespace

double bytesOf(const ColumnReader& reader, const Schema& schema, const WantedMembers& wanted) {
  double bytes = 0; // a double: damaged files can state sizes beyond any integer
  for (const auto& [number, members] : wanted) {
    const Table table = schema.table(number);
    if (table.canBeAbsent())
      bytes += static_cast<double>(reader.range().size());
    if (table.isCounted())
      bytes += static_cast<double>(reader.rowsAbove(number)) * sizeof(std::int64_t);
    for (const MemberNumber member : members)
      bytes += static_cast<double>(reader.rows(number)) * table.members[member].size();
  }
  return bytes;
}

ColumnMemory readColumns(ColumnReader& reader, const Schema& schema, const WantedMembers& wanted) {
  ColumnMemory memory{static_cast<std::size_t>(reader.range().size())};
  for (const auto& [number, members] : wanted) {
    const Table table = schema.table(number);
    TableMemory& read = memory.tables[number];
    read.rows = reader.rows(number);
    read.above = table.parent;
    if (table.canBeAbsent()) {
      read.present = newBuffer(memory.entries);
      reader.setPresence(number, {detail::valuesAt<bool>(read.present->data()), memory.entries});
    }
    if (table.isCounted()) {
      const std::size_t begins = reader.rowsAbove(number) + 1;
      read.offsets = newBuffer(begins * sizeof(std::int64_t));
      reader.setOffsets(number, {detail::valuesAt<std::int64_t>(read.offsets->data()), begins});
    }
    for (const MemberNumber member : members) {
      const auto& values = read.members[member] =
          newBuffer(read.rows * table.members[member].size());
      reader.setValues(number, member, {values->data(), values->size()});
    }
  }
  reader.read();
  return memory;
}

ColumnMemory taken(const ColumnMemory& all, std::span<const EntryRange> runs) {
  ColumnMemory memory{sizeOf(runs)};
  std::map<std::uint32_t, Runs> rows;
  for (const auto& [number, table] : all.tables) { // parents come before their tables
    const auto above = rows.find(table.above);
    const std::span<const EntryRange> inAbove = above == rows.end() ? runs : above->second;
    Runs& own = rows[number];
    own = table.offsets ? rowsIn(table.begins(), inAbove) : Runs(inAbove.begin(), inAbove.end());
    TableMemory& some = memory.tables[number];
    some.rows = sizeOf(own);
    some.above = table.above;
    if (table.offsets)
      some.offsets = offsetsOf(table.begins(), inAbove);
    if (table.present)
      some.present = taken(*table.present, 1, inAbove);
    for (const auto& [member, values] : table.members)
      some.members[member] = taken(*values, table.rows > 0 ? values->size() / table.rows : 0, own);
  }
  return memory;
}

} // namespace kaon::arrow
