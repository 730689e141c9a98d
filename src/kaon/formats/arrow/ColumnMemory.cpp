#include <kaon/formats/arrow/ColumnMemory.h>

namespace kaon::arrow {
namespace {

std::shared_ptr<Buffer> newBuffer(std::size_t bytes) {
  auto buffer = std::make_shared<Buffer>();
  (void)buffer->assign(bytes);
  return buffer;
}

} // namespace

double bytesOf(const ColumnReader& reader, const Schema& schema, const WantedMembers& wanted) {
  double bytes = 0; // which a damaged file can make larger than any integer
  for (const auto& [number, members] : wanted) {
    const Table table = schema.table(number);
    if (table.canBeAbsent())
      bytes += static_cast<double>(reader.range().size());
    if (table.isCounted())
      bytes += static_cast<double>(reader.rowsAbove(number)) * sizeof(std::int64_t);
    for (const std::uint32_t member : members)
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
    if (table.canBeAbsent()) {
      read.present = newBuffer(memory.entries);
      reader.setPresence(number, {reinterpret_cast<bool*>(read.present->data()), memory.entries});
    }
    if (table.isCounted()) {
      const std::size_t begins = reader.rowsAbove(number) + 1;
      read.offsets = newBuffer(begins * sizeof(std::int64_t));
      reader.setOffsets(number, {reinterpret_cast<std::int64_t*>(read.offsets->data()), begins});
    }
    for (const std::uint32_t member : members) {
      const auto& values = read.members[member] =
          newBuffer(read.rows * table.members[member].size());
      reader.setValues(number, member, {values->data(), values->size()});
    }
  }
  reader.read();
  return memory;
}

} // namespace kaon::arrow
