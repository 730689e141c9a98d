#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kaon::store {

/// Members that lie in rows, as arrays. The rows of a cluster do not fit into a cache: to gather
/// members one by one would fetch them from memory for each of them. So a few that follow each
/// other are gathered at a time. For one thread at a time.
class GatheredMembers {
public:
  /// All values of a member of a table of the batch, in their order: valid until those of another
  /// member are asked for. Nothing where they lie in an array anyway, are to be rounded, or are so
  /// many that gathering them would take much memory: they are then gathered page by page.
  [[nodiscard]] std::optional<std::span<const std::byte>>
  values(const Batch& batch, std::uint32_t table, std::uint32_t member);
  /// The batch is another one from now on.
  void clear() noexcept {
    m_members.clear();
    m_memory = {};
  }

private:
  struct Values {
    std::uint32_t member;
    std::span<const std::byte> values;
  };
  void gather(const Batch& batch, std::uint32_t table, std::uint32_t first);

  Buffer m_memory;
  std::uint32_t m_table = 0;
  std::vector<Values> m_members;
  std::vector<detail::StridedCopy> m_copies;
};

} // namespace kaon::store
