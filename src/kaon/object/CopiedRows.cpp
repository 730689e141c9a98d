#include <kaon/detail/object/CopiedRows.h>

#include <kaon/base/Joined.h>
#include <kaon/base/Warning.h>
#include <kaon/model/Datatype.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {

std::byte* CopiedRows::find(std::size_t row) {
  const auto known = m_rows.find(row);
  return known == m_rows.end() ? nullptr : known->second.values.get();
}

std::byte* CopiedRows::add(std::size_t row, std::unique_ptr<std::byte[]> values) {
  auto original = std::make_unique<std::byte[]>(m_type.rowSize);
  std::copy_n(values.get(), m_type.rowSize, original.get());
  const auto added = m_rows.try_emplace(row, Copy{std::move(values), std::move(original)}).first;
  return added->second.values.get();
}

CopiedRows::~CopiedRows() {
  const bool isChanged = std::ranges::any_of(m_rows, [&](const auto& each) {
    const Copy& copy = each.second;
    return copy.values &&
           !std::equal(copy.values.get(), copy.values.get() + m_type.rowSize, copy.original.get());
  });
  if (isChanged)
    try {
      warn(WarningKind::lostChange,
           joined("changes of objects of ", m_type.name,
                  " through references are lost, because the objects are in a file: clone() the "
                  "objects, or take() their collection"));
    } catch (...) { // a destructor must not throw
    }
}

} // namespace kaon::detail
