#pragma once

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

namespace kaon {

/// The collections that a frame was asked for and has from its file, as views of the classes that
/// they were asked for by. A program that goes through a file asks for each in every event, mostly
/// by the same characters at the same address: then it is found without a lock.
class CollectionViews {
public:
  /// The collection that was asked for by this name and class before, if the entry has it. Null: it
  /// is to be looked for. Any thread.
  [[nodiscard]] const CollectionBase* recall(std::string_view name,
                                             const Datatype& objects) const noexcept {
    const View* const view = m_asked[placeOf(name)].load(std::memory_order_acquire);
    const bool isIt = view && view->objects == &objects && view->name == name &&
                      view->collection->data().isPresent();
    return isIt ? view->collection.get() : nullptr;
  }

  /// A collection as one of this class; remembers that it was asked for by this name. For one
  /// thread at a time.
  [[nodiscard]] const CollectionBase& view(CollectionData& data, std::string_view name,
                                           const CollectionType& type);
  /// From now on everything is looked for again. Not while others use the frame.
  void forgetNames() noexcept {
    for (auto& asked : m_asked)
      asked.store(nullptr, std::memory_order_relaxed);
  }

private:
  struct View {
    std::string name;
    const Datatype* objects; // of the class
    std::unique_ptr<CollectionBase> collection;
  };
  static constexpr int bits = 6;
  static std::size_t placeOf(std::string_view name) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(name.data());
    return static_cast<std::size_t>(address * std::uint64_t{0x9e3779b97f4a7c15} >> (64 - bits));
  }

  // By table. More than one where classes are for the same datatype: of values, or of a model that
  // two libraries have.
  std::map<std::uint32_t, std::vector<std::unique_ptr<View>>> m_views;
  std::array<std::atomic<const View*>, std::size_t{1} << bits> m_asked{}; // by the name's address
};

} // namespace kaon
