#include <kaon/formats/arrow/EntryWriting.h>

#include <kaon/formats/arrow/Stream.h>
#include <kaon/formats/memory/MemoryFile.h>

#include "support/ArrowTexts.h"
#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {
namespace {

using test::expectError;
using test::Stream;
using test::textsOf;

constexpr std::string_view model = R"json({"name": "lab", "schema_version": 1,
  "components": [{"name": "Point", "members": [{"type": "float", "name": "x", "default": "7"},
                                               {"type": "float", "name": "y"}]}],
  "datatypes": [{"name": "Hit", "description": "", "author": "",
    "members": [{"type": "int16_t", "name": "cell"},
                {"type": "Point", "name": "at", "default": "1, 2"},
                {"type": "float", "name": "time", "optional": true}],
    "oneToOneRelations": [{"type": "Hit", "name": "next"}]},
   {"name": "Cell", "description": "", "author": "",
    "members": [{"type": "float", "name": "gain", "default": "nominal()"},
                {"type": "int32_t", "name": "id", "default": "1"}]},
   {"name": "Noise", "description": "", "author": "",
    "members": [{"type": "float", "name": "rms", "default": "0.5", "optional": true},
                {"type": "int32_t", "name": "id"}]}]})json";

/// A field, of values that the test owns.
class Input {
public:
  Input(const char* format, const char* name, std::int64_t length, std::vector<const void*> buffers,
        std::vector<Input*> children = {})
      : m_buffers(std::move(buffers)) {
    for (Input* const child : children) {
      m_types.push_back(&child->type);
      m_values.push_back(&child->values);
    }
    type = {.format = format, .name = name, .n_children = std::ssize(m_types)};
    type.children = m_types.data();
    values = {.length = length,
              .null_count = !m_buffers.empty() && m_buffers[0] ? -1 : 0,
              .n_buffers = std::ssize(m_buffers),
              .n_children = std::ssize(m_values)};
    values.buffers = m_buffers.data();
    values.children = m_values.data();
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  ArrowSchema type;
  ArrowArray values;

private:
  std::vector<const void*> m_buffers;
  std::vector<ArrowSchema*> m_types;
  std::vector<ArrowArray*> m_values;
};

EntryRules rules(bool zeroesMissingMembers = true) {
  return {.model = std::make_shared<const ModelDatatypes>(
              std::vector<ModelDatatypes::Document>{{"the model", std::string(model)}}),
          .zeroesMissingMembers = zeroesMissingMembers};
}

/// The entries of a collection of three hits in two entries, by fields of the hits.
std::vector<std::string> written(std::vector<Input*> fields, const EntryRules& by = rules()) {
  constexpr std::int64_t begins[] = {0, 2, 3};
  Input hit("+s", "item", 3, {nullptr}, std::move(fields));
  Input hits("+L", "Hits", 2, {nullptr, begins}, {&hit});
  Input entries("+s", "", 2, {nullptr}, {&hits});
  const auto file = memory::MemoryFile::make("memory");
  {
    BatchWriter out(file->sink(), {});
    EntryWriter writer(by);
    EXPECT_EQ(writer.write("events", entries.type, entries.values, EntryForm::arrays, out), 2U);
    out.finish();
  }
  return textsOf(Stream(streamOf(file, "events")));
}

TEST(EntriesThatAreWritten, getTheTypesAndDefaultsOfTheirModel) {
  const std::int64_t cells[] = {5, -6, 7};
  Input cell("l", "cell", 3, {nullptr, cells});
  EXPECT_EQ(
      written({&cell}),
      (std::vector<std::string>{
          "{Hits: [{cell: 5, at: {x: 1, y: 2}, time: null, next: {index: -1, collection: null}}, "
          "{cell: -6, at: {x: 1, y: 2}, time: null, next: {index: -1, collection: null}}]}",
          "{Hits: [{cell: 7, at: {x: 1, y: 2}, time: null, next: {index: -1, collection: "
          "null}}]}"}));
}

TEST(EntriesThatAreWritten, getTheDefaultsOfComponentsThatAreGiven) {
  const std::int16_t cells[] = {5, 6, 7};
  const double ys[] = {0.5, 1.5, 2.5};
  const std::uint8_t valid[] = {0b101};
  const float times[] = {1, 2, 3};
  const std::int32_t nexts[] = {1, 0, -1};
  Input cell("s", "cell", 3, {nullptr, cells});
  Input y("g", "y", 3, {nullptr, ys});
  Input at("+s", "at", 3, {valid}, {&y});
  Input time("f", "time", 3, {valid, times});
  Input next("i", "next", 3, {nullptr, nexts});
  EXPECT_EQ(
      written({&cell, &at, &time, &next}),
      (std::vector<std::string>{
          "{Hits: [{cell: 5, at: {x: 7, y: 0.5}, time: 1, next: {index: 1, collection: \"Hits\"}}, "
          "{cell: 6, at: {x: 1, y: 2}, time: null, next: {index: 0, collection: \"Hits\"}}]}",
          "{Hits: [{cell: 7, at: {x: 7, y: 2.5}, time: 3, next: {index: -1, collection: "
          "null}}]}"}));
}

TEST(EntriesThatAreWritten, areRefusedIfTheyDoNotFitTheModel) {
  const std::int32_t cells[] = {5, 70000, 7};
  const double times[] = {1, 2, 3};
  Input large("i", "cell", 3, {nullptr, cells}), misspelt("i", "cel", 3, {nullptr, cells});
  Input fraction("g", "cell", 3, {nullptr, times}), time("g", "time", 3, {nullptr, times});
  const auto expect = [](ErrorKind kind, std::string_view part, Input& field) {
    EntryRules by = rules(false);
    by.types.emplace("Hits", "Hit");
    expectError(kind, part, [&] { (void)written({&field}, by); });
  };
  expect(ErrorKind::usage, "'Hits.cell' holds int16 values, and 70000 does not fit; the type",
         large);
  expect(ErrorKind::type, "'Hits.cell' holds int16 values, which float64 ones cannot", fraction);
  expect(ErrorKind::name, "'Hits' has no member 'cel' (did you mean 'cell'?)", misspelt);
  expect(ErrorKind::usage, "'Hits' lacks 'cell', which has no default in the model", time);
}

TEST(EntriesThatAreWritten, haveNoValueWhereAnOptionalWithADefaultIsNull) {
  const std::uint8_t valid[] = {0b101};
  const float values[] = {1, 2, 3};
  const std::int32_t ids[] = {4, 5, 6};
  Input id("i", "id", 3, {nullptr, ids});
  Input some("f", "rms", 3, {valid, values}), none("n", "rms", 3, {});
  EntryRules by = rules();
  by.types.emplace("Hits", "Noise");
  const auto expect = [&](std::string_view rms, std::vector<Input*> fields) {
    EXPECT_EQ(written(std::move(fields), by).front(), rms);
  };
  expect("{Hits: [{rms: 0.5, id: 4}, {rms: 0.5, id: 5}]}", {&id});
  expect("{Hits: [{rms: 1, id: 4}, {rms: null, id: 5}]}", {&some, &id});
  expect("{Hits: [{rms: null, id: 4}, {rms: null, id: 5}]}", {&none, &id});
}

TEST(EntriesThatAreWritten, needTheValuesOfMembersWhoseDefaultsAreUnknown) {
  const std::uint8_t valid[] = {0b101};
  const float values[] = {1, 2, 3};
  const std::int32_t ids[] = {4, 5, 6};
  Input gain("f", "gain", 3, {nullptr, values}), gap("f", "gain", 3, {valid, values});
  Input id("i", "id", 3, {nullptr, ids});
  EntryRules by = rules();
  by.types.emplace("Hits", "Cell");
  EXPECT_EQ(written({&gain}, by),
            (std::vector<std::string>{"{Hits: [{gain: 1, id: 1}, {gain: 2, id: 1}]}",
                                      "{Hits: [{gain: 3, id: 1}]}"}));
  for (Input* const field : {&gap, &id})
    expectError(ErrorKind::usage,
                "the default of 'gain' of Cell is for C++ compilers only: give values",
                [&] { (void)written({field}, by); });
}

} // namespace
} // namespace kaon::arrow
