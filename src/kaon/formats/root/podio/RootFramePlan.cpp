#include <kaon/formats/root/podio/RootFramePlan.h>

#include <kaon/formats/podio/PodioIds.h>
#include <kaon/formats/root/podio/FrameNames.h>
#include <kaon/formats/root/podio/ParameterKeys.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::root::podio {
namespace {

/// Removes the numbers of elements: "ends.1.x" becomes "ends.x".
std::string withoutNumbers(std::string_view path) {
  std::string plain;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view part = path.substr(0, dot);
    if (part.find_first_not_of("0123456789") != std::string_view::npos)
      plain.append(plain.empty() ? "" : ".").append(part);
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return plain;
}

/// Whether ROOT allows the name for a field. Some characters have a special meaning.
bool isAllowed(std::string_view name) {
  return !name.empty() && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
           std::string_view("./\\ ").find(c) != std::string_view::npos;
  });
}

class RootFramePlanner {
public:
  explicit RootFramePlanner(const Schema& schema)
      : m_schema(schema), m_children(schema.size()), m_ids(schema) {
    for (TableNumber table = 0; table < schema.size(); ++table)
      if (const Table info = schema.table(table); !info.isRoot())
        m_children[info.parent].push_back(table);
  }

  [[nodiscard]] RootFramePlan plan() {
    for (const ParameterType type : parameterTypes)
      addParameterTables(type);
    for (TableNumber root = 0; root < m_schema.size(); ++root) {
      const Table info = m_schema.table(root);
      if (info.kind == TableKind::collection)
        addCollection(root);
      // A parameter, or a value, which becomes a parameter of one number or string.
      else if (info.isRoot())
        addParameter(root);
    }
    for (PodioParameters& type : m_plan.parameters)
      std::ranges::sort(type.all, {}, [&](const FrameParameter& parameter) {
        return m_schema.table(parameter.root).name;
      });
    m_plan.ids = m_ids.ids();
    return std::move(m_plan);
  }

private:
  void refuse(TableNumber table, std::string_view reason) {
    detail::Loss& loss = m_plan.losses.emplace_back();
    loss.table = table;
    loss.reason = reason;
  }

  TableNumber add(std::string name, TableKind kind, std::uint32_t parent,
                  std::vector<MemberDefinition> members, std::string_view type = "") {
    TableDefinition table{
        .name = std::move(name), .kind = kind, .type = std::string(type), .parent = parent};
    for (MemberDefinition& member : members) {
      member.offset = table.rowSize;
      table.rowSize += member.size();
    }
    table.members = std::move(members);
    m_names.insert(table.name);
    return m_plan.schema.add(table);
  }

  void addParameterTables(ParameterType type) {
    const auto addText = [&](const std::string& name, TableKind kind, std::uint32_t parent) {
      const std::uint32_t strings = add(name, kind, parent, {}, VectorMember::string);
      add(name + ".text", TableKind::text, strings, {{.name = "", .type = Scalar::UInt8}});
      return strings;
    };
    PodioParameters& stored = m_plan.parameters.emplace_back();
    stored.keys = addText(parameterName(type, keysPart), TableKind::parameter, Table::none);
    const std::string values = parameterName(type, valuesPart);
    stored.values = add(values, TableKind::parameter, Table::none, {});
    if (type == ParameterType::string)
      addText(values + ".", TableKind::vectorMember, stored.values);
    else
      add(values + ".", TableKind::vectorMember, stored.values,
          {{.name = "", .type = scalarOf(type)}});
  }

  void addParameter(std::uint32_t number) {
    const std::optional<FrameParameter> parameter = frameParameter(m_schema, number);
    if (!parameter)
      return refuse(number, reasonAgainst(m_schema.table(number), "podio"));
    std::vector<FrameParameter>& ofType =
        m_plan.parameters[static_cast<std::size_t>(parameter->type)].all;
    if (ofType.size() == mostKeys)
      return refuse(number, "kaon reads at most " + std::to_string(mostKeys) +
                                " parameters of one type in a podio file");
    ofType.push_back(*parameter);
  }

