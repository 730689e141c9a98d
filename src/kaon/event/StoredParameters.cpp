#include <kaon/event/StoredParameters.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <type_traits>

namespace kaon {
namespace {

/// Reads the values of a table by row.
template <class T>
class ParameterReader {
public:
  ParameterReader(detail::Window& window, TableNumber table, std::uint64_t entry)
      : m_column(window.member(table, 0, entry)) {}
  [[nodiscard]] T operator()(std::size_t row) const { return detail::loadAs<T>(m_column.at(row)); }

private:
  ColumnView m_column;
};

/// Whether the rows of this unnamed table are characters: one string for each row of the table
/// above.
bool isOfCharacters(const Table& table) {
  return table.kind == TableKind::vectorMember &&
         table.type == detail::parameterType<std::string>() && !table.members.empty() &&
         table.name.ends_with('.');
}

/// Returns the table of the characters of strings, or Table::none.
TableNumber charactersUnder(const Schema& schema, TableNumber table) {
  const auto under = schema.tablesUnder(table);
  const auto place = std::ranges::find_if(under, [&](std::uint32_t number) {
    const Table each = schema.table(number);
    return each.parent == table && (each.kind == TableKind::text || isOfCharacters(each));
  });
  return place == under.end() ? Table::none : *place;
}

/// Returns the table of the characters of a parameter. Throws Error(corrupt) if it has none.
std::uint32_t textUnder(const detail::Window& window, TableNumber table) {
  const Schema& schema = window.source().schema();
  const std::uint32_t text = charactersUnder(schema, table);
  if (text == Table::none || schema.table(text).members.empty() || schema.table(text).rowSize != 1)
    fail(ErrorKind::corrupt, window.source().name(), ": the strings of '", schema.table(table).name,
         "' are missing; the file is damaged");
  return text;
}

template <>
class ParameterReader<std::string> {
public:
  ParameterReader(detail::Window& window, TableNumber table, std::uint64_t entry)
      : ParameterReader(window, entry, textUnder(window, table)) {}
  [[nodiscard]] std::string operator()(std::size_t row) const {
    return {m_characters + m_begins[row], m_begins[row + 1] - m_begins[row]};
  }

private:
  ParameterReader(detail::Window& window, std::uint64_t entry, std::uint32_t text)
      : m_begins(window.offsets(text, entry)),
        m_characters(detail::valuesAt<char>(window.member(text, 0, entry).base)) {}
  std::span<const std::uint32_t> m_begins;
  const char* m_characters;
};

/// Returns the table of the lists in a parameter's rows, or Table::none.
TableNumber listsUnder(const Schema& schema, TableNumber table) {
  const TableNumber lists = schema.find(std::string(schema.table(table).name) + ".");
  const bool areIts = lists != Table::none && schema.table(lists).parent == table &&
                      schema.table(lists).kind == TableKind::vectorMember &&
                      !isOfCharacters(schema.table(lists));
  return areIts ? lists : Table::none;
}

/// Returns the type of the values in a parameter's table or in its lists; "" if they are not single
/// values.
std::string_view valueType(const Table& table) {
  const bool isText = table.type == detail::parameterType<std::string>();
  const bool isOne =
      table.members.size() == 1 && table.members[0].name.empty() && table.members[0].extent == 1;
  if (isText)
    return table.members.empty() ? table.type : "";
  return isOne ? kaon::nameOf(table.members[0].type) : "";
}

/// Whether tables of values can have this type.
bool isValueType(std::string_view type) {
  for (std::size_t kind = 0; kind < detail::scalarKinds; ++kind)
    if (type == kaon::nameOf(static_cast<Scalar>(kind)))
      return true;
  return type == detail::parameterType<std::string>();
}

template <class T>
detail::ParameterValues readAs(detail::Window& window, TableNumber table, std::uint64_t entry) {
  const auto [first, last] = window.rows(table, entry);
  if (const TableNumber lists = listsUnder(window.source().schema(), table); lists != Table::none) {
    const auto begins = window.offsets(lists, entry);
    const ParameterReader<T> value(window, lists, entry);
    std::vector<std::vector<T>> values(last - first);
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t i = begins[row]; i < begins[row + 1]; ++i)
        values[row - first].push_back(value(i));
    return values;
  }
  const ParameterReader<T> value(window, table, entry);
  std::vector<T> values;
  for (std::size_t row = first; row < last; ++row)
    values.push_back(value(row));
  return values;
}

/// Returns the table of a parameter, or Table::none. Throws Error(type) if no parameter of a frame
/// can hold it.
TableNumber lookUp(const Source& source, std::string_view name, std::string_view type) {
  const Schema& schema = source.schema();
  const bool isList = type.starts_with(detail::listOf);
  TableNumber table = schema.findParameter(name, isList ? "" : type);
  if (table == Table::none)
    table = schema.find(name);
  if (table == Table::none || schema.table(table).kind == TableKind::collection)
    return Table::none;
  const std::string actual = StoredParameters::typeOf(schema, table);
  if (actual.empty() && schema.table(table).isRoot())
    fail(ErrorKind::type, source.name(), ": '", name, "' holds records, arrays or lists in lists ",
         "in lists, which no parameter of a frame can: read it as columns");
  if (actual != type)
    return Table::none;
  if (!isList && type != detail::parameterType<std::string>() &&
      valueType(schema.table(table)) != type)
    fail(ErrorKind::corrupt, source.name(), ": parameter '", name,
         "' does not match its type; the file is damaged");
  return table;
}

} // namespace

