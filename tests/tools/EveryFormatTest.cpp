#include <kaon/files/Files.h>
#include <kaon/files/Format.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/SharedPages.h>
#include <kaon/tools/Convert.h>

#include "support/CollisionEvents.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RowsAsJson.h"
#include "support/SioBytes.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

// The promises that hold for each format that kaon writes. A format joins with its row in the table
// of formats, if one of the samples below is without loss in it.

namespace kaon {
namespace {

using test::expectError;
using test::Json;

/// Replaces the numbers of collections in references by their names, as files order tables
/// differently.
void nameCollections(Json& json, const Schema& schema) {
  if (json.is_object() && json.size() == 2 && json.contains("index") && json.contains("collection"))
    json["collection"] =
        json["index"] == -1
            ? ""
            : std::string(schema.table(json["collection"].get<std::uint32_t>()).name);
  else if (json.is_structured())
    for (Json& part : json)
      nameCollections(part, schema);
}

/// Returns all contents of a category, entry by entry, by the names of tables. Absent collections
/// and collections without objects count as equal, and so do a value and a list of only this value,
/// as HIPO's banks have it.
Json contentsOf(const Source& source) {
  test::RowsAsJson rows(source);
  Json entries = Json::array();
  for (std::uint64_t entry = 0; entry < source.entries(); ++entry) {
    Json tables = Json::object();
    for (std::uint32_t table = 0; table < source.schema().size(); ++table) {
      if (!source.schema().table(table).isRoot())
        continue;
      Json contents = rows.entry(table, entry);
      nameCollections(contents, source.schema());
      if (contents.is_array() && contents.size() == 1 && contents[0].size() == 1 &&
          contents[0].contains("value"))
        contents = contents[0]["value"];
      if (!contents.empty())
        tables[std::string(source.schema().table(table).name)] = std::move(contents);
    }
    entries.push_back(std::move(tables));
  }
  return entries;
}

std::map<std::string, Json> contentsOf(const File& file) {
  std::map<std::string, Json> contents;
  for (const std::string& name : file.categories())
    contents[name] = contentsOf(file.category(name));
  return contents;
}

/// Writes files with events of different kinds into a folder: plain columns, the frames of a podio
/// model, and LCIO's classes.
std::vector<std::string> writeSamples(const test::TemporaryDirectory& folder) {
  test::CollisionEvents(300).write(folder / "columns.kaon");
  test::writeFile(folder / "lcio.slcio",
                  test::lcioRun(7) +
                      test::lcioEvent(1, {{"MCParticle", "MCParticle", 0,
                                           test::sioNumbers(2) + test::lcioParticle(40, 25, {}) +
                                               test::lcioParticle(20, 22, {40})}}) +
                      test::lcioEvent(2, {{"MCParticle", "MCParticle", 0, test::sioNumbers(0)}}));
  return {folder / "columns.kaon", test::dataFile("podio/toy.ttree.root"), folder / "lcio.slcio"};
}

/// Formats that kaon writes and that this build supports.
std::vector<std::string> writtenFormats() {
  std::vector<std::string> names;
  for (const Format& format : formats())
    if (format.create)
      names.emplace_back(format.name);
  return names;
}

class EveryFormat : public testing::TestWithParam<std::string> {
protected:
  /// Writes the first sample that the format holds without loss.
  void SetUp() override {
    std::string refusals;
    for (const std::string& sample : writeSamples(m_folder))
      try {
        write(sample);
        m_sample = sample;
        return;
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::version)
          GTEST_SKIP() << error.what(); // built without a library
        refusals += std::string(error.what()) + '\n';
      }
    FAIL() << "no sample fits into this format:\n" << refusals;
  }
  void write(const std::string& sample) const {
    convert({sample}, m_path, {.writer = {.format = GetParam()}});
  }

