#include <kaon/dataset/FileWithFriends.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/dataset/Dataframe.h>
#include <kaon/event/Reader.h>
#include <kaon/formats/memory/MemoryFile.h>

#include "support/CollisionEvents.h"
#include "support/Contents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RandomEvents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

/// Makes entries with these numbers. Each entry has (number % 4) hits, whose values are the number,
/// and a list per hit.
std::shared_ptr<const File> numbered(const std::string& name,
                                     const std::vector<std::int32_t>& numbers) {
  std::vector<std::uint32_t> begins = {0}, listBegins = {0};
  std::vector<float> x;
  std::vector<std::int32_t> samples;
  std::vector<std::int64_t> keys(numbers.begin(), numbers.end());
  for (const std::int32_t number : numbers) {
    for (std::int32_t i = 0; i < number % 4; ++i) {
      x.push_back(static_cast<float>(number));
      samples.insert(samples.end(), static_cast<std::size_t>(i), number);
      listBegins.push_back(static_cast<std::uint32_t>(samples.size()));
    }
    begins.push_back(static_cast<std::uint32_t>(x.size()));
  }
  Columns columns(numbers.size());
  columns.add("event", keys);
  columns.add("half", numbers);
  columns.add("Hits", begins, {{"x", x}});
  columns.add("Hits.samples", listBegins, {{"", samples}});
  auto file = memory::MemoryFile::make(name);
  BatchWriter writer(file->sink(), {.clusterEntries = 700});
  writer.write("events", columns.batch());
  writer.finish();
  return file;
}

std::vector<std::int32_t> upTo(std::int32_t count) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Category joined(std::shared_ptr<const File> file, std::vector<Friend> friends) {
  return {std::make_shared<FileWithFriends>(std::move(file), "events", std::move(friends)),
          "events"};
}

/// Expects that the friend of entry i is the entry with `numbers[i]`, or empty if this is negative.
void expectFriend(const Category& events, const std::vector<std::int32_t>& numbers,
                  const EntrySelection& selection = {}) {
  std::vector<std::int32_t> wanted;
  for (const EntryRange& run : selection.runs())
    for (std::uint64_t entry = run.first; entry < std::min(run.last, events.size()); ++entry)
      wanted.push_back(numbers[entry]);
  std::size_t next = 0;
  for (auto [half, x, samples] :
       events.eachIn<std::int32_t, Array<float>, Array<Array<std::int32_t>>>(
           selection, "friend.half", "friend.Hits.x", "friend.Hits.samples")) {
    ASSERT_LT(next, wanted.size());
    const std::int32_t number = wanted[next++];
    ASSERT_EQ(half, std::max(number, 0));
    ASSERT_EQ(x.size(), static_cast<std::size_t>(number < 0 ? 0 : number % 4));
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(x[i], static_cast<float>(number));
      ASSERT_EQ(samples[i].size(), i);
      ASSERT_TRUE(std::ranges::all_of(samples[i], [&](auto value) { return value == number; }));
    }
  }
  EXPECT_EQ(next, wanted.size());
}

