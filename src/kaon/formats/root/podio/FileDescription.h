#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/PodioDefinition.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root::podio {

/// Where podio's files say what is in them.
inline constexpr std::string_view metadataCategory = "podio_metadata";

struct CollectionDescription {
  std::uint32_t id = 0; ///< a hash of its name, by which relations refer to it
  std::string name;
  std::string type = {}; ///< of the collection: "edm4hep::MCParticleCollection"
  bool isSubset = false;
  // Not read: podio's code knows it of its classes.
  std::uint32_t schemaVersion = 0;
  std::string storage = {}; ///< the class of the field: "std::vector<edm4hep::MCParticleData>"
};

struct FileDescription {
  std::string version; ///< podio's: "1.7.99"
  std::vector<ModelDefinition> models;
  std::map<std::string, std::vector<CollectionDescription>, std::less<>> categories;
};

/// Reads the category `podio_metadata` of a file. Throws Error(version) if it does not say of the
/// collections what files of podio do since 0.17, Error(corrupt).
[[nodiscard]] FileDescription describeFile(const Source& metadata);

} // namespace kaon::root::podio
