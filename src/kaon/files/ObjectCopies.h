#pragma once

#include <kaon/batch/ObjectStore.h>
#include <kaon/batch/Sink.h>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// The objects of files of any format that are not categories, such as histograms, joined name by
/// name: the newest versions only. Histograms of the same name are added, as hadd does. Of other
/// objects of the same name, the first is taken. For one thread.
class JoinedObjects {
public:
  /// The stores must outlive this.
  explicit JoinedObjects(std::span<const ObjectStore* const> stores);

  /// Throws Error(usage) unless histograms of the same name have the same class and equal axes.
  /// Call it before the new file is made.
  void check() const;
  /// Copies the objects to a new file, before entries are written. Warns of objects that are left
  /// out, and of those that differ. Warns with a list of all objects if the file cannot hold any.
  void copyTo(Sink& sink) const;

private:
  struct Found {
    const ObjectStore* store;
    StoredObject object;
  };
  [[nodiscard]] static std::string copy(const std::vector<Found>& found, Sink& sink);
  void warnOfAll(const Sink& sink) const;

  std::vector<std::vector<Found>> m_objects; // by name, in the order of the files
};

} // namespace kaon::detail
