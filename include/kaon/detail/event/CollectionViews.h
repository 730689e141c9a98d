#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/object/Collection.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// The collections that a frame returned from its file, as views of the requested classes. A
/// program that loops over a file requests the same collections in each event, mostly with the same
/// characters at the same address. They are then found without a lock.
class CollectionViews {
public:
  /// Returns the collection that was requested with this name and class before, if the entry has
  /// it. Returns null if it must be looked up. Any thread.
  [[nodiscard]] const CollectionBase* recall(std::string_view name,
                                             const Datatype& objects) const noexcept {
    const View* const view = m_asked[placeOf(name)].load(std::memory_order_acquire);
    const bool isIt = view && view->objects == &objects && view->name == name &&
                      view->collection->data().isPresent();
    return isIt ? view->collection.get() : nullptr;
  }

  /// Returns a collection as one of this class, and remembers it under this name. For one thread at
  /// a time.
  [[nodiscard]] const CollectionBase& view(CollectionData& data, std::string_view name,
                                           const CollectionType& type);
  /// Forgets all names: each collection is looked up again. Not while others use the frame.
  void forgetNames() noexcept {
    for (auto& asked : m_asked)
      asked.store(nullptr, std::memory_order_relaxed);
  }

private:
  struct View {
    std::string name;
    const Datatype* objects; // the datatype of the class
    std::unique_ptr<CollectionBase> collection;
  };
  static constexpr int bits = 6;
  static std::size_t placeOf(std::string_view name) noexcept {
    const auto address = detail::addressOf(name.data());
    return static_cast<std::size_t>(address * std::uint64_t{0x9e3779b97f4a7c15} >> (64 - bits));
  }

  // The views of each table. A table has several views if several classes fit its datatype, for
  // example with equal value types such as long and long long. Classes of two libraries with the
  // same model fit, too.
  std::map<std::uint32_t, std::vector<std::unique_ptr<View>>> m_views;
  // By the address of the name.
  std::array<std::atomic<const View*>, std::size_t{1} << bits> m_asked{};
};

} // namespace kaon::detail
