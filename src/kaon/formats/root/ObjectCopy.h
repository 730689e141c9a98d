#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/ObjectStore.h>
#include <kaon/formats/root/RootObjects.h>
#include <kaon/formats/root/objects/StoredClasses.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// An object in stored form.
struct StoredPayload {
  const Key* key = nullptr; ///< of its record in a file
  Buffer payload;
};

/// Joins the objects of ROOT files, path by path. For one thread.
class ObjectCopy {
public:
  /// Ignores stores of other formats.
  explicit ObjectCopy(std::span<const ObjectStore* const> stores);

  /// The paths of all objects, in the order of the files.
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return m_paths; }
  /// Returns the sum of the histograms at one of paths(), or the first of other objects. Warns,
  /// with the name of the new file, of objects that differ. Returns nothing, with a warning, if the
  /// objects cannot be joined. Throws Error(corrupt), Error(io).
  [[nodiscard]] std::optional<StoredPayload> joined(std::string_view path,
                                                    const std::string& newFile) const;
  /// Adds the classes of all files that have objects.
  void addClasses(StoredClasses& classes) const;

private:
  struct Found {
    const RootObjects* store;
    const ListedObject* object;
  };
  [[nodiscard]] static std::optional<StoredPayload> sumOf(const std::vector<Found>& objects,
                                                          const std::string& newFile);

  std::vector<const RootObjects*> m_stores;
  std::vector<std::string> m_paths;
  std::map<std::string, std::vector<Found>, std::less<>> m_found; // by path
};

} // namespace kaon::root
