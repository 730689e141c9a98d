#include <kaon/formats/arrow/Stream.h>

#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/ArrowTexts.h"
#include "support/Errors.h"
#include "support/OptionalHits.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::arrow {
namespace {

using test::expectError;

using test::arraysOf;
using test::expectContains;
using test::Released;
using test::schemaOf;
using test::Stream;
using test::textsOf;
using test::valueAt;

struct MuonRow {
  float pt;
  bool isGood;
  float x, y;
  std::int32_t firstEnd, secondEnd;
  std::int32_t charge;
  bool hasCharge;
};

struct ReferenceRow {
  std::int32_t index;
  std::uint32_t collection;
};

enum Tables : std::uint32_t { muon, hits, track, label, tracks, weight, beam };

std::vector<TableDefinition> muonTables() {
  using enum Scalar;
  using enum TableKind;
  std::vector<TableDefinition> tables{
      test::collection("Muon", {{"pt", Float32},
                                {"good", Bool},
                                {"at.x", Float32},
                                {"at.y", Float32},
                                {"ends.0.x", Int32, 1, "[2]"},
                                {"ends.1.x", Int32, 1, "[2]"},
                                {"charge.value", Int32, 1, "?"},
                                {"charge.has_value", Bool, 1, "?"}}),
      test::values("Muon.hits", vectorMember, Int32, muon),
      test::relation("Muon.track", oneRelation, muon),
      test::values("Muon.label", vectorMember, UInt8, muon),
      test::collection("Tracks", {}),
      test::values("weight", value, Float32),
      test::table("beam", value, "", {{"", Int32, 2}})};
  tables[muon].members[0].unit = "GeV";
  tables[muon].description = "A muon";
  tables[label].type = "string";
  return tables;
}

void addMuon(detail::BatchBuilder& events, const MuonRow& row,
             const std::vector<std::int32_t>& cells, const ReferenceRow& reference,
             std::string_view name) {
  test::addRow(events, muon, row);
  for (const std::int32_t cell : cells)
    test::addRow(events, hits, cell);
  events.endRow(hits);
  test::addRow(events, track, reference);
  std::memcpy(events.append(label, name.size()), name.data(), name.size());
  events.endRow(label);
}

void endEvent(detail::BatchBuilder& events, float number) {
  test::addRow(events, weight, number);
  test::addRow(events, beam, std::array{1, static_cast<std::int32_t>(number)});
  events.endEntry();
}

/// Returns an event with two muons, an event without muons, and an event that lacks the collection.
detail::BatchBuilder muonEvents() {
  detail::BatchBuilder events;
  for (const TableDefinition& table : muonTables())
    events.add(table);
  addMuon(events, {1.5F, true, 1, 2, 3, 4, -1, true}, {7, 8}, {0, tracks}, "gl\xc3\xbc");
  addMuon(events, {2.5F, false, 5, 6, 7, 8, 0, false}, {}, {-1, 0}, "\xff!");
  events.setPresent(muon);
  events.append(tracks, 1);
  events.setPresent(tracks);
  endEvent(events, 10);
  events.setPresent(muon);
  endEvent(events, 11);
  endEvent(events, 12);
  return events;
}

/// Writes each batch as a cluster.
std::shared_ptr<const File> fileOf(std::vector<detail::BatchBuilder> clusters) {
  auto file = memory::MemoryFile::make("memory");
  const auto sink = file->sink();
  for (const detail::BatchBuilder& cluster : clusters)
    sink->write("events", cluster.batch(0));
  sink->finish();
  return file;
}

std::shared_ptr<const File> muonFile() {
  std::vector<detail::BatchBuilder> clusters;
  clusters.push_back(muonEvents());
  return fileOf(std::move(clusters));
}

TEST(Streams, haveCollectionsAsListsOfStructs) {
  const std::vector<std::string> expected{
      "{Muon: [{pt: 1.5, good: true, at: {x: 1, y: 2}, ends: [{x: 3}, {x: 4}], charge: -1, "
      "hits: [7, 8], track: {index: 0, collection: \"Tracks\"}, label: \"gl\xc3\xbc\"}, "
      "{pt: 2.5, good: false, at: {x: 5, y: 6}, ends: [{x: 7}, {x: 8}], charge: null, "
      "hits: [], track: {index: -1, collection: null}, label: \"?!\"}], "
      "Tracks: [{}], weight: 10, beam: [1, 10]}",
      "{Muon: [], Tracks: null, weight: 11, beam: [1, 11]}",
      "{Muon: null, Tracks: null, weight: 12, beam: [1, 12]}"};
  EXPECT_EQ(textsOf(Stream(streamOf(muonFile(), "events"))), expected);
}

TEST(Streams, haveOnlyTheColumnsThatAreWantedInTheirOrder) {
  EXPECT_EQ(
      textsOf(Stream(streamOf(muonFile(), "events", {"weight", "Muon.at"}, {{0, 2}}))),
      (std::vector<std::string>{"{weight: 10, Muon: [{at: {x: 1, y: 2}}, {at: {x: 5, y: 6}}]}",
                                "{weight: 11, Muon: []}"}));
  EXPECT_EQ(textsOf(Stream(streamOf(muonFile(), "events", {"Muon.track.collection"}, {{0, 1}}))),
            std::vector<std::string>{"{Muon: [{track: {index: 0, collection: \"Tracks\"}}, "
                                     "{track: {index: -1, collection: null}}]}"});
  expectError(ErrorKind::name, ":events: no column is called 'Muon.pz' (did you mean 'Muon.pt'?",
              [] { (void)streamOf(muonFile(), "events", {"Muon.pz"}); });
  expectError(ErrorKind::usage, "there is no table 99", [] {
    const auto file = muonFile();
    (void)streamOf(file, file->category("events"), {{99, noMember}});
  });
}

TEST(Streams, haveAColumnForEachMemberIfTheyAreFlat) {
  const StreamOptions flat{.entries = {0, 1}, .nesting = FieldNesting::columns};
  const std::vector<std::string> names{"Muon.pt", "Muon.ends", "Muon.hits", "Muon.label",
                                       "Muon.track"};
  EXPECT_EQ(textsOf(Stream(streamOf(muonFile(), "events", names, flat))),
            std::vector<std::string>{
                "{Muon.pt: [1.5, 2.5], Muon.ends.0.x: [3, 7], Muon.ends.1.x: [4, 8], "
                "Muon.hits: [[7, 8], []], Muon.label: [\"gl\xc3\xbc\", \"?!\"], "
                "Muon.track.index: [0, -1], Muon.track.collection: [\"Tracks\", null]}"});
}

/// Returns the metadata in Arrow's form by key.
std::map<std::string, std::string> metadataOf(const ArrowSchema& schema) {
  const char* at = schema.metadata;
  const auto number = [&at] {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  };
  const auto word = [&] {
    const auto size = static_cast<std::size_t>(number());
    const std::string text(at, size);
    at += size;
    return text;
  };
  std::map<std::string, std::string> metadata;
  for (std::int32_t left = at ? number() : 0; left > 0; --left) {
    const std::string key = word();
    metadata[key] = word();
  }
  return metadata;
}

TEST(Streams, haveUnitsAndDescriptionsAsMetadata) {
  Stream stream(streamOf(muonFile(), "events"));
  Released<ArrowSchema> schema = schemaOf(stream);
  using Metadata = std::map<std::string, std::string>;
  const ArrowSchema& muons = *schema->children[0];
  EXPECT_EQ(metadataOf(muons), (Metadata{{"description", "A muon"}, {"datatype", "Thing"}}));
  EXPECT_EQ(metadataOf(*muons.children[0]->children[0]), (Metadata{{"unit", "GeV"}}));
  EXPECT_EQ(metadataOf(*muons.children[0]->children[1]), Metadata{});
}

TEST(Streams, tellWhichFieldsMayBeNull) {
  Stream stream(streamOf(muonFile(), "events", {"weight", "Muon.charge", "Muon.pt"}));
  Released<ArrowSchema> schema = schemaOf(stream);
  const ArrowSchema& object = *schema->children[1]->children[0];
  EXPECT_EQ(schema->flags, 0);
  EXPECT_EQ(schema->children[0]->flags, 0);
  EXPECT_EQ(schema->children[1]->flags, ARROW_FLAG_NULLABLE); // a collection may be absent
  EXPECT_EQ(object.flags, 0);
  EXPECT_EQ(object.children[0]->flags, 0);
  EXPECT_EQ(object.children[1]->flags, ARROW_FLAG_NULLABLE); // optional
}

/// Returns the file that a stream was written to.
std::shared_ptr<const File> written(ArrowArrayStream stream) {
  auto file = memory::MemoryFile::make("copy");
  BatchWriter out(file->sink(), {});
  writeStream(stream, "events", out);
  out.finish();
  return file;
}

// Files store 0 for missing values.
TEST(Streams, haveNullsWhereOptionalsAreMissing) {
  for (const Layout layout : {Layout::split, Layout::member, Layout::row}) {
    test::Writing writing;
    test::writeOptionalHits(writing.writer, layout, true);
    const std::shared_ptr<const File> file = writing.finished();
    const std::vector<std::string> expected = {
        "{Hits: [{energy: 1, time: 1.5, range: [1, 2], at: {x: 3, z: null}, one: [7], late: 1.25, "
        "place: {x: 3}, times: [1, null]}, {energy: 2, time: null, range: null, at: null, "
        "one: [8], late: null, place: null, times: [2, null]}]}",
        "{Hits: []}",
        "{Hits: [{energy: 3, time: 0, range: null, at: {x: 5, z: 6}, one: [9], late: 3.25, "
        "place: {x: 5}, times: [3, null]}]}"};
    EXPECT_EQ(textsOf(Stream(streamOf(file, "events"))), expected);
    const auto copy = written(streamOf(file, "events"));
    EXPECT_EQ(textsOf(Stream(streamOf(copy, "events"))), expected);
  }
}

TEST(Streams, giveArraysThatOutliveThem) {
  Released<ArrowSchema> pt;
  Released<ArrowArray> muons, objects;
  {
    Stream stream(streamOf(muonFile(), "events"));
    Released<ArrowSchema> schema = schemaOf(stream);
    auto arrays = arraysOf(stream);
    // A consumer that takes a child leaves a released child behind, which the parent must not use.
    std::swap(*pt.get(), *schema->children[0]);
    std::swap(*muons.get(), *arrays[0]->children[0]);
    std::swap(*objects.get(), *muons->children[0]);
  }
  EXPECT_STREQ(pt->name, "Muon");
  EXPECT_EQ(valueAt<std::int64_t>(*muons.get(), 1, 1), 2);
  EXPECT_EQ(valueAt<float>(*objects->children[0], 1, 1), 2.5F);
  muons->release(muons.get());
  EXPECT_EQ(muons->release, nullptr);
  EXPECT_EQ(valueAt<float>(*objects->children[0], 1, 0), 1.5F);
}

/// Returns the number of entries in each array of a stream.
std::vector<std::int64_t> lengthsOf(Stream stream) {
  std::vector<std::int64_t> lengths;
  for (Released<ArrowArray>& array : arraysOf(stream))
    lengths.push_back(array->length);
  return lengths;
}

TEST(Streams, areCutAtClustersAndWhereTheyWouldTakeTooMuch) {
  constexpr int most = 3000;
  std::vector<detail::BatchBuilder> clusters(4);
  for (detail::BatchBuilder& cluster : clusters)
    cluster = test::entriesOf<float>(test::values("x", TableKind::value, Scalar::Float32),
                                     std::vector<float>(most, 1.5F));
  const auto file = fileOf(std::move(clusters));
  EXPECT_EQ(lengthsOf(Stream(streamOf(file, "events"))),
            (std::vector<std::int64_t>{2L * most, 2L * most})); // small clusters are joined
  EXPECT_EQ(lengthsOf(Stream(streamOf(file, "events", {}, {.entries = {most, most + 10}}))),
            std::vector<std::int64_t>{10});
  EXPECT_EQ(lengthsOf(Stream(streamOf(file, "events", {}, {.entries = {0, 5}, .mostBytes = 8}))),
            (std::vector<std::int64_t>{2, 2, 1}));
  EXPECT_EQ(lengthsOf(Stream(streamOf(file, "events", {}, {.entries = {0, 2}, .mostBytes = 0}))),
            (std::vector<std::int64_t>{1, 1})); // an entry is never split
  EXPECT_TRUE(lengthsOf(Stream(streamOf(file, "events", {}, {.entries = {9, 9}}))).empty());
}

TEST(Streams, haveAsManyEntriesAsTheCategoryEvenWithoutColumns) {
  const auto file = muonFile();
  EXPECT_EQ(lengthsOf(Stream(streamOf(file, file->category("events"), {}))),
            std::vector<std::int64_t>{3});
}

TEST(Streams, reportErrorsOfAFile) {
  test::Writing writing;
  writing.writer.write("events", muonEvents().batch(0));
  const std::shared_ptr<File> file = writing.finished();
  EXPECT_EQ(lengthsOf(Stream(streamOf(file, "events"))), std::vector<std::int64_t>{3});
  Stream stream(streamOf(file, "events", {"Muon.pt"}));
  const float wanted[] = {1.5F, 2.5F};
  const auto bytes = std::span(writing.bytes->data(), writing.bytes->size());
  const auto page = std::ranges::search(bytes, std::as_bytes(std::span(wanted)));
  ASSERT_EQ(page.size(), sizeof wanted);
  page.front() ^= std::byte{1};
  ArrowArray array{};
  EXPECT_EQ(stream->get_next(stream.get(), &array), EBADMSG);
  expectContains(stream->get_last_error(stream.get()), "checksum");
}

TEST(Streams, refuseReferencesToUnknownCollections) {
  detail::BatchBuilder events;
  for (const TableDefinition& table : muonTables())
    events.add(table);
  addMuon(events, {}, {}, {0, weight}, "");
  events.setPresent(muon);
  endEvent(events, 1);
  std::vector<detail::BatchBuilder> clusters;
  clusters.push_back(std::move(events));
  Stream stream(streamOf(fileOf(std::move(clusters)), "events"));
  EXPECT_EQ(stream->get_last_error(stream.get()), nullptr);
  for (int again = 0; again < 2; ++again) {
    ArrowArray array{};
    EXPECT_EQ(stream->get_next(stream.get(), &array), EBADMSG);
    EXPECT_STREQ(stream->get_last_error(stream.get()),
                 "memory:events: a relation refers to a collection that does not exist; the file "
                 "is damaged");
    EXPECT_EQ(array.release, nullptr);
  }
}

TEST(Streams, takeTablesOfAllKindsAndLayouts) {
  std::vector<std::vector<std::string>> texts;
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    test::RandomEvents random(5, 6);
    detail::BatchBuilder events;
    for (const TableDefinition& table : test::assortedTables(layout))
      events.add(table);
    for (int entry = 0; entry < 30; ++entry)
      random.addEntry(events);
    test::Writing writing;
    writing.writer.write("events", events.batch(0));
    const std::shared_ptr<File> file = writing.finished();
    // References are random bytes without a meaning.
    texts.push_back(textsOf(Stream(streamOf(
        file, "events",
        {"Hits.samples", "Hits.quality", "Hits.labels", "Hits.position", "Hits.particle.index",
         "Particles", "Bare", "weight", "title", "number", "waveforms", "beam"}))));
  }
  ASSERT_EQ(texts[0].size(), 30U);
  expectContains(texts[0][0], "waveforms: [");
  EXPECT_EQ(texts[1], texts[0]);
  EXPECT_EQ(texts[2], texts[0]);
}

