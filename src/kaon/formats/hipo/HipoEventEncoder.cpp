#include <kaon/formats/hipo/HipoEventEncoder.h>

#include <kaon/base/Error.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/hipo/Structures.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace kaon::hipo {
namespace {

constexpr std::uint64_t mostRecordBytes = std::uint64_t{8} << 20; // decompressed
constexpr std::size_t mostEvents = 99'999;

/// A member's values in the batch, rounded to its precision.
struct ValueColumn {
  ColumnView view;
  std::size_t size = 0;
  Buffer rounded;
};

/// Returns the first row of a structure in an entry, and the number of rows.
std::pair<std::size_t, std::size_t> rowsOf(const StructurePlan& structure, const Batch& batch,
                                           std::size_t entry) {
  if (batch.schema().table(structure.table).kind == TableKind::value)
    return {entry, 1};
  const auto offsets = batch.table(structure.table).offsets;
  return {offsets[entry], offsets[entry + 1] - offsets[entry]};
}

/// Returns the size of each event in bytes.
std::vector<std::uint32_t> sizesOf(const HipoEventPlan& plan, const Batch& batch,
                                   const std::string& file) {
  std::vector<std::uint64_t> sums(batch.entries(), eventHeaderBytes);
  for (const StructurePlan& structure : plan.structures)
    for (std::size_t entry = 0; entry < sums.size(); ++entry) {
      const std::uint64_t rows = rowsOf(structure, batch, entry).second;
      const std::uint64_t bytes = rows * structure.rowBytes + structure.format.size();
      if (bytes > mostStructureBytes)
        fail(ErrorKind::usage, file, ": entry ", batch.firstEntry() + entry, " has ", bytes,
             " bytes of '", structure.bank.name, "'; a bank of HIPO has at most ",
             mostStructureBytes, ": leave the entry or the bank out, or write to a .kaon file");
      sums[entry] += rows > 0 ? structureHeaderBytes + bytes : 0;
    }
  std::vector<std::uint32_t> sizes;
  for (std::size_t entry = 0; entry < sums.size(); ++entry) {
    if (sums[entry] > std::numeric_limits<std::int32_t>::max() / 2)
      fail(ErrorKind::usage, file, ": entry ", batch.firstEntry() + entry, " has ", sums[entry],
           " bytes; an event of HIPO has at most a GiB: leave it out, or write to a .kaon file");
    sizes.push_back(static_cast<std::uint32_t>(sums[entry]));
  }
  return sizes;
}

/// The events for a batch of tables.
class EventsOfTables {
public:
  EventsOfTables(const HipoEventPlan& plan, const Batch& batch, const std::string& file)
      : m_plan(plan), m_batch(batch), m_sizes(sizesOf(plan, batch, file)) {
    for (const StructurePlan& structure : plan.structures)
      addColumns(structure);
  }

  [[nodiscard]] std::size_t count() const noexcept { return m_sizes.size(); }
  [[nodiscard]] std::uint32_t sizeOf(std::size_t entry) const noexcept { return m_sizes[entry]; }
  [[nodiscard]] std::uint32_t tagOf(std::size_t entry) const { return wordOf(m_plan.tag, entry); }
  std::byte* put(std::uint32_t entry, std::byte* out) const {
    const std::uint32_t words[] = {m_sizes[entry], wordOf(m_plan.tag, entry),
                                   wordOf(m_plan.mask, entry)};
    std::memcpy(out, "EVNT", 4);
    std::memcpy(out + 4, words, sizeof(words));
    out += eventHeaderBytes;
    for (std::size_t i = 0; i < m_plan.structures.size(); ++i) {
      const StructurePlan& structure = m_plan.structures[i];
      const auto [first, rows] = rowsOf(structure, m_batch, entry);
      if (rows > 0)
        out = putStructure(structure, m_columns[i], first, rows, out);
    }
    return out;
  }

private:
  [[nodiscard]] std::uint32_t wordOf(std::optional<std::uint32_t> table, std::size_t entry) const {
    return table ? detail::loadAs<std::uint32_t>(m_batch.table(*table).members[0].at(entry)) : 0;
  }
  void addColumns(const StructurePlan& structure) {
    const Table table = m_batch.schema().table(structure.table);
    const TableView& view = m_batch.table(structure.table);
    std::vector<ValueColumn> columns;
    for (std::uint32_t i = 0; i < table.members.size(); ++i) {
      const Member member = table.members[i];
      ValueColumn column{view.members[i], member.size(), {}};
      if (member.precision.kind != Precision::Kind::exact) {
        const std::size_t rows = table.kind == TableKind::value ? m_batch.entries() : view.rows;
        const auto out = column.rounded.assign(rows * column.size);
        detail::copyStrided(out.data(), column.size, column.view.base, column.view.stride, rows,
                            column.size);
        codec::roundTo(member.precision, detail::elementOf(member), out, out);
        column.view = {out.data(), column.size};
      }
      columns.push_back(std::move(column));
    }
    m_columns.push_back(std::move(columns));
  }

