#pragma once

#include <kaon/formats/sio/ParameterTables.h>
#include <kaon/formats/sio/SioContainer.h>
#include <kaon/formats/sio/SioContents.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::sio::lcio {

/// A collection that some events have.
struct ScannedLcioCollection {
  std::string name;
  std::string type; ///< "MCParticle"
  bool isSubset = false;
  bool isMixed = false;           ///< Whether its type differs between events.
  std::size_t firstEvent = 0;     ///< The first event that has it.
  std::uint32_t leastVersion = 0; ///< The lowest version of the headers that list it.
  ParameterKeys keys;             ///< Of its parameters, in the sampled events.
};

/// The contents of the events of a file.
struct EventScan {
  std::vector<EntryRecords> entries;
  ParameterKeys keys;
  std::vector<ScannedLcioCollection> collections; ///< in order of first occurrence
};

/// Finds the events and reads all headers, because only headers list the collections. Reads some
/// events for the parameters of collections: see sampledEntries(). Damaged records are skipped
/// here; reading their events reports the error. Throws Error(corrupt) if the order of records is
/// not LCIO's. Throws Error(version), Error(io).
[[nodiscard]] EventScan scanEvents(const SioContainer& container);

} // namespace kaon::sio::lcio
