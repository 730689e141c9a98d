#include <kaon/formats/sio/lcio/LcioRuns.h>

#include <kaon/base/Damage.h>
#include <kaon/formats/sio/LoadedSioPage.h>
#include <kaon/formats/sio/lcio/EventHeader.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/formats/sio/lcio/LcioVersion.h>

namespace kaon::sio::lcio {

LcioRuns::LcioRuns(const SioContainer& container) : SioContents(container, runsCategory) {
  std::vector<EntryRecords> entries;
  ParameterKeys keys;
  LoadedSioRecord record;
  RunHeader run;
  for (const SioRecordLocator& place : container.recordsNamed(runRecord)) {
    entries.push_back({.header = place.range, .data = {}, .bytes = place.bytes});
    entries.back().isDamaged = !unlessDamaged([&] {
      record.load(container, place.range);
      const RecordBlock& block = record.get(runBlock);
      checkVersion(record, block);
      BlockReader in = record.reader(block);
      run.read(in);
      addKeys(in, parametersOf(block.version), keys);
    });
  }
  m_runNumber = addValue(m_schema, "runNumber", Scalar::Int32, TableUse::key);
  m_detectorName = addText(m_schema, "detectorName");
  m_description = addText(m_schema, "description");
  m_activeSubdetectors = addText(m_schema, "activeSubdetectors");
  m_parameters.addTo(m_schema, keys, "", m_unreadable);
  (void)addUnit();
  setEntries(std::move(entries));
}

void LcioRuns::decode(std::uint32_t /*unit*/, LoadedSioPage& page, UnitColumns& out) const {
  RunHeader run;
  for (std::size_t entry = 0; entry < page.entries(); ++entry) {
    const LoadedSioRecord& record = page.header(entry);
    const RecordBlock& block = record.get(runBlock);
    BlockReader in = record.reader(block);
    run.read(in);
    putValue(m_schema, m_runNumber, run.runNumber, out);
    putTexts(m_schema, m_detectorName, {&run.detectorName, 1}, out);
    putTexts(m_schema, m_description, {&run.description, 1}, out);
    putTexts(m_schema, m_activeSubdetectors, run.activeSubdetectors, out);
    (void)m_parameters.decode(in, parametersOf(block.version), out);
    in.checkEnd();
    out.endEvent();
  }
}

} // namespace kaon::sio::lcio
