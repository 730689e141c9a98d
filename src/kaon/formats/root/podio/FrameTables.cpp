#include <kaon/formats/root/podio/FrameTables.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/podio/ParameterType.h>
#include <kaon/formats/podio/PodioTables.h>
#include <kaon/formats/root/podio/FrameNames.h>
#include <kaon/formats/root/podio/ParameterKeys.h>
#include <kaon/model/Builtin.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace kaon::root::podio {
namespace {

class FrameTableBuilder {
public:
  FrameTableBuilder(const Source& stored, const ModelDatatypes& datatypes)
      : m_source(stored), m_stored(stored.schema()), m_datatypes(datatypes),
        m_isTaken(m_stored.size()) {}

  FrameTables build(std::span<const CollectionDescription> collections) {
    for (const CollectionDescription& collection : collections)
      tryTo("the collection '" + collection.name + "'", [&] { addCollection(collection); });
    for (const ParameterType type : parameterTypes)
      addParameters(type);
    for (std::uint32_t root = 0; root < m_stored.size(); ++root)
      if (m_stored.table(root).isRoot() && !m_isTaken[root])
        tryTo(std::string(m_stored.table(root).name), [&] { addStored(root); });
    return std::move(m_tables);
  }

private:
  /// Adds tables. If they deviate from podio's layout, adds none and warns.
  template <class Add>
  void tryTo(const std::string& what, Add add) {
    const std::size_t origins = m_tables.origins.size(), sides = m_tables.sides.size();
    m_roots.clear();
    m_added.clear();
    try {
      add();
      for (const std::uint32_t root : m_roots)
        m_isTaken[root] = true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::version && error.kind() != ErrorKind::usage)
        throw;
      m_tables.origins.resize(origins);
      m_tables.sides.resize(sides);
      warn(WarningKind::unreadMember,
           m_source.name() + ": " + what + " is not as podio writes it: " + error.what());
    }
  }

  void addCollection(const CollectionDescription& collection) {
    const TableNumber objects =
        find(collection.isSubset ? collection.name + std::string(subsetSuffix) : collection.name);
    const std::uint32_t root = m_tables.schema.size();
    for (const TableDefinition& table :
         tablesOf(typeOf(collection, objects), collection.name, root, m_datatypes)) {
      const bool isRoot = table.parent == Table::none;
      const std::string name = isRoot ? "" : table.name.substr(collection.name.size() + 1);
      const bool isOwnTable = isRoot || collection.isSubset;
      addTable(table, objects, isOwnTable ? objects : find(sideName(collection.name, name)), name);
    }
    sortUnique(m_roots);
    addToSchema();
    m_tables.storedRoots[root] = m_roots;
    m_tables.numbers.emplace(collection.id, root);
  }

  /// Returns the type of a collection by its class. `objects` is the stored table of the objects.
  [[nodiscard]] PodioType typeOf(const CollectionDescription& collection,
                                 std::uint32_t objects) const {
    const std::string_view name = collection.type;
    PodioType type;
    type.isSubset = collection.isSubset;
    if (name.starts_with(userDataPrefix)) {
      const Members members = m_stored.table(objects).members;
      if (members.size() != 1 || !members[0].name.empty())
        fail(ErrorKind::version, "its values are not numbers");
      type.kind = PodioType::Kind::userData;
      type.name = builtinName(members[0].type);
    } else if (name.starts_with(linkPrefix) && name.ends_with('>')) {
      type.kind = PodioType::Kind::link;
      type.name = name.substr(linkPrefix.size(), name.size() - linkPrefix.size() - 1);
    } else if (name.ends_with(collectionSuffix)) {
      type.name = name.substr(0, name.size() - collectionSuffix.size());
    } else {
      fail(ErrorKind::version, "'", name, "' is not a known collection");
    }
    return type;
  }

