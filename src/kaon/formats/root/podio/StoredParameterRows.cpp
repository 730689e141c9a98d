#include <kaon/formats/root/podio/StoredParameterRows.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <numeric>

namespace kaon::root::podio {

void StoredParameterRows::find(const detail::PageRange& range, PodioPages& pages,
                               const Source& stored) {
  if (areSame(m_range, range) && range.lastEntry > 0)
    return;
  m_range = {}; // stays empty if this fails
  const auto rows = pages.offsets(m_table->keys, range);
  if (!std::ranges::equal(rows, pages.offsets(m_table->lists, range)))
    fail(ErrorKind::corrupt, stored.name(), ": '", stored.schema().table(m_table->keys).name,
         "' in entries ", range.firstEntry, " to ", range.lastEntry,
         " has another number of keys than there are values; the file is damaged");
  const auto text = pages.offsets(m_table->text, range);
  const auto* const characters = detail::valuesAt<char>(
      pages.page(stored.schema().place(m_table->text, 0).column, range).data);
  m_keys.resize(rows.back());
  m_firsts.assign(m_table->names.size() + 1, 0);
  for (std::size_t entry = 0; entry + 1 < rows.size(); ++entry)
    for (std::size_t row = rows[entry]; row < rows[entry + 1]; ++row) {
      m_keys[row] =
          m_numbers.find(row - rows[entry], {characters + text[row], text[row + 1] - text[row]});
      if (m_keys[row] != KeyNumbers::none)
        ++m_firsts[m_keys[row] + 1];
    }
  std::partial_sum(m_firsts.begin(), m_firsts.end(), m_firsts.begin());
  m_places.resize(m_firsts.back());
  for (std::size_t entry = 0; entry + 1 < rows.size(); ++entry)
    for (std::size_t row = rows[entry]; row < rows[entry + 1]; ++row)
      if (m_keys[row] != KeyNumbers::none)
        m_places[m_firsts[m_keys[row]]++] = {static_cast<std::uint32_t>(entry),
                                             static_cast<std::uint32_t>(row)};
  // The loop has moved each value to the start of the next key; this undoes it.
  std::shift_right(m_firsts.begin(), m_firsts.end(), 1);
  m_firsts[0] = 0;
  m_range = range;
}

} // namespace kaon::root::podio
