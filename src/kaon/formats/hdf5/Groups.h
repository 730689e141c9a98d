#pragma once

#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Library.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::hdf5 {

/// A name in a group.
struct GroupLink {
  std::string name;
  bool isHard = false;       ///< an object of the file; otherwise it leads elsewhere
  std::uint64_t address = 0; ///< of that object
};

/// Returns all links in a group whose names are UTF-8, by name. Call it under the lock. Throws
/// Error(corrupt) with `where` if libhdf5 cannot read them, or there are more than a million.
[[nodiscard]] std::vector<GroupLink> linksIn(hid_t group, const std::string& where);

/// A group of a file, and the datasets in it.
struct Group {
  std::string path; ///< "/events/MCParticles"; "" for the root group
  std::vector<std::string> datasets;
  std::vector<std::string> elsewhere; ///< links that lead to other places or files
};

/// Returns all groups of a file, outer groups first. A group with several names occurs once. Call
/// it under the lock. `bytes` are those of the file. Throws Error(corrupt) if groups are nested too
/// deeply, or too many.
[[nodiscard]] std::vector<Group> groupsIn(hid_t file, SourceBytes& bytes, const std::string& where);

} // namespace kaon::hdf5
