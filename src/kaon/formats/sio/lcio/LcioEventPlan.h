#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/ParameterPlan.h>
#include <kaon/formats/sio/lcio/ObjectPlan.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Maps tables to LCIO's events and runs, the inverse of LcioEvents and LcioRuns:
//
//   `runNumber`, `eventNumber`, `timeStamp`, `detectorName`   fields of event headers
//   `runNumber`, `detectorName`, `description`, `activeSubdetectors`   fields of run headers
//   `weight`                                                  the parameter `_weight`
//   a collection of a datatype of LCIO's model, a subset      a collection of its name
//   collections of inner objects                              parts of their owners
//   `Hits__flag`, `Hits__KEY`, if there is a `Hits`           its flag and parameters
//   other parameters, and values, of types that LCIO has      parameters

namespace kaon::sio::lcio {

struct CollectionPlan {
  std::string name;
  std::string type; ///< "MCParticle", "MCParticle_References"
  TableNumber table = 0;
  bool isSubset = false;
  ObjectPlan objects = {};
  std::optional<FrameParameter> flag = {};
  std::vector<ParameterPlan> parameters = {};
};

struct LcioEventPlan {
  /// The fields of headers, by name. Numbers may have other types than parameters.
  std::map<std::string, FrameParameter, std::less<>> header;
  std::vector<ParameterPlan> parameters;            ///< by type and key
  std::vector<CollectionPlan> collections;          ///< by name
  std::map<std::uint32_t, std::vector<Step>> inner; ///< for collections of inner objects
  std::vector<detail::Loss> losses;
};

/// Plans the tables of "events" or "runs". Each column must be stored separately.
[[nodiscard]] LcioEventPlan planEvents(std::string_view category, const Schema& schema);

} // namespace kaon::sio::lcio
