#pragma once

#include <kaon/array/ArrayFunctions.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/MemberType.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kaon::detail {

/// Reads a column as a C++ type: a number, Array<number>, Array<Array<number>>, std::string_view
/// for a text, or Array<std::string_view>. `type` is the column's type. An EntryValue has the
/// addresses of a batch's values, so that loops read entries without function calls.
template <class T>
struct EntryValue {
  static_assert(std::is_arithmetic_v<T>, "a column's entries are numbers, kaon::Array<number>, "
                                         "kaon::Array<kaon::Array<number>>, std::string_view or "
                                         "kaon::Array<std::string_view>");
  static constexpr ColumnType type = {scalarOf<T>(), 0};
  const T* values = nullptr;
  void view(const ColumnValues& column) noexcept { values = column.as<T>().data(); }
  T operator[](std::size_t entry) const noexcept { return values[entry]; }
};

template <class T>
struct EntryValue<Array<T>> {
  static constexpr ColumnType type = {scalarOf<T>(), 1};
  const T* values = nullptr;
  const std::uint32_t* offsets = nullptr;
  void view(const ColumnValues& column) noexcept {
    values = column.as<T>().data();
    offsets = column.offsets[0].data();
  }
  Array<T> operator[](std::size_t entry) const noexcept {
    return {values + offsets[entry], offsets[entry + 1] - offsets[entry]};
  }
};

template <class T>
struct EntryValue<Array<Array<T>>> {
  static constexpr ColumnType type = {scalarOf<T>(), 2};
  const T* values = nullptr;
  const std::uint32_t* objects = nullptr;
  const std::uint32_t* lists = nullptr;
  void view(const ColumnValues& column) noexcept {
    values = column.as<T>().data();
    objects = column.offsets[0].data();
    lists = column.offsets[1].data();
  }
  Array<Array<T>> operator[](std::size_t entry) const noexcept {
    return {values, lists + objects[entry], objects[entry + 1] - objects[entry]};
  }
};

template <>
struct EntryValue<std::string_view> {
  static constexpr ColumnType type = {Scalar::UInt8, 1, true};
  const char* values = nullptr;
  const std::uint32_t* offsets = nullptr;
  void view(const ColumnValues& column) noexcept {
    values = detail::valuesAt<char>(column.values);
    offsets = column.offsets[0].data();
  }
  std::string_view operator[](std::size_t entry) const noexcept {
    return {values + offsets[entry], offsets[entry + 1] - offsets[entry]};
  }
};

template <>
struct EntryValue<Array<std::string_view>> {
  static constexpr ColumnType type = {Scalar::UInt8, 2, true};
  const char* values = nullptr;
  const std::uint32_t* lists = nullptr;
  const std::uint32_t* texts = nullptr;
  void view(const ColumnValues& column) noexcept {
    values = detail::valuesAt<char>(column.values);
    lists = column.offsets[0].data();
    texts = column.offsets[1].data();
  }
  Array<std::string_view> operator[](std::size_t entry) const noexcept {
    return {values, texts + lists[entry], lists[entry + 1] - lists[entry]};
  }
};

template <class T>
struct EntryValue<std::optional<T>> {
  static constexpr ColumnType rows = {MemberType<T>::scalar, 0};
  static constexpr std::uint32_t extent = MemberType<T>::extent;
  const T* values = nullptr;
  const std::byte* present = nullptr;
  void view(const ColumnValues& column) noexcept {
    values = valuesAt<T>(column.values);
    present = column.present;
  }
  std::optional<T> operator[](std::size_t entry) const noexcept {
    return !present || present[entry] != std::byte{0} ? std::optional<T>(values[entry])
                                                      : std::nullopt;
  }
};

template <class T>
struct EntryValue<Array<std::optional<T>>> {
  static constexpr ColumnType rows = {MemberType<T>::scalar, 1};
  static constexpr std::uint32_t extent = MemberType<T>::extent;
  const T* values = nullptr;
  const std::byte* present = nullptr;
  const std::uint32_t* offsets = nullptr;
  void view(const ColumnValues& column) noexcept {
    values = valuesAt<T>(column.values);
    present = column.present;
    offsets = column.offsets[0].data();
  }
  Array<std::optional<T>> operator[](std::size_t entry) const noexcept {
    const std::uint32_t first = offsets[entry];
    return {values + first, present ? present + first : nullptr, offsets[entry + 1] - first};
  }
};

/// Returns the C++ type for a column of this type: "float", "kaon::Array<std::int32_t>".
[[nodiscard]] std::string cppNameOf(ColumnType type);

/// Returns the column with this name, see columnPlace(), to read it as `type`. Throws Error(name).
/// Throws Error(type) if the column has another type, or if its values may be missing. The message
/// names the file and both types.
[[nodiscard]] ColumnLocator columnPlace(const Source& source, std::string_view name,
                                        ColumnType type);

/// Returns the column of a member that may be missing, "Hits.time", with its presence. Its rows
/// have the type `rows`, and `extent` values each. Throws as columnPlace().
[[nodiscard]] ColumnLocator optionalPlace(const Source& source, std::string_view name,
                                          ColumnType rows, std::uint32_t extent);

/// Appends the columns of a record: these members below `name`, with these types and numbers of
/// values per row. If a member may be missing, the record must also have the member that tells its
/// presence. Throws as columnPlace(), and Error(type) if the members are in different lists.
void addRecordPlaces(const Source& source, std::string_view name,
                     std::span<const std::string_view> members, std::span<const ColumnType> types,
                     std::span<const std::uint32_t> extents, std::vector<ColumnLocator>& places);

} // namespace kaon::detail
