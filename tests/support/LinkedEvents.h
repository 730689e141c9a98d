#pragma once

#include "linkmodel/linkmodel.h"
#include "support/Files.h"
#include "support/Tables.h"
#include "support/Writing.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

// Events of the model with interfaces and links.

namespace kaon::test {

/// Three objects of each kind, to refer to.
class LinkedObjects : public testing::Test {
protected:
  LinkedObjects() {
    for (int i = 0; i < 3; ++i) {
      pixels.create(linked::Point{1, 2}, 3.F, std::array{4, 5});
      strips.create(std::array{6, 7}, 0.5, 8.F, linked::Point{9, 10});
      tracks.create(static_cast<float>(i));
    }
  }
  linked::PixelCollection pixels;
  linked::StripCollection strips;
  linked::TrackCollection tracks;
};

/// Writes and reads events in each layout.
class StoredEvent : public testing::TestWithParam<Layout> {
protected:
  /// Returns the event after it was written and read.
  [[nodiscard]] Frame stored(const Frame& event) const {
    const std::string path = m_directory / "stored.kaon";
    Writer writer(path, {.layout = GetParam()});
    writer.write(event, "events");
    writer.finish();
    return Reader(path)["events"].at(0);
  }
  /// Returns the event from a second file, to which it was copied from the first.
  [[nodiscard]] Frame copied(const Frame& event) const {
    const std::string path = m_directory / "copied.kaon";
    Writer writer(path);
    Frame before; // tables get other numbers than in the first file
    before.put(linked::StripCollection(), "Others");
    writer.write(before, "events");
    writer.write(stored(event), "events");
    writer.finish();
    return Reader(path)["events"].at(1);
  }

private:
  TemporaryDirectory m_directory;
};

/// Returns an event in memory with one object of `type` in the collection Things. Its `relations`
/// lead to the only object of Others, which has the type `to`. Each object has one number, 5.
[[nodiscard]] inline Frame eventOfTwo(Writing& writing, const std::string& type,
                                      const std::string& member,
                                      const std::vector<std::string>& relations,
                                      const std::string& to) {
  detail::BatchBuilder builder;
  const auto others =
      builder.add(table("Others", TableKind::collection, to, {{"time", Scalar::Float32}}));
  const auto things =
      builder.add(table("Things", TableKind::collection, type, {{member, Scalar::Float32}}));
  const float value = 5;
  for (const auto number : {others, things}) {
    builder.setPresent(number);
    std::byte* const row = builder.append(number, 1);
    std::memset(row, 0, builder.schema().table(number).rowSize);
    std::memcpy(row, &value, sizeof value);
  }
  for (const std::string& name : relations) {
    const auto number = builder.add(relation("Things." + name, TableKind::oneRelation, things));
    addRow(builder, number, detail::Reference{0, others});
  }
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  return Category(writing.finished(), "events").at(0);
}

} // namespace kaon::test
