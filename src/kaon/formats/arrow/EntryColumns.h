#pragma once

#include <kaon/formats/arrow/CollectionTypes.h>
#include <kaon/formats/arrow/StreamColumn.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>

namespace kaon::arrow {

/// The rules by which fields become rows of tables.
struct ColumnRules {
  /// The datatypes of collections. If null, the tables alone describe them.
  CollectionTypes* types = nullptr;
  EntryForm form = EntryForm::stream;
  /// Missing values without a default in the model become zero. Otherwise they are an error.
  bool zeroesMissingMembers = false;
  /// References to objects that are not written become empty. Otherwise they are an error.
  bool emptiesLostReferences = false;
};

/// A field, and the table under the entries that gets its values.
struct PlannedField {
  const ArrowSchema* type = nullptr;
  TableNumber table = 0;
};

/// Plans the columns by which fields become rows. Values are cast to the tables' types, missing
/// members get their defaults, and tables without a field are absent.
///
/// Throws Error(type) for types that do not fit, Error(name) with a suggestion for fields that are
/// not members, and Error(usage) if a value of all entries is missing. Mistakes in values are found
/// when rows are made.
[[nodiscard]] StreamPlan columnsOf(const Schema& tables, const ColumnRules& rules,
                                   std::span<const PlannedField> fields);

} // namespace kaon::arrow
