#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/expression/Evaluation.h>
#include <kaon/detail/expression/Expression.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace kaon::expression::test {

template <class T>
using Lists = std::vector<std::vector<T>>;

/// Columns in memory: both the scope and the data of expressions. Columns whose names have the same
/// text before the dot belong to one collection.
class TestColumns final : public Scope {
public:
  /// Adds one value per entry.
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    addValues(name, 0, values);
  }
  /// Adds a list per entry.
  template <class T>
  void add(const std::string& name, const Lists<T>& lists) {
    addValues(name, 1, flattened(name, 0, lists));
  }
  /// Adds a list of lists per entry.
  template <class T>
  void add(const std::string& name, const std::vector<Lists<T>>& lists) {
    addValues(name, 2, flattened(name, 1, flattened(name, 0, lists)));
  }
  /// Adds a text per entry.
  void addTexts(const std::string& name, const std::vector<std::string>& texts) {
    addValues(name, 1, flattened(name, 0, bytesOf(texts)));
    m_columns[name].isText = true;
  }
  /// Adds a list of texts per entry.
  void addTexts(const std::string& name, const Lists<std::string>& lists) {
    addValues(name, 2, flattened(name, 1, bytesOf(flattened(name, 0, lists))));
    m_columns[name].isText = true;
  }
  /// Adds a list of lists of texts per entry.
  void addTexts(const std::string& name, const std::vector<Lists<std::string>>& lists) {
    const std::vector<std::string> texts = flattened(name, 1, flattened(name, 0, lists));
    addValues(name, 3, flattened(name, 2, bytesOf(texts)));
    m_columns[name].isText = true;
  }
  /// Makes `name` an optional: `name.has_value` tells where `name.value`, or its members, have a
  /// value.
  void addOptional(const std::string& name) { m_optionals.insert(name); }
  void addAlias(const std::string& name, const std::string& text) { m_aliases[name] = text; }
  void addRelation(const std::string& name, std::vector<RelationName::Target> targets) {
    m_relations[name] = std::move(targets);
  }

  [[nodiscard]] NameMeaning find(std::string_view name) const override {
    const std::string key(name);
    if (const auto alias = m_aliases.find(key); alias != m_aliases.end())
      return Alias{alias->second};
    if (m_optionals.contains(key)) {
      const std::string value = key + ".value";
      const ColumnName present = column(key + ".has_value");
      if (m_columns.contains(value)) {
        ColumnName stored = column(value);
        if (stored.type.depth > present.type.depth) // arrays have lists of their own
          stored.table.clear();
        return OptionalName{stored, {present}};
      }
      return OptionalName{RecordName{value, present.type.depth, present.table}, {present}};
    }
    if (m_columns.contains(key))
      return column(key);
    if (const auto relation = m_relations.find(key); relation != m_relations.end())
      return RelationName{
          column(key + ".index"), column(key + ".collection"), {}, relation->second};
    for (const auto& [other, stored] : m_columns)
      if (other.starts_with(key + "."))
        return RecordName{key, listsOf(stored), listsOf(stored) > 0 ? key : ""};
    return {};
  }
  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, stored] : m_columns)
      names.push_back(name);
    return names;
  }

  [[nodiscard]] Entries entries() const { return {m_entries, m_firstEntry}; }
  void setFirstEntry(std::uint64_t first) { m_firstEntry = first; }

  /// Returns the columns for the inputs of an evaluation.
  [[nodiscard]] std::vector<detail::ColumnValues> columnsFor(std::span<const Input> inputs) const {
    std::vector<detail::ColumnValues> columns;
    for (const Input& input : inputs) {
      const auto stored =
          input.isListsOnly ? m_columns.lower_bound(input.name + ".") : m_columns.find(input.name);
      detail::ColumnValues& values = columns.emplace_back();
      if (!input.isListsOnly) {
        values.values = stored->second.bytes.data();
        values.size = stored->second.size;
      }
      for (unsigned level = 0; level < input.type.depth; ++level)
        values.offsets[level] = stored->second.offsets[level];
    }
    return columns;
  }

  /// Returns the values of an expression in all entries as text: "[[1, 2], [3]]".
  [[nodiscard]] std::string valuesOf(const std::string& text) const {
    const Expression expression(text, *this);
    Evaluation evaluation({&expression, 1});
    evaluation.begin(entries(), columnsFor(evaluation.inputs()));
    const detail::ColumnValues values = evaluation.evaluate(0);
    const std::vector<Expression> presences = expression.presences();
    Evaluation masks(presences);
    masks.begin(entries(), columnsFor(masks.inputs()));
    std::vector<Mask> missing;
    for (std::size_t i = 0; i < presences.size(); ++i)
      missing.push_back({presences[i].type().depth, masks.evaluate(i).as<std::uint8_t>()});
    return textOf(values, expression.type(), missing);
  }
  [[nodiscard]] std::string typeOf(const std::string& text) const {
    return nameOf(Expression(text, *this).type());
  }
  /// Returns the error of an expression; "" if it has none.
  [[nodiscard]] std::string errorOf(const std::string& text) const {
    try {
      static_cast<void>(valuesOf(text));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  /// Marks the values at one depth of lists that are present.
  struct Mask {
    unsigned depth;
    std::span<const std::uint8_t> present;
  };
  [[nodiscard]] std::string textOf(const detail::ColumnValues& values, detail::ColumnType type,
                                   std::span<const Mask> masks = {}) const {
    std::string text;
    appendText(text, values, type, 0, 0, m_entries, masks);
    return text;
  }

private:
  struct Stored {
    std::vector<std::byte> bytes;
    std::size_t size = 0;
    Scalar scalar = Scalar::Bool;
    unsigned depth = 0;
    bool isText = false;
    std::array<std::vector<std::uint32_t>, detail::mostListLevels> offsets;
  };

  template <class T>
  void addValues(const std::string& name, unsigned depth, const std::vector<T>& values) {
    Stored& stored = m_columns[name];
    stored.size = values.size();
    stored.depth = depth;
    stored.scalar = scalarOf<T>();
    stored.bytes.resize(values.size() * sizeof(T) + 1); // never null
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T value = values[i];
      std::memcpy(stored.bytes.data() + i * sizeof(T), &value, sizeof value);
    }
    m_entries = depth == 0 ? values.size() : stored.offsets[0].size() - 1;
  }
  template <class T>
  std::vector<T> flattened(const std::string& name, unsigned level,
                           const std::vector<std::vector<T>>& lists) {
    auto& offsets = m_columns[name].offsets[level];
    offsets.assign(1, 0);
    std::vector<T> values;
    for (const auto& list : lists) {
      values.insert(values.end(), list.begin(), list.end());
      offsets.push_back(static_cast<std::uint32_t>(values.size()));
    }
    return values;
  }
  static unsigned listsOf(const Stored& stored) {
    return detail::ColumnType{stored.scalar, stored.depth, stored.isText}.lists();
  }
  static Lists<std::uint8_t> bytesOf(const std::vector<std::string>& texts) {
    Lists<std::uint8_t> bytes;
    for (const std::string& text : texts)
      bytes.emplace_back(text.begin(), text.end());
    return bytes;
  }
  [[nodiscard]] ColumnName column(const std::string& name) const {
    const Stored& stored = m_columns.at(name);
    const std::size_t dot = name.find('.');
    const bool isMember = dot != std::string::npos && listsOf(stored) == 1;
    return {
        name, {stored.scalar, stored.depth, stored.isText}, isMember ? name.substr(0, dot) : ""};
  }

  static void appendText(std::string& text, const detail::ColumnValues& values,
                         detail::ColumnType type, unsigned level, std::size_t begin,
                         std::size_t end, std::span<const Mask> masks) {
    text += '[';
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin)
        text += ", ";
      if (std::ranges::any_of(
              masks, [&](const Mask& mask) { return mask.depth == level && mask.present[i] == 0; }))
        text += "None";
      else if (level < type.depth)
        appendText(text, values, type, level + 1, values.offsets[level][i],
                   values.offsets[level][i + 1], masks);
      else
        appendNumber(text, values, type.scalar, i);
    }
    text += ']';
  }
  static void appendNumber(std::string& text, const detail::ColumnValues& values, Scalar scalar,
                           std::size_t i) {
    std::ostringstream stream;
    withScalar(scalar, [&](auto zero) {
      const auto value = values.as<decltype(zero)>()[i];
      if (scalar == Scalar::Bool)
        stream << (value != 0 ? "True" : "False");
      else if (value != value)
        stream << "nan"; // with any sign
      else
        stream << +value;
    });
    text += stream.str();
  }

  std::map<std::string, Stored> m_columns;
  std::map<std::string, std::string> m_aliases;
  std::set<std::string> m_optionals;
  std::map<std::string, std::vector<RelationName::Target>> m_relations;
  std::size_t m_entries = 0;
  std::uint64_t m_firstEntry = 0;
};

} // namespace kaon::expression::test