TEST(StreamsThatAreWritten, becomeTheTablesThatTheyWere) {
  const auto file = muonFile();
  const auto copy = written(streamOf(file, "events"));
  EXPECT_EQ(textsOf(Stream(streamOf(copy, "events"))), textsOf(Stream(streamOf(file, "events"))));
  const Schema& schema = copy->category("events").schema();
  EXPECT_EQ(schema.table(schema.tableNamed("Muon")).kind, TableKind::collection);
  EXPECT_EQ(schema.table(schema.tableNamed("Muon")).type, "Thing");
  EXPECT_EQ(schema.table(schema.tableNamed("Muon")).members[0].unit, "GeV");
  EXPECT_EQ(schema.table(schema.tableNamed("Muon.track")).kind, TableKind::oneRelation);
}

TEST(StreamsThatAreWritten, haveListsInListsAndStrings) {
  detail::BatchBuilder events;
  for (const TableDefinition& table : test::assortedTables(Layout::split))
    events.add(table);
  test::RandomEvents random(5, 6);
  for (int entry = 0; entry < 30; ++entry)
    random.addEntry(events);
  std::vector<detail::BatchBuilder> clusters;
  clusters.push_back(std::move(events));
  const auto file = fileOf(std::move(clusters));
  const std::vector<std::string> names{"Hits.samples", "Hits.labels", "Hits.position", "title",
                                       "number",       "waveforms",   "beam"};
  const auto expected = textsOf(Stream(streamOf(file, "events", names)));
  const auto copy = written(streamOf(file, "events", names));
  EXPECT_EQ(textsOf(Stream(streamOf(copy, "events"))), expected);
}

