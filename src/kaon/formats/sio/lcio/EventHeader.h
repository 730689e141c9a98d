#pragma once

#include <kaon/formats/sio/BlockReader.h>
#include <kaon/formats/sio/LoadedRecord.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

// Names of records, and of the blocks in them.
inline constexpr std::string_view eventHeaderRecord = "LCEventHeader", eventRecord = "LCEvent",
                                  runRecord = "LCRunHeader";
inline constexpr std::string_view eventHeaderBlock = "EventHeader", runBlock = "RunHeader";

/// The key of the parameter that is an event's weight.
inline constexpr std::string_view weightKey = "_weight";

/// What an event is said to have.
struct ListedCollection {
  std::string_view name;
  std::string_view type; ///< without what subsets have behind it
  bool isSubset = false;
};

/// The header of an event. Its texts are the record's.
struct EventHeader {
  std::int32_t runNumber = 0, eventNumber = 0;
  std::int64_t timeStamp = 0; ///< ns since 1970
  std::string_view detectorName;
  std::vector<ListedCollection> collections; ///< whose memory is used again
  /// Reads it up to the parameters. Throws Error(corrupt).
  void read(BlockReader& in);
};

/// The header of a run, likewise.
struct RunHeader {
  std::int32_t runNumber = 0;
  std::string_view detectorName, description;
  std::vector<std::string_view> activeSubdetectors;
  void read(BlockReader& in);
};

/// Throws Error(version) for a block of a version that kaon does not read.
void checkVersion(const LoadedRecord& record, const Block& block);

} // namespace kaon::sio::lcio
