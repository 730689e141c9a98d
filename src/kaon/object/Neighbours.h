#pragma once

#include <kaon/object/ObjectPlace.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace kaon {

/// The collections, loose objects among them, that the references of a collection that is being
/// built lead to. References know them by their numbers, which they get when they are first
/// referred to.
class Neighbours {
public:
  [[nodiscard]] std::size_t size() const noexcept { return m_anchors.size(); }
  /// A neighbour; null if it is gone.
  [[nodiscard]] CollectionData* operator[](std::size_t number) const noexcept {
    return m_anchors[number]->load(std::memory_order_acquire);
  }
  /// The number of a neighbour, if it is one.
  [[nodiscard]] std::optional<std::uint32_t> find(const std::shared_ptr<Anchor>& anchor) const;

  /// The one that was last referred to, as the next one mostly is too.
  [[nodiscard]] bool isLast(const std::shared_ptr<Anchor>& anchor) const noexcept {
    return anchor.get() == m_last;
  }
  [[nodiscard]] std::uint32_t lastNumber() const noexcept { return m_lastNumber; }
  /// Makes it the last one; true if it was none of the neighbours yet.
  bool refer(const std::shared_ptr<Anchor>& anchor);

  /// The neighbour with the anchor `from` has the anchor `to` now.
  void replace(const std::shared_ptr<Anchor>& from, const std::shared_ptr<Anchor>& to);
  void clear() noexcept;

private:
  static constexpr std::size_t mostUnmapped = 8;
  void add(const std::shared_ptr<Anchor>& anchor);
  std::vector<std::shared_ptr<Anchor>> m_anchors;
  /// Where there are more of them than a look at each finds quickly; else empty.
  std::unordered_map<const Anchor*, std::uint32_t> m_numbers;
  const Anchor* m_last = nullptr;
  std::uint32_t m_lastNumber = 0;
};

} // namespace kaon
