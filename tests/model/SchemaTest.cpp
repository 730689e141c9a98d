#include <kaon/model/Schema.h>

#include "support/Errors.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::collection;
using test::expectError;
using test::parameter;
using test::relation;
using test::values;

/// Returns hits with a vector member and both kinds of relation, a string parameter and a value.
Schema example(Layout layout = Layout::split) {
  Schema schema;
  schema.add(collection("Hits", {{"cell", Scalar::UInt64}, {"position.x", Scalar::Float32, 3}},
                        layout));                                                // 0
  schema.add(values("Hits.times", TableKind::vectorMember, Scalar::Float32, 0)); // 1
  schema.add(relation("Hits.particle", TableKind::oneRelation, 0));              // 2
  schema.add(relation("Hits.others", TableKind::manyRelation, 0));               // 3
  schema.add(test::table("title", TableKind::parameter, "string", {}));          // 4
  schema.add(values("title.text", TableKind::text, Scalar::UInt8, 4));           // 5
  schema.add(values("run", TableKind::value, Scalar::Int32));                    // 6
  return schema;
}

std::vector<ColumnRole> rolesOf(const Schema& schema, std::uint32_t table) {
  std::vector<ColumnRole> roles;
  for (const Column& column : schema.columns())
    if (column.table == table)
      roles.push_back(column.role);
  return roles;
}

TEST(Schema, numbersTablesInTheOrderInWhichTheyCome) {
  Schema schema;
  EXPECT_EQ(schema.add(collection("A", {})), 0U);
  EXPECT_EQ(schema.add(collection("B", {})), 1U);
  EXPECT_EQ(schema.find("A"), 0U);
  EXPECT_EQ(schema.find("B"), 1U);
  EXPECT_EQ(schema.find("C"), Table::none);
}

TEST(Schema, givesATableTheColumnsOfItsKind) {
  const Schema schema = example();
  using enum ColumnRole;
  EXPECT_EQ(rolesOf(schema, 0), (std::vector{presence, counts, member, member}));
  EXPECT_EQ(rolesOf(schema, 1), (std::vector{counts, member}));
  EXPECT_EQ(rolesOf(schema, 2), (std::vector{member, member}));
  EXPECT_EQ(rolesOf(schema, 3), (std::vector{counts, member, member}));
  EXPECT_EQ(rolesOf(schema, 4), (std::vector{presence, counts}));
  EXPECT_EQ(rolesOf(schema, 5), (std::vector{counts, member}));
  EXPECT_EQ(rolesOf(schema, 6), (std::vector{member}));
}

TEST(Schema, keepsStructsWholeInRowLayout) {
  const Schema schema = example(Layout::row);
  using enum ColumnRole;
  EXPECT_EQ(rolesOf(schema, 0), (std::vector{presence, counts, rows}));
  // Tables that users do not define as structs are always split.
  TableDefinition row = relation("Hits.row", TableKind::manyRelation, 0);
  row.layout = Layout::row;
  Schema extended = schema;
  EXPECT_EQ(rolesOf(extended, extended.add(row)), (std::vector{counts, member, member}));
}

TEST(Schema, columnNumbersStayWhenTablesAreAdded) {
  Schema schema = example();
  const std::size_t columns = schema.columns().size();
  const detail::MemberPosition before = schema.place(1, 0);
  const std::uint32_t added = schema.add(collection("Late", {{"x", Scalar::Int8}}));
  EXPECT_EQ(schema.place(1, 0).column, before.column);
  EXPECT_EQ(schema.presenceColumn(added), columns);
  EXPECT_EQ(schema.countsColumn(added), columns + 1);
  EXPECT_EQ(schema.place(added, 0).column, columns + 2);
}

TEST(Schema, findsTheColumnsOfATable) {
  const Schema schema = example();
  for (std::uint32_t table = 0; table < schema.size(); ++table) {
    const auto [first, last] = schema.columnsOf(table);
    for (std::uint32_t column = 0; column < schema.columns().size(); ++column)
      EXPECT_EQ(schema.columns()[column].table == table, column >= first && column < last);
  }
}

