#pragma once

#include <kaon/formats/sio/ParameterTables.h>
#include <kaon/formats/sio/SioContainer.h>
#include <kaon/formats/sio/SioContents.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

/// A frame has two records: a header with a block that lists its collections, whose name has this
/// suffix, and the record of its category.
inline constexpr std::string_view headerSuffix = "_HEADER", headerBlock = "CollectionIDs";
/// The beginning of types of links: "podio::Link<From,To>".
inline constexpr std::string_view linkPrefix = "podio::Link<";

/// A collection that some frames have.
struct ScannedPodioCollection {
  std::string name;
  std::uint32_t id = 0; ///< relations use it
  std::string type;     ///< of its values: "edm4hep::MCParticle", "podio::Link<A,B>", "float"
  bool isSubset = false;
  bool isMixed = false; ///< whether its type differs between frames
};

/// The contents of the frames of a category.
struct FrameScan {
  std::vector<EntryRecords> entries;
  std::vector<ScannedPodioCollection> collections; ///< in order of first occurrence
  ParameterKeys keys;                              ///< in the sampled frames
};

/// Returns the categories of a file, in the order in which they were first written.
[[nodiscard]] std::vector<std::string> categoriesOf(const SioContainer& container);

/// Finds the frames of a category and reads all headers. Reads the parameters of some frames for
/// their keys: see sampledEntries(). Damaged records are skipped. Throws Error(corrupt) if the
/// order of records is not podio's. Throws Error(version), Error(io).
[[nodiscard]] FrameScan scanFrames(const SioContainer& container, std::string_view category);

/// The block with a frame's parameters. parametersOf() returns its maps, by its version.
inline constexpr std::string_view parameterBlock = "EventMetaData";
[[nodiscard]] std::span<const ParameterType> parametersOf(std::uint32_t version);

} // namespace kaon::sio::podio
