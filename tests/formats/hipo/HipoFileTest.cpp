#include <kaon/formats/hipo/HipoFile.h>

#include "support/Contents.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/HipoBytes.h"
#include "support/RecordingSource.h"
#include "support/RowsAsJson.h"
#include "support/Warnings.h"

#include <kaon/formats/hipo/Headers.h>
#include <kaon/model/Metadata.h>
#include <kaon/reading/ReadingCheck.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace kaon::hipo {
namespace {

using nlohmann::json;
using test::HipoBytes;
using test::HipoForm;
using test::sharedFile;

std::unique_ptr<File> opened(std::string_view bytes, const OpenOptions& options = {}) {
  return openHipoFile(io::memorySource("f.hipo", std::as_bytes(std::span(bytes))), options);
}

std::unique_ptr<File> openedAt(const std::string& path) {
  return openHipoFile(io::fileSource(path), {});
}

/// Returns all entries of a table.
json rowsOf(const Source& source, const std::string& table) {
  test::RowsAsJson rows(source);
  json all = json::array();
  for (std::uint64_t entry = 0; entry < source.entries(); ++entry)
    all.push_back(rows.entry(source.schema().tableNamed(table), entry));
  return all;
}
json rowsOf(std::string_view bytes, const std::string& table) {
  const auto file = opened(bytes);
  return rowsOf(file->category("events"), table);
}

const std::string trackBank = "{Track/300/1}{pid/I,q/B,pt/F,id/L,status/S,z/D}";

/// Returns the rows of trackBank, column by column.
std::string tracks(const HipoBytes& hipo, const std::vector<int>& pids) {
  std::string columns[6];
  for (const int pid : pids) {
    columns[0] += hipo.numbers(pid);
    columns[1] += hipo.numbers(static_cast<std::int8_t>(pid % 2 == 0 ? -1 : 1));
    columns[2] += hipo.numbers(static_cast<float>(pid) / 2);
    columns[3] += hipo.numbers(std::int64_t{pid} << 33);
    columns[4] += hipo.numbers(static_cast<std::int16_t>(-pid));
    columns[5] += hipo.numbers(pid * 0.1);
  }
  std::string all;
  for (const std::string& column : columns)
    all += column;
  return hipo.structure(300, 1, 11, all);
}

json track(int pid) {
  return {{"pid", pid},      {"q", pid % 2 == 0 ? -1 : 1},
          {"pt", pid / 2.0}, {"id", std::int64_t{pid} << 33},
          {"status", -pid},  {"z", pid * 0.1}};
}

std::string smallFile(const HipoForm& form) {
  const HipoBytes hipo(form);
  return hipo.file({hipo.bank(trackBank), hipo.event({hipo.structure(32555, 1, 6, "run"),
                                                      hipo.structure(32555, 2, 6, "5038")})},
                   {{{hipo.event({tracks(hipo, {11, 22})}, 7, 9), hipo.event({})}, 7},
                    {{hipo.event({tracks(hipo, {33})})}, 0}});
}

class HipoForms : public testing::TestWithParam<HipoForm> {};
INSTANTIATE_TEST_SUITE_P(
    All, HipoForms,
    testing::Values(HipoForm{}, HipoForm{.type = 1}, HipoForm{.type = 3}, HipoForm{.version = 4},
                    HipoForm{.version = 5, .type = 1}, HipoForm{.id = "HREC", .type = 1},
                    HipoForm{.isBigEndian = true}, HipoForm{.isBigEndian = true, .type = 1},
                    HipoForm{.isBigEndian = true, .id = "HREC", .version = 4, .type = 3},
                    HipoForm{.countsPadding = true}, HipoForm{.type = 1, .countsPadding = true},
                    HipoForm{.type = 3, .countsPadding = true}, HipoForm{.type = 4},
                    HipoForm{.type = 4, .countsPadding = true}));

TEST_P(HipoForms, haveTheSameContents) {
  const std::string bytes = smallFile(GetParam());
  ASSERT_TRUE(isHipoFile(std::as_bytes(std::span(bytes))));
  const auto file = opened(bytes);
  EXPECT_TRUE(file->isComplete());
  EXPECT_EQ(file->categories(), std::vector<std::string>{"events"});
  const Source& events = file->category("events");
  EXPECT_EQ(events.entries(), 3);
  EXPECT_EQ(events.clusters(), (std::vector<EntryRange>{{0, 2}, {2, 3}}));
  EXPECT_EQ(rowsOf(events, "Track"),
            (json::array({{track(11), track(22)}, json::array(), json::array({track(33)})})));
  EXPECT_EQ(rowsOf(events, "tag"), (json{7, 0, 0}));
  EXPECT_EQ(rowsOf(events, "mask"), (json{9, 0, 0}));
  const auto metadata = Metadata::fromJson(file->document("metadata"), "f.hipo");
  EXPECT_EQ(metadata.get<std::string>("run"), "5038");
  EXPECT_EQ(metadata.findPart("events")->findPart("Track")->get<int>("hipo.group"), 300);
}

TEST(HipoFile, saysWhichEventsHaveNoBank) {
  const std::string bytes = smallFile({});
  const auto file = opened(bytes);
  detail::Window window(file->category("events"));
  const std::uint32_t table = window.source().schema().tableNamed("Track");
  EXPECT_TRUE(window.isPresent(table, 0));
  EXPECT_FALSE(window.isPresent(table, 1));
}

TEST(HipoFile, hasStructuresThatNoDictionaryDescribes) {
  const HipoBytes hipo;
  const std::string rows = hipo.numbers(std::int8_t{1}, 2.5F, std::int64_t{3}) +
                           hipo.numbers(std::int8_t{-1}, -2.5F, std::int64_t{-3});
  const std::string bytes =
      hipo.file({}, {{{hipo.event({hipo.structure(20, 3, 4, hipo.numbers(1.5F, 2.5F)),
                                   hipo.structure(20, 4, 6, "name")}),
                       hipo.event({hipo.structure(40, 7, 10, rows, "bfl")})},
                      0}});
  EXPECT_EQ(rowsOf(bytes, "node_20_3"), (json{{1.5, 2.5}, json::array()}));
  EXPECT_EQ(rowsOf(bytes, "node_20_4"), (json{{"name"}, json::array()}));
  EXPECT_EQ(rowsOf(bytes, "composite_40_7"),
            (json::array(
                {json::array(),
                 {{{"c0", 1}, {"c1", 2.5}, {"c2", 3}}, {{"c0", -1}, {"c1", -2.5}, {"c2", -3}}}})));
}

/// HIPO's Java library writes formats with counts.
TEST(HipoFile, hasCompositesWhoseFormatsCount) {
  const HipoBytes hipo;
  const auto fileOf = [&](const std::string& format, const std::string& rows) {
    return hipo.file({}, {{{hipo.event({hipo.structure(40, 7, 10, rows, format)})}, 0}});
  };
  const std::string row = hipo.numbers(std::int32_t{1}, std::int32_t{2}, 2.5F, std::int8_t{3});
  EXPECT_EQ(rowsOf(fileOf("2ifb", row), "composite_40_7"),
            json::array({{{{"c0", 1}, {"c1", 2}, {"c2", 2.5}, {"c3", 3}}}}));
  for (const std::string format : {"2", "i2", "2000f", "99999999999999999999f", "2q"}) {
    const std::string bytes = fileOf(format, row); // the file refers to these bytes
    const auto file = opened(bytes);
    EXPECT_EQ(file->category("events").unreadable().size(), 1) << format;
  }
}

/// HIPO's Java library extends the sign of a tag to 64 bits.
TEST(HipoFile, findsEventsByTagsWithASign) {
  const HipoBytes hipo;
  const std::string bytes =
      hipo.file({}, {{{hipo.event({}, 0xFFFFFFFF)}, ~std::uint64_t{0}}, {{hipo.event({})}, 0}});
  for (const std::uint64_t tag : {std::uint64_t{0xFFFFFFFF}, ~std::uint64_t{0}})
    EXPECT_EQ(opened(bytes, {.tags = {tag}})->category("events").entries(), 1);
}

TEST(HipoFile, warnsOfStructuresThatAppearLater) {
  test::Warnings warnings;
  const HipoBytes hipo;
  const std::string node = hipo.structure(20, 3, 3, hipo.numbers(1));
  const std::string bytes = hipo.file(
      {hipo.bank(trackBank)},
      {{{hipo.event({tracks(hipo, {1})})}, 0}, {{hipo.event({node})}, 0}, {{hipo.event({})}, 0}});
  EXPECT_EQ(rowsOf(bytes, "Track").size(), 3);
  const auto messages = warnings.take();
  ASSERT_EQ(messages.size(), 1);
  test::expectContains(messages[0], "structure 20/3 of type 3 in entry 1");
}

TEST(HipoFile, hasArraysOfFixedLength) {
  const HipoBytes hipo;
  const std::string data = hipo.numbers(1, 2) + hipo.numbers(1.F, 2.F, 3.F, 4.F, 5.F, 6.F);
  const std::string bytes = hipo.file({hipo.bank("{A::b/1/2}{i/I, cov/F#3}")},
                                      {{{hipo.event({hipo.structure(1, 2, 11, data)})}, 0}});
  EXPECT_EQ(
      rowsOf(bytes, "A::b"),
      (json::array({{{{"i", 1}, {"cov", {1., 2., 3.}}}, {{"i", 2}, {"cov", {4., 5., 6.}}}}})));
}

TEST(HipoFile, joinsTheRowsOfABankThatAnEventHasSeveralTimes) {
  const HipoBytes hipo;
  const std::string bytes =
      hipo.file({hipo.bank(trackBank)},
                {{{hipo.event({tracks(hipo, {1, 2}), tracks(hipo, {}), tracks(hipo, {3})})}, 0}});
  EXPECT_EQ(rowsOf(bytes, "Track"), (json::array({{track(1), track(2), track(3)}})));
}

TEST(HipoFile, takesDescriptionsFromTheJson) {
  const HipoBytes hipo;
  const std::string text = R"({"name": "T", "group": 1, "item": 2, "info": "tracks", "entries": [
      {"name": "pt", "type": "F", "info": "in GeV"}]})";
  const auto expectDescribed = [](const std::string& bytes) {
    const auto file = opened(bytes);
    const Table table = file->category("events").schema().table(2);
    EXPECT_EQ(table.name, "T");
    EXPECT_EQ(table.description, "tracks");
    EXPECT_EQ(table.members[0].description, "in GeV");
  };
  expectDescribed(hipo.file({hipo.event({hipo.structure(120, 1, 6, text)})}, {}));
  expectDescribed(hipo.file(
      {hipo.event({hipo.structure(120, 1, 6, text), hipo.structure(120, 2, 6, "{T/1/2}{pt/F}")})},
      {}));
}

