#pragma once

#include <kaon/formats/sio/Container.h>
#include <kaon/formats/sio/Contents.h>
#include <kaon/formats/sio/ParameterTables.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

/// A frame is two records: one whose name ends so, with a block that lists its collections, and
/// that of its category.
inline constexpr std::string_view headerSuffix = "_HEADER", headerBlock = "CollectionIDs";
/// Of the types of links: "podio::Link<From,To>".
inline constexpr std::string_view linkPrefix = "podio::Link<";

/// A collection that some frames have.
struct ScannedCollection {
  std::string name;
  std::uint32_t id = 0; ///< by which relations name it
  std::string type;     ///< of its values: "edm4hep::MCParticle", "podio::Link<A,B>", "float"
  bool isSubset = false;
  bool isMixed = false; ///< other frames have one of another type under this name
};

/// What the frames of a category have.
struct FrameScan {
  std::vector<EntryPlace> entries;
  std::vector<ScannedCollection> collections; ///< in the order in which they come
  ParameterKeys keys;                         ///< in the frames that were looked at
};

/// The categories of a file, in the order in which they were first written.
[[nodiscard]] std::vector<std::string> categoriesOf(const Container& container);

/// Finds the frames of a category, and reads the headers of all. Of the frames some are read, for
/// the keys of their parameters: see sampledEntries(). What is damaged is passed over. Throws
/// Error(corrupt) for records in another order than podio's, Error(version), Error(io).
[[nodiscard]] FrameScan scanFrames(const Container& container, std::string_view category);

/// The block with a frame's parameters; the maps that it has by its version.
inline constexpr std::string_view parameterBlock = "EventMetaData";
[[nodiscard]] std::span<const ParameterType> parametersOf(std::uint32_t version);

} // namespace kaon::sio::podio
