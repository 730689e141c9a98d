#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/ParameterPlan.h>
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

/// How podio stores the tables of frames: the inverse of PodioFrames. Each column is stored
/// separately in them.
struct SioFramePlan {
  std::vector<StoredCollection> collections;
  std::vector<ParameterPlan> parameters; ///< by type and key
  std::vector<std::uint32_t> ids;        ///< of each table's collection; 0 for other tables
  std::vector<detail::Loss> losses;      ///< tables that podio cannot store, ascending
};

/// `models` are those in the file. Throws Error(corrupt) for documents that are not models.
[[nodiscard]] SioFramePlan planFrames(const Schema& schema,
                                      std::span<const ModelDatatypes::Document> models);

} // namespace kaon::sio::podio
