#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// What a file of another format that kaon wrote says of a category beside its data: the tables
/// that these are, in their order, by whose numbers relations name collections.
struct SchemaDocument {
  Schema schema;                     ///< no table lies in rows
  std::vector<std::uint32_t> absent; ///< the tables that some entries are without, ascending
};

/// JSON, as docs/root-files.md describes it.
[[nodiscard]] std::string toJson(const SchemaDocument& document);
/// Throws Error(corrupt) and Error(version), which begin with `where`.
[[nodiscard]] SchemaDocument schemaDocumentFrom(std::string_view json, std::string_view where);

/// The bytes of the largest rows that schemaDocumentFrom() takes.
inline constexpr std::uint64_t mostRowBytes = std::uint64_t{64} << 20;

/// Throws Error(usage), which begins with `file`, for a table from `first` on whose rows are larger
/// than mostRowBytes.
void checkRowBytes(const Schema& schema, std::uint32_t first, std::string_view file);

/// The name of the document of a category.
[[nodiscard]] std::string schemaDocumentName(std::string_view category);
/// Whether a document is one of these, and none that a user added.
[[nodiscard]] bool isSchemaDocument(std::string_view name) noexcept;

} // namespace kaon
