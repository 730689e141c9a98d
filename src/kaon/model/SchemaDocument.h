#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The description of a category that kaon adds to its files of other formats: the tables of the
/// data, in order. Relations name collections by the numbers of these tables.
struct SchemaDocument {
  Schema schema;                     ///< no table has the layout row
  std::vector<std::uint32_t> absent; ///< the tables that some entries lack, ascending
};

/// Returns the document in JSON, as docs/root-files.md describes it.
[[nodiscard]] std::string toJson(const SchemaDocument& document);
/// Reads a document. Throws Error(corrupt) and Error(version), beginning with `where`.
[[nodiscard]] SchemaDocument schemaDocumentFrom(std::string_view json, std::string_view where);

/// The size in bytes of the largest rows that schemaDocumentFrom() accepts.
inline constexpr std::uint64_t mostRowBytes = std::uint64_t{64} << 20;

/// Throws Error(usage), beginning with `file`, if a table from `first` on has rows larger than
/// mostRowBytes.
void checkRowBytes(const Schema& schema, std::uint32_t first, std::string_view file);

/// Returns the name of the document of a category.
[[nodiscard]] std::string schemaDocumentName(std::string_view category);
/// Returns whether this is the name of a schema document, not of a user's document.
[[nodiscard]] bool isSchemaDocument(std::string_view name) noexcept;

} // namespace kaon