/// An array in Arrow's form as another library might make it. The test owns its parts.
struct OtherStream {
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowSchema*> schemaPlaces;
  std::vector<ArrowArray*> arrayPlaces;
  std::vector<std::vector<const void*>> buffers;
  bool isGiven = false;

  /// Adds a field of the entries; after a field of lists, adds their elements.
  void add(const char* format, const char* name, std::int64_t length, std::int64_t offset,
           std::vector<const void*> parts) {
    buffers.push_back(std::move(parts));
    schemas.push_back({.format = format, .name = name});
    arrays.push_back({.length = length,
                      .null_count = -1,
                      .offset = offset,
                      .n_buffers = std::ssize(buffers.back())});
  }
  /// Returns a stream of structs whose only child is the first field; its child is the next field,
  /// and so on.
  ArrowArrayStream stream(std::int64_t length) {
    for (std::size_t i = 0; i < schemas.size(); ++i) {
      schemaPlaces.push_back(&schemas[i]);
      arrayPlaces.push_back(&arrays[i]);
      arrays[i].buffers = buffers[i].data();
    }
    for (std::size_t i = 0; i + 1 < schemas.size(); ++i) {
      schemas[i].n_children = arrays[i].n_children = 1;
      schemas[i].children = &schemaPlaces[i + 1];
      arrays[i].children = &arrayPlaces[i + 1];
    }
    m_length = length;
    ArrowArrayStream stream{};
    stream.private_data = this;
    stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
    stream.get_last_error = [](ArrowArrayStream*) { return "enough"; };
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      *out = {.format = "+s", .name = "", .n_children = 1};
      out->children = static_cast<OtherStream*>(self->private_data)->schemaPlaces.data();
      out->release = [](ArrowSchema* schema) { schema->release = nullptr; };
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      auto& other = *static_cast<OtherStream*>(self->private_data);
      if (std::exchange(other.isGiven, true))
        return other.fails ? EIO : 0;
      *out = {.length = other.m_length, .n_buffers = 1, .n_children = 1};
      out->buffers = &other.m_noBuffer;
      out->children = other.arrayPlaces.data();
      out->release = [](ArrowArray* array) { array->release = nullptr; };
      return 0;
    };
    return stream;
  }
  bool fails = false;