TEST(HipoFile, listsBanksThatItCannotDescribe) {
  const HipoBytes hipo;
  const std::string bytes =
      hipo.file({hipo.bank("{A/1/1}{x/F}"), hipo.bank("{B/1/1}{x/F}"), hipo.bank("{A/1/2}{x/F}"),
                 hipo.bank("{C/1/3}{}"), hipo.bank("{D/1/4}{x/Q}"), hipo.bank("{E/1/5}{x/F,x/F}"),
                 hipo.bank("nonsense"), hipo.bank("{F/1/6}{x/D#16777215}")},
                {});
  const auto file = opened(bytes);
  const Source& events = file->category("events");
  EXPECT_EQ(events.schema().size(), 3); // includes tag and mask
  EXPECT_EQ(events.unreadable().size(), 7);
}

/// Returns the directory and the streams of a record with a stream for each bank (if isBanks) or
/// column.
std::string streamPayload(const HipoBytes& hipo, bool isBanks, const std::string& directory,
                          const std::string& streams) {
  const std::string stored = HipoBytes::literals(directory);
  return hipo.numbers(static_cast<std::uint8_t>(isBanks ? 2 : 1), std::uint8_t{0}, std::uint8_t{0},
                      std::uint8_t{0}, 2U, 3U, static_cast<std::uint32_t>(stored.size()),
                      static_cast<std::uint32_t>(directory.size())) +
         stored + streams;
}

