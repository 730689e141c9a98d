#pragma once

#include <kaon/detail/object/ObjectLocator.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace kaon::detail {

/// The new places of a collection's objects that moved: a loose object that was pushed, objects
/// that were sorted, or a file's objects that were copied.
class Forwarding {
public:
  /// The place of a removed object.
  static constexpr std::uint32_t removed = ~std::uint32_t{0};

  /// Whether the objects moved.
  [[nodiscard]] bool isSet() const noexcept { return m_to != nullptr; }
  /// Object i is from then on object indices[i] of the collection with this anchor.
  void set(std::shared_ptr<Anchor> to, std::vector<std::uint32_t> indices) {
    m_to = std::move(to);
    m_indices = std::move(indices);
  }
  void reset() noexcept { m_to.reset(); }

  /// Returns the collection that they moved to; null if it no longer exists.
  [[nodiscard]] CollectionData* target() const noexcept {
    return m_to->load(std::memory_order_acquire);
  }
  /// Returns the new place of an object; no object if it was removed or its collection no longer
  /// exists.
  [[nodiscard]] ObjectLocator find(std::uint32_t index) const noexcept {
    CollectionData* const to = target();
    if (!to || index >= m_indices.size() || m_indices[index] == removed)
      return {};
    return {to, m_indices[index]};
  }

private:
  std::shared_ptr<Anchor> m_to;
  std::vector<std::uint32_t> m_indices;
};

} // namespace kaon::detail