private:
  std::int64_t m_length = 0;
  const void* m_noBuffer = nullptr;
};

TEST(StreamsThatAreWritten, mayHaveSlicesNullsAndViews) {
  // Rows 1 to 3 of lists. One of them is null although it has elements.
  const std::int32_t begins[] = {0, 1, 3, 4, 6};
  const std::uint8_t valid[] = {0b1011};
  const std::int32_t numbers[] = {9, 1, 2, 3, 4, 5, 6};
  OtherStream lists;
  lists.add("+l", "x", 3, 1, {valid, begins});
  lists.add("i", "item", 6, 1, {nullptr, numbers});
  EXPECT_EQ(textsOf(Stream(streamOf(written(lists.stream(3)), "events"))),
            (std::vector<std::string>{"{x: [2, 3]}", "{x: null}", "{x: [5, 6]}"}));

  const char text[] = "a string of more than twelve";
  struct View {
    std::int32_t size;
    char begin[4];
    std::int32_t buffer, offset;
  };
  const View views[] = {{3, {'o', 'n', 'e', 0}, 0, 0}, {sizeof text - 3, {}, 0, 2}};
  OtherStream strings;
  strings.add("vu", "s", 2, 0, {nullptr, views, text});
  EXPECT_EQ(textsOf(Stream(streamOf(written(strings.stream(2)), "events"))),
            (std::vector<std::string>{"{s: \"one\"}", "{s: \"string of more than twelve\"}"}));
}