TEST(Schema, placesSplitMembersInColumnsOfTheirOwn) {
  const Schema schema = example();
  EXPECT_EQ(schema.place(0, 1).column, schema.place(0, 0).column + 1);
  EXPECT_EQ(schema.place(0, 1).offset, 0U);
  EXPECT_EQ(schema.stride(schema.place(0, 1)), 12U);
}

TEST(Schema, placesRowMembersInOneColumn) {
  const Schema schema = example(Layout::row);
  EXPECT_EQ(schema.place(0, 0).column, schema.place(0, 1).column);
  EXPECT_EQ(schema.place(0, 1).offset, 8U);
  EXPECT_EQ(schema.stride(schema.place(0, 1)), 24U);
}

TEST(Schema, knowsTheRootOfATable) {
  const Schema schema = example();
  EXPECT_EQ(schema.rootOf(0), 0U);
  EXPECT_EQ(schema.rootOf(3), 0U);
  EXPECT_EQ(schema.rootOf(5), 4U);
  EXPECT_EQ(schema.rootOf(6), 6U);
}

std::vector<std::uint32_t> numbers(detail::TableChain chain) {
  return {chain.begin(), chain.end()};
}
using Numbers = std::vector<std::uint32_t>;

TEST(Schema, listsTheTablesUnderARoot) {
  const Schema schema = example();
  EXPECT_EQ(numbers(schema.tablesUnder(0)), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(numbers(schema.tablesUnder(6)), (Numbers{6}));
}

TEST(Schema, hasListsInLists) {
  Schema schema = example();
  const auto pulses = schema.add(test::table("Hits.times.pulses", TableKind::vectorMember, "Pulse",
                                             {{"height", Scalar::Float32}}, 1));
  const auto bins =
      schema.add(values("Hits.times.pulses.bins", TableKind::vectorMember, Scalar::Int8, pulses));
  const auto cov = schema.add(values("run.cov", TableKind::vectorMember, Scalar::Float32, 6));
  EXPECT_EQ(numbers(schema.tablesUnder(0)), (Numbers{0, 1, 2, 3, pulses, bins}));
  EXPECT_EQ(numbers(schema.tablesUnder(6)), (Numbers{6, cov}));
  EXPECT_EQ(schema.groupOf(bins), 0U);
  EXPECT_EQ(rolesOf(schema, pulses), (std::vector{ColumnRole::counts, ColumnRole::member}));
  EXPECT_EQ(schema.memberNamed("Hits.times.pulses.height"), (TableMember{pulses, 0U}));
  EXPECT_EQ(schema.memberNamed("Hits.times.pulses.bins"), (TableMember{bins, 0U}));
}

TEST(Schema, hasListsOfListsWithoutANameOfTheirOwn) {
  Schema schema;
  schema.add(test::table("waveforms", TableKind::parameter, "", {}));
  schema.add(values("waveforms.", TableKind::vectorMember, Scalar::Float32, 0));
  EXPECT_EQ(schema.memberNamed("waveforms."), (TableMember{1U, 0U}));
  EXPECT_EQ(schema.memberNamed("waveforms"),
            (TableMember{1U, 0U})); // the table itself has no member
  EXPECT_EQ(schema.nameOfMember(1, 0), "waveforms");
  EXPECT_EQ(schema.membersBelow("waveforms"), (std::vector<TableMember>{{1, 0}}));
}

TEST(Schema, groupsTablesOfOneLabel) {
  Schema schema;
  for (const char* name : {"Hits", "Tracks", "Jets", "Muons"}) {
    TableDefinition table = collection(name, {});
    table.group = name[0] == 'H' || name[0] == 'J' ? "one" : "";
    schema.add(table);
  }
  schema.add(relation("Jets.hits", TableKind::manyRelation, 2));
  EXPECT_EQ(schema.groupOf(0), 0U);
  EXPECT_EQ(schema.groupOf(2), 0U);
  EXPECT_EQ(schema.groupOf(4), 0U); // below one of them
  EXPECT_EQ(numbers(schema.rootsOf(0)), (Numbers{0, 2}));
  EXPECT_EQ(schema.groupOf(1), 1U); // a group of its own
  EXPECT_EQ(numbers(schema.rootsOf(1)), (Numbers{1}));
}

TEST(Schema, groupsValuesAndTagsForThemselves) {
  Schema schema;
  for (const bool isTag : {false, true, false, true}) {
    TableDefinition table =
        values("value" + std::to_string(schema.size()), TableKind::value, Scalar::Int32);
    table.use = isTag ? TableUse::tag : TableUse::none;
    schema.add(table);
  }
  TableDefinition apart = values("apart", TableKind::value, Scalar::Int32);
  apart.group = "label";
  schema.add(apart);
  EXPECT_EQ(numbers(schema.rootsOf(0)), (Numbers{0, 2}));
  EXPECT_EQ(numbers(schema.rootsOf(1)), (Numbers{1, 3}));
  EXPECT_EQ(numbers(schema.rootsOf(4)), (Numbers{4}));
}

TEST(Schema, listsDecorationsUnderTheirCollection) {
  Schema schema = example();
  const std::uint32_t quality = schema.add(
      test::table("Hits.quality", TableKind::decoration, "", {{"chi2", Scalar::Float32}}, 0));
  EXPECT_EQ(numbers(schema.tablesUnder(0)), (Numbers{0, 1, 2, 3, quality}));
  EXPECT_EQ(rolesOf(schema, quality), (std::vector{ColumnRole::member}));
  EXPECT_FALSE(schema.table(quality).isCounted());
  EXPECT_EQ(schema.memberNamed("Hits.quality.chi2"), (TableMember{quality, 0U}));
}

TEST(Schema, keepsAllOfADefinition) {
  TableDefinition table = collection("Hits", {{"x", Scalar::Float32, 3}, {"n", Scalar::Int8}});
  table.layout = Layout::member;
  table.description = "what was hit";
  table.group = "tracker";
  table.members[0].unit = "mm";
  table.members[0].description = "where";
  table.members[1].missing = 0xff;
  Schema schema = example();
  EXPECT_EQ(schema
                .table(schema.add([&] {
                  table.name = "More";
                  return table;
                }()))
                .definition(),
            table);
  TableDefinition number = values("number", TableKind::value, Scalar::Int64);
  number.use = TableUse::tag | TableUse::key;
  EXPECT_EQ(schema.table(schema.add(number)).definition(), number);
}

TEST(Schema, takesTheTablesOfAnother) {
  const Schema first = example();
  Schema both;
  EXPECT_EQ(both.add(first.block()), "");
  EXPECT_EQ(both.size(), first.size());
  for (std::uint32_t number = 0; number < first.size(); ++number)
    EXPECT_TRUE(both.table(number) == first.table(number));
  EXPECT_EQ(both.columns().size(), first.columns().size());
  EXPECT_EQ(Schema(both).add(first.block()), "two tables are called 'Hits'");
}

TEST(Schema, findsTablesAmongVeryMany) {
  Schema schema;
  for (std::uint32_t i = 0; i < 5000; ++i)
    EXPECT_EQ(schema.add(collection("table" + std::to_string(i), {})), i);
  for (std::uint32_t i = 0; i < 5000; ++i)
    EXPECT_EQ(schema.find("table" + std::to_string(i)), i);
  EXPECT_EQ(schema.find("table5000"), Table::none);
}

TEST(Schema, findsAMemberByItsName) {
  const Schema schema = example();
  EXPECT_EQ(schema.memberNamed("Hits.cell"), (TableMember{0U, 0U}));
  EXPECT_EQ(schema.memberNamed("Hits.position.x"), (TableMember{0U, 1U}));
  EXPECT_EQ(schema.memberNamed("Hits.particle.index"), (TableMember{2U, 0U}));
  EXPECT_EQ(schema.memberNamed("Hits_position.x"), (TableMember{0U, 1U})); // NanoAOD's form
  EXPECT_EQ(schema.memberNamed("Hits.times"), (TableMember{1U, 0U}));
  EXPECT_EQ(schema.memberNamed("run"), (TableMember{6U, 0U}));
}

TEST(Schema, tellsDotsInTableNamesFromDotsInMemberNames) {
  Schema schema;
  schema.add(collection("a", {{"b.c.d", Scalar::Int8}, {"b.x", Scalar::Int8}}));
  schema.add(collection("a.b", {{"x", Scalar::Int8}, {"y", Scalar::Int8}}));
  EXPECT_EQ(schema.memberNamed("a.b.y"), (TableMember{1U, 1U}));
  EXPECT_EQ(schema.memberNamed("a.b.c.d"), (TableMember{0U, 0U}));
  // If two members have the same name, the one in the table with the longer name wins.
  EXPECT_EQ(schema.memberNamed("a.b.x"), (TableMember{1U, 0U}));
}

TEST(Schema, everyMemberIsFoundByItsName) {
  const Schema schema = example();
  for (std::uint32_t table = 0; table < schema.size(); ++table)
    for (std::uint32_t member = 0; member < schema.table(table).members.size(); ++member)
      EXPECT_EQ(schema.memberNamed(schema.nameOfMember(table, member)),
                (TableMember{table, member}));
}

TEST(Schema, suggestsTheNearestMember) {
  expectError(ErrorKind::name, "no column is called 'Hits.cel' (did you mean 'Hits.cell'?)",
              [] { (void)example().memberNamed("Hits.cel"); });
  expectError(ErrorKind::name, "no column is called ''", [] { (void)example().memberNamed(""); });
  expectError(ErrorKind::name, "no column is called '.'", [] { (void)example().memberNamed("."); });
}

TEST(Schema, suggestsTheNearestTable) {
  expectError(ErrorKind::name, "there is no 'hitz' (did you mean 'Hits'?)",
              [] { (void)example().tableNamed("hitz"); });
  EXPECT_EQ(example().tableNamed("Hits"), 0U);
}

TEST(Schema, findsTheSameMembersBesideTablesWithDots) {
  Schema schema = example();
  schema.add(test::table("run", TableKind::parameter, "float", {{"", Scalar::Float32}})); // 7
  for (int i = 0; i < 100; ++i) // in larger schemas, names are looked up
    schema.add(collection("filler" + std::to_string(i), {{"x", Scalar::Int8}}));
  Schema dotted = schema;
  dotted.add(collection("with.dots", {{"x", Scalar::Int8}}));
  EXPECT_EQ(schema.membersBelow("run"), (std::vector<TableMember>{{6, 0}, {7, 0}}));
  for (const char* const name : {"Hits", "Hits.times", "Hits.position", "Hits.others.index", "run",
                                 "title", "title.text", "Hits_cell"})
    EXPECT_EQ(schema.membersBelow(name), dotted.membersBelow(name)) << name;
  for (const char* const name : {"", ".", "Hit", "Hits.", "Hits.x", "runs"}) {
    EXPECT_FALSE(schema.contains(name)) << name;
    EXPECT_FALSE(dotted.contains(name)) << name;
  }
}

TEST(Schema, findsAllMembersBelowAName) {
  Schema schema;
  schema.add(collection(
      "P", {{"v.x", Scalar::Float32}, {"v.y", Scalar::Float32}, {"vx", Scalar::Float32}}));
  schema.add(values("P.times", TableKind::vectorMember, Scalar::Float32, 0));
  using Members = std::vector<TableMember>;
  EXPECT_EQ(schema.membersBelow("P.v"), (Members{{0, 0}, {0, 1}}));
  EXPECT_EQ(schema.membersBelow("P.v.y"), (Members{{0, 1}}));
  EXPECT_EQ(schema.membersBelow("P"), (Members{{0, 0}, {0, 1}, {0, 2}, {1, 0}}));
  expectError(ErrorKind::name, "(did you mean 'P.vx'?)",
              [&] { (void)schema.membersBelow("P.vz"); });
  schema.add(collection("Muon", {{"momentum.x", Scalar::Float32}}));
  expectError(ErrorKind::name, "(did you mean 'Muon'?)",
              [&] { (void)schema.membersBelow("Moun"); });
  expectError(ErrorKind::name, "(did you mean 'Muon.momentum'?)",
              [&] { (void)schema.membersBelow("Muon.momenta"); });
  for (const char* const name : {"P", "P.v", "P.v.y", "P.times", "P_vx"})
    EXPECT_TRUE(schema.contains(name)) << name;
  for (const char* const name : {"", "Q", "P.vz", "P.v.", "P_vz"})
    EXPECT_FALSE(schema.contains(name)) << name;
}

TEST(Schema, collectionWithoutMembersHasNoneBelowIt) {
  Schema schema;
  schema.add(collection("Empty", {}));
  EXPECT_TRUE(schema.membersBelow("Empty").empty());
  EXPECT_TRUE(schema.contains("Empty"));
}

TEST(Schema, tellsParametersOfOneNameApartByType) {
  Schema schema;
  const std::uint32_t integer = schema.add(parameter("weight", Scalar::Int32));
  const std::uint32_t real = schema.add(parameter("weight", Scalar::Float64));
  EXPECT_EQ(schema.findParameter("weight", "int32"), integer);
  EXPECT_EQ(schema.findParameter("weight", "float64"), real);
  EXPECT_EQ(schema.findParameter("weight", "bool"), Table::none);
  EXPECT_EQ(schema.find("weight"), integer);
}

TEST(Schema, letsAParameterBeCalledAsACollection) {
  Schema schema;
  const std::uint32_t first = schema.add(parameter("Hits", Scalar::Int32));
  const std::uint32_t hits = schema.add(collection("Hits", {{"cell", Scalar::Int8}}));
  const std::uint32_t second = schema.add(parameter("Hits", Scalar::Float32));
  EXPECT_EQ(schema.find("Hits"), hits);
  EXPECT_EQ(schema.findParameter("Hits", "int32"), first);
  EXPECT_EQ(schema.findParameter("Hits", "float32"), second);
}

/// Returns the error of adding a table to the example; "" if it can be added.
std::string wrongWith(const TableDefinition& table) {
  Schema schema = example();
  const std::uint32_t before = schema.size();
  try {
    schema.add(table);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(schema.size(), before);
    return error.what();
  }
}

/// Returns the error of adding a valid table after `change` changed it.
std::string refusal(TableDefinition table, const std::function<void(TableDefinition&)>& change) {
  EXPECT_EQ(wrongWith(table), "") << "is refused even unchanged";
  change(table);
  return wrongWith(table);
}

TEST(SchemaCheck, refusesATableWithoutAName) {
  EXPECT_EQ(refusal(collection("New", {}), [](TableDefinition& t) { t.name = ""; }),
            "a table has no name");
}

TEST(SchemaCheck, refusesAnUnknownKindOrLayout) {
  const auto withKind = [](TableDefinition& t) { t.kind = static_cast<TableKind>(8); };
  const auto withLayout = [](TableDefinition& t) { t.layout = static_cast<Layout>(3); };
  EXPECT_EQ(refusal(collection("New", {}), withKind),
            "table 'New' is of an unknown kind or layout");
  EXPECT_EQ(refusal(collection("New", {}), withLayout),
            "table 'New' is of an unknown kind or layout");
}

TEST(SchemaCheck, refusesATableUnderOneThatIsNotThere) {
  const auto times = values("Hits.more", TableKind::vectorMember, Scalar::Int8, 0);
  for (const TableNumber parent :
       {TableNumber(7), TableNumber(1000), Table::none, TableNumber(Table::none - 1)})
    EXPECT_EQ(refusal(times, [parent](TableDefinition& t) { t.parent = parent; }),
              "table 'Hits.more' lies under a table that cannot have it");
}

TEST(SchemaCheck, refusesATableUnderOneOfTheWrongKind) {
  const auto expectRefused = [](TableDefinition table, std::uint32_t parent) {
    EXPECT_EQ(refusal(table, [parent](TableDefinition& t) { t.parent = parent; }),
              "table '" + table.name + "' lies under a table that cannot have it");
  };
  // Relations belong under collections and texts under strings. Lists do not belong under relations
  // or strings.
  for (const std::uint32_t parent : {2, 3, 4, 5})
    expectRefused(values("Hits.New", TableKind::vectorMember, Scalar::Int8, 0), parent);
  for (const std::uint32_t parent : {1, 2, 3, 4, 5, 6}) {
    expectRefused(relation("Hits.New", TableKind::oneRelation, 0), parent);
    expectRefused(relation("Hits.New", TableKind::manyRelation, 0), parent);
  }
  for (const std::uint32_t parent : {0, 1, 2, 3, 5, 6})
    expectRefused(values("title.New", TableKind::text, Scalar::UInt8, 4), parent);
  for (const std::uint32_t parent : {0, 4}) {
    expectRefused(collection("New", {}), parent);
    expectRefused(parameter("New", Scalar::Int8), parent);
    expectRefused(values("New", TableKind::value, Scalar::Int8), parent);
  }
}

TEST(SchemaCheck, refusesATableThatDoesNotBearTheNameOfTheOneAbove) {
  for (const std::string name : {"New", "H", "Hits", "Hit.New", "HitsNew", "Hitsx.New"})
    EXPECT_EQ(refusal(values("Hits.New", TableKind::vectorMember, Scalar::Int8, 0),
                      [&](TableDefinition& table) { table.name = name; }),
              "table '" + name + "' must begin with the name of its parent, 'Hits', and a dot");
}

TEST(SchemaCheck, refusesListsUnderATag) {
  Schema schema;
  TableDefinition tag = values("tag", TableKind::value, Scalar::Int32);
  tag.use = TableUse::tag;
  schema.add(tag);
  expectError(ErrorKind::usage, "table 'tag.list' lies under a table that cannot have it",
              [&] { schema.add(values("tag.list", TableKind::vectorMember, Scalar::Int8, 0)); });
}

TEST(SchemaCheck, refusesListsThatLieTooDeep) {
  Schema schema;
  schema.add(parameter("lists", Scalar::Int8));
  std::string name = "lists";
  while (schema.size() < detail::mostLevels)
    schema.add(values(name += ".", TableKind::vectorMember, Scalar::Int8, schema.size() - 1));
  EXPECT_EQ(schema.rootOf(detail::mostLevels - 1), 0U);
  expectError(ErrorKind::usage, "lies under too many others: more than 63", [&] {
    schema.add(values(name + ".", TableKind::vectorMember, Scalar::Int8, detail::mostLevels - 1));
  });
  // The depth of a table is limited, not the number of tables.
  EXPECT_EQ(schema.add(values("lists.more", TableKind::vectorMember, Scalar::Int8, 0)),
            detail::mostLevels);
}

TEST(SchemaCheck, refusesASecondTableOfAName) {
  EXPECT_EQ(refusal(collection("New", {}), [](TableDefinition& t) { t.name = "Hits"; }),
            "two tables are called 'Hits'");
  EXPECT_EQ(refusal(collection("New", {}), [](TableDefinition& t) { t.name = "Hits.times"; }),
            "two tables are called 'Hits.times'");
  EXPECT_EQ(refusal(test::table("New", TableKind::parameter, "string", {}),
                    [](TableDefinition& t) { t.name = "title"; }),
            "two tables are called 'title'");
}

TEST(SchemaCheck, letsParametersShareANameButNotAType) {
  EXPECT_EQ(wrongWith(parameter("title", Scalar::Int32)), "");
  EXPECT_EQ(wrongWith(parameter("Hits", Scalar::Int32)), "");
  EXPECT_EQ(wrongWith(collection("title", {})), "");
}

TEST(SchemaCheck, refusesTagsAndKeysThatAreNoSingleValue) {
  TableDefinition number = values("number", TableKind::value, Scalar::Int64);
  number.use = TableUse::tag;
  const char* const single =
      "'number' must be a single value in each entry, because it is a tag or key";
  EXPECT_EQ(refusal(number, [](TableDefinition& t) { t.kind = TableKind::parameter; }), single);
  EXPECT_EQ(refusal(number, [](TableDefinition& t) { t.members.clear(); }), single);
  EXPECT_EQ(refusal(number,
                    [](TableDefinition& t) {
                      t.rowSize = 16;
                      t.members[0].extent = 2;
                    }),
            single);
  EXPECT_EQ(refusal(number, [](TableDefinition& t) { t.use = static_cast<TableUse>(4); }),
            "table 'number' is of an unknown kind or layout");
}

TEST(SchemaCheck, refusesKeysThatAreNoIntegers) {
  for (const Scalar type : {Scalar::Float32, Scalar::Float64}) {
    TableDefinition number = values("number", TableKind::value, type);
    number.use = TableUse::tag;
    EXPECT_EQ(refusal(number, [](TableDefinition& t) { t.use = TableUse::key; }),
              "'number' is a key, but its values are not integers");
  }
}

TEST(SchemaCheck, refusesAMemberOfAnUnknownType) {
  const TableDefinition table = collection("New", {{"x", Scalar::Int32}});
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.members[0].type = static_cast<Scalar>(11); }),
            "'New.x' is of an unknown type");
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.members[0].extent = 0; }),
            "'New.x' is of an unknown type");
}

