#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/ObjectStore.h>
#include <kaon/formats/root/container/Listing.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/objects/Classes.h>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// A stored object and its members.
struct ReadObject {
  const RecordKey* key = nullptr; ///< of its record; references in the payload depend on its size
  Buffer payload;
  ObjectTree tree;
  std::vector<std::vector<std::size_t>> positions; ///< see MemberReader::positions()
};

/// An object in stored form.
struct StoredPayload {
  const RecordKey* key = nullptr; ///< of its record in a file
  Buffer payload;
};

/// The objects of a ROOT file that are not categories. Thread-safe.
class RootObjects final : public ObjectStore {
public:
  /// `listed` are the objects, which live as long as the container.
  RootObjects(const RootContainer& container, std::vector<const ListedObject*> listed)
      : m_container(container), m_listed(std::move(listed)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_container.name(); }
  [[nodiscard]] std::vector<StoredObject> objects() const override;
  [[nodiscard]] ObjectTree read(std::string_view name) const override;
  [[nodiscard]] bool isWhole(const StoredObject& object) const override;

  [[nodiscard]] const RootContainer& container() const noexcept { return m_container; }
  /// The classes that the file describes.
  [[nodiscard]] const Classes& classes() const;
  [[nodiscard]] const std::vector<const ListedObject*>& listed() const noexcept { return m_listed; }
  /// Reads the members of an object. Throws as read().
  [[nodiscard]] ReadObject readWhole(const ListedObject& object) const;
  /// Returns an object in stored form. `changed` is the object with other numbers in some members;
  /// null for the object as it is. Throws as read().
  [[nodiscard]] StoredPayload stored(std::string_view name, const ObjectTree* changed) const;

private:
  [[nodiscard]] const ListedObject& find(std::string_view name) const;

  const RootContainer& m_container;
  std::vector<const ListedObject*> m_listed;
  mutable std::mutex m_mutex; // guards m_classes
  mutable std::optional<Classes> m_classes;
};

} // namespace kaon::root