TEST(StreamsThatAreWritten, haveOptionalsWhereValuesAreNull) {
  const std::int32_t ends[] = {0, 2, 2, 3};
  const std::int32_t numbers[] = {4, 5, 6};
  const std::uint8_t valid[] = {0b101};
  OtherStream names, counts;
  names.add("u", "name", 3, 0, {valid, ends, "abc"});
  const auto file = written(names.stream(3));
  EXPECT_EQ(textsOf(Stream(streamOf(file, "events"))),
            (std::vector<std::string>{"{name: \"ab\"}", "{name: null}", "{name: \"c\"}"}));
  EXPECT_EQ(textsOf(Stream(streamOf(file, "events", {}, {.nesting = FieldNesting::columns}))),
            (std::vector<std::string>{"{name..has_value: true, name..value: \"ab\"}",
                                      "{name..has_value: false, name..value: null}",
                                      "{name..has_value: true, name..value: \"c\"}"}));
  const auto again = written(streamOf(file, "events"));
  EXPECT_EQ(textsOf(Stream(streamOf(again, "events"))), textsOf(Stream(streamOf(file, "events"))));
  counts.add("i", "n", 3, 0, {valid, numbers});
  EXPECT_EQ(textsOf(Stream(streamOf(written(counts.stream(3)), "events"))),
            (std::vector<std::string>{"{n: 4}", "{n: null}", "{n: 6}"}));
}

