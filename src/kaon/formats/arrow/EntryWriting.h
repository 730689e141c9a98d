#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/EntryTables.h>
#include <kaon/writing/BatchWriter.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// Turns arrays into entries of a file by the rules of its writer: by a data model, by types that
/// users name, and by the tables that categories have already. For one thread at a time.
///
/// All mistakes in an array are found before any of its entries is written.
class EntryWriter {
public:
  explicit EntryWriter(EntryRules rules);

  /// The tables of a category that the file has already, before the first entries are added.
  void addWritten(std::string_view category, Schema tables);
  /// The tables of a category so far; null before its first entries.
  [[nodiscard]] const Schema* tablesOf(std::string_view category) const;

  /// Appends entries: an array of structs. Returns their number. Throws Error(name), Error(type)
  /// and Error(usage) for arrays that do not fit, and as BatchWriter::write().
  std::uint64_t write(std::string_view category, const ArrowSchema& type, const ArrowArray& entries,
                      EntryForm form, BatchWriter& out);
  /// Appends the entries of a stream, which is taken over and released, array by array. Throws
  /// likewise, and Error(usage) if the stream fails; the arrays before are written then.
  std::uint64_t writeStream(std::string_view category, ArrowArrayStream stream, BatchWriter& out);

private:
  std::uint64_t append(std::string_view category, const ArrowSchema& type,
                       const ArrowArray* entries, EntryForm form, BatchWriter& out);

  EntryRules m_rules;
  CollectionTypes m_types;
  std::map<std::string, Schema, std::less<>> m_written; // by category
};

/// Throws Error(name), with a suggestion, for types of arrays that neither the model nor all models
/// have.
void checkTypes(const EntryRules& rules);

} // namespace kaon::arrow
