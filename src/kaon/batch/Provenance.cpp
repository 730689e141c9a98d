#include <kaon/batch/Provenance.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <charconv>

namespace kaon {
namespace {

constexpr std::string_view sourcePrefix = "source:";

} // namespace

bool isProvenance(std::string_view name) noexcept {
  return std::ranges::find(provenanceNames, name) != provenanceNames.end();
}

bool isOfPlaces(const Table& table) noexcept {
  return table.kind == TableKind::decoration && table.name.ends_with(placesSuffix) &&
         table.type == nameOf(Scalar::UInt32);
}

void fillPlaces(std::span<const std::uint32_t> offsets, std::uint32_t* places) noexcept {
  for (std::size_t entry = 0; entry + 1 < offsets.size(); ++entry)
    for (std::uint32_t row = offsets[entry]; row < offsets[entry + 1]; ++row)
      *places++ = row - offsets[entry];
}

TableDefinition provenanceTable(std::string_view name) {
  return {.name = std::string(name),
          .kind = TableKind::value,
          .type = std::string(nameOf(Scalar::UInt64)),
          .rowSize = sizeof(std::uint64_t),
          .members = {{.name = "", .type = Scalar::UInt64}}};
}

std::string sourceDocument(std::uint64_t id) {
  return std::string(sourcePrefix) + std::to_string(id);
}

std::optional<std::uint64_t> idOfSource(std::string_view document) noexcept {
  if (!document.starts_with(sourcePrefix))
    return std::nullopt;
  const char* const end = document.data() + document.size();
  std::uint64_t id = 0;
  const auto [rest, error] = std::from_chars(document.data() + sourcePrefix.size(), end, id);
  return error == std::errc{} && rest == end ? std::optional(id) : std::nullopt;
}

Schema BatchWithProvenance::schemaOf(const Batch& batch) {
  Schema schema = batch.schema();
  for (const std::string_view name : provenanceNames) {
    const TableDefinition wanted = provenanceTable(name);
    const TableNumber known = schema.find(name);
    if (known == Table::none)
      schema.add(wanted);
    else if (schema.table(known).kind != wanted.kind || schema.table(known).type != wanted.type)
      fail(ErrorKind::usage, "the batch has a '", name, "' that is not the number of a file or ",
           "entry, so that its provenance cannot be recorded");
  }
  return schema;
}

BatchWithProvenance::BatchWithProvenance(const Batch& batch)
    : m_schema(schemaOf(batch)), m_batch(m_schema, batch.firstEntry(), batch.entries()) {
  for (TableNumber table = 0; table < batch.schema().size(); ++table)
    m_batch.table(table) = batch.table(table);
  for (const detail::FileEntries& run : batch.origins(0, batch.entries()))
    for (std::size_t i = 0; i < run.count; ++i) {
      m_values[0].push_back(run.file ? run.file->id() : 0);
      m_values[1].push_back(run.file ? run.first + i : 0);
    }
  for (std::size_t value = 0; value < m_values.size(); ++value) {
    TableView& table = m_batch.table(m_schema.find(provenanceNames[value]));
    table = {};
    table.rows = batch.entries();
    table.members = {{detail::bytesAt(m_values[value].data()), sizeof(std::uint64_t)}};
  }
}

} // namespace kaon
