#pragma once

#include <kaon/formats/sio/ParameterTables.h>
#include <kaon/formats/sio/SioContents.h>

#include <cstdint>

namespace kaon::sio::lcio {

/// The run headers of a file: the value `runNumber`, and parameters.
class LcioRuns final : public SioContents {
public:
  /// Reads all run headers to find the keys of their parameters.
  explicit LcioRuns(const SioContainer& container);
  void decode(std::uint32_t unit, LoadedSioPage& page, UnitColumns& out) const override;

private:
  std::uint32_t m_runNumber = 0; // tables
  std::uint32_t m_detectorName = 0, m_description = 0, m_activeSubdetectors = 0;
  ParameterTables m_parameters;
};

} // namespace kaon::sio::lcio
