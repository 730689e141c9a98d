#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/CollectionTypes.h>
#include <kaon/formats/arrow/StreamColumn.h>
#include <kaon/model/Schema.h>
#include <kaon/model/StorageRules.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// The rules by which a writer turns arrays into entries.
struct EntryRules {
  std::shared_ptr<const ModelDatatypes> model = {}; ///< Null without a model.
  detail::StorageRules storage = {};
  /// The types of arrays by name: datatypes, or `record` for records without one.
  std::map<std::string, std::string, std::less<>> types = {};
  /// Missing values without a default in the model become zero. Otherwise they are an error.
  bool zeroesMissingMembers = false;
  /// References to objects that are not written become empty. Otherwise they are an error.
  bool emptiesLostReferences = false;

  static constexpr std::string_view record = "record";
};

/// The tables of a category that is being written.
class EntryTables {
public:
  /// `written` are the tables that the category already has; null if it is new.
  EntryTables(const EntryRules& rules, CollectionTypes& types, const Schema* written);

  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Returns the number of the table under entries with this name; Table::none if it is unknown.
  [[nodiscard]] TableNumber find(std::string_view name) const;
  /// Adds the tables that the fields of further entries need. Throws Error(type) for types that
  /// files do not have. Throws Error(name) or Error(usage) for datatypes and names that do not fit.
  void add(std::span<ArrowSchema* const> fields, EntryForm form);

private:
  using Tables = std::vector<TableDefinition>;

  void addRoot(const ArrowSchema& field, std::span<ArrowSchema* const> all, EntryForm form);
  void addLate(TableNumber collection);
  void addDecorations(TableNumber root, const ArrowSchema& list);
  [[nodiscard]] Tables newTables(const ArrowSchema& given, EntryForm form) const;
  [[nodiscard]] Tables collectionTables(const Datatype& type, std::string_view name) const;
  [[nodiscard]] const Datatype& datatypeFor(std::string_view name,
                                            const ArrowSchema& records) const;
  [[nodiscard]] bool isFree(std::string_view name, const ArrowSchema& rows) const;
  [[nodiscard]] std::string_view typeFor(std::string_view name) const;
  void checkIsNoMember(std::string_view name, std::span<ArrowSchema* const> all) const;
  void checkUse(const TableDefinition& table) const;
  void append(Tables tables, std::uint32_t first);

  const EntryRules& m_rules;
  CollectionTypes& m_types;
  Schema m_schema;
  std::map<std::string, std::uint32_t, std::less<>> m_roots;
  bool m_isBegun;
};

} // namespace kaon::arrow
