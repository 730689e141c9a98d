#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/podio/PodioModels.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root::podio {

/// The category with podio's description of the file.
inline constexpr std::string_view metadataCategory = "podio_metadata";

struct CollectionDescription {
  std::uint32_t id = 0; ///< a hash of its name; relations use it
  std::string name;
  std::string type = {}; ///< of the collection: "edm4hep::MCParticleCollection"
  bool isSubset = false;
  // Written, but not read: podio knows the version from its classes.
  std::uint32_t schemaVersion = 0;
  std::string storage = {}; ///< the class of the field: "std::vector<edm4hep::MCParticleData>"
};

struct RootFileDescription : PodioModels {
  std::map<std::string, std::vector<CollectionDescription>, std::less<>> categories = {};
};

/// Reads the category `podio_metadata` of a file. Throws Error(version) if it does not describe
/// collections as podio does since 0.17. Throws Error(corrupt).
[[nodiscard]] RootFileDescription describeFile(const Source& metadata);

} // namespace kaon::root::podio
