#include <kaon/formats/sio/podio/FrameEncoder.h>

#include <kaon/base/Bytes.h>
#include <kaon/batch/MemberValues.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/podio/PodioReference.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/podio/FrameScan.h>

#include <cstring>

namespace kaon::sio::podio {
namespace {

class FrameEncoder {
public:
  FrameEncoder(const SioFramePlan& plan, const Batch& batch, std::string_view category,
               Compression how, const std::string& file)
      : m_plan(plan), m_batch(batch), m_category(category),
        m_header(std::string(category).append(headerSuffix)), m_how(how), m_parameters(batch),
        m_blocks(file + ": a frame of '" + m_category + "'") {}

  EncodedFrames encode() {
    for (std::size_t entry = 0; entry < m_batch.entries(); ++entry)
      encodeEntry(entry);
    return std::move(m_out);
  }

private:
  void encodeEntry(std::size_t entry) {
    m_present.clear();
    for (const StoredCollection& collection : m_plan.collections)
      if (const auto present = m_batch.table(collection.form.table).present;
          present.empty() || present[entry] != std::byte{0})
        m_present.push_back(&collection);
    m_out.begins.push_back(m_out.records.size());
    putHeader();
    append(m_header);
    putParameters(entry);
    for (const StoredCollection* const collection : m_present)
      putCollection(*collection, entry);
    append(m_category);
  }

  void append(const std::string& record) {
    appendDeflatedRecord(record, m_blocks.bytes(), m_how, m_out.records);
    m_blocks.clear();
  }

  /// Writes names, IDs, types and subset flags.
  void putHeader() {
    m_blocks.beginBlock(headerBlock, blockVersion(0, 3));
    m_blocks.putCount(m_present.size());
    for (const StoredCollection* const collection : m_present)
      m_blocks.put(std::string_view(collection->form.name));
    m_blocks.putCount(m_present.size());
    for (const StoredCollection* const collection : m_present)
      m_blocks.put(collection->id);
    m_blocks.putCount(m_present.size());
    for (const StoredCollection* const collection : m_present)
      m_blocks.put(std::string_view(collection->type));
    m_blocks.putCount(m_present.size());
    std::byte* flags = m_blocks.room(m_present.size() * sizeof(std::uint16_t));
    for (const StoredCollection* const collection : m_present) {
      storeBigEndian(static_cast<std::uint16_t>(collection->isSubset ? 1 : 0), flags);
      flags += sizeof(std::uint16_t);
    }
    m_blocks.endBlock();
  }

  void putParameters(std::size_t entry) {
    m_blocks.beginBlock(parameterBlock, blockVersion(0, 2));
    for (const ParameterType type : podioParameters) {
      const std::size_t count = m_blocks.laterCount();
      std::uint32_t keys = 0;
      for (const ParameterPlan& parameter : m_plan.parameters)
        if (parameter.from.type == type && m_parameters.has(parameter.from, entry)) {
          ++keys;
          m_blocks.put(std::string_view(parameter.key));
          putValues(m_parameters, parameter.from, entry, m_blocks);
        }
      m_blocks.setCount(count, keys);
    }
    m_blocks.endBlock();
  }

  void putCollection(const StoredCollection& collection, std::size_t entry) {
    const CollectionForm& form = collection.form;
    m_blocks.beginBlock(form.name, blockVersion(collection.schemaVersion, 0));
    const detail::RowRange objects = detail::rowsUnder(m_batch, form.table, {entry, entry + 1});
    if (form.rowBytes > 0) {
      std::byte* const rows = putRows(form.table, form.members, form.rowBytes, objects);
      for (const CollectionForm::Side& side : form.sides)
        if (!side.isOne)
          putSlices(side, objects, rows + side.begin, form.rowBytes);
    }
    for (const CollectionForm::Side& side : form.sides) {
      const detail::RowRange range =
          side.isOne ? objects : detail::rowsUnder(m_batch, side.table, objects);
      if (side.members.empty())
        putReferences(side.table, range);
      else
        putRows(side.table, side.members, side.rowBytes, range);
    }
    m_blocks.endBlock();
  }

  /// Writes structs with their layout in memory. Returns the address of the first one.
  std::byte* putRows(TableNumber table, const std::vector<CollectionForm::Place>& members,
                     std::uint32_t rowBytes, detail::RowRange range) {
    m_blocks.putCount(range.size());
    const std::size_t bytes = range.size() * rowBytes;
    std::byte* const out = m_blocks.room(bytes);
    if (bytes == 0)
      return out;
    std::memset(out, 0, bytes);
    const Members infos = m_batch.schema().table(table).members;
    for (MemberNumber number = 0; number < members.size(); ++number) {
      const CollectionForm::Place& place = members[number];
      const std::byte* const values = valuesInOrder(
          infos[number], m_batch.table(table).members[number], range.first, range.size(), m_values);
      detail::copyStrided(out + place.offset, rowBytes, values, place.bytes, range.size(),
                          place.bytes);
    }
    return out;
  }

  /// Writes the start and end of each object's rows, counted from the rows of its frame.
  void putSlices(const CollectionForm::Side& side, detail::RowRange objects, std::byte* out,
                 std::uint32_t rowBytes) const {
    const auto offsets = m_batch.table(side.table).offsets;
    for (std::size_t object = objects.first; object < objects.last; ++object, out += rowBytes) {
      const std::uint32_t slice[] = {offsets[object] - offsets[objects.first],
                                     offsets[object + 1] - offsets[objects.first]};
      std::memcpy(out, slice, sizeof slice);
    }
  }

  void putReferences(TableNumber table, detail::RowRange range) {
    const TableView& from = m_batch.table(table);
    m_blocks.putCount(range.size());
    std::byte* out = m_blocks.room(range.size() * referenceBytes);
    for (std::size_t row = range.first; row < range.last; ++row, out += referenceBytes) {
      static_assert(sizeof(PodioReference) == referenceBytes);
      const PodioReference reference = podioReference(m_batch.schema(), m_plan.ids, from, row);
      std::memcpy(out, &reference, sizeof reference);
    }
  }

  const SioFramePlan& m_plan;
  const Batch& m_batch;
  std::string m_category, m_header; // names of records
  Compression m_how;
  FrameParameterValues m_parameters;
  BlockWriter m_blocks;
  std::vector<const StoredCollection*> m_present;
  Buffer m_values; // rounded values
  EncodedFrames m_out;
};

} // namespace

EncodedFrames encodeFrames(const SioFramePlan& plan, const Batch& batch, std::string_view category,
                           Compression how, const std::string& file) {
  return FrameEncoder(plan, batch, category, how, file).encode();
}

} // namespace kaon::sio::podio
