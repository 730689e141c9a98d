#pragma once

#include "support/Tables.h"

#include <kaon/batch/Sink.h>
#include <kaon/writing/BatchBuilder.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// Events whose hits have optional members. Files store 0 where a value is missing.

namespace kaon::test {

struct OptionalHit {
  float energy;
  float time;
  std::int16_t range[2];
  float x, z;
  float one;
  bool hasTime, hasRange, hasAt, hasZ;
};

/// The hits of three entries. The second hit has no `at`, although the stored bool of its `z` is
/// true.
inline const std::vector<std::vector<OptionalHit>> optionalHits = {
    {{1, 1.5F, {1, 2}, 3, 0, 7, true, true, true, false},
     {2, 0, {0, 0}, 0, 0, 8, false, false, false, true}},
    {},
    {{3, 0, {0, 0}, 5, 6, 9, true, false, true, true}}};

[[nodiscard]] inline TableDefinition optionalHitsTable(Layout layout) {
  using Hit = OptionalHit;
  const auto member = [](std::string name, Scalar type, std::size_t offset, std::string structure,
                         std::uint32_t extent = 1) {
    return MemberDefinition{.name = std::move(name),
                            .type = type,
                            .extent = extent,
                            .offset = static_cast<std::uint32_t>(offset),
                            .structure = std::move(structure)};
  };
  return {.name = "Hits",
          .layout = layout,
          .type = "Hit",
          .rowSize = sizeof(Hit),
          .members = {member("energy", Scalar::Float32, offsetof(Hit, energy), ""),
                      member("time.value", Scalar::Float32, offsetof(Hit, time), "?"),
                      member("time.has_value", Scalar::Bool, offsetof(Hit, hasTime), "?"),
                      member("range.value", Scalar::Int16, offsetof(Hit, range), "?.[2]", 2),
                      member("range.has_value", Scalar::Bool, offsetof(Hit, hasRange), "?"),
                      member("at.value.x", Scalar::Float32, offsetof(Hit, x), "?"),
                      member("at.value.z.value", Scalar::Float32, offsetof(Hit, z), "?..?"),
                      member("at.value.z.has_value", Scalar::Bool, offsetof(Hit, hasZ), "?..?"),
                      member("at.has_value", Scalar::Bool, offsetof(Hit, hasAt), "?"),
                      member("one", Scalar::Float32, offsetof(Hit, one), "[1]")}};
}

/// Writes the entries as "events". With `more`, hits have two later optional members, the number
/// `late` and the component `place`, and a list `times` of two optional numbers.
inline void writeOptionalHits(Sink& sink, Layout layout, bool more = false) {
  detail::BatchBuilder builder;
  builder.add(optionalHitsTable(layout));
  if (more) {
    const auto addLate = [&](const std::string& name, Scalar type) {
      builder.add(table(name, TableKind::decoration, "", {{"", type, 1, "?"}}, 0, layout));
    };
    addLate("Hits.late.value", Scalar::Float64);
    addLate("Hits.late.has_value", Scalar::Bool);
    addLate("Hits.place.value.x", Scalar::Float32);
    addLate("Hits.place.has_value", Scalar::Bool);
    builder.add(table("Hits.times", TableKind::vectorMember, "",
                      {{".value", Scalar::Float32, 1, "?"}, {".has_value", Scalar::Bool, 1, "?"}},
                      0, layout));
  }
  const auto add = [&](std::uint32_t table, const auto& value) {
    std::memcpy(builder.append(table, 1), &value, sizeof value);
  };
  struct Time {
    float value;
    bool isThere;
    std::array<char, 3> rest;
  };
  for (const std::vector<OptionalHit>& event : optionalHits) {
    builder.setPresent(0);
    for (const OptionalHit& hit : event) {
      add(0, hit);
      if (!more)
        continue;
      add(1, hit.hasTime ? hit.energy + 0.25 : 0.);
      add(2, hit.hasTime);
      add(3, hit.x);
      add(4, hit.hasAt);
      add(5, Time{hit.energy, true, {}});
      add(5, Time{0, false, {}});
      builder.endRow(5);
    }
    builder.endEntry();
  }
  sink.write("events", builder.batch(0));
}

} // namespace kaon::test
