#pragma once

#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Library.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::hdf5 {

/// A name in a group.
struct Link {
  std::string name;
  bool isHard = false;       ///< an object of the file; else it leads elsewhere
  std::uint64_t address = 0; ///< of that
};

/// All that a group has whose names are UTF-8, by name. Under the lock. Throws Error(corrupt), with
/// `where`, if there are more than a million or libhdf5 cannot read them.
[[nodiscard]] std::vector<Link> linksIn(hid_t group, const std::string& where);

/// A group of a file, and the datasets in it.
struct Group {
  std::string path; ///< "/events/MCParticles"; "" for the file itself
  std::vector<std::string> datasets;
  std::vector<std::string> elsewhere; ///< links that lead to other places or files
};

/// All groups of a file, those above others first, each once, however many names it has. Under the
/// lock. `bytes` are the file's. Throws Error(corrupt) if they lie too deep or are too many.
[[nodiscard]] std::vector<Group> groupsIn(hid_t file, SourceBytes& bytes, const std::string& where);

} // namespace kaon::hdf5
