#include <kaon/object/Decoration.h>

#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaon {
namespace {

/// Throws if a member or relation, or a component with further members, has this name.
void checkName(const Datatype& objects, std::string_view name) {
  const auto isTaken = [name](std::string_view taken) {
    return taken.starts_with(name) && (taken.size() == name.size() || taken[name.size()] == '.');
  };
  if (name.empty() || std::ranges::any_of(objects.leaves, isTaken, &Leaf::name) ||
      std::ranges::any_of(objects.vectors, isTaken, &VectorMember::name) ||
      std::ranges::any_of(objects.relations, isTaken, &Relation::name))
    fail(ErrorKind::usage, withArticle(objects.name), " has a '", name,
         "' already: a decoration needs a name of its own");
}

} // namespace

std::byte* detail::DecorationValues::at(std::size_t object, std::size_t objects) {
  const std::size_t size = sizeOf(type);
  if (values.size() < objects * size) [[unlikely]] {
    values.reserve(objects * size); // for all at once: no value moves while others are set
    while (values.size() < objects * size)
      std::memcpy(values.grow(size), &missing, size);
  }
  return values.data() + object * size;
}

detail::DecorationValues& detail::Decorations::add(const Datatype& objects, std::string_view name,
                                                   Scalar type, std::uint64_t missing) {
  checkName(objects, name);
  const std::lock_guard lock(m_mutex);
  auto& values = m_byName[std::string(name)];
  if (!values)
    values =
        std::make_unique<detail::DecorationValues>(detail::DecorationValues{type, missing, {}});
  m_count = m_byName.size();
  if (values->type != type)
    fail(ErrorKind::type, "the decoration '", name, "' holds ", nameOf(values->type), ", not ",
         nameOf(type));
  return *values;
}

const detail::DecorationValues* detail::Decorations::find(std::string_view name) const {
  const std::lock_guard lock(m_mutex);
  const auto entry = m_byName.find(name);
  return entry == m_byName.end() ? nullptr : entry->second.get();
}

std::vector<std::string> detail::Decorations::names() const {
  if (m_count == 0)
    return {};
  const std::lock_guard lock(m_mutex);
  std::vector<std::string> all;
  for (const auto& [name, values] : m_byName)
    all.push_back(name);
  return all;
}

void detail::Decorations::reorder(std::span<const std::uint32_t> order) {
  const std::lock_guard lock(m_mutex);
  for (auto& [name, values] : m_byName) {
    const std::size_t size = sizeOf(values->type);
    const std::size_t stored = values->values.size() / size;
    Buffer moved;
    for (const std::uint32_t from : order)
      std::memcpy(moved.grow(size),
                  from < stored ? values->values.data() + from * size
                                : detail::bytesAt(&values->missing),
                  size);
    values->values = std::move(moved);
  }
}

namespace detail {
void failDecorated(std::size_t object, std::size_t objects) {
  fail(ErrorKind::usage, "object ", object, " is out of range in a decoration of size ", objects);
}
} // namespace detail

} // namespace kaon
