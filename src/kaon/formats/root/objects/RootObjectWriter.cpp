#include <kaon/formats/root/objects/RootObjectWriter.h>

#include <kaon/formats/root/objects/ByteOrder.h>

#include <vector>

namespace kaon::root {

void RootObjectWriter::putNamed(std::string_view name, std::string_view title, std::uint32_t bits) {
  frame(1, [&] {
    putObject(bits);
    putString(name);
    putString(title);
  });
}

void RootObjectWriter::putNumbers(std::size_t size, std::span<const std::byte> numbers) {
  if (size == 1)
    return putBytes(numbers);
  std::vector<std::byte> turned(numbers.size());
  turnBytes(size, numbers.data(), numbers.size() / size, turned.data());
  putBytes(turned);
}

/// Writes the name of a class at its first occurrence, and a reference to that place afterwards.
void RootObjectWriter::putClass(std::string_view className) {
  constexpr std::uint32_t newClass = 0xFFFFFFFF, classMark = 0x80000000;
  const auto known = m_classes.find(className);
  if (known != m_classes.end())
    return put(classMark | known->second);
  m_classes.emplace(className, numberAt(size()));
  put(newClass);
  putCString(className);
}

} // namespace kaon::root
