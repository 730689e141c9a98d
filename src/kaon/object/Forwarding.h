#pragma once

#include <kaon/object/ObjectPlace.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace kaon {

/// Where the objects of a collection went, if they moved to another one: a loose object that was
/// pushed, objects that were sorted, those of a file that were copied.
class Forwarding {
public:
  /// Where an object is that was removed.
  static constexpr std::uint32_t removed = ~std::uint32_t{0};

  /// Whether they moved.
  [[nodiscard]] bool isSet() const noexcept { return m_to != nullptr; }
  /// From now on object i is the one at indices[i] of the collection with this anchor.
  void set(std::shared_ptr<Anchor> to, std::vector<std::uint32_t> indices) {
    m_to = std::move(to);
    m_indices = std::move(indices);
  }
  void reset() noexcept { m_to.reset(); }

  /// The collection that they moved to; null if it is gone.
  [[nodiscard]] CollectionData* target() const noexcept {
    return m_to->load(std::memory_order_acquire);
  }
  /// Where an object went; no object if it was removed or its collection is gone.
  [[nodiscard]] ObjectPlace find(std::uint32_t index) const noexcept {
    CollectionData* const to = target();
    if (!to || index >= m_indices.size() || m_indices[index] == removed)
      return {};
    return {to, m_indices[index]};
  }

private:
  std::shared_ptr<Anchor> m_to;
  std::vector<std::uint32_t> m_indices;
};

} // namespace kaon
