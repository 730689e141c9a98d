#pragma once

#include <kaon/formats/sio/BlockReader.h>
#include <kaon/formats/sio/LoadedSioRecord.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

// Names of records and their blocks.
inline constexpr std::string_view eventHeaderRecord = "LCEventHeader", eventRecord = "LCEvent",
                                  runRecord = "LCRunHeader";
inline constexpr std::string_view eventHeaderBlock = "EventHeader", runBlock = "RunHeader";

/// The key of the parameter with an event's weight.
inline constexpr std::string_view weightKey = "_weight";

/// A collection in the header of an event.
struct ListedCollection {
  std::string_view name;
  std::string_view type; ///< without the suffix of subsets
  bool isSubset = false;
};

/// The header of an event. Its texts point into the record.
struct EventHeader {
  std::int32_t runNumber = 0, eventNumber = 0;
  std::int64_t timeStamp = 0; ///< ns since 1970
  std::string_view detectorName;
  std::vector<ListedCollection> collections; ///< memory is reused
  /// Reads the header up to the parameters. Throws Error(corrupt).
  void read(BlockReader& in);
};

/// The header of a run. Its texts point into the record.
struct RunHeader {
  std::int32_t runNumber = 0;
  std::string_view detectorName, description;
  std::vector<std::string_view> activeSubdetectors;
  void read(BlockReader& in);
};

/// Throws Error(version) for a block of a version that kaon does not read.
void checkVersion(const LoadedSioRecord& record, const RecordBlock& block);

} // namespace kaon::sio::lcio
