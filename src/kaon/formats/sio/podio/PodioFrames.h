#pragma once

#include <kaon/formats/sio/ParameterTables.h>
#include <kaon/formats/sio/SioContents.h>
#include <kaon/formats/sio/podio/CollectionForm.h>
#include <kaon/formats/sio/podio/FrameScan.h>
#include <kaon/formats/sio/podio/StoredStructs.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::sio::podio {

/// The frames of a category: collections, links, subsets, user data and parameters. Their tables
/// are the same as in podio's other files.
class PodioFrames final : public SioContents {
public:
  /// See scanFrames(). `models` and `datatypes` are those in the file. `datatypes` must outlive
  /// this.
  PodioFrames(const SioContainer& container, std::string_view category, std::vector<Model> models,
              const ModelDatatypes& datatypes);

  void decode(std::uint32_t unit, LoadedSioPage& page, UnitColumns& out) const override;

private:
  void addCollection(const ScannedPodioCollection& scanned, StoredStructs& structs,
                     const ModelDatatypes& datatypes);
  void addTables(const ScannedPodioCollection& scanned, StoredStructs& structs,
                 const ModelDatatypes& datatypes);

  void decodeParameters(LoadedSioPage& page, UnitColumns& out) const;
  void decodeBlock(const CollectionForm& collection, BlockReader& in, UnitColumns& out) const;
  void decodeSide(const CollectionForm::Side& side, std::span<const std::byte> objects,
                  std::uint32_t rowBytes, BlockReader& in, UnitColumns& out) const;
  void putRows(const CollectionForm::Side& side, const std::byte* from, std::uint32_t rows,
               UnitColumns& out) const;

  ParameterTables m_parameters;
  std::uint32_t m_parameterUnit = none;
  std::vector<CollectionForm> m_collections;
  std::vector<std::size_t> m_collectionOf;                // by unit
  std::unordered_map<std::uint32_t, std::uint32_t> m_ids; // tables by the collection's ID
};

} // namespace kaon::sio::podio