  static std::byte* putStructure(const StructurePlan& structure,
                                 const std::vector<ValueColumn>& columns, std::size_t first,
                                 std::size_t rows, std::byte* out) {
    const std::size_t bytes = rows * structure.rowBytes, format = structure.format.size();
    const std::uint32_t words[] = {
        structure.bank.key() | static_cast<std::uint32_t>(structure.type) << 24,
        static_cast<std::uint32_t>(bytes + format) | static_cast<std::uint32_t>(format) << 24};
    std::memcpy(out, words, sizeof(words));
    out += structureHeaderBytes;
    std::memcpy(out, structure.format.data(), format);
    out += format;
    if (structure.type == StructureType::composite)
      return putRows(structure, columns, first, rows, out);
    for (const ValueColumn& column : columns) {
      detail::copyStrided(out, column.size, column.view.at(first), column.view.stride, rows,
                          column.size);
      out += rows * column.size;
    }
    return out;
  }

  static std::byte* putRows(const StructurePlan& structure, const std::vector<ValueColumn>& columns,
                            std::size_t first, std::size_t rows, std::byte* out) {
    std::size_t place = 0;
    for (const ValueColumn& column : columns) {
      detail::copyStrided(out + place, structure.rowBytes, column.view.at(first),
                          column.view.stride, rows, column.size);
      place += column.size;
    }
    return out + rows * structure.rowBytes;
  }

  const HipoEventPlan& m_plan;
  const Batch& m_batch;
  std::vector<std::uint32_t> m_sizes;              // of each event
  std::vector<std::vector<ValueColumn>> m_columns; // of each structure
};

/// Events in stored form.
class EventsAsStored {
public:
  explicit EventsAsStored(const Batch& batch)
      : m_offsets(batch.table(0).offsets), m_bytes(batch.table(0).members[0].base) {}

  [[nodiscard]] std::size_t count() const noexcept { return m_offsets.size() - 1; }
  [[nodiscard]] std::uint32_t sizeOf(std::size_t entry) const noexcept {
    return m_offsets[entry + 1] - m_offsets[entry];
  }
  [[nodiscard]] std::uint32_t tagOf(std::size_t entry) const noexcept {
    return detail::loadAs<std::uint32_t>(m_bytes + m_offsets[entry] + tagPlace);
  }
  std::byte* put(std::uint32_t entry, std::byte* out) const noexcept {
    return std::copy_n(m_bytes + m_offsets[entry], sizeOf(entry), out);
  }

private:
  std::span<const std::uint32_t> m_offsets;
  const std::byte* m_bytes;
};

template <class Events>
class RecordEncoder {
public:
  RecordEncoder(const Events& events, Compression how) : m_events(events), m_how(how) {}

  std::vector<EncodedRecord> encode() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> byTag;
    for (std::uint32_t entry = 0; entry < m_events.count(); ++entry)
      byTag[m_events.tagOf(entry)].push_back(entry);
    for (const auto& [tag, entries] : byTag)
      encodeTag(tag, entries);
    return std::move(m_records);
  }

private:
  /// Encodes the events of a tag as records of about the same size.
  void encodeTag(std::uint32_t tag, std::span<const std::uint32_t> entries) {
    std::uint64_t total = 0;
    for (const std::uint32_t entry : entries)
      total += bytesOf(entry);
    const std::uint64_t records = total / mostRecordBytes + 1;
    const std::uint64_t usual = std::min(total / records + 1, mostRecordBytes);
    std::size_t first = 0;
    while (first < entries.size()) {
      std::uint64_t bytes = 0;
      std::size_t last = first;
      while (last < entries.size() && last - first < mostEvents) {
        const std::uint64_t more = bytesOf(entries[last]);
        if (last > first && (bytes >= usual || bytes + more > mostRecordBytes))
          break;
        bytes += more;
        ++last;
      }
      encodeRecordOf(tag, entries.subspan(first, last - first), bytes);
      first = last;
    }
  }

  /// Returns the size of an event in a record, including its length.
  [[nodiscard]] std::uint64_t bytesOf(std::uint32_t entry) const {
    return std::uint64_t{m_events.sizeOf(entry)} + sizeof(std::uint32_t);
  }

  void encodeRecordOf(std::uint32_t tag, std::span<const std::uint32_t> entries,
                      std::uint64_t bytes) {
    constexpr std::size_t behind = 64; // for copies that write more than needed
    const auto size = static_cast<std::size_t>(bytes);
    std::byte* const payload = m_payload.assign(size + behind).data();
    std::byte* out = payload + entries.size() * sizeof(std::uint32_t);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::uint32_t length = m_events.sizeOf(entries[i]);
      std::memcpy(payload + i * sizeof(length), &length, sizeof(length));
      out = m_events.put(entries[i], out);
    }
    m_records.push_back(encodeRecord(m_payload.bytes().first(size),
                                     static_cast<std::uint32_t>(entries.size()), tag, m_how));
  }

  const Events& m_events;
  Compression m_how;
  Buffer m_payload;
  std::vector<EncodedRecord> m_records;
};

} // namespace

void checkSizes(const HipoEventPlan& plan, const Batch& batch, const std::string& file) {
  (void)sizesOf(plan, batch, file);
}

std::vector<EncodedRecord> encodeEvents(const HipoEventPlan& plan, const Batch& batch,
                                        Compression how, const std::string& file) {
  return RecordEncoder(EventsOfTables(plan, batch, file), how).encode();
}

std::vector<EncodedRecord> encodeStoredEvents(const Batch& batch, Compression how) {
  return RecordEncoder(EventsAsStored(batch), how).encode();
}

} // namespace kaon::hipo