TEST(Friends, areJoinedByEntry) {
  const std::vector<std::int32_t> numbers = upTo(3'000);
  const auto own = numbered("own", numbers);
  const Category events = joined(own, {{"friend", numbered("other", numbers), "events"}});
  EXPECT_EQ(events.size(), 3'000U);
  expectFriend(events, numbers);
  expectFriend(events, numbers,
               EntrySelection(std::vector<EntryRange>{{5, 6}, {100, 800}, {2'999, 3'000}}));
  for (auto [x, other] : events.each<Array<float>, Array<float>>("Hits.x", "friend.Hits.x"))
    ASSERT_TRUE(std::ranges::equal(x, other));
}

// The pages of the friend are used without a copy.
TEST(Friends, thatAreJoinedByEntryAreViews) {
  const std::vector<std::int32_t> numbers = upTo(100);
  const auto other = numbered("other", numbers);
  const Category events = joined(numbered("own", numbers), {{"friend", other, "events"}});
  Batches of(other->category("events"), {"Hits.x"});
  Batches with = events.batches({"friend.Hits.x", "half"});
  ASSERT_TRUE(of.next() && with.next());
  EXPECT_EQ(of.batch().values<float>("Hits.x").data(),
            with.batch().values<float>("friend.Hits.x").data());
}

TEST(Friends, haveAsManyEntries) {
  expectError(ErrorKind::usage, "other:events: has 4 entries, but own:events has 5", [] {
    (void)joined(numbered("own", upTo(5)), {{"friend", numbered("other", upTo(4)), "events"}});
  });
}

TEST(Friends, areJoinedByKeys) {
  const std::vector<std::int32_t> numbers = upTo(9'000);
  std::vector<std::int32_t> others = numbers;
  std::rotate(others.begin(), others.begin() + 4'100, others.end());
  std::swap(others[17], others[8'500]);
  std::ranges::reverse(others.begin() + 5'000, others.begin() + 5'100);
  others.push_back(123'456); // no event has this key
  const Category events = joined(numbered("own", numbers),
                                 {{"friend", numbered("other", others), "events", {"event"}}});
  expectFriend(events, numbers);
  expectFriend(events, numbers,
               EntrySelection(std::vector<EntryRange>{{17, 19}, {4'000, 6'000}, {8'999, 9'000}}));
}

// Values of a run are joined to all its events.
TEST(Friends, mayBeThePartnersOfMany) {
  std::vector<std::int32_t> keys, runs = upTo(40);
  for (std::int32_t entry = 0; entry < 3'000; ++entry)
    keys.push_back(entry / 80);
  std::ranges::reverse(runs);
  expectFriend(
      joined(numbered("own", keys), {{"friend", numbered("other", runs), "events", {"event"}}}),
      keys);
}

// A friend that needs too much memory raises an error.
TEST(Friends, thatAreLargeAreNotCopiedWithoutEnd) {
  const std::vector<std::uint32_t> begins = [] {
    std::vector<std::uint32_t> all(4'097, 600'000);
    all[0] = 0;
    return all;
  }();
  const std::vector<float> x(600'000);
  std::vector<std::int32_t> keys = upTo(4'096);
  Columns columns(keys.size());
  columns.add("event", keys);
  columns.add("Hits", begins, {{"x", x}});
  const auto large = memory::MemoryFile::make("large");
  BatchWriter writer(large->sink(), {});
  writer.write("events", columns.batch());
  writer.finish();
  const Category events = joined(numbered("own", std::vector<std::int32_t>(4'096, 0)),
                                 {{"friend", large, "events", {"event"}}});
  expectError(ErrorKind::memory, "which would take more than 1 GiB",
              [&] { (void)events.batches({"friend.Hits.x"}).next(); });
}

TEST(Friends, thatAreMissingAreAnErrorOrEmpty) {
  std::vector<std::int32_t> others = upTo(3'000), expected = others;
  std::erase_if(others, [](std::int32_t number) { return number % 7 == 3; });
  for (std::int32_t& number : expected)
    number = number % 7 == 3 ? -1 : number;
  const auto own = numbered("own", upTo(3'000)), other = numbered("other", others);
  expectError(ErrorKind::usage, "other:events: has no entry for entry 3 of own:events, event 3",
              [&] {
                (void)joined(own, {{"friend", other, "events", {"event"}}});
              });
  const Category events =
      joined(own, {{"friend", other, "events", {"event"}, WithoutPartner::isEmpty}});
  expectFriend(events, expected);
  std::size_t absent = 0;
  for (const Batch& batch : events.batches({"friend.Hits"}))
    absent += static_cast<std::size_t>(
        std::ranges::count(batch.table(batch.schema().find("friend.Hits")).present, std::byte{0}));
  EXPECT_EQ(absent, static_cast<std::size_t>(std::ranges::count(expected, -1)));
}

TEST(Friends, matchNumbersOfAnyWidth) {
  const auto file = [](const char* name, const auto& keys) {
    Columns columns(keys.size());
    columns.add("event", keys);
    auto made = memory::MemoryFile::make(name);
    BatchWriter writer(made->sink(), {});
    writer.write("events", columns.batch());
    writer.finish();
    return made;
  };
  const auto greatest = file("own", std::vector{std::numeric_limits<std::uint64_t>::max()});
  const auto minusOne = file("other", std::vector<std::int64_t>{-1});
  const std::string none = "has no entry for entry 0 of own:events, event 18446744073709551615";
  expectError(ErrorKind::usage, none, [&] {
    (void)joined(greatest, {{"friend", minusOne, "events", {"event"}}});
  });
  EXPECT_EQ(joined(greatest, {{"friend", greatest, "events", {"event"}}}).size(), 1U);
}

TEST(Friends, reportMistakes) {
  const auto own = numbered("own", upTo(10)), other = numbered("other", upTo(10));
  expectError(ErrorKind::name, "own:events: has no integer 'number'", [&] {
    (void)joined(own, {{"friend", other, "events", {"number"}}});
  });
  expectError(ErrorKind::name, "evnts", [&] { (void)joined(own, {{"friend", other, "evnts"}}); });
  expectError(ErrorKind::usage, "own:events: has a 'friend' already", [&] {
    (void)joined(own, {{"friend", other, "events"}, {"friend", other, "events"}});
  });
  expectError(ErrorKind::usage, "own:events: has a 'event' already; give the friend another name",
              [&] {
                (void)joined(own, {{"event", other, "events"}});
              });
  expectError(ErrorKind::usage, "other:events: a friend needs a name", [&] {
    (void)joined(own, {{"", other, "events"}});
  });
}

TEST(Friends, canBeSeveral) {
  const std::vector<std::int32_t> numbers = upTo(2'000);
  std::vector<std::int32_t> reversed(numbers.rbegin(), numbers.rend());
  const Category events =
      joined(numbered("own", numbers), {{"friend", numbered("a", reversed), "events"},
                                        {"keyed", numbered("b", reversed), "events", {"event"}}});
  expectFriend(events, reversed);
  std::int32_t next = 0;
  for (auto [half, keyed] : events.each<std::int32_t, std::int32_t>("friend.half", "keyed.half")) {
    ASSERT_EQ(half, 1'999 - next);
    ASSERT_EQ(keyed, next++);
  }
}

/// Returns table numbers as they are after the joined file's first `before` tables.
std::vector<std::byte> renumbered(std::vector<std::byte> numbers, std::uint32_t before,
                                  std::uint32_t tables) {
  for (std::size_t at = 0; at < numbers.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t table = 0;
    std::memcpy(&table, numbers.data() + at, sizeof table);
    table = table < tables ? TableNumber(table + before) : Table::none;
    std::memcpy(numbers.data() + at, &table, sizeof table);
  }
  return numbers;
}

/// Makes entries with tables of all kinds. Event numbers fall from entry to entry, down to 0.
std::shared_ptr<const File> assorted(Layout layout, std::int32_t entries) {
  test::Writing writing({uncompressed(), 300});
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(layout))
    builder.add(table);
  const std::uint32_t event = builder.add(test::values("event", TableKind::value, Scalar::Int32));
  test::RandomEvents random(3, 6);
  for (std::int32_t entry = 0; entry < entries; ++entry)
    random.addEntry(builder);
  const Batch batch = builder.batch(0);
  for (std::int32_t number = 0; number < entries; ++number)
    std::memcpy(const_cast<std::byte*>(batch.table(event).members[0].at(
                    static_cast<std::size_t>(entries - 1 - number))),
                &number, sizeof number);
  writing.writer.write("events", batch);
  const auto bytes = writing.bytes;
  return {writing.finished().release(), [bytes](const File* file) { delete file; }};
}

// The friend has its tables of all kinds, references, groups and layouts, as if it were read alone.
TEST(Friends, haveAllTables) {
  constexpr std::int32_t entries = 300;
  const auto own = numbered("own", upTo(entries));
  const std::uint32_t before = own->category("events").schema().size();
  for (const Layout layout : {Layout::split, Layout::row})
    for (const bool isByKey : {false, true}) {
      const auto other = assorted(layout, entries);
      const Source& source = other->category("events");
      test::Contents expected;
      for (std::uint64_t entry = 0; entry < entries; ++entry)
        for (const std::uint64_t partner = isByKey ? entries - 1 - entry : entry;
             const Batch& batch : Batches::ofAll(source, {partner, partner + 1}))
          expected.append(batch);
      const Category events =
          joined(own, {{"friend", other, "events",
                        isByKey ? std::vector<std::string>{"event"} : std::vector<std::string>{}}});
      const test::Contents found = test::contentsOf(events.source());
      for (const auto& [name, rows] : expected.tables) {
        test::Contents::Rows wanted = rows;
        if (name.first == "Hits.particle" || name.first == "Hits.neighbours")
          wanted.values[detail::relationCollection] =
              renumbered(rows.values[detail::relationCollection], before, source.schema().size());
        EXPECT_EQ(found.tables.at({"friend." + name.first, name.second}), wanted) << name.first;
      }
    }
}

TEST(Friends, areInDataframesAndExpressions) {
  std::vector<std::int32_t> reversed = upTo(2'000);
  std::ranges::reverse(reversed);
  const auto file = std::make_shared<FileWithFriends>(
      numbered("own", upTo(2'000)), "events",
      std::vector<Friend>{{"friend", numbered("a", reversed), "events", {"event"}}});
  const Dataframe events(std::make_shared<Dataset>(file, "events"));
  EXPECT_EQ(
      *events.filter([](std::int32_t a, std::int32_t b) { return a == b; }, {"half", "friend.half"})
           .count(),
      2'000U);
  EXPECT_EQ(*events.sum("friend.Hits.x"), *events.sum("Hits.x"));
}

TEST(Friends, areReadFromFilesOfAnyFormat) {
  const test::TemporaryDirectory folder;
  const CollisionEvents truth(2'000, 4);
  truth.write(folder / "a.kaon");
  truth.write(folder / "b.root");
  const Category events =
      joined(open(folder / "a.kaon"), {{"b", open(folder / "b.root"), "events"}});
  std::size_t muons = 0;
  for (auto [pt, other, met] :
       events.each<Array<float>, Array<float>, float>("Muon.pt", "b.Muon.pt", "b.MET_pt")) {
    ASSERT_TRUE(std::ranges::equal(pt, other));
    muons += pt.size();
  }
  EXPECT_EQ(muons, truth.pt.size());
  expectError(ErrorKind::usage, "each entry must have one 'Muon.charge'", [&] {
    (void)joined(open(folder / "a.kaon"),
                 {{"b", open(folder / "b.root"), "events", {"Muon.charge"}}});
  });
}

} // namespace
} // namespace kaon
