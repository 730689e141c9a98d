#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>

namespace kaon {
struct Datatype;
} // namespace kaon

namespace kaon::detail {

/// Structs of objects that are in a file, copied because mutable handles return references.
class CopiedRows {
public:
  explicit CopiedRows(const Datatype& type) : m_type(type) {}
  /// Warns if the program changed a copy: the objects are unchanged.
  ~CopiedRows();
  CopiedRows(const CopiedRows&) = delete;
  CopiedRows& operator=(const CopiedRows&) = delete;

  /// Returns the copy of a row, or null.
  [[nodiscard]] std::byte* find(std::size_t row);
  /// Keeps a copy and returns it.
  std::byte* add(std::size_t row, std::unique_ptr<std::byte[]> values);

private:
  struct Copy {
    std::unique_ptr<std::byte[]> values;
    std::unique_ptr<std::byte[]> original;
  };
  const Datatype& m_type;
  std::unordered_map<std::size_t, Copy> m_rows;
};

} // namespace kaon::detail