TEST(StreamsThatAreWritten, haveOptionalsInListsAndArraysOfFixedLength) {
  const std::int32_t begins[] = {0, 2, 2}, ends[] = {0, 1, 1};
  const std::int32_t numbers[] = {1, 2, 3, 4};
  const std::uint8_t first[] = {0b01}, holes[] = {0b1101};
  OtherStream tags, pairs, holed;
  tags.add("+l", "tags", 2, 0, {nullptr, begins});
  tags.add("u", "item", 2, 0, {first, ends, "a"});
  EXPECT_EQ(textsOf(Stream(streamOf(written(tags.stream(2)), "events"))),
            (std::vector<std::string>{"{tags: [\"a\", null]}", "{tags: []}"}));
  pairs.add("+w:2", "pair", 2, 0, {first});
  pairs.add("i", "item", 4, 0, {nullptr, numbers});
  EXPECT_EQ(textsOf(Stream(streamOf(written(pairs.stream(2)), "events"))),
            (std::vector<std::string>{"{pair: [1, 2]}", "{pair: null}"}));
  holed.add("+w:2", "pair", 2, 0, {nullptr});
  holed.add("i", "item", 4, 0, {holes, numbers});
  EXPECT_EQ(textsOf(Stream(streamOf(written(holed.stream(2)), "events"))),
            (std::vector<std::string>{"{pair: [1, null]}", "{pair: [3, 4]}"}));
}

TEST(ArraysThatAreWritten, refuseNullsInFieldsThatAreNotMarked) {
  const std::int32_t ends[] = {0, 2, 2, 3};
  const std::uint8_t valid[] = {0b101};
  OtherStream names;
  names.add("u", "name", 3, 0, {valid, ends, "abc"});
  ArrowArrayStream stream = names.stream(3);
  ArrowSchema type{};
  ArrowArray entries{};
  ASSERT_EQ(stream.get_schema(&stream, &type), 0);
  ASSERT_EQ(stream.get_next(&stream, &entries), 0);
  const auto file = memory::MemoryFile::make("copy");
  BatchWriter out(file->sink(), {});
  expectError(ErrorKind::usage, "'name' has missing values",
              [&] { writeArray(type, entries, "events", out); });
}

TEST(StreamsThatAreWritten, haveDatesTimesAndDecimalsAsNumbers) {
  const std::int32_t days[] = {3, -1};
  OtherStream dates;
  dates.add("tdD", "day", 2, 0, {nullptr, days});
  const auto file = written(dates.stream(2));
  EXPECT_EQ(textsOf(Stream(streamOf(file, "events"))),
            (std::vector<std::string>{"{day: 3}", "{day: -1}"}));
  EXPECT_EQ(file->category("events").schema().table(0).members[0].unit, "d");

  const std::int64_t stamps[] = {1'700'000'000'123};
  OtherStream times;
  times.add("tsm:Europe/Berlin", "at", 1, 0, {nullptr, stamps});
  EXPECT_EQ(textsOf(Stream(streamOf(written(times.stream(1)), "events"))),
            (std::vector<std::string>{"{at: 1700000000123}"}));

  const std::uint16_t halves[] = {0x3e00, 0xfc00, 0x0001};
  OtherStream gains;
  gains.add("e", "gain", 3, 0, {nullptr, halves});
  EXPECT_EQ(textsOf(Stream(streamOf(written(gains.stream(3)), "events"))),
            (std::vector<std::string>{"{gain: 1.5}", "{gain: -inf}", "{gain: 5.96046e-08}"}));

  const std::int64_t prices[] = {-12345, -1, 5, 1}; // 128 bits each; the second is 2^64 + 5
  OtherStream decimals;
  decimals.add("d:38,2", "price", 2, 0, {nullptr, prices});
  EXPECT_EQ(textsOf(Stream(streamOf(written(decimals.stream(2)), "events"))),
            (std::vector<std::string>{"{price: -123.45}", "{price: 1.84467e+17}"}));
}

