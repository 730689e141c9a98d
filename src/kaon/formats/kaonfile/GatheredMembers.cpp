#include <kaon/formats/kaonfile/GatheredMembers.h>

#include <algorithm>

namespace kaon::kaonfile {
namespace {

// Memory that threads keep for their next buffers.
constexpr std::size_t mostBytes = std::size_t{4} << 20;
static_assert(mostBytes % Buffer::alignment == 0); // Rounded sizes fit, too.

/// Returns the memory for a member's values, rounded up so that the next member is aligned for any
/// type.
std::size_t roomFor(std::size_t bytes) noexcept {
  return (bytes + Buffer::alignment - 1) / Buffer::alignment * Buffer::alignment;
}

bool isInRows(const Member& member, const ColumnView& values) {
  return values.stride > member.size() && member.precision.kind == Precision::Kind::exact;
}

} // namespace

std::optional<std::span<const std::byte>>
GatheredMembers::values(const Batch& batch, TableNumber table, MemberNumber member) {
  const auto find = [&] { return std::ranges::find(m_members, member, &Values::member); };
  auto known = m_table == table ? find() : m_members.end();
  if (known == m_members.end()) {
    gather(batch, table, member);
    known = find();
  }
  return known == m_members.end() ? std::nullopt : std::optional(known->values);
}

/// Gathers this member and the following ones, if at least two fit.
void GatheredMembers::gather(const Batch& batch, TableNumber table, std::uint32_t first) {
  m_table = table;
  m_members.clear();
  m_copies.clear();
  const Table info = batch.schema().table(table);
  const TableView& rows = batch.table(table);
  std::size_t bytes = 0;
  for (std::uint32_t i = first; i < info.members.size(); ++i) {
    const Member member = info.members[i];
    if (!isInRows(member, rows.members[i]) || rows.rows > (mostBytes - bytes) / member.size())
      break;
    m_copies.push_back(
        {nullptr, member.size(), rows.members[i].base, rows.members[i].stride, member.size()});
    bytes += roomFor(rows.rows * member.size());
  }
  if (m_copies.size() < 2)
    return;
  std::byte* out = m_memory.assign(bytes).data();
  for (detail::StridedCopy& copy : m_copies) {
    copy.out = out;
    m_members.push_back({first++, {out, rows.rows * copy.size}});
    out += roomFor(rows.rows * copy.size);
  }
  detail::copyTogether(m_copies, rows.rows);
}

} // namespace kaon::kaonfile
