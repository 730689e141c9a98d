#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/ParameterValues.h>
#include <kaon/formats/sio/podio/CollectionForm.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::sio::podio {

/// A collection as podio stores it.
struct StoredCollection {
  CollectionForm form;
  std::string type; ///< of its values: "edm4hep::MCParticle", "podio::Link<A,B>", "float"
  std::uint32_t id = 0;
  std::uint32_t schemaVersion = 0;
  bool isSubset = false;
};

/// How the tables of frames are stored by podio: the inverse of PodioFrames. All columns lie by
/// themselves.
struct FramePlan {
  std::vector<StoredCollection> collections;
  std::vector<ParameterPlan> parameters; ///< by type and key
  std::vector<std::uint32_t> ids;        ///< of each table: that of its collection, else 0
  std::vector<Loss> losses;              ///< tables that podio cannot store, ascending
};

/// The models are those that the file carries. Throws Error(corrupt) for documents that are none.
[[nodiscard]] FramePlan planFrames(const Schema& schema,
                                   std::span<const ModelDatatypes::Document> models);

} // namespace kaon::sio::podio
