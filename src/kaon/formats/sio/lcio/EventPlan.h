#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/ParameterValues.h>
#include <kaon/formats/sio/lcio/ObjectPlan.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Tables as LCIO stores them, the inverse of LcioEvents and LcioRuns:
//
//   `runNumber`, `eventNumber`, `timeStamp`, `detectorName`   what headers of events say
//   `runNumber`, `detectorName`, `description`, `activeSubdetectors`   and those of runs
//   `weight`                                                  the parameter `_weight`
//   a collection of a datatype of LCIO's model, a subset      a collection of its name
//   collections of what lies in other objects                 nothing of their own
//   `Hits__flag`, `Hits__KEY`, where there is a `Hits`         its flag and parameters
//   other parameters, and values, of types that LCIO has      parameters

namespace kaon::sio::lcio {

struct CollectionPlan {
  std::string name;
  std::string type; ///< "MCParticle", "MCParticle_References"
  std::uint32_t table = 0;
  bool isSubset = false;
  ObjectPlan objects = {};
  std::uint32_t flag = Table::none; ///< the table of it
  std::vector<ParameterPlan> parameters = {};
};

struct EventPlan {
  /// Tables by the names of what headers say: values and texts.
  std::map<std::string, std::uint32_t, std::less<>> header;
  std::vector<ParameterPlan> parameters;            ///< by type and key
  std::vector<CollectionPlan> collections;          ///< by name
  std::map<std::uint32_t, std::vector<Step>> inner; ///< of collections of what lies in others
  std::vector<Loss> losses;
};

/// Plans the tables of "events", or of "runs". All columns lie by themselves.
[[nodiscard]] EventPlan planEvents(std::string_view category, const Schema& schema);

} // namespace kaon::sio::lcio
