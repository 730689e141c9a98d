#include <kaon/object/Decoration.h>

#include <cstring>
#include <utility>

namespace kaon {

std::byte* DecorationValues::grow(std::size_t object) {
  const std::size_t size = sizeOf(type);
  while (values.size() <= object * size)
    std::memcpy(values.grow(size), &missing, size);
  return values.data() + object * size;
}

DecorationValues& Decorations::get(std::string_view name, Scalar type, std::uint64_t missing) {
  const std::lock_guard lock(m_mutex);
  auto& values = m_byName[std::string(name)];
  if (!values)
    values = std::make_unique<DecorationValues>(DecorationValues{type, missing, {}});
  if (values->type != type)
    fail(ErrorKind::type, "the decoration '", name, "' holds ", nameOf(values->type), ", not ",
         nameOf(type));
  return *values;
}

const DecorationValues* Decorations::find(std::string_view name) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_byName.find(name);
  return found == m_byName.end() ? nullptr : found->second.get();
}

std::vector<std::string> Decorations::names() const {
  const std::lock_guard lock(m_mutex);
  std::vector<std::string> all;
  for (const auto& [name, values] : m_byName)
    all.push_back(name);
  return all;
}

void Decorations::clear() {
  const std::lock_guard lock(m_mutex);
  m_byName.clear();
}

void Decorations::rearrange(std::span<const std::uint32_t> order) {
  const std::lock_guard lock(m_mutex);
  for (auto& [name, values] : m_byName) {
    const std::size_t size = sizeOf(values->type);
    const std::size_t stored = values->values.size() / size;
    Buffer moved;
    for (const std::uint32_t from : order)
      std::memcpy(moved.grow(size),
                  from < stored ? values->values.data() + from * size
                                : reinterpret_cast<const std::byte*>(&values->missing),
                  size);
    values->values = std::move(moved);
  }
}

namespace detail {
void failDecorated(std::size_t object, std::size_t objects) {
  fail(ErrorKind::usage, "a decoration of object ", object, ", of ", objects);
}
} // namespace detail

} // namespace kaon
