#include <kaon/batch/MissingPage.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <cstring>

namespace kaon {
namespace {
constexpr std::size_t mostBytes = std::size_t{64} << 20; // of one value
}

void fillMissing(const Schema& schema, ColumnNumber columnNumber, bool isThere, std::size_t values,
                 const std::string& where, detail::Page& page) {
  const Column column = schema.columns()[columnNumber];
  page.values = values;
  const auto fill = [&](std::size_t size, std::byte value) {
    const auto out = page.storage.assign(size);
    std::ranges::fill(out, value);
    page.data = out.data();
  };
  switch (column.role) {
  case ColumnRole::presence:
    return fill(values, std::byte{isThere});
  case ColumnRole::counts:
    page.values = values + 1;
    return fill(page.values * sizeof(std::uint32_t), std::byte{0});
  case ColumnRole::rows: // it has no rows
    return fill(0, std::byte{0});
  case ColumnRole::member:
    break;
  }
  const Member member = schema.table(column.table).members[column.member];
  if (column.elementSize > mostBytes)
    fail(ErrorKind::corrupt, where, ": a value of '", member.name, "' has ", column.elementSize,
         " bytes; the file is damaged");
  fill(column.elementSize, std::byte{0});
  for (std::uint32_t i = 0; i < member.extent; ++i)
    std::memcpy(page.storage.data() + std::size_t{i} * sizeOf(member.type), &member.missing,
                sizeOf(member.type));
  page.isRepeated = true;
}

} // namespace kaon
