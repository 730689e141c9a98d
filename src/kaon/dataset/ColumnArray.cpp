#include <kaon/dataset/ColumnArray.h>

namespace kaon::detail {
namespace {

/// Appends where lists begin, which count from where those before them ended.
template <class Offset>
void appendOffsets(std::vector<std::int64_t>& to, std::span<const Offset> offsets) {
  const std::int64_t before = to.back();
  to.reserve(to.size() + offsets.size() - 1);
  for (const Offset offset : offsets.subspan(1))
    to.push_back(before + static_cast<std::int64_t>(offset));
}

} // namespace

void GatheredArray::add(std::size_t, std::span<const ArgumentValues> arguments) {
  const ColumnValues& column = arguments[0].column;
  const std::size_t bytes = column.size * sizeOf(m_array.type.scalar);
  m_array.values.insert(m_array.values.end(), column.values, column.values + bytes);
  for (std::size_t level = 0; level < m_array.offsets.size(); ++level)
    appendOffsets(m_array.offsets[level], column.offsets[level]);
}

void GatheredArray::merge(GatheredArray&& next) {
  m_array.values.insert(m_array.values.end(), next.m_array.values.begin(),
                        next.m_array.values.end());
  for (std::size_t level = 0; level < m_array.offsets.size(); ++level)
    appendOffsets<std::int64_t>(m_array.offsets[level], next.m_array.offsets[level]);
}

} // namespace kaon::detail
