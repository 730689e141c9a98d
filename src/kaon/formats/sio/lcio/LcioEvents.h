#pragma once

#include <kaon/formats/sio/ParameterTables.h>
#include <kaon/formats/sio/SioContents.h>
#include <kaon/formats/sio/lcio/EventScan.h>
#include <kaon/formats/sio/lcio/ObjectPlan.h>
#include <kaon/formats/sio/lcio/Particles.h>
#include <kaon/model/Datatype.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::sio::lcio {

/// Maps the events of a file to tables:
///
///   the header                   values `runNumber`, `eventNumber`, `timeStamp`, `weight`, the
///                                parameter `detectorName`, and those of the event
///   a collection `Hits`          a collection of the datatype in LCIO's model
///   objects inside of others     a collection such as `Hits_contributions`
///   a subset                     a subset
///   a collection's flag          the parameter `Hits__flag`
///   and its parameters           parameters such as `Hits__CellIDEncoding`
///
/// A pointer is the number of an object in the event. The object is searched when the relation is
/// read. Then all collections that can have the object are searched once for the numbers of their
/// objects.
class LcioEvents final : public SioContents {
public:
  /// See scanEvents().
  explicit LcioEvents(const SioContainer& container);

  void decode(std::uint32_t unit, LoadedSioPage& page, UnitColumns& out) const override;
  void complete(ColumnNumber column, LoadedSioPage& page) const override;

private:
  struct Collection {
    std::string name;
    const LcioLayout* layout = nullptr;
    bool isSubset = false;
    const Datatype* datatype = nullptr;
    const Datatype* inner = nullptr; ///< of its inner objects
    TableNumber table = 0;
    TableNumber innerTable = Table::none;
    std::uint32_t flag = 0; ///< table
    ObjectPlan plan = {};
    ParameterTables parameters = {};
  };
  /// The contents of a unit.
  struct UnitContents {
    enum class Kind : std::uint8_t { header, objects, head };
    Kind kind = Kind::header;
    std::size_t collection = 0;
  };
  /// The possible targets of relations to these datatypes.
  struct Targets {
    std::vector<const Datatype*> datatypes;
    std::vector<std::uint32_t> tables = {}; ///< ascending
    std::vector<std::uint32_t> units = {};
  };

  void addHeader(const ParameterKeys& keys);
  void addCollection(const ScannedLcioCollection& scanned);
  [[nodiscard]] bool addTables(Collection& collection, const std::string& type);
  void findTargets();
  [[nodiscard]] std::uint32_t targetsOf(std::span<const detail::DatatypeFunction> datatypes);

  void decodeHeaders(LoadedSioPage& page, UnitColumns& out) const;
  void decodeObjects(const Collection& collection, LoadedSioPage& page, UnitColumns& out) const;
  void decodeSubset(const Collection& collection, BlockReader& in, UnitColumns& out) const;
  void decodeHeads(const Collection& collection, LoadedSioPage& page, UnitColumns& out) const;
  void followPointers(std::uint32_t relation, LoadedSioPage& page) const;
  void findNumbers(std::uint32_t targets, std::size_t entry, LoadedSioPage& page) const;
  void findNumbersOf(std::uint32_t unit, std::size_t entry, LoadedSioPage& page) const;

  std::uint32_t m_runNumber = 0, m_eventNumber = 0, m_timeStamp = 0, m_weight = 0; // tables
  std::uint32_t m_detectorName = 0;
  ParameterTables m_parameters;
  std::vector<Collection> m_collections;
  std::vector<UnitContents> m_units; // by unit
  std::vector<Targets> m_targets;
  std::vector<std::uint32_t> m_targetsOf;  // by table; `none` without pointers
  std::vector<ParticleTables> m_particles; // ascending
};

} // namespace kaon::sio::lcio