  test::TemporaryDirectory m_folder;
  std::string m_path = m_folder / "file";
  std::string m_sample;
};

INSTANTIATE_TEST_SUITE_P(Written, EveryFormat, testing::ValuesIn(writtenFormats()),
                         [](const auto& format) {
                           std::string name = format.param;
                           std::erase(name, '-');
                           return name;
                         });

// Frames of neighbouring entries share pages. A cursor then reads some columns of an entry, but not
// those that another cursor has read.
TEST_P(EveryFormat, letsCursorsSharePages) {
  const auto file = open(m_path);
  for (const std::string& name : file->categories()) {
    const Source& source = file->category(name);
    const auto columns = source.schema().columns();
    const auto pages = std::make_shared<SharedPages>(source);
    detail::Window windows[] = {detail::Window(source, SharedPages::cursor(pages)),
                                detail::Window(source, SharedPages::cursor(pages))};
    detail::Window alone(source);
    for (std::uint64_t entry = 0; entry < source.entries(); ++entry)
      for (ColumnNumber column = 0; column < columns.size(); ++column) {
        const detail::Page& expected = alone.page(column, entry);
        const detail::Page& page = windows[(entry + column) % 2].page(column, entry);
        ASSERT_EQ(page.values, expected.values);
        ASSERT_EQ(page.isRepeated, expected.isRepeated);
        const std::size_t bytes = (page.isRepeated ? 1 : page.values) * columns[column].elementSize;
        ASSERT_TRUE(std::equal(page.data, page.data + bytes, expected.data))
            << "column " << column << " of entry " << entry;
      }
  }
}

// Trees add counts such as "nMuon", HIPO adds tags.
TEST_P(EveryFormat, givesBackAllThatWasWritten) {
  const auto written = contentsOf(*open(m_sample));
  auto read = contentsOf(*open(m_path));
  for (const auto& [category, entries] : written) {
    ASSERT_EQ(read[category].size(), entries.size()) << category;
    for (std::size_t entry = 0; entry < entries.size(); ++entry)
      for (const auto& [table, contents] : entries[entry].items())
        ASSERT_EQ(read[category][entry][table], contents) << table << " of entry " << entry;
  }
}

TEST_P(EveryFormat, isRecognisedByItsBytes) {
  const Format& format = formatOf(*io::fileSource(m_path, MapUse::never));
  EXPECT_TRUE(format.open);
  EXPECT_TRUE(format.isBeginning);
}

TEST_P(EveryFormat, isFoundSound) {
  const Verification found = verify(m_path);
  EXPECT_TRUE(found.isSound()) << found.findings.front().what;
  EXPECT_TRUE(found.isComplete);
}

TEST_P(EveryFormat, namesCategoriesThatItLacks) {
  const auto file = open(m_path);
  const std::string known = file->categories().front();
  expectError(ErrorKind::name, "did you mean '" + known + "'?",
              [&] { (void)file->category(known + "s"); });
}

TEST_P(EveryFormat, keepsAnOldFileIfWritingFails) {
  const std::string before = test::readFile(m_path);
  {
    const auto sink = create(m_path, {.format = GetParam()});
    const auto file = open(m_sample);
    for (const std::string& name : file->documents())
      sink->addDocument(name, file->document(name));
    for (Batches batches = Batches::ofAll(file->category("events")); batches.next();)
      sink->write("events", batches.batch());
  } // not finished
  EXPECT_EQ(test::readFile(m_path), before);
}

// A file of records that ends between two of them is a sound, shorter file.
TEST_P(EveryFormat, reportsFilesThatWereCutOff) {
  const std::string whole = test::readFile(m_path);
  const auto expected = contentsOf(*open(m_path));
  for (std::size_t part = 0; part < 40; ++part) {
    SCOPED_TRACE(std::to_string(part) + " of 40 parts");
    test::writeFile(m_folder / "cut", whole.substr(0, whole.size() * part / 40));
    test::Warnings warnings;
    try {
      const auto read = contentsOf(*open(m_folder / "cut"));
      if (const auto reported = warnings.take(); !reported.empty()) {
        EXPECT_NE(reported.front().find("cut"), std::string::npos) << reported.front();
        continue;
      }
      for (const auto& [category, entries] : read)
        for (std::size_t entry = 0; entry < entries.size(); ++entry)
          ASSERT_EQ(entries[entry], expected.at(category)[entry]);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(m_folder / "cut"), 0U) << error.what();
    }
  }
}

} // namespace
} // namespace kaon
