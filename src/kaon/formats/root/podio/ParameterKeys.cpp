#include <kaon/formats/root/podio/ParameterKeys.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/reading/Window.h>

#include <array>

namespace kaon::root::podio {

KeyNumbers::KeyNumbers(const std::vector<std::string>& names) {
  for (std::size_t place = 0; place < names.size(); ++place)
    add(place, names[place]);
}

std::uint32_t KeyNumbers::find(std::size_t place, std::string_view key) {
  if (place < m_last.size() && m_last[place] < m_names.size() && m_names[m_last[place]] == key)
    return m_last[place];
  const auto known = m_numbers.find(key);
  if (known == m_numbers.end())
    return none;
  if (place >= m_last.size())
    m_last.resize(place + 1, none);
  m_last[place] = known->second;
  return known->second;
}

std::uint32_t KeyNumbers::add(std::size_t place, std::string_view key) {
  if (const std::uint32_t known = find(place, key); known != none)
    return known;
  const auto number = static_cast<std::uint32_t>(m_names.size());
  m_numbers.emplace(m_names.emplace_back(key), number);
  return number;
}

std::vector<std::string> parameterKeys(const Source& stored, std::uint32_t keys,
                                       std::uint32_t text) {
  const Schema& schema = stored.schema();
  detail::Window window(stored);
  window.fetch(std::array<std::uint32_t, 3>{schema.countsColumn(keys), schema.countsColumn(text),
                                            schema.place(text, 0).column},
               {});
  KeyNumbers numbers;
  for (std::uint64_t entry = 0; entry < stored.entries(); ++entry) {
    const auto [first, last] = window.rows(keys, entry);
    if (first == last)
      continue;
    const auto offsets = window.offsets(text, entry);
    const auto* const characters = detail::valuesAt<char>(window.member(text, 0, entry).base);
    for (std::size_t row = first; row < last; ++row)
      if (numbers.add(row - first, {characters + offsets[row], offsets[row + 1] - offsets[row]}) ==
          mostKeys)
        fail(ErrorKind::version, stored.name(), ": '", schema.table(keys).name, "' has more than ",
             mostKeys, " keys");
  }
  return numbers.names();
}

} // namespace kaon::root::podio
