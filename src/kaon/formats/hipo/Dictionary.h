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

/// What a dictionary record says.
struct Dictionary {
  std::vector<BankDescription> banks;
  /// What the writer says of the file: keys and values.
  std::vector<std::pair<std::string, std::string>> configuration;
  std::string tagNames; ///< what oxihipo calls the bits of tags: "dvcs=0\nsidis=1\n"
  struct RefusedDescription {
    std::string text;
    std::string reason;
  };
  std::vector<RefusedDescription> refused; ///< descriptions that cannot be read
};

/// Banks and pieces of the configuration that kaon reads of one dictionary, and writes into it.
inline constexpr std::size_t mostDescriptions = std::size_t{1} << 14;

// Where what lies in the file itself.
inline constexpr std::uint32_t jsonKey = structureKey(120, 1);
inline constexpr std::uint32_t shortKey = structureKey(120, 2);
inline constexpr std::uint32_t tagNamesKey = structureKey(120, 3);
inline constexpr std::uint32_t configurationKey = structureKey(32555, 1);
inline constexpr std::uint32_t configurationValue = structureKey(32555, 2);
inline constexpr std::uint32_t indexKey = structureKey(32111, 1);
inline constexpr std::uint32_t behindIndexKey = structureKey(32111, 2); // where there are no events

/// A row of the index: i64 position, i32 bytes, i32 events, i64 tag, i64 of the user's; each column
/// of all rows by itself, as in any bank.
inline constexpr std::size_t indexRowBytes = 32;

/// What kaon's metadata of a bank say of it.
inline constexpr std::string_view groupKey = "hipo.group", itemKey = "hipo.item";

/// The type of a column by its letter: B S I F D L.
[[nodiscard]] std::optional<Scalar> columnType(char letter) noexcept;
/// The letter of a type; 0 for those that HIPO does not have.
[[nodiscard]] char columnLetter(Scalar type) noexcept;

/// Adds what an event of a dictionary record says.
void readDictionaryEvent(std::span<const std::byte> event, bool isSwapped, Dictionary& dictionary);

/// "{REC::Event/300/30}{run/I,time/F#2}".
[[nodiscard]] std::string shortText(const BankDescription& bank);
/// The same as the C++ library writes it in JSON.
[[nodiscard]] std::string jsonText(const BankDescription& bank);

} // namespace kaon::hipo
