#include <kaon/formats/sio/lcio/LcioEventEncoder.h>

#include <kaon/formats/sio/lcio/EventHeader.h>
#include <kaon/formats/sio/lcio/HeaderEncoder.h>
#include <kaon/formats/sio/lcio/LcioObjectWriter.h>
#include <kaon/formats/sio/lcio/LcioVersion.h>

#include <algorithm>

namespace kaon::sio::lcio {
namespace {

class EventEncoder {
public:
  EventEncoder(const LcioEventPlan& plan, const Batch& batch, Compression how,
               const std::string& file)
      : m_plan(plan), m_batch(batch), m_how(how), m_header(plan, batch, file),
        m_objects(plan, batch, file), m_blocks(file + ": an event") {}

  EncodedEvents encode() {
    for (std::size_t entry = 0; entry < m_batch.entries(); ++entry)
      encodeEntry(entry);
    return std::move(m_out);
  }

private:
  void encodeEntry(std::size_t entry) {
    const auto run = m_header.value<std::int32_t>("runNumber", entry, 0);
    const auto event = m_header.value<std::int32_t>("eventNumber", entry, 0);
    m_out.entries.push_back({m_out.records.size(), run, event});
    m_objects.begin(entry);
    putHeader(entry, run, event);
    appendRecord(eventHeaderRecord, m_blocks.bytes(), m_how, m_out.records);
    m_blocks.clear();
    for (const CollectionPlan& collection : m_plan.collections)
      if (m_objects.has(collection))
        putCollection(collection, entry);
    appendRecord(eventRecord, m_blocks.bytes(), m_how, m_out.records);
    m_blocks.clear();
  }

  void putHeader(std::size_t entry, std::int32_t run, std::int32_t event) {
    m_blocks.beginBlock(eventHeaderBlock, writtenVersion);
    m_blocks.put(run);
    m_blocks.put(event);
    m_blocks.put(m_header.value<std::int64_t>("timeStamp", entry, 0));
    m_blocks.put(std::string_view(m_header.text("detectorName", entry)));
    const std::size_t count = m_blocks.laterCount();
    std::uint32_t collections = 0;
    for (const CollectionPlan& collection : m_plan.collections)
      if (m_objects.has(collection)) {
        ++collections;
        m_blocks.put(std::string_view(collection.name));
        m_blocks.put(std::string_view(collection.type));
      }
    m_blocks.setCount(count, collections);
    const HeaderEncoder::Further weight{
        weightKey,
        ParameterType::float32,
        {},
        static_cast<float>(m_header.value<double>("weight", entry, 1))};
    m_header.putParameters(m_plan.parameters, entry, isWeightNew(entry, weight) ? &weight : nullptr,
                           m_blocks);
    m_blocks.endBlock();
  }

  /// Whether an event's weight differs from the one in its parameters, because a program changed
  /// it. A weight of 1 needs no parameter.
  [[nodiscard]] bool isWeightNew(std::size_t entry, const HeaderEncoder::Further& weight) const {
    return weight.number != 1 &&
           std::ranges::none_of(m_plan.parameters, [&](const ParameterPlan& parameter) {
             return parameter.key == weightKey && parameter.from.type == ParameterType::float32 &&
                    m_header.firstNumber(parameter.from, entry) == weight.number;
           });
  }

  void putCollection(const CollectionPlan& collection, std::size_t entry) {
    m_blocks.beginBlock(collection.name, writtenVersion);
    m_blocks.put(m_objects.flag(collection));
    HeaderEncoder::Further algorithms{.key = algorithmsKey,
                                      .texts = m_objects.algorithms(collection)};
    m_header.putParameters(collection.parameters, entry,
                           algorithms.texts.empty() ? nullptr : &algorithms, m_blocks);
    m_objects.put(collection, algorithms.texts, m_blocks);
    m_blocks.endBlock();
  }

  const LcioEventPlan& m_plan;
  const Batch& m_batch;
  Compression m_how;
  HeaderEncoder m_header;
  LcioObjectWriter m_objects;
  BlockWriter m_blocks;
  EncodedEvents m_out;
};

} // namespace

EncodedEvents encodeEvents(const LcioEventPlan& plan, const Batch& batch, Compression how,
                           const std::string& file) {
  return EventEncoder(plan, batch, how, file).encode();
}

EncodedEvents encodeRuns(const LcioEventPlan& plan, const Batch& batch, Compression how,
                         const std::string& file) {
  EncodedEvents out;
  const HeaderEncoder header(plan, batch, file);
  BlockWriter blocks(file + ": a run header");
  for (std::size_t entry = 0; entry < batch.entries(); ++entry) {
    const auto run = header.value<std::int32_t>("runNumber", entry, 0);
    out.entries.push_back({out.records.size(), run, -1});
    blocks.beginBlock(runBlock, writtenVersion);
    blocks.put(run);
    blocks.put(std::string_view(header.text("detectorName", entry)));
    blocks.put(std::string_view(header.text("description", entry)));
    const std::vector<std::string> subdetectors = header.texts("activeSubdetectors", entry);
    blocks.putCount(subdetectors.size());
    for (const std::string& name : subdetectors)
      blocks.put(std::string_view(name));
    header.putParameters(plan.parameters, entry, nullptr, blocks);
    blocks.endBlock();
    appendRecord(runRecord, blocks.bytes(), how, out.records);
    blocks.clear();
  }
  return out;
}

} // namespace kaon::sio::lcio
