#pragma once

#include <kaon/formats/sio/Container.h>
#include <kaon/formats/sio/Contents.h>
#include <kaon/formats/sio/ParameterTables.h>

#include <cstddef>
#include <string>
#include <vector>

namespace kaon::sio::lcio {

/// A collection that some events have.
struct ScannedCollection {
  std::string name;
  std::string type; ///< "MCParticle"
  bool isSubset = false;
  bool isMixed = false;       ///< other events have one of another type under this name
  std::size_t firstEvent = 0; ///< that has it
  ParameterKeys keys;         ///< of its parameters, in the events that were looked at
};

/// What the events of a file have.
struct EventScan {
  std::vector<EntryPlace> entries;
  ParameterKeys keys;
  std::vector<ScannedCollection> collections; ///< in the order in which they come
};

/// Finds the events, and reads the headers of all: which collections there are stands nowhere else.
/// Of the events themselves some are read, for the parameters of collections: see sampledEntries().
/// What is damaged is passed over: who reads these events is told. Throws Error(corrupt) for
/// records in another order than LCIO's, Error(version), Error(io).
[[nodiscard]] EventScan scanEvents(const Container& container);

} // namespace kaon::sio::lcio
