#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/EntryTables.h>
#include <kaon/writing/BatchWriter.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// Turns arrays into entries of a file. The types of tables come from a data model, from the user,
/// and from the tables that categories already have. For one thread at a time.
///
/// All mistakes in an array are found before any of its entries is written.
class EntryWriter {
public:
  explicit EntryWriter(EntryRules rules);

  /// Sets the tables of a category that the file already has. Call it before the first entries are
  /// added.
  void addWritten(std::string_view category, Schema tables);
  /// Returns the tables of a category so far; null before its first entries.
  [[nodiscard]] const Schema* tablesOf(std::string_view category) const;

  /// Appends the entries of an array of structs. Returns their number. Throws Error(name),
  /// Error(type) or Error(usage) for arrays that do not fit. Also throws as BatchWriter::write()
  /// does.
  std::uint64_t write(std::string_view category, const ArrowSchema& type, const ArrowArray& entries,
                      EntryForm form, BatchWriter& out);
  /// Appends the entries of a stream, array by array. Releases the stream. Fields with nulls in the
  /// first array become optionals; with `isInMemory`, those with nulls in any array. Throws as
  /// write() does, and Error(usage) if the stream fails. Arrays before the error are written.
  std::uint64_t writeStream(std::string_view category, ArrowArrayStream stream, bool isInMemory,
                            BatchWriter& out);

private:
  std::uint64_t append(std::string_view category, const ArrowSchema& type,
                       const ArrowArray* entries, EntryForm form, BatchWriter& out);

  EntryRules m_rules;
  CollectionTypes m_types;
  std::map<std::string, Schema, std::less<>> m_written; // by category
};

/// Checks that the types of arrays are known: datatypes of the model, or datatypes that all models
/// have. Throws Error(name), with a suggestion, for other types, and Error(usage) if the model has
/// a mistake.
void checkTypes(const EntryRules& rules);

} // namespace kaon::arrow
