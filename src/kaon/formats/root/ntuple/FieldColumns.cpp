#include <kaon/formats/root/ntuple/FieldColumns.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/ntuple/Elements.h>

#include <algorithm>

namespace kaon::root {

std::vector<std::uint32_t> columnsAt(const NTupleDescriptor& descriptor, const NTupleField& field,
                                     std::size_t place, std::size_t places) {
  std::vector<std::uint32_t> columns;
  std::vector<std::size_t> counts; // by representation
  for (const std::uint32_t column : field.columns) {
    const std::size_t representation = descriptor.columns[column].representation;
    if (representation >= field.columns.size())
      fail(ErrorKind::type, "its representations are not counted from 0 on");
    counts.resize(std::max(counts.size(), representation + 1));
    if (counts[representation]++ == place)
      columns.push_back(column);
  }
  if (columns.empty() || std::ranges::any_of(counts, [&](std::size_t n) { return n != places; }))
    fail(ErrorKind::type, "'", field.typeName, "' does not have the columns that it should have");
  return columns;
}

std::vector<std::uint32_t> endColumns(const NTupleDescriptor& descriptor, const NTupleField& field,
                                      std::size_t places) {
  std::vector<std::uint32_t> columns = columnsAt(descriptor, field, 0, places);
  for (const std::uint32_t column : columns)
    if (!isIndex(descriptor.columns[column].type))
      fail(ErrorKind::type, "the column of its sizes holds no sizes");
  return columns;
}

} // namespace kaon::root
