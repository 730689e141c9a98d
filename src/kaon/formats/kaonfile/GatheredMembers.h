#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kaon::kaonfile {

/// Copies members in rows into arrays. The rows of a cluster exceed the caches, and gathering one
/// member at a time would read them from memory each time. Therefore several consecutive members
/// are gathered together. For one thread at a time.
class GatheredMembers {
public:
  /// Returns all values of a member in a table of the batch, in order; valid until another member
  /// is requested. Returns nothing if the values are already in an array, must be rounded, or would
  /// take too much memory. The caller then gathers them page by page.
  [[nodiscard]] std::optional<std::span<const std::byte>>
  values(const Batch& batch, TableNumber table, MemberNumber member);
  /// Forgets the batch.
  void clear() noexcept {
    m_members.clear();
    m_memory = {};
  }

private:
  struct Values {
    MemberNumber member;
    std::span<const std::byte> values;
  };
  void gather(const Batch& batch, TableNumber table, std::uint32_t first);

  Buffer m_memory;
  TableNumber m_table = 0;
  std::vector<Values> m_members;
  std::vector<detail::StridedCopy> m_copies;
};

} // namespace kaon::kaonfile
