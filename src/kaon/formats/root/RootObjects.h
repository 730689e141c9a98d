#pragma once

#include <kaon/batch/ObjectStore.h>
#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/container/Listing.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/HistogramSum.h>

#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace kaon::root {

/// The objects of a ROOT file that are not categories. Thread-safe.
class RootObjects final : public ObjectStore {
public:
  /// `listed` are the objects, which live as long as the container.
  RootObjects(const Container& container, std::vector<const ListedObject*> listed)
      : m_container(container), m_listed(std::move(listed)) {}

  [[nodiscard]] std::vector<StoredObject> objects() const override;
  [[nodiscard]] ObjectTree read(std::string_view name) const override;

  [[nodiscard]] const Container& container() const noexcept { return m_container; }
  [[nodiscard]] const std::vector<const ListedObject*>& listed() const noexcept { return m_listed; }
  /// The classes that the file describes.
  [[nodiscard]] const Classes& classes() const;
  /// Reads the members of an object. Throws as read().
  [[nodiscard]] ReadObject readWhole(const ListedObject& object) const;

private:
  const Container& m_container;
  std::vector<const ListedObject*> m_listed;
  mutable std::mutex m_mutex; // guards m_classes
  mutable std::optional<Classes> m_classes;
};

} // namespace kaon::root
