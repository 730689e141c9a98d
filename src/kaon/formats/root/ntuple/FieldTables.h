#pragma once

#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/formats/root/ntuple/TableRules.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::root {

/// Creates the tables of one top-level field. Parents are counted from the first of these tables.
class FieldTables {
public:
  /// Names of members lose `prefix`. Members of base classes belong to the record itself, or to a
  /// part with the name of the base class if `namesBases`.
  FieldTables(const NTupleDescriptor& descriptor, std::string prefix, bool namesBases)
      : m_descriptor(descriptor), m_prefix(std::move(prefix)), m_namesBases(namesBases) {}

  /// Adds the tables of a field. Throws Error(type) with the reason why the field cannot be read.
  void add(std::uint32_t field, const std::string& name);

  std::vector<TableDefinition> tables;
  std::vector<TableRules> rules;

private:
  /// The names in a table, to detect duplicates, and the number of tables under it.
  struct Names {
    std::set<std::string, std::less<>> leaves, inner;
    std::size_t lists = 0;
  };

  /// A number, or one element of an array of numbers.
  struct Number {
    Scalar type;
    ValueRule rule;
  };

  [[nodiscard]] const NTupleField& field(std::uint32_t number) const {
    return m_descriptor.fields[number];
  }
  std::size_t addTable(std::string name, TableKind kind, std::size_t parent, RowRule rule);
  std::size_t addTableIn(std::size_t table, const std::string& path, RowRule rule,
                         std::string_view description = {});
  void addMember(std::size_t table, const std::string& path, Scalar type, ValueRule rule,
                 std::span<const std::uint32_t> sizes = {});
  void addName(std::size_t table, const std::string& path);
  static void describe(MemberDefinition& member, const NTupleField& info);

  void map(std::uint32_t number, std::size_t table, const std::string& path);
  void mapString(const NTupleField& info, std::size_t table, const std::string& path);
  void mapArray(std::uint32_t number, std::size_t table, const std::string& path);
  void mapRecord(const NTupleField& info, std::size_t table, const std::string& path);
  void mapVariant(const NTupleField& info, std::size_t table, const std::string& path);
  [[nodiscard]] Number numberOf(const NTupleField& info) const;
  [[nodiscard]] std::uint32_t innermost(std::uint32_t number,
                                        std::vector<std::uint32_t>& sizes) const;
  [[nodiscard]] std::vector<std::uint32_t> columnsOf(const NTupleField& info, std::size_t place,
                                                     std::size_t places) const;
  [[nodiscard]] RowRule endsOf(const NTupleField& info, std::size_t places) const;
  [[nodiscard]] bool isWrapper(const NTupleField& info) const;

  const NTupleDescriptor& m_descriptor;
  std::string m_prefix;
  bool m_namesBases;
  std::vector<Names> m_names; // by table
  std::size_t m_depth = 0;
};

} // namespace kaon::root