TEST(HipoFile, putsTheStreamsOfBanksAndColumnsTogether) {
  const HipoBytes hipo;
  const std::vector<std::string> dictionary{hipo.bank("{A/1/1}{i/I,s/S}"),
                                            hipo.bank("{B/1/2}{d/D}")};
  const HipoBytes::Record three{{"", "", ""}, 0};
  const std::string keys = hipo.numbers(std::uint16_t{1}, std::uint8_t{1}, std::uint8_t{11},
                                        std::uint16_t{1}, std::uint8_t{2}, std::uint8_t{11});
  // Bank A has two rows in event 0 and one in event 2; bank B has one row in event 2.
  const std::string events = hipo.numbers(5U, 6U, 7U) + std::string("\1\0\3", 3) +
                             hipo.numbers(12U, 0U, 6U) + hipo.numbers(0U, 0U, 8U);
  const std::string i = hipo.numbers(1, 2), s = hipo.numbers(std::int16_t{-1}, std::int16_t{-2});
  const std::string later = hipo.numbers(3), laterS = hipo.numbers(std::int16_t{-3});
  const std::string d = hipo.numbers(0.5);
  const auto expectContents = [&](const std::string& payload, std::uint32_t type) {
    const std::string bytes =
        hipo.fileOf(dictionary, {three}, {hipo.stored(three, payload, 0, type)});
    EXPECT_EQ(rowsOf(bytes, "A"), (json::array({{{{"i", 1}, {"s", -1}}, {{"i", 2}, {"s", -2}}},
                                                json::array(),
                                                json::array({{{"i", 3}, {"s", -3}}})})));
    EXPECT_EQ(rowsOf(bytes, "B"),
              (json::array({json::array(), json::array(), json::array({{{"d", 0.5}}})})));
    EXPECT_EQ(rowsOf(bytes, "tag"), (json{5, 6, 7}));
  };
  constexpr std::uint32_t banks = 13, columns = 14; // without compression
  expectContents(streamPayload(hipo, true, keys + hipo.numbers(18U, 8U, 18U, 8U) + events,
                               i + s + later + laterS + d),
                 banks);
  expectContents(streamPayload(hipo, false,
                               keys + hipo.numbers(std::uint16_t{2}, std::uint16_t{0}) + events +
                                   hipo.numbers(12U, 12U, 6U, 6U, 8U, 8U),
                               i + later + s + laterS + d),
                 columns);
}