  /// Adds a table of a collection. `rows` is the stored table of its rows.
  void addTable(const TableDefinition& table, std::uint32_t objects, std::uint32_t rows,
                const std::string& name) {
    const auto side = static_cast<std::uint32_t>(m_tables.sides.size());
    PodioOrigin::Kind kind = PodioOrigin::Kind::stored;
    if (table.parent == Table::none) {
      addOrigin({.kind = PodioOrigin::Kind::presence});
      addOrigin({.kind = PodioOrigin::Kind::stored, .column = m_stored.countsColumn(rows)});
    } else {
      m_tables.sides.push_back({.objects = objects, .rows = rows});
      kind = PodioOrigin::Kind::rows;
      if (table.kind != TableKind::oneRelation) {
        m_tables.sides.back().begins = column(objects, name + "_begin", Scalar::UInt32);
        m_tables.sides.back().ends = column(objects, name + "_end", Scalar::UInt32);
        addOrigin({.kind = PodioOrigin::Kind::rowCounts, .number = side});
      }
    }
    if (table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation) {
      m_tables.sides.back().index = column(rows, "index", Scalar::Int32);
      m_tables.sides.back().collection = column(rows, "collectionID", Scalar::UInt32);
      addOrigin({.kind = PodioOrigin::Kind::index, .number = side});
      addOrigin({.kind = PodioOrigin::Kind::collection, .number = side});
    } else {
      for (const MemberDefinition& member : table.members)
        addOrigin(memberOrigin(kind, rows, member, side));
    }
    m_added.push_back(table);
    m_roots.push_back(rows);
  }

  void addParameters(ParameterType type) {
    const auto number = static_cast<std::uint32_t>(m_tables.parameters.size());
    tryTo("the parameters of type " + std::string(nameOf(type)), [&] {
      if (auto parameters = storedParameters(type))
        m_tables.parameters.push_back(std::move(*parameters));
    });
    if (number == m_tables.parameters.size())
      return;
    const ParameterTable& stored = m_tables.parameters.back();
    m_isTaken[stored.keys] = m_isTaken[stored.lists] = true;
    for (std::uint32_t key = 0; key < stored.names.size(); ++key)
      tryTo("the parameter '" + stored.names[key] + "'",
            [&] { addParameter(type, stored, number, key); });
  }

  void addParameter(ParameterType type, const ParameterTable& stored, std::uint32_t number,
                    std::uint32_t key) {
    const std::uint32_t root = m_tables.schema.size();
    m_added = parameterTables(type, stored.names[key], root);
    std::vector kinds{PodioOrigin::Kind::parameterPresence, PodioOrigin::Kind::parameterCounts};
    if (type == ParameterType::string)
      kinds.insert(kinds.end(), {PodioOrigin::Kind::textCounts, PodioOrigin::Kind::text});
    else
      kinds.push_back(PodioOrigin::Kind::parameterValues);
    for (const PodioOrigin::Kind kind : kinds)
      addOrigin({.kind = kind, .number = number, .key = key});
    addToSchema();
    m_tables.storedRoots[root] = {stored.keys, stored.lists};
  }

  /// Returns nothing if the tables are missing or deviate from podio's layout.
  [[nodiscard]] std::optional<ParameterTable> storedParameters(ParameterType type) const {
    ParameterTable table;
    table.keys = m_stored.find(parameterName(type, keysPart));
    table.lists = m_stored.find(parameterName(type, valuesPart));
    if (table.keys == Table::none || table.lists == Table::none)
      return std::nullopt;
    table.text = onlyTableUnder(table.keys);
    table.values = onlyTableUnder(table.lists);
    const bool isString = type == ParameterType::string;
    if (table.values != Table::none && isString)
      table.characters = onlyTableUnder(table.values);
    const std::uint32_t innermost = isString ? table.characters : table.values;
    if (!isBare(table.text, Scalar::UInt8) || !isBare(innermost, scalarOf(type)))
      return std::nullopt;
    table.names = parameterKeys(m_source, table.keys, table.text);
    return table;
  }

  [[nodiscard]] std::uint32_t onlyTableUnder(TableNumber table) const {
    TableNumber under = Table::none;
    for (const TableNumber each : m_stored.tablesUnder(m_stored.rootOf(table)))
      if (m_stored.table(each).parent == table)
        under = std::exchange(under, each) == Table::none ? each : Table::none;
    return under;
  }
  [[nodiscard]] bool isBare(TableNumber table, Scalar type) const {
    if (table == Table::none)
      return false;
    const Table info = m_stored.table(table);
    return info.isCounted() && info.members.size() == 1 && info.members[0].type == type &&
           info.members[0].extent == 1;
  }

  /// Adds a stored root and all tables under it unchanged.
  void addStored(std::uint32_t stored) {
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    const std::uint32_t root = m_tables.schema.size();
    for (const TableNumber number : m_stored.tablesUnder(stored)) {
      TableDefinition table = m_stored.table(number).definition();
      table.parent = number == stored ? Table::none : TableNumber(numbers.at(table.parent));
      numbers.emplace(number, root + static_cast<std::uint32_t>(m_added.size()));
      const auto [first, last] = m_stored.columnsOf(number);
      for (std::uint32_t column = first; column < last; ++column)
        addOrigin({.kind = PodioOrigin::Kind::stored, .column = column});
      m_added.push_back(std::move(table));
    }
    addToSchema();
    m_tables.storedRoots[root] = {stored};
  }