TEST(StreamsThatAreWritten, haveBytesAsListsAndRunsAsTheirValues) {
  OtherStream bytes;
  const std::uint8_t valid[] = {0b01};
  bytes.add("w:2", "id", 2, 0, {valid, "ab??"});
  EXPECT_EQ(textsOf(Stream(streamOf(written(bytes.stream(2)), "events"))),
            (std::vector<std::string>{"{id: [97, 98]}", "{id: null}"}));

  const std::int32_t ends[] = {2, 3};
  const float values[] = {1.5F, 2.5F};
  ArrowSchema endSchema{.format = "i", .name = "run_ends"};
  ArrowSchema valueSchema{.format = "f", .name = "values"};
  ArrowSchema* schemas[] = {&endSchema, &valueSchema};
  const void* endBuffers[] = {nullptr, ends};
  const void* valueBuffers[] = {nullptr, values};
  ArrowArray endArray{.length = 2, .n_buffers = 2, .buffers = endBuffers};
  ArrowArray valueArray{.length = 2, .n_buffers = 2, .buffers = valueBuffers};
  ArrowArray* arrays[] = {&endArray, &valueArray};
  OtherStream runs;
  runs.add("+r", "gain", 2, 1, {});
  runs.schemas[0].n_children = runs.arrays[0].n_children = 2;
  runs.schemas[0].children = schemas;
  runs.arrays[0].children = arrays;
  EXPECT_EQ(textsOf(Stream(streamOf(written(runs.stream(2)), "events"))),
            (std::vector<std::string>{"{gain: 1.5}", "{gain: 2.5}"}));
  endArray.length = 1;
  runs.isGiven = false;
  expectError(ErrorKind::usage, "the parts of the array of 'gain' do not fit",
              [&] { (void)written(runs.stream(2)); });
}

TEST(StreamsThatAreWritten, mayHaveFieldsWithoutNames) {
  const float values[] = {1.5F, 2.5F};
  OtherStream inStructs, alone;
  inStructs.add("+s", "point", 2, 0, {nullptr});
  inStructs.add("f", nullptr, 2, 0, {nullptr, values});
  EXPECT_EQ(textsOf(Stream(streamOf(written(inStructs.stream(2)), "events"))),
            (std::vector<std::string>{"{point: 1.5}", "{point: 2.5}"}));
  alone.add("f", nullptr, 2, 0, {nullptr, values});
  expectError(ErrorKind::usage, "a table has no name", [&] { (void)written(alone.stream(2)); });
}

TEST(StreamsThatAreWritten, areRefusedIfReferencesNameNoCollection) {
  // A collection of one object with a reference to the first object of the collection "".
  const std::string datatype("\1\0\0\0\10\0\0\0datatype\4\0\0\0Muon", 24);
  const std::int32_t begins[] = {0, 1};
  std::int32_t index[] = {0};
  const std::int32_t characters[] = {0, 0};
  ArrowSchema indexSchema{.format = "i", .name = "index"};
  ArrowSchema nameSchema{.format = "u", .name = "collection"};
  ArrowSchema* schemas[] = {&indexSchema, &nameSchema};
  const void* indexBuffers[] = {nullptr, index};
  const void* nameBuffers[] = {nullptr, characters, ""};
  ArrowArray indexArray{.length = 1, .n_buffers = 2, .buffers = indexBuffers};
  ArrowArray nameArray{.length = 1, .n_buffers = 3, .buffers = nameBuffers};
  ArrowArray* arrays[] = {&indexArray, &nameArray};
  OtherStream muons;
  muons.add("+l", "Muon", 1, 0, {nullptr, begins});
  muons.add("+s", "item", 1, 0, {nullptr});
  muons.add("+s", "other", 1, 0, {nullptr});
  ArrowArrayStream stream = muons.stream(1);
  muons.schemas[0].metadata = muons.schemas[2].metadata = datatype.data();
  muons.schemas[2].n_children = muons.arrays[2].n_children = 2;
  muons.schemas[2].children = schemas;
  muons.arrays[2].children = arrays;
  expectError(ErrorKind::usage,
              "'Muon.other' has a reference to an object whose collection is not named",
              [&] { (void)written(stream); });
  index[0] = -1;
  muons.isGiven = false;
  EXPECT_EQ(textsOf(Stream(streamOf(written(stream), "events"))),
            std::vector<std::string>{"{Muon: [{other: {index: -1, collection: null}}]}"});
}

