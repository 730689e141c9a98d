#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::arrow {

/// Consecutive rows of an array, or rows that are missing.
struct RowRun {
  std::size_t first = 0;
  std::size_t last = 0;
  /// 0 for present rows. For missing rows, one more than the number of given components around the
  /// missing value: see StreamColumn::components.
  std::uint32_t missing = 0;
  /// The mark of rows in an optional without a value: all values are zero.
  static constexpr std::uint32_t emptyOptional = ~std::uint32_t{0};

  [[nodiscard]] bool isMissing() const noexcept { return missing > 0; }
  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

using RowRuns = std::vector<RowRun>;

/// The values of a member, row by row: in their own memory, or in a stream's array.
class MemberRows {
public:
  [[nodiscard]] const std::byte* data() const noexcept { return m_view ? m_view : m_own.data(); }
  /// Appends rows. The memory is not initialised.
  std::byte* grow(std::size_t bytes) { return m_own.grow(bytes); }
  /// Uses values in other memory without copying. The member must not have rows yet.
  void view(const std::byte* values) noexcept { m_view = values; }
  [[nodiscard]] std::byte* own() noexcept { return m_own.data(); }
  void clear() noexcept {
    m_own.clear();
    m_view = nullptr;
  }

private:
  Buffer m_own;
  const std::byte* m_view = nullptr;
};

/// The rows of a table.
struct TableRows {
  std::vector<std::uint32_t> offsets = {};
  std::vector<std::byte> present = {};
  std::vector<MemberRows> members = {};
};

} // namespace kaon::arrow