  void addOrigin(const PodioOrigin& origin) { m_tables.origins.push_back(origin); }
  /// Adds a root and the tables under it, or none of them, because a schema cannot lose tables.
  void addToSchema() {
    Schema alone;
    for (TableDefinition table : m_added) {
      if (table.parent != Table::none) {
        const TableNumber same = m_tables.schema.find(table.name);
        if (same != Table::none && m_tables.schema.table(same).kind != TableKind::parameter)
          fail(ErrorKind::usage, "two tables are called '", table.name, "'");
        table.parent = table.parent - m_tables.schema.size();
      }
      alone.add(table);
    }
    for (const TableDefinition& table : m_added)
      m_tables.schema.add(table);
    m_tables.storedRoots.resize(m_tables.schema.size());
  }

  /// Finds a stored root with a variable number of rows in each entry.
  [[nodiscard]] TableNumber find(const std::string& name) const {
    const std::uint32_t number = m_stored.find(name);
    if (number == Table::none || !m_stored.table(number).canBeAbsent())
      fail(ErrorKind::version, "there is no '", name, "'");
    return number;
  }

  /// Returns the origin of a member. For arrays of structs, "ends.1.x" is stored as "x" in a table
  /// "ends". Arrays of structs can be nested.
  [[nodiscard]] PodioOrigin memberOrigin(PodioOrigin::Kind kind, std::uint32_t rows,
                                         const MemberDefinition& member, std::uint32_t side) const {
    PodioOrigin origin{.kind = kind, .number = side};
    std::string_view name = member.name;
    while (m_stored.table(rows).members.find(name) == m_stored.table(rows).members.size())
      origin.elements.push_back(enterArray(rows, name));
    origin.column = column(rows, std::string(name), member.type, member.extent);
    if (!origin.elements.empty()) {
      origin.kind = PodioOrigin::Kind::element;
      origin.number = kind == PodioOrigin::Kind::rows ? side : PodioOrigin::none;
    }
    return origin;
  }

  /// Moves to the table of an array's elements by the name of a member: "ends.1.x" becomes "x" of
  /// element 1. Returns the number of the element.
  [[nodiscard]] std::uint32_t enterArray(std::uint32_t& rows, std::string_view& name) const {
    const Table info = m_stored.table(rows);
    for (const TableNumber under : m_stored.tablesUnder(m_stored.rootOf(rows))) {
      if (under == rows || m_stored.table(under).parent != rows)
        continue;
      const std::string_view array = m_stored.table(under).name.substr(info.name.size() + 1);
      if (!name.starts_with(array) || !name.substr(array.size()).starts_with('.'))
        continue;
      std::uint32_t element = 0;
      const char* const end = name.data() + name.size();
      const auto [rest, error] = std::from_chars(name.data() + array.size() + 1, end, element);
      if (error == std::errc{} && rest != end && *rest == '.') {
        rows = under;
        name = {rest + 1, end};
        return element;
      }
    }
    fail(ErrorKind::version, "'", info.name, "' has no '", name, "'");
  }

  [[nodiscard]] std::uint32_t column(TableNumber table, const std::string& name, Scalar type,
                                     std::uint32_t extent = 1) const {
    const Table info = m_stored.table(table);
    const std::uint32_t number = info.members.find(name);
    if (number == info.members.size())
      fail(ErrorKind::version, "'", info.name, "' has no '", name, "'");
    const Member member = info.members[number];
    if (member.type != type || member.extent != extent)
      fail(ErrorKind::version, "'", info.name, ".", name, "' is ", member.extent, " ",
           nameOf(member.type), ", not ", extent, " ", nameOf(type));
    return m_stored.place(table, number).column;
  }

  const Source& m_source;
  const Schema& m_stored;
  const ModelDatatypes& m_datatypes;
  std::vector<bool> m_isTaken;          // stored tables
  std::vector<std::uint32_t> m_roots;   // stored roots that are being added
  std::vector<TableDefinition> m_added; // tables that are being added to the schema
  FrameTables m_tables;
};

} // namespace

FrameTables makeFrameTables(const Source& stored,
                            std::span<const CollectionDescription> collections,
                            const ModelDatatypes& datatypes) {
  return FrameTableBuilder(stored, datatypes).build(collections);
}

} // namespace kaon::root::podio