TEST(HipoFile, isReadAsFarAsItsRecordsAreWhole) {
  test::Warnings warnings;
  const std::string whole = smallFile({.type = 1});
  const std::string unfinished = smallFile({.type = 1, .isFinished = false});
  EXPECT_EQ(rowsOf(unfinished, "Track").size(), 3);
  ASSERT_EQ(warnings.take().size(), 1);
  EXPECT_EQ(rowsOf(unfinished.substr(0, unfinished.size() - 4), "Track").size(), 2);
  const std::string cut = whole.substr(0, whole.size() - 1);
  const auto file = opened(cut);
  EXPECT_FALSE(file->isComplete());
  EXPECT_EQ(file->category("events").entries(), 3);
  ASSERT_EQ(warnings.take().size(), 2);
  // The writer had written its index, but died before it wrote the position of the index.
  std::string nearly = whole;
  nearly.replace(40, 8, std::string(8, '\0'));
  EXPECT_EQ(rowsOf(nearly, "tag"), (json{7, 0, 0}));
  EXPECT_EQ(warnings.kinds().back(), WarningKind::incompleteFile);
}

TEST(HipoFile, isRefusedWhereItIsDamaged) {
  const HipoBytes hipo;
  const auto expectDamage = [&](const std::string& event, std::string_view message,
                                ErrorKind kind = ErrorKind::corrupt) {
    const std::string bytes = hipo.file({hipo.bank(trackBank)}, {{{event}, 0}});
    test::expectError(kind, message, [&] { (void)rowsOf(bytes, "Track"); });
  };
  expectDamage("EVNT", "its event 0 has an impossible size of 4 bytes");
  expectDamage(hipo.event({hipo.structure(300, 1, 11, std::string(28, 'x'))}),
               "entry 0: structure 300/1 has 28 bytes, but its rows have 27");
  std::string longer = hipo.event({tracks(hipo, {1})});
  longer[20] = 100;
  expectDamage(longer, "f.hipo: record at byte 188, entry 0: a structure of the event ends behind");
  const HipoBytes::Record one{{hipo.event({})}, 0};
  const std::string unknown =
      hipo.fileOf({hipo.bank(trackBank)}, {one}, {hipo.stored(one, "1234", 0, 15)});
  test::expectError(ErrorKind::version, "in a way that kaon does not know (type 15)",
                    [&] { (void)rowsOf(unknown, "Track"); });
  std::string newer = smallFile({.version = 7});
  test::expectError(ErrorKind::version, "version 7", [&] { (void)opened(newer); });
  test::expectError(ErrorKind::corrupt, "ends in its header", [] { (void)opened("HIPO"); });
}