TEST(SchemaCheck, refusesAMemberOutsideItsRow) {
  const TableDefinition table = collection("New", {{"x", Scalar::Int32}, {"y", Scalar::Int32}});
  EXPECT_EQ(table.rowSize, 8U);
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.rowSize = 7; }),
            "'New.y' lies outside its row");
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.members[1].offset = 5; }),
            "'New.y' lies outside its row");
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.members[0].extent = 3; }),
            "'New.x' lies outside its row");
  // Products and sums that exceed 32 bits.
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.members[0].extent = 1U << 30; }),
            "'New.x' lies outside its row");
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.members[1].offset = ~0U; }),
            "'New.y' lies outside its row");
}

TEST(SchemaCheck, refusesRowsLargerThanTheirMembersNeed) {
  const TableDefinition table = collection("New", {{"a", Scalar::Int8}, {"x", Scalar::Int64}});
  EXPECT_EQ(refusal(table, [](TableDefinition& t) { t.rowSize = 73; }),
            "the rows of 'New' are larger than their members need");
  EXPECT_EQ(refusal(collection("Bare", {}), [](TableDefinition& t) { t.rowSize = 1; }),
            "the rows of 'Bare' are larger than their members need");
}

TEST(SchemaCheck, refusesARelationWithoutTheMembersOfOne) {
  for (const TableKind kind : {TableKind::oneRelation, TableKind::manyRelation}) {
    const auto expectRefused = [&](const std::function<void(TableDefinition&)>& change) {
      EXPECT_EQ(refusal(relation("Hits.new", kind, 0), change),
                "relation 'Hits.new' does not have the members of one");
    };
    expectRefused([](TableDefinition& t) { t.members.pop_back(); });
    expectRefused([](TableDefinition& t) { t.members.push_back(t.members[0]); });
    expectRefused([](TableDefinition& t) { t.members[0].type = Scalar::UInt32; });
    expectRefused([](TableDefinition& t) { t.members[1].type = Scalar::Int32; });
    // Rows are read from memory as References.
    expectRefused([](TableDefinition& t) { t.members[1].offset = 0; });
    expectRefused([](TableDefinition& t) { std::swap(t.members[0].offset, t.members[1].offset); });
    expectRefused([](TableDefinition& t) { t.rowSize = 16; });
    expectRefused([](TableDefinition& t) {
      t.rowSize = 4;
      t.members[1].offset = 0;
    });
  }
}

TEST(Layouts, haveNames) {
  EXPECT_EQ(layoutName(Layout::split), "split");
  EXPECT_EQ(layoutName(Layout::row), "row");
  EXPECT_EQ(layoutName(static_cast<Layout>(9)), "?");
  EXPECT_EQ(layoutNamed("row"), Layout::row);
  expectError(ErrorKind::name, "'splt' is not a value of 'layout' (did you mean 'split'?)",
              [] { (void)layoutNamed("splt"); });
}

} // namespace
} // namespace kaon
