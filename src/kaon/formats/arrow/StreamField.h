#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/model/Scalar.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Functions that read the types of a stream's fields from their formats and metadata. See
// https://arrow.apache.org/docs/format/CDataInterface.html#format-strings.

namespace kaon::arrow {

[[nodiscard]] bool isText(std::string_view format) noexcept;
[[nodiscard]] bool isBytes(std::string_view format) noexcept;
/// Whether the type is a list. Maps are lists of pairs.
[[nodiscard]] bool isList(std::string_view format) noexcept;
/// Whether a type has no values but null.
[[nodiscard]] inline bool isNull(std::string_view format) noexcept { return format == "n"; }

/// Returns the format of a field's values. For a dictionary, these are its values.
[[nodiscard]] std::string_view formatOf(const ArrowSchema& field) noexcept;
/// Returns the name of a field; "" if it has no name.
[[nodiscard]] std::string_view nameOf(const ArrowSchema& field) noexcept;
/// Returns the value of a key in a field's metadata; "" if the key is missing.
[[nodiscard]] std::string_view metadataOf(const ArrowSchema& field, std::string_view key) noexcept;
[[nodiscard]] bool isNullable(const ArrowSchema& field) noexcept;
/// Whether a field is marked as an optional: its nulls are missing values of an optional.
[[nodiscard]] bool isOptional(const ArrowSchema& field) noexcept;

/// The limit for the elements of arrays in rows.
inline constexpr std::uint32_t mostElements = 1U << 20;
/// Returns the length of lists ("+w:2") or bytes ("w:2") of fixed length; nothing for other types.
/// Throws Error(type) for sizes that files do not have.
[[nodiscard]] std::optional<std::uint32_t> fixedSizeOf(std::string_view format);
/// Returns the type of a list's elements. Throws Error(usage) unless the list has exactly one
/// child.
[[nodiscard]] const ArrowSchema& elementOf(const ArrowSchema& list);

[[nodiscard]] inline bool isRecord(const ArrowSchema& field) noexcept {
  return std::string_view(field.format) == "+s";
}
/// Returns the fields of a record.
[[nodiscard]] std::span<ArrowSchema* const> fieldsOf(const ArrowSchema& record) noexcept;

/// Whether a field is a struct of `index` and `collection`, the references of arrow::streamOf().
[[nodiscard]] bool isReference(const ArrowSchema& field) noexcept;
/// Whether a struct is a whole reference: of entry, index, collection and file.
[[nodiscard]] bool isWholeReference(const ArrowSchema& field) noexcept;
/// The field with whole references of objects to themselves. Objects get it when they are read.
inline constexpr std::string_view selfName = "_self";
/// Returns the number of this field in a list's records; nothing if they lack it.
[[nodiscard]] std::optional<std::uint32_t> ownReferences(const ArrowSchema& list);
/// Returns the name of records, also of records in lists, from the metadata `record` or `datatype`;
/// "" without a name.
[[nodiscard]] std::string_view recordName(const ArrowSchema& field);

/// The type of a dictionary's indices, or of the ends of runs. Throws Error(type).
[[nodiscard]] Scalar indexOf(const ArrowSchema& index, const std::string& name);
/// Returns the type of run-length encoded values, with the field's name; nothing for other fields.
[[nodiscard]] std::optional<ArrowSchema> valuesOfRuns(const ArrowSchema& field);

/// Returns the text of a type for messages, such as "int64" or "var * {x: float32}".
[[nodiscard]] std::string typeText(const ArrowSchema& field);

} // namespace kaon::arrow
