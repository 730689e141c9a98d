#pragma once

#include <kaon/detail/object/ObjectLocator.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace kaon::detail {

/// The collections and loose objects that the references of a collection being built point to. Each
/// gets a number with the first reference to it; references store this number.
class Neighbours {
public:
  [[nodiscard]] std::size_t size() const noexcept { return m_anchors.size(); }
  /// Returns a neighbour; null if it no longer exists.
  [[nodiscard]] CollectionData* operator[](std::size_t number) const noexcept {
    return m_anchors[number]->load(std::memory_order_acquire);
  }
  /// Returns the number of a neighbour, if it is one.
  [[nodiscard]] std::optional<std::uint32_t> find(const std::shared_ptr<Anchor>& anchor) const;

  /// Whether it is the neighbour of the last reference, as mostly for the next reference, too.
  [[nodiscard]] bool isLast(const std::shared_ptr<Anchor>& anchor) const noexcept {
    return anchor.get() == m_last;
  }
  [[nodiscard]] std::uint32_t lastNumber() const noexcept { return m_lastNumber; }
  /// Makes it the last neighbour; returns true if it is a new neighbour.
  bool refer(const std::shared_ptr<Anchor>& anchor);

  /// Replaces the anchor of a neighbour.
  void replace(const std::shared_ptr<Anchor>& from, const std::shared_ptr<Anchor>& to);
  void clear() noexcept;

private:
  static constexpr std::size_t mostUnmapped = 8;
  void add(const std::shared_ptr<Anchor>& anchor);
  std::vector<std::shared_ptr<Anchor>> m_anchors;
  /// Used if there are too many to search one by one; otherwise empty.
  std::unordered_map<const Anchor*, std::uint32_t> m_numbers;
  const Anchor* m_last = nullptr;
  std::uint32_t m_lastNumber = 0;
};

} // namespace kaon::detail
