#pragma once

#include <kaon/formats/hipo/Structures.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::hipo {

/// A column of a bank.
struct BankColumn {
  std::string name;
  Scalar type = Scalar::Int32;
  std::uint32_t extent = 1; ///< values in a row
  std::string description = {};
  [[nodiscard]] std::uint32_t bytes() const noexcept { return sizeOf(type) * extent; }
};

/// A bank, as a dictionary describes it ("schema").
struct BankDescription {
  std::string name;
  std::uint32_t group = 0;
  std::uint32_t item = 0;
  std::vector<BankColumn> columns;
  std::string description = {};
  [[nodiscard]] std::uint32_t key() const noexcept { return structureKey(group, item); }
};

/// The contents of a dictionary record.
struct HipoDictionary {
  std::vector<BankDescription> banks;
  /// The writer's keys and values for the file.
  std::vector<std::pair<std::string, std::string>> configuration;
  std::string tagNames; ///< oxihipo's names for the bits of tags: "dvcs=0\nsidis=1\n"
  struct RefusedDescription {
    std::string text;
    std::string reason;
  };
  std::vector<RefusedDescription> refused; ///< unreadable descriptions
};

/// The most banks and pieces of configuration in one dictionary, for reading and writing.
inline constexpr std::size_t mostDescriptions = std::size_t{1} << 14;

// Keys of structures with information about the file.
inline constexpr std::uint32_t jsonKey = structureKey(120, 1);
inline constexpr std::uint32_t shortKey = structureKey(120, 2);
inline constexpr std::uint32_t tagNamesKey = structureKey(120, 3);
inline constexpr std::uint32_t configurationKey = structureKey(32555, 1);
inline constexpr std::uint32_t configurationValue = structureKey(32555, 2);
inline constexpr std::uint32_t indexKey = structureKey(32111, 1);
// Follows the index of a file without events.
inline constexpr std::uint32_t behindIndexKey = structureKey(32111, 2);

/// The size of a row of the index: i64 position, i32 bytes, i32 events, i64 tag, i64 for users. As
/// in any bank, each column is stored for all rows together.
inline constexpr std::size_t indexRowBytes = 32;

/// Keys in kaon's metadata of a bank.
inline constexpr std::string_view groupKey = "hipo.group", itemKey = "hipo.item";

/// Returns the type of a column for its letter: B S I F D L.
[[nodiscard]] std::optional<Scalar> columnType(char letter) noexcept;
/// Returns the letter of a type, or 0 for types that HIPO does not have.
[[nodiscard]] char columnLetter(Scalar type) noexcept;

/// Adds the contents of an event of a dictionary record.
void readDictionaryEvent(std::span<const std::byte> event, bool isSwapped,
                         HipoDictionary& dictionary);

/// Returns the short description: "{REC::Event/300/30}{run/I,time/F#2}".
[[nodiscard]] std::string shortText(const BankDescription& bank);
/// Returns the description in JSON, as the C++ library writes it.
[[nodiscard]] std::string jsonText(const BankDescription& bank);

} // namespace kaon::hipo