std::string StoredParameters::typeOf(const Schema& schema, TableNumber table) {
  const Table info = schema.table(table);
  if (info.kind != TableKind::parameter && info.kind != TableKind::value)
    return "";
  if (const TableNumber lists = listsUnder(schema, table); lists != Table::none) {
    const bool areDeeper = listsUnder(schema, lists) != Table::none;
    const std::string_view inside = areDeeper ? "" : valueType(schema.table(lists));
    return inside.empty() ? "" : std::string(detail::listOf).append(inside);
  }
  if (info.kind == TableKind::value && info.members.empty())
    return std::string(
        charactersUnder(schema, table) == Table::none ? "" : detail::parameterType<std::string>());
  const bool isAsItSays = info.kind == TableKind::parameter || valueType(info) == info.type;
  return isAsItSays && isValueType(info.type) ? std::string(info.type) : "";
}

/// Returns the table of a parameter, or Table::none.
TableNumber StoredParameters::find(const Source& source, std::string_view name,
                                   std::string_view type) {
  if (m_next >= m_known.size())
    m_next = 0;
  if (m_next < m_known.size() && m_known[m_next].name == name && m_known[m_next].type == type)
    return m_known[m_next++].table;
  const TableNumber table = lookUp(source, name, type);
  if (table == Table::none)
    return table;
  const auto known = std::ranges::find(m_known, table, &Known::table);
  m_next = static_cast<std::size_t>(known - m_known.begin()) + 1;
  if (known == m_known.end())
    m_known.push_back({std::string(name), std::string(type), table});
  return table;
}

std::optional<detail::ParameterValues> StoredParameters::values(detail::Window& window,
                                                                std::uint64_t entry,
                                                                std::string_view name,
                                                                std::string_view type) {
  const TableNumber table = find(window.source(), name, type);
  if (table == Table::none || !window.isPresent(table, entry))
    return std::nullopt;
  const bool isList = type.starts_with(detail::listOf);
  const std::string_view element = type.substr(isList ? detail::listOf.size() : 0);
  std::optional<detail::ParameterValues> all;
  const auto readIf = [&]<class T>(std::type_identity<T> /*of*/) {
    if (element == detail::parameterType<T>())
      all = readAs<T>(window, table, entry);
  };
  readIf(std::type_identity<std::int32_t>());
  readIf(std::type_identity<std::int64_t>());
  readIf(std::type_identity<float>());
  readIf(std::type_identity<double>());
  readIf(std::type_identity<bool>());
  readIf(std::type_identity<std::string>());
  if (!all)
    fail(ErrorKind::type, window.source().name(), ": parameter '", name, "' holds ", type,
         ", which no parameter of a frame can");
  return all;
}

template <class T>
std::optional<T> StoredParameters::first(detail::Window& window, std::uint64_t entry,
                                         std::string_view name) {
  const TableNumber table = find(window.source(), name, detail::parameterType<T>());
  if (table == Table::none || !window.isPresent(table, entry))
    return std::nullopt;
  const auto [begin, end] = window.rows(table, entry);
  return begin < end ? std::optional<T>(ParameterReader<T>(window, table, entry)(begin))
                     : std::nullopt;
}
template std::optional<std::int32_t> StoredParameters::first(detail::Window&, std::uint64_t,
                                                             std::string_view);
template std::optional<std::int64_t> StoredParameters::first(detail::Window&, std::uint64_t,
                                                             std::string_view);
template std::optional<float> StoredParameters::first(detail::Window&, std::uint64_t,
                                                      std::string_view);
template std::optional<double> StoredParameters::first(detail::Window&, std::uint64_t,
                                                       std::string_view);
template std::optional<bool> StoredParameters::first(detail::Window&, std::uint64_t,
                                                     std::string_view);
template std::optional<std::string> StoredParameters::first(detail::Window&, std::uint64_t,
                                                            std::string_view);

} // namespace kaon
