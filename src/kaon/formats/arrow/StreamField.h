#pragma once

#include <kaon/formats/arrow/CInterface.h>
#include <kaon/model/Scalar.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// The types of a stream's fields, as their formats and metadata state them. See
// https://arrow.apache.org/docs/format/CDataInterface.html#format-strings.

namespace kaon::arrow {

[[nodiscard]] bool isText(std::string_view format) noexcept;
[[nodiscard]] bool isBytes(std::string_view format) noexcept;
/// Maps are lists of pairs.
[[nodiscard]] bool isList(std::string_view format) noexcept;
/// Whether a type has no values but null.
[[nodiscard]] inline bool isNull(std::string_view format) noexcept { return format == "n"; }

/// The format of a field's values, those of a dictionary.
[[nodiscard]] std::string_view formatOf(const ArrowSchema& field) noexcept;
/// The name of a field; "" without one.
[[nodiscard]] std::string_view nameOf(const ArrowSchema& field) noexcept;
/// The value of a key in a field's metadata; "" without one.
[[nodiscard]] std::string_view metadataOf(const ArrowSchema& field, std::string_view key) noexcept;
[[nodiscard]] bool isNullable(const ArrowSchema& field) noexcept;

/// Arrays in rows have at most so many elements.
inline constexpr std::uint32_t mostElements = 1U << 20;
/// The elements of lists of fixed length, "+w:2", or bytes, "w:2"; nothing for other types. Throws
/// Error(type) for sizes that files do not have.
[[nodiscard]] std::optional<std::uint32_t> fixedSizeOf(std::string_view format);
/// Throws Error(usage) unless a list has elements of one type.
[[nodiscard]] const ArrowSchema& elementOf(const ArrowSchema& list);

[[nodiscard]] inline bool isRecord(const ArrowSchema& field) noexcept {
  return std::string_view(field.format) == "+s";
}
/// The fields of a record.
[[nodiscard]] std::span<ArrowSchema* const> fieldsOf(const ArrowSchema& record) noexcept;

/// Whether a field is a struct of `index` and `collection`, as arrow::streamOf() has references.
[[nodiscard]] bool isReference(const ArrowSchema& field) noexcept;
/// Whether a struct is a whole reference: of entry, index, collection and file.
[[nodiscard]] bool isWholeReference(const ArrowSchema& field) noexcept;
/// Whole references of objects to themselves, which they have where they were read.
inline constexpr std::string_view selfName = "_self";
/// The number of this field in a list's records; nothing if they lack it.
[[nodiscard]] std::optional<std::uint32_t> ownReferences(const ArrowSchema& list);
/// The name of records, or of those in lists, by the metadata `record` or `datatype`; "" for none.
[[nodiscard]] std::string_view recordName(const ArrowSchema& field);

/// The type of a dictionary's indices, or of the ends of runs. Throws Error(type).
[[nodiscard]] Scalar indexOf(const ArrowSchema& index, const std::string& name);
/// The type of run-length encoded values, with the field's name; nothing for other fields.
[[nodiscard]] std::optional<ArrowSchema> valuesOfRuns(const ArrowSchema& field);

/// A type in the words of messages: "int64", "var * {x: float32}".
[[nodiscard]] std::string typeText(const ArrowSchema& field);

} // namespace kaon::arrow