// C and Java write references in this form.
TEST(StreamsThatAreWritten, areRefusedIfReferencesLeadToNoObject) {
  detail::BatchBuilder events;
  for (const TableDefinition& table : muonTables())
    events.add(table);
  events.setPresent(muon);
  events.setPresent(tracks);
  events.append(tracks, 2);
  addMuon(events, {}, {}, {7, tracks}, "");
  endEvent(events, 1);
  std::vector<detail::BatchBuilder> clusters;
  clusters.push_back(std::move(events));
  const auto file = fileOf(std::move(clusters)); // sinks do not check batches
  const std::string_view wrong =
      "copy:events: 'Muon.track' refers, in entry 0 of those given, to object 7 of 'Tracks', which "
      "has 2 there";
  expectError(ErrorKind::usage, wrong, [&] { (void)written(streamOf(file, "events")); });
  Stream stream(streamOf(file, "events"));
  auto schema = schemaOf(stream);
  auto arrays = arraysOf(stream);
  const auto copy = memory::MemoryFile::make("copy");
  BatchWriter out(copy->sink(), {});
  expectError(ErrorKind::usage, wrong,
              [&] { writeArray(*schema.get(), *arrays.at(0).get(), "events", out); });
}

TEST(StreamsThatAreWritten, haveOptionalElementsInOptionalArraysOfObjects) {
  const std::string datatype("\1\0\0\0\10\0\0\0datatype\4\0\0\0Muon", 24);
  const std::int32_t begins[] = {0, 1};
  const std::int32_t numbers[] = {1, 2};
  const std::uint8_t valid[] = {0b01};
  OtherStream muons;
  muons.add("+l", "Muon", 1, 0, {nullptr, begins});
  muons.add("+s", "item", 1, 0, {nullptr});
  muons.add("+w:2", "pair", 1, 0, {nullptr});
  muons.add("i", "item", 2, 0, {valid, numbers});
  muons.schemas[0].metadata = datatype.data();
  muons.schemas[2].flags = ARROW_FLAG_NULLABLE;
  EXPECT_EQ(textsOf(Stream(streamOf(written(muons.stream(1)), "events"))),
            (std::vector<std::string>{"{Muon: [{pair: [1, null]}]}"}));
}

TEST(StreamsThatAreWritten, areRefusedIfFilesCannotHoldTheirValues) {
  const std::int32_t numbers[] = {1, 2, 3};
  const std::int32_t falling[] = {0, 2, 1};
  const auto expect = [](ErrorKind kind, std::string_view part, OtherStream& stream,
                         std::int64_t length) {
    expectError(kind, part, [&] { (void)written(stream.stream(length)); });
  };
  OtherStream spans, shorter, unordered, broken;
  spans.add("tiM", "span", 3, 0, {nullptr, numbers});
  expect(ErrorKind::type, "'span' has values of Arrow's type 'interval'", spans, 3);
  shorter.add("i", "x", 3, 0, {nullptr, numbers});
  expect(ErrorKind::usage, "the parts of the array of 'x' do not fit", shorter, 4);
  unordered.add("+l", "x", 2, 0, {nullptr, falling});
  unordered.add("i", "item", 3, 0, {nullptr, numbers});
  expect(ErrorKind::usage, "the parts of the array of 'x' do not fit", unordered, 2);
  ArrowSchema structs{.format = "+s", .name = ""};
  OtherStream dictionary;
  dictionary.add("+s", "point", 3, 0, {nullptr});
  dictionary.add("i", "of", 3, 0, {nullptr, numbers});
  dictionary.schemas[1].dictionary = &structs;
  expect(ErrorKind::type, "'point.of' has a dictionary of Arrow's type '+s'", dictionary, 3);
  broken.add("i", "x", 3, 0, {nullptr, numbers});
  broken.fails = true;
  expect(ErrorKind::io, "the stream of entries failed: enough", broken, 3);
}

} // namespace
} // namespace kaon::arrow
