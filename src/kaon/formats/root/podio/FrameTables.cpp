#include <kaon/formats/root/podio/FrameTables.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/root/podio/FrameNames.h>
#include <kaon/formats/root/podio/ParameterKeys.h>
#include <kaon/model/CollectionTables.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace kaon::root::podio {
namespace {

MemberDefinition bareMember(Scalar type) { return {.name = {}, .type = type}; }

class Builder {
public:
  Builder(const Source& stored, const ModelDatatypes& datatypes)
      : m_source(stored), m_stored(stored.schema()), m_datatypes(datatypes),
        m_isTaken(m_stored.size()) {}

  FrameTables build(std::span<const CollectionDescription> collections) {
    for (const CollectionDescription& collection : collections)
      tryTo("the collection '" + collection.name + "'", [&] { addCollection(collection); });
    for (const ParameterType& type : parameterTypes)
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
    const std::uint32_t objects =
        find(collection.isSubset ? collection.name + std::string(subsetSuffix) : collection.name);
    const std::uint32_t root = m_tables.schema.size();
    for (TableDefinition& table : tablesOf(collection, root, objects)) {
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

  /// Returns kaon's tables for a collection. The first one gets the number `root`.
  [[nodiscard]] std::vector<TableDefinition> tablesOf(const CollectionDescription& collection,
                                                      std::uint32_t root,
                                                      std::uint32_t objects) const {
    if (collection.type.starts_with(userDataPrefix)) {
      const Members members = m_stored.table(objects).members;
      if (members.size() != 1 || !members[0].name.empty())
        fail(ErrorKind::version, "its values are not numbers");
      return {{.name = collection.name,
               .type = std::string(nameOf(members[0].type)),
               .rowSize = sizeOf(members[0].type),
               .members = {bareMember(members[0].type)}}};
    }
    if (collection.type.starts_with(linkPrefix) && collection.type.ends_with('>'))
      return linkTables(
          std::string_view(collection.type)
              .substr(linkPrefix.size(), collection.type.size() - linkPrefix.size() - 1),
          collection.name, root, m_datatypes);
    const Datatype& datatype = datatypeOf(collection.type);
    if (!collection.isSubset)
      return kaon::tablesOf(datatype, collection.name, root, Layout::split);
    return subsetTables(datatype, collection.name, root);
  }

  /// Returns the datatype of the objects of a class of collections.
  [[nodiscard]] const Datatype& datatypeOf(std::string_view collection) const {
    if (!collection.ends_with(collectionSuffix))
      fail(ErrorKind::version, "'", collection, "' is not a known collection");
    const auto name = collection.substr(0, collection.size() - collectionSuffix.size());
    const Datatype* const datatype = m_datatypes.find(name);
    if (!datatype)
      fail(ErrorKind::version, "no model has a datatype '", name, "' ", m_datatypes.mistake(name));
    return *datatype;
  }

  /// Adds a table of a collection. `rows` is the stored table of its rows.
  void addTable(const TableDefinition& table, std::uint32_t objects, std::uint32_t rows,
                const std::string& name) {
    const auto side = static_cast<std::uint32_t>(m_tables.sides.size());
    Origin::Kind kind = Origin::Kind::stored;
    if (table.parent == Table::none) {
      addOrigin({.kind = Origin::Kind::presence});
      addOrigin({.kind = Origin::Kind::stored, .column = m_stored.countsColumn(rows)});
    } else {
      m_tables.sides.push_back({.objects = objects, .rows = rows});
      kind = Origin::Kind::rows;
      if (table.kind != TableKind::oneRelation) {
        m_tables.sides.back().begins = column(objects, name + "_begin", Scalar::UInt32);
        m_tables.sides.back().ends = column(objects, name + "_end", Scalar::UInt32);
        addOrigin({.kind = Origin::Kind::rowCounts, .number = side});
      }
    }
    if (table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation) {
      m_tables.sides.back().index = column(rows, "index", Scalar::Int32);
      m_tables.sides.back().collection = column(rows, "collectionID", Scalar::UInt32);
      addOrigin({.kind = Origin::Kind::index, .number = side});
      addOrigin({.kind = Origin::Kind::collection, .number = side});
    } else {
      for (const MemberDefinition& member : table.members)
        addOrigin(memberOrigin(kind, rows, member, side));
    }
    m_added.push_back(table);
    m_roots.push_back(rows);
  }

  void addParameters(const ParameterType& type) {
    const auto number = static_cast<std::uint32_t>(m_tables.parameters.size());
    tryTo("the parameters of type " + std::string(type.type), [&] {
      if (auto parameters = parameterTable(type))
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

  void addParameter(const ParameterType& type, const ParameterTable& stored, std::uint32_t number,
                    std::uint32_t key) {
    const std::uint32_t root = m_tables.schema.size();
    const bool isString = stored.characters != Table::none;
    TableDefinition table{
        .name = stored.names[key], .kind = TableKind::parameter, .type = std::string(type.type)};
    addOrigin({.kind = Origin::Kind::parameterPresence, .number = number, .key = key});
    addOrigin({.kind = Origin::Kind::parameterCounts, .number = number, .key = key});
    if (isString) {
      m_added.push_back(table);
      table = {.name = stored.names[key] + ".text",
               .kind = TableKind::text,
               .type = std::string(nameOf(type.scalar)),
               .parent = root};
      addOrigin({.kind = Origin::Kind::textCounts, .number = number, .key = key});
    }
    table.rowSize = sizeOf(type.scalar);
    table.members = {bareMember(type.scalar)};
    m_added.push_back(std::move(table));
    addOrigin({.kind = isString ? Origin::Kind::text : Origin::Kind::parameterValues,
               .number = number,
               .key = key});
    addToSchema();
    m_tables.storedRoots[root] = {stored.keys, stored.lists};
  }

  /// Returns nothing if the tables are missing or deviate from podio's layout.
  [[nodiscard]] std::optional<ParameterTable> parameterTable(const ParameterType& type) const {
    ParameterTable table;
    table.keys = m_stored.find(type.keys());
    table.lists = m_stored.find(type.values());
    if (table.keys == Table::none || table.lists == Table::none)
      return std::nullopt;
    table.text = onlyTableUnder(table.keys);
    table.values = onlyTableUnder(table.lists);
    if (table.values != Table::none && type.isString())
      table.characters = onlyTableUnder(table.values);
    const std::uint32_t innermost = type.isString() ? table.characters : table.values;
    if (!isBare(table.text, Scalar::UInt8) || !isBare(innermost, type.scalar))
      return std::nullopt;
    table.names = parameterKeys(m_source, table.keys, table.text);
    return table;
  }

  [[nodiscard]] std::uint32_t onlyTableUnder(std::uint32_t table) const {
    std::uint32_t under = Table::none;
    for (const std::uint32_t each : m_stored.tablesUnder(m_stored.rootOf(table)))
      if (m_stored.table(each).parent == table)
        under = std::exchange(under, each) == Table::none ? each : Table::none;
    return under;
  }
  [[nodiscard]] bool isBare(std::uint32_t table, Scalar type) const {
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
    for (const std::uint32_t number : m_stored.tablesUnder(stored)) {
      TableDefinition table = m_stored.table(number).definition();
      table.parent = number == stored ? Table::none : numbers.at(table.parent);
      numbers.emplace(number, root + static_cast<std::uint32_t>(m_added.size()));
      const auto [first, last] = m_stored.columnsOf(number);
      for (std::uint32_t column = first; column < last; ++column)
        addOrigin({.kind = Origin::Kind::stored, .column = column});
      m_added.push_back(std::move(table));
    }
    addToSchema();
    m_tables.storedRoots[root] = {stored};
  }

  void addOrigin(const Origin& origin) { m_tables.origins.push_back(origin); }
  /// Adds a root and the tables under it, or none of them, because a schema cannot lose tables.
  void addToSchema() {
    Schema alone;
    for (TableDefinition table : m_added) {
      if (table.parent != Table::none) {
        const std::uint32_t same = m_tables.schema.find(table.name);
        if (same != Table::none && m_tables.schema.table(same).kind != TableKind::parameter)
          fail(ErrorKind::usage, "two tables are called '", table.name, "'");
        table.parent -= m_tables.schema.size();
      }
      alone.add(table);
    }
    for (const TableDefinition& table : m_added)
      m_tables.schema.add(table);
    m_tables.storedRoots.resize(m_tables.schema.size());
  }

  /// Finds a stored root with a variable number of rows in each entry.
  [[nodiscard]] std::uint32_t find(const std::string& name) const {
    const std::uint32_t number = m_stored.find(name);
    if (number == Table::none || !m_stored.table(number).canBeAbsent())
      fail(ErrorKind::version, "there is no '", name, "'");
    return number;
  }

  /// Returns the origin of a member. For arrays of structs, "ends.1.x" is stored as "x" in a table
  /// "ends". Arrays of structs can be nested.
  [[nodiscard]] Origin memberOrigin(Origin::Kind kind, std::uint32_t rows,
                                    const MemberDefinition& member, std::uint32_t side) const {
    Origin origin{.kind = kind, .number = side};
    std::string_view name = member.name;
    while (m_stored.table(rows).members.find(name) == m_stored.table(rows).members.size())
      origin.elements.push_back(enterArray(rows, name));
    origin.column = column(rows, std::string(name), member.type, member.extent);
    if (!origin.elements.empty()) {
      origin.kind = Origin::Kind::element;
      origin.number = kind == Origin::Kind::rows ? side : Origin::none;
    }
    return origin;
  }

  /// Moves to the table of an array's elements by the name of a member: "ends.1.x" becomes "x" of
  /// element 1. Returns the number of the element.
  [[nodiscard]] std::uint32_t enterArray(std::uint32_t& rows, std::string_view& name) const {
    const Table info = m_stored.table(rows);
    for (const std::uint32_t under : m_stored.tablesUnder(m_stored.rootOf(rows))) {
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

  [[nodiscard]] std::uint32_t column(std::uint32_t table, const std::string& name, Scalar type,
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
  return Builder(stored, datatypes).build(collections);
}

} // namespace kaon::root::podio