  void addCollection(std::uint32_t root) {
    if (std::string reason = mistakeIn(root); !reason.empty())
      return refuse(root, std::move(reason));
    m_ids.add(root);
    const std::string name(m_schema.table(root).name);
    const bool isSubset = m_schema.table(root).type.starts_with(detail::subsetPrefix);
    if (!isSubset)
      addRows(root, name);
    // podio stores relations to many objects before relations to one.
    for (const TableKind kind :
         {TableKind::manyRelation, TableKind::oneRelation, TableKind::vectorMember})
      for (const TableNumber table : m_children[root])
        if (m_schema.table(table).kind == kind)
          addRows(table,
                  isSubset ? name + std::string(subsetSuffix) : sideName(name, memberName(table)));
    for (const TableNumber table : m_children[root])
      if (m_schema.table(table).kind == TableKind::decoration)
        refuse(table, "podio has no decorations");
  }

  [[nodiscard]] std::string_view memberName(TableNumber table) const {
    const Table info = m_schema.table(table);
    return info.name.substr(m_schema.table(info.parent).name.size() + 1);
  }

  /// Returns why podio cannot store a collection, or "" if it can.
  [[nodiscard]] std::string mistakeIn(std::uint32_t root) const {
    const Table info = m_schema.table(root);
    if (!isAllowed(info.name))
      return "ROOT cannot have a field of this name";
    if (std::string reason = m_ids.obstacleOf(root); !reason.empty())
      return reason;
    const bool isSubset = info.type.starts_with(detail::subsetPrefix);
    std::vector<std::string> names{std::string(info.name).append(isSubset ? subsetSuffix : "")};
    for (const TableNumber table : m_children[root]) {
      const Table under = m_schema.table(table);
      if (under.kind == TableKind::decoration)
        continue;
      if (isSubset && under.kind != TableKind::oneRelation)
        return std::string("'").append(under.name).append("' lies under a subset");
      if (!m_children[table].empty() || under.type == VectorMember::string)
        return std::string("'").append(under.name).append("' is of strings or lists");
      names.push_back(sideName(info.name, memberName(table)));
    }
    if (isSubset && (names.size() != 2 || !info.members.empty()))
      return "a subset must have one relation and nothing else";
    for (const std::string& name : names)
      if (m_names.contains(name))
        return std::string("there would be two fields '").append(name).append("'");
    return "";
  }

  /// Stores a table of the frames.
  void addRows(std::uint32_t number, std::string name) {
    const Table info = m_schema.table(number);
    StoredRows rows{.table = number};
    std::vector<MemberDefinition> members;
    if (info.kind == TableKind::oneRelation || info.kind == TableKind::manyRelation) {
      members = {{.name = "index", .type = Scalar::Int32},
                 {.name = "collectionID", .type = Scalar::UInt32}};
    } else {
      members = plainMembers(info, rows);
      for (const TableKind kind : {TableKind::vectorMember, TableKind::manyRelation})
        for (const TableNumber table : m_children[number])
          if (m_schema.table(table).kind == kind) {
            rows.lists.push_back(table);
            for (const std::string_view end : {"_begin", "_end"})
              members.push_back(
                  {.name = std::string(memberName(table)).append(end), .type = Scalar::UInt32});
          }
    }
    rows.stored = add(std::move(name), TableKind::collection, Table::none, std::move(members));
    m_plan.rows.push_back(std::move(rows));
  }

  [[nodiscard]] static std::vector<MemberDefinition> plainMembers(const Table& info,
                                                                  StoredRows& rows) {
    std::vector<MemberDefinition> members;
    std::map<std::string, std::size_t> places;
    for (MemberNumber number = 0; number < info.members.size(); ++number) {
      const Member member = info.members[number];
      const std::string name = withoutNumbers(member.name);
      const auto [place, isNew] = places.emplace(name, members.size());
      if (isNew) {
        members.push_back({.name = name,
                           .type = member.type,
                           .extent = 0,
                           .precision = member.precision,
                           .missing = member.missing});
        rows.members.emplace_back();
      }
      members[place->second].extent += member.extent;
      rows.members[place->second].push_back(number);
    }
    return members;
  }

  const Schema& m_schema;
  std::vector<std::vector<std::uint32_t>> m_children; // by table
  std::set<std::string, std::less<>> m_names;         // of stored tables
  PodioIds m_ids;
  RootFramePlan m_plan;
};

} // namespace

RootFramePlan planFrames(const Schema& schema) { return RootFramePlanner(schema).plan(); }

} // namespace kaon::root::podio