TEST(HipoFile, isReadInFewRequestsWhereBytesAreFar) {
  const HipoBytes hipo;
  std::vector<HipoBytes::Record> records(20, {{hipo.event({tracks(hipo, {1, 2})})}, 0});
  const std::string bytes = hipo.file({hipo.bank(trackBank)}, records);
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const auto file =
      openHipoFile(std::make_unique<test::RecordingSource>(
                       io::memorySource("f.hipo", std::as_bytes(std::span(bytes))), logs),
                   {});
  const Source& events = file->category("events");
  logs->views.clear();
  std::size_t rows = 0;
  for (const Batch& batch : Batches(events, {"Track.pid"}))
    rows += batch.values<std::int32_t>("Track.pid").size();
  EXPECT_EQ(rows, 40);
  EXPECT_EQ(logs->views.requests().size(), 1);
  logs->views.clear();
  EXPECT_TRUE(checkByReading(*file).isSound());
  EXPECT_EQ(logs->views.requests().size(), events.clusters().size()) << "all columns at once";
}

TEST(HipoFile, hasTheSameContentsWhoeverWroteIt) {
  const auto path = sharedFile("hipo/generated/cpp_bankgen2000_lz4.hipo");
  if (!path)
    GTEST_SKIP() << test::noSharedFiles;
  const test::Contents expected = test::contentsOf(openedAt(*path)->category("events"));
  EXPECT_EQ(expected.entries, 2000);
  for (const char* const name :
       {"java_bankgen2000_c0", "java_bankgen2000_c1", "java_bankgen2000_c2", "java_bankgen2000_c3",
        "oxihipo_bankgen2000_ext6_lz4perbank", "oxihipo_bankgen2000_ext7_lz4percolumn",
        "oxihipo_bankgen2000_ext8_zstdpercolumn"}) {
    const auto other = sharedFile(std::string("hipo/generated/") + name + ".hipo");
    ASSERT_TRUE(other) << name;
    EXPECT_EQ(test::contentsOf(openedAt(*other)->category("events")), expected) << name;
  }
}

TEST(HipoFile, equalsTheDataOfItsWriter) {
  const auto path = sharedFile("hipo/real/oxihipo_golden_lz4.hipo");
  if (!path)
    GTEST_SKIP() << test::noSharedFiles;
  const auto file = openedAt(*path);
  const Source& events = file->category("events");
  const json numbers = rowsOf(events, "REC::Event"), particles = rowsOf(events, "REC::Particle");
  for (int event = 0; event < 16; ++event) {
    EXPECT_EQ(numbers[event][0]["evno"], 1000 + event);
    ASSERT_EQ(particles[event].size(), event % 4);
    for (int row = 0; row < event % 4; ++row)
      EXPECT_EQ(particles[event][row], (json{{"pid", 10 * (event + 1) + row + 1},
                                             {"px", event * 0.5 + row},
                                             {"py", event * -0.25 + row},
                                             {"pz", event * 0.125 + row},
                                             {"status", 4 * event + row},
                                             {"charge", row - 1}}));
  }
}

} // namespace
} // namespace kaon::hipo
