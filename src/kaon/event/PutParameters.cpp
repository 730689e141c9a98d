#include <kaon/event/PutParameters.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace kaon {
namespace {

std::uint32_t hashOf(std::string_view name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
}

/// Returns an empty vector of the type with this index.
template <std::size_t... Types>
detail::ParameterValues emptyValues(std::size_t type, std::index_sequence<Types...> /*all*/) {
  detail::ParameterValues values;
  ((Types == type ? static_cast<void>(values.emplace<Types>()) : void()), ...);
  return values;
}

} // namespace

std::string_view typeOf(const detail::ParameterValues& values) {
  return std::visit([]<class T>(const std::vector<T>&) { return detail::parameterType<T>(); },
                    values);
}

/// Returns the position of the first parameter with this name for which `isWanted` is true; if
/// there is no match, their number.
template <class IsWanted>
std::size_t PutParameters::positionWhere(std::string_view name, IsWanted isWanted) const {
  const std::uint32_t hash = hashOf(name);
  for (auto at = m_hashes.begin(); (at = std::find(at, m_hashes.end(), hash)) != m_hashes.end();
       ++at) {
    const auto position = static_cast<std::size_t>(at - m_hashes.begin());
    if (m_all[position].name == name && isWanted(m_all[position]))
      return position;
  }
  return m_all.size();
}

/// Returns the position of the parameter with this name and type; adds it if it is missing.
std::size_t PutParameters::lookUp(std::string_view name, std::size_t type) {
  const std::size_t position = positionWhere(
      name, [type](const Parameter& parameter) { return parameter.values.index() == type; });
  if (position == m_all.size()) {
    constexpr auto types = std::make_index_sequence<std::variant_size_v<detail::ParameterValues>>();
    if (m_hashes.size() == m_hashes.capacity())
      m_hashes.reserve(2 * position + 8); // if this throws, nothing has changed
    m_all.push_back({std::string(name), emptyValues(type, types)});
    m_hashes.push_back(hashOf(name));
  }
  return position;
}

const detail::ParameterValues* PutParameters::find(std::string_view name,
                                                   std::string_view type) const {
  if (m_all.empty())
    return nullptr;
  const std::size_t position = positionWhere(name, [type](const Parameter& parameter) {
    return parameter.isThere && typeOf(parameter.values) == type;
  });
  return position == m_all.size() ? nullptr : &m_all[position].values;
}

void PutParameters::clear() noexcept {
  m_next = 0;
  if (std::exchange(m_areLarge, false))
    for (Parameter& parameter : m_all)
      std::visit([](auto& values) { std::remove_reference_t<decltype(values)>().swap(values); },
                 parameter.values);
  const auto unused = [](const Parameter& parameter) { return !parameter.isThere; };
  if (std::erase_if(m_all, unused) > 0) {
    m_hashes.clear();
    for (const Parameter& parameter : m_all)
      m_hashes.push_back(hashOf(parameter.name));
  }
  for (Parameter& parameter : m_all)
    parameter.isThere = false;
}

} // namespace kaon
