#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/SchemaDocument.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Random.h"
#include "support/Tables.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::test {

/// Returns a table of each kind, with members of all sizes. In the rows most bytes of a column
/// agree, so that codecs can compress them.
[[nodiscard]] inline std::vector<TableDefinition> assortedTables(Layout layout) {
  using enum Scalar;
  std::vector<TableDefinition> tables;
  tables.push_back(collection("Hits",
                              {{"cell", UInt64},
                               {"energy", Float32},
                               {"good", Bool},
                               {"position.x", Float32, 3},
                               {"charge", Int16}},
                              layout));
  tables.push_back(table("Hits.samples", TableKind::vectorMember, "Sample",
                         {{"time", Float64}, {"flag", UInt8}}, 0, layout));
  tables.push_back(relation("Hits.particle", TableKind::oneRelation, 0));
  tables.push_back(relation("Hits.neighbours", TableKind::manyRelation, 0));
  tables.push_back(collection("Particles", {{"PDG", Int32}}, layout));
  tables.back().type = "Particle";
  tables.push_back(collection("Bare", {}, layout));
  tables.push_back(parameter("weight", Float64));
  tables.push_back(parameter("weight", Int32));
  tables.push_back(test::table("title", TableKind::parameter, "string", {}));
  tables.push_back(values("title.text", TableKind::text, UInt8, 8));
  tables.push_back(values("run", TableKind::value, Int32));
  tables.push_back(values("year", TableKind::value, UInt16));
  tables.back().use = TableUse::tag;
  tables.back().members[0].missing = 2025;
  tables.push_back(values("number", TableKind::value, Int64));
  tables.back().use = TableUse::tag | TableUse::key;
  tables.push_back(test::table("Hits.quality", TableKind::decoration, "",
                               {{"chi2", Float32}, {"flags", Int8, 2}}, 0, layout));
  tables.back().members[0].missing = 0x7fc00000; // NaN
  tables.back().members[1].missing = 0xff;
  tables.push_back(values("Hits.label", TableKind::vectorMember, UInt8, 0));
  tables.back().type = VectorMember::string;
  tables.push_back(test::table("Hits.labels", TableKind::vectorMember, "string", {}, 0, layout));
  tables.push_back(values("Hits.labels.text", TableKind::text, UInt8, 15));
  for (const char* name : {"Jets", "Muons"}) { // stored together
    tables.push_back(collection(name, {{"pt", Float32}, {"charge", Int8}}, layout));
    tables.back().group = "selected";
  }
  // Nested lists: of structs, of numbers, of strings; under objects, parameters and values.
  tables.push_back(table("Hits.samples.pulses", TableKind::vectorMember, "Pulse",
                         {{"height", Float32}, {"width", Int16}}, 1, layout));
  tables.push_back(values("Hits.samples.pulses.bins", TableKind::vectorMember, Int32, 19));
  tables.push_back(table("Hits.samples.words", TableKind::vectorMember, "string", {}, 1));
  tables.push_back(values("Hits.samples.words.text", TableKind::text, UInt8, 21));
  tables.push_back(table("waveforms", TableKind::parameter, "", {}));
  tables.push_back(table("waveforms.", TableKind::vectorMember, "", {}, 23));
  tables.push_back(values("waveforms..", TableKind::vectorMember, Float32, 24));
  tables.push_back(table("beam", TableKind::value, "", {{"energy", Float64}, {"on", Bool}}));
  tables.push_back(values("beam.profile", TableKind::vectorMember, UInt16, 26));
  return tables;
}

/// Returns these tables as files of other formats store them. Two of them are absent in some
/// entries.
[[nodiscard]] inline SchemaDocument assortedDocument() {
  SchemaDocument document;
  for (const TableDefinition& table : assortedTables(Layout::split))
    document.schema.add(table);
  document.absent = {0, 4};
  return document;
}

/// Makes random entries of a builder's tables.
class RandomEvents {
public:
  RandomEvents(std::uint64_t seed, std::size_t mostRows) : m_random(seed), m_mostRows(mostRows) {}

  void addEntry(detail::BatchBuilder& builder) {
    const Schema& schema = builder.schema();
    for (std::uint32_t number = 0; number < schema.size(); ++number) {
      const Table info = schema.table(number);
      if (!info.isRoot())
        continue;
      if (info.kind == TableKind::value) {
        addRows(builder, number, 1);
        addTablesBelow(builder, number, 1);
      } else if (m_random.chance(0.8)) {
        builder.setPresent(number);
        const std::size_t rows = m_random.chance(0.2) ? 0 : m_random.below(m_mostRows + 1);
        addRows(builder, number, rows);
        addTablesBelow(builder, number, rows);
      }
    }
    builder.endEntry();
  }

private:
  void addTablesBelow(detail::BatchBuilder& builder, std::uint32_t number, std::size_t rows) {
    for (std::uint32_t below = number + 1; below < builder.schema().size(); ++below)
      if (builder.schema().table(below).parent == number)
        addTablesBelow(builder, below, addRowsBelow(builder, below, rows));
  }
  /// Returns the number of rows.
  std::size_t addRowsBelow(detail::BatchBuilder& builder, std::uint32_t number,
                           std::size_t parents) {
    const std::size_t before = builder.rows(number);
    if (!builder.schema().table(number).isCounted())
      addRows(builder, number, parents);
    else
      for (std::size_t i = 0; i < parents; ++i) {
        addRows(builder, number, m_random.chance(0.5) ? 0 : m_random.below(4));
        builder.endRow(number);
      }
    return builder.rows(number) - before;
  }

  void addRows(detail::BatchBuilder& builder, std::uint32_t number, std::size_t rows) {
    const Table info = builder.schema().table(number);
    std::byte* const begin = builder.append(number, rows);
    m_random.fill({begin, rows * info.rowSize}); // padding between members must not matter
    for (std::size_t row = 0; row < rows; ++row)
      for (const Member& member : info.members)
        fillMember({begin + row * info.rowSize + member.offset, member.size()}, member.type);
  }

  void fillMember(std::span<std::byte> value, Scalar type) {
    if (type == Scalar::Bool) {
      value[0] = static_cast<std::byte>(m_random.below(2));
    } else if (m_random.chance(0.9)) {
      for (std::byte& byte : value)
        byte = std::byte{0};
      value[0] = static_cast<std::byte>(m_random.below(5));
    }
  }

  Random m_random;
  std::size_t m_mostRows;
};

} // namespace kaon::test
