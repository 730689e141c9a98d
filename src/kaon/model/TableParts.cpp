#include <kaon/model/TableParts.h>

namespace kaon {

std::vector<TablePart> partsInOrder(const Table& table, std::span<const std::uint32_t> under) {
  std::vector<TablePart> parts;
  std::size_t placed = 0;
  for (MemberNumber member = 0; member < table.members.size(); ++member) {
    for (const std::size_t before = table.members[member].listsBefore;
         placed < before && placed < under.size(); ++placed)
      parts.push_back({true, under[placed]});
    parts.push_back({false, member});
  }
  for (; placed < under.size(); ++placed)
    parts.push_back({true, under[placed]});
  return parts;
}

} // namespace kaon
